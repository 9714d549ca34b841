package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hotslot/validation"
)

// validateFlags are the flags of the verb validate.
type validateFlags struct {
	trials int
	out    string
	config string
	quiet  bool
}

func (m *Main) validateVerb() *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Hold the simulator against real servers",
		Long: `Repeat what was done to clusters of redis-server 7.0.15, on which a primary was
killed, frozen or cut off many times, and compare the distributions of all times
with those that were measured: a two-sample Kolmogorov-Smirnov test, which rejects
at 1 %. The exit status is 3 if any is rejected.`,
		Example: `  simulate validate
  simulate validate --trials 2000 --out out/validation
  simulate validate --config 3x1_2000`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return m.validate(cmd.Context(), &f) },
	}
	sets := validation.Sets()
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&f.trials, "trials", 500, "`N` simulated trials of each configuration, at least")
	flags.StringVar(&f.out, "out", "", "draw both distributions of everything that is compared into the folder `DIR`")
	flags.StringVar(&f.config, "config", "", "only the configuration `NAME`: "+strings.Join(sets, ", "))
	flags.BoolVar(&f.quiet, "quiet", false, "no notes on standard error")
	if err := cmd.RegisterFlagCompletionFunc("config",
		cobra.FixedCompletions(sets, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
	return cmd
}

func (m *Main) validate(ctx context.Context, f *validateFlags) error {
	if f.trials < 1 {
		return fmt.Errorf("--trials %d: at least one", f.trials)
	}
	if sets := validation.Sets(); f.config != "" && !slices.Contains(sets, f.config) {
		return fmt.Errorf("--config %q: there are %s%s", f.config, strings.Join(sets, ", "), didYouMean(f.config, sets))
	}
	if f.out != "" {
		if err := makeFolder(f.out); err != nil {
			return m.fail(fmt.Errorf("--out: %w", err))
		}
	}
	options := validation.Options{Trials: f.trials, Only: f.config}
	if !f.quiet {
		options.Progress = func(what string) { fmt.Fprintf(m.Stderr, "simulating %s\n", what) }
	}
	r, err := validation.Run(ctx, options)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case err != nil:
		return m.fail(err)
	}
	if err := m.print(r.Text()); err != nil {
		return err
	}
	if f.out != "" {
		if _, err := r.Plots(f.out); err != nil {
			return m.fail(err)
		}
	}
	if r.Rejected() > 0 {
		return exitFail
	}
	return nil
}
