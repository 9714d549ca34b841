package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hotslot/experiment"
	"hotslot/scenarios"
	"hotslot/sim/cluster"
	"hotslot/sim/migration"
)

// planFlags are the flags of the verbs below plan.
type planFlags struct {
	// where the cluster comes from
	primaries, empty int
	slotsOf          []string
	nodes            string
	// where the load comes from
	strategy string
	seed     uint64
	load     string
	by       choice
	// how the plan is printed
	format, via choice
	// what is planned
	weights   []string
	threshold float64
	useEmpty  bool
	planner   choice
	from      []string
	to        string
	node      string
	count     int
	slot      int
	key       string
	within    float64

	set *pflag.FlagSet // knows which of them were given
}

// commandsFormat prints a plan as what carries it out.
const commandsFormat = "commands"

func planFormats() []string { return []string{string(textFormat), string(jsonFormat), commandsFormat} }

func (m *Main) planVerb() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Plan which slots move where, as redis-cli does, or better",
		Long: `Plan which slots of a cluster move where and in which order: as redis-cli --cluster
does it, move for move, or by what slots cost. Nothing is moved: the plan is
printed as a table, as JSON, or as the commands that carry it out.

The cluster is one that exists, as CLUSTER NODES of one of its nodes shows it, that
of a scenario when it begins, or one of the flags --primaries and --slots-of. What
slots cost is counted in a run of the scenario, or read from a file, such as the
answer to CLUSTER SLOT-STATS.`,
		Example: `  redis-cli -p 7000 cluster nodes | simulate plan rebalance --nodes - --use-empty
  simulate plan rebalance --primaries 4 --weight 3=0
  simulate plan hottest scenarios/hot-counter.toml`,
		Args: cobra.ArbitraryArgs,
		RunE: refuseVerb,
	}
	for _, p := range planners() {
		cmd.AddCommand(m.plannerVerb(p))
	}
	cmd.AddCommand(m.createVerb())
	return cmd
}

// plannerVerb makes the verb of a planner.
func (m *Main) plannerVerb(p planner) *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use: p.name + " [FILE]", Short: p.short, Long: p.long, Example: p.example,
		Args:              atMostOne,
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return m.plan(cmd.Context(), &p, f, args)
		},
	}
	f.set = cmd.Flags()
	f.set.SortFlags = false
	if p.flags != nil {
		p.flags(cmd, f)
	}
	f.set.StringVar(&f.nodes, "nodes", "",
		"`FILE` with what CLUSTER NODES answered, - for standard input:\nthe cluster to plan for")
	f.set.IntVar(&f.primaries, "primaries", 0,
		"or `N` primaries with the slots that redis-cli --cluster create gives them")
	f.set.StringArrayVar(&f.slotsOf, "slots-of", nil,
		"or `SLOTS` of a primary, such as 0-5460,7000 or none\n(once for each primary, in order)")
	f.set.IntVar(&f.empty, "empty", 0, "`N` more primaries, without slots")
	f.set.StringVar(&f.strategy, "strategy", "", "`NAME` of the scenario's strategy (default: the baseline)")
	f.set.Uint64Var(&f.seed, "seed", 0, "seed `N` of the run, instead of the scenario's first")
	f.set.StringVar(&f.load, "load", "", "`FILE` with slots and what each costs, or with what CLUSTER SLOT-STATS\n"+
		"of all primaries answered, - for standard input")
	var quantities []string
	for _, q := range cluster.Quantities() {
		quantities = append(quantities, string(q))
	}
	choose(cmd, f.set, &f.by, "by", "what is counted as `LOAD`", quantities...)
	choose(cmd, f.set, &f.format, "format", "`FORMAT` of the plan", planFormats()...)
	choose(cmd, f.set, &f.via, "via", "`WAY` of the commands", ways()...)
	return cmd
}

// atMostOne refuses a second argument.
func atMostOne(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%q is too much: there is one scenario FILE at most", args[1])
	}
	return nil
}

// plan makes a plan and prints it.
func (m *Main) plan(ctx context.Context, p *planner, f *planFlags, args []string) error {
	if f.set.Changed("via") && f.format.word != commandsFormat {
		return fmt.Errorf("--via %s says how commands carry the plan out: add --format commands", f.via.word)
	}
	c, err := m.census(ctx, f, args)
	if err != nil {
		return err
	}
	if p.needsLoad && c.load == nil {
		return fmt.Errorf("what do slots cost? Give a scenario FILE, or --load")
	}
	made, err := p.plan(c, f)
	if err != nil {
		return err
	}
	o, err := newOutline(c, p, f, made)
	if err != nil {
		return m.fail(err)
	}
	switch f.format.word {
	case string(jsonFormat):
		return m.print(o.json())
	case commandsFormat:
		text, err := o.commands(f.via.word)
		if err != nil {
			return err
		}
		return m.print(text)
	}
	return m.print(o.text())
}

// census finds out what there is to plan with.
func (m *Main) census(ctx context.Context, f *planFlags, args []string) (*census, error) {
	if f.load == "-" && f.nodes == "-" {
		return nil, fmt.Errorf("--load and --nodes cannot both be read from standard input")
	}
	var s *scenarios.Scenario
	if len(args) == 1 {
		opts := scenarios.Options{}
		if f.set.Changed("strategy") {
			opts.Strategies = []string{f.strategy}
		}
		if f.set.Changed("seed") {
			opts.Seed = &f.seed
		}
		loaded, status := m.load(args, opts)
		if status != exitHold {
			return nil, status
		}
		s = loaded[0]
	} else if f.set.Changed("strategy") || f.set.Changed("seed") {
		return nil, fmt.Errorf("--strategy and --seed are about a run: there is no scenario FILE")
	}
	c, err := m.clusterOf(f, s)
	if err != nil {
		return nil, err
	}
	if f.empty < 0 || len(c.members)+f.empty > primariesMax {
		return nil, fmt.Errorf("--empty %d: a cluster has up to %d primaries", f.empty, primariesMax)
	}
	for range f.empty {
		c.add(member{name: fmt.Sprintf("primary %d", len(c.members))})
	}
	if err := c.covered(); err != nil {
		return nil, err
	}
	c.by = f.by.word
	c.load, err = m.loadOf(ctx, f, s)
	return c, err
}

// clusterOf returns the primaries and their slots.
func (m *Main) clusterOf(f *planFlags, s *scenarios.Scenario) (*census, error) {
	given := 0
	for _, name := range []string{"primaries", "slots-of", "nodes"} {
		if f.set.Changed(name) {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, fmt.Errorf("--primaries, --slots-of and --nodes each give the cluster: choose one")
	case f.set.Changed("primaries"):
		if err := checkPrimaries(f.primaries); err != nil {
			return nil, err
		}
		return evenCensus(f.primaries), nil
	case f.set.Changed("slots-of"):
		c, err := parseSlotsOf(f.slotsOf)
		if err != nil {
			return nil, fmt.Errorf("--slots-of: %w", err)
		}
		return c, nil
	case f.set.Changed("nodes"):
		if f.empty > 0 {
			return nil, fmt.Errorf("--empty does not go with --nodes: the nodes that are there are known")
		}
		text, err := m.read("nodes", f.nodes)
		if err != nil {
			return nil, err
		}
		c, err := parseNodes(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", f.nodes, err)
		}
		return c, nil
	case s != nil:
		return evenCensus(s.Strategies[s.Baseline()].Settings.Cluster.Primaries), nil
	}
	return nil, fmt.Errorf("which cluster? Give --nodes, a scenario FILE, --primaries or --slots-of")
}

// loadOf returns what slots cost; nil where nothing tells.
func (m *Main) loadOf(ctx context.Context, f *planFlags, s *scenarios.Scenario) (*migration.Load, error) {
	by := cluster.Quantity(f.by.word)
	switch {
	case f.set.Changed("load"):
		text, err := m.read("load", f.load)
		if err != nil {
			return nil, err
		}
		load, err := parseLoad(text, by)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", f.load, err)
		}
		return load, nil
	case s == nil:
		if f.set.Changed("by") {
			return nil, fmt.Errorf("--by %s: what do slots cost? Give a scenario FILE, or --load", f.by.word)
		}
		return nil, nil
	}
	load, err := experiment.SlotLoads(ctx, s, s.Baseline(), by)
	switch {
	case ctx.Err() != nil:
		return nil, exitInterrupted
	case err != nil:
		return nil, m.fail(err)
	}
	return load, nil
}

// read reads the file that a flag names.
func (m *Main) read(flag, file string) (string, error) {
	if file == "-" {
		text, err := io.ReadAll(m.Stdin)
		if err != nil {
			return "", m.fail(fmt.Errorf("--%s: %w", flag, err))
		}
		return string(text), nil
	}
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("--%s: %s does not exist", flag, file)
	case err != nil:
		return "", m.fail(fmt.Errorf("--%s: %w", flag, err))
	}
	return string(text), nil
}
