package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"hotslot/validation"
)

func (m *Main) swarmVerb() *cobra.Command {
	o := validation.SwarmOptions{}
	cmd := &cobra.Command{
		Use:   "swarm",
		Short: "Look for faults of the simulator in clusters that nobody would build",
		Long: `Run clusters whose topology, placement, version, settings and loads are drawn from
a seed, and let everything happen to them that can: processes die, hosts vanish,
networks part, operators give orders. Each run is held to what must always hold:
no operation is lost or counted twice, nobody votes twice in an epoch, and long
after the last fault all nodes are of one mind.

The first seed that finds a fault ends the swarm, with the one command that repeats
it and exit status 4.`,
		Example: `  simulate swarm
  simulate swarm --seeds 10000
  simulate swarm --seed 1234 --seeds 1`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return m.swarm(cmd.Context(), o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&o.Seeds, "seeds", 200, "`N` clusters")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed `N` of the first")
	flags.DurationVar(&o.Duration, "duration", 0, "virtual `TIME` of each run (default: as its seed has it)")
	flags.BoolVar(&o.Twice, "twice", false, "run each twice, to see whether it takes the same course")
	return cmd
}

func (m *Main) swarm(ctx context.Context, o validation.SwarmOptions) error {
	switch {
	case o.Seeds < 1:
		return fmt.Errorf("--seeds %d: at least one", o.Seeds)
	case o.Duration < 0 || o.Duration > time.Hour:
		return fmt.Errorf("--duration %v: from 0 to an hour", o.Duration)
	}
	tally, err := validation.Swarm(ctx, o)
	var fault *validation.SwarmError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &fault):
		m.complain("%v; please report this line: %s", err, repeat(fault.Seed, o))
		var crash *validation.Crash
		if errors.As(err, &crash) && m.Env("HOTSLOT_DEBUG") == "1" {
			fmt.Fprintf(m.Stderr, "%s\n", crash.Stack)
		}
		return exitViolation
	case err != nil:
		return m.fail(err)
	}
	return m.print(tally.Text())
}

// repeat returns the command that runs the one seed again.
func repeat(seed uint64, o validation.SwarmOptions) string {
	words := []string{"swarm", "--seed", strconv.FormatUint(seed, 10), "--seeds", "1"}
	if o.Duration > 0 {
		words = append(words, "--duration", o.Duration.String())
	}
	if o.Twice {
		words = append(words, "--twice")
	}
	return commandLine(words...)
}
