package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// A planner is a way to plan. It is a verb below plan.
type planner struct {
	name, short, long, example string

	needsLoad bool
	flags     func(*cobra.Command, *planFlags)
	plan      func(*census, *planFlags) (*migration.Plan, error)
	// redisCLI returns the arguments behind redis-cli --cluster that have it do the
	// same, nil where no single call does; %s in them is the address of a node.
	redisCLI func(*census, *planFlags, *migration.Plan) []string
	idle     func(*planFlags) string // what it means that nothing moves
}

func planners() []planner {
	return []planner{rebalancePlanner(), reshardPlanner(), drainPlanner(), hottestPlanner(), isolatePlanner(),
		balancePlanner()}
}

func rebalancePlanner() planner {
	return planner{
		name: "rebalance", short: "Give every primary its share of the slots",
		long: `Plan what redis-cli --cluster rebalance does: primaries that have more slots than
they are due give their lowest ones to those that have fewer. --planner fair does
better: nobody is more than one slot off, with as few moves as that can take.`,
		example: `  simulate plan rebalance --primaries 3 --empty 1 --use-empty
  simulate plan rebalance --nodes nodes.txt --weight 10.0.0.7:6379=0 --format commands
  simulate plan rebalance --slots-of 0-9999 --slots-of 10000-16383 --planner fair`,
		flags: rebalanceFlags, plan: func(c *census, f *planFlags) (*migration.Plan, error) {
			r, err := f.rebalancing(c)
			if err != nil {
				return nil, err
			}
			return migration.Rebalance(c.layout, r)
		},
		redisCLI: func(c *census, f *planFlags, _ *migration.Plan) []string { return f.rebalanceCommand(c, nil) },
		idle: func(f *planFlags) string {
			if r := f.rules(); r.Fair && f.limit() == 0 {
				return "no primary is off its share by a slot"
			} else if f.limit() == 0 {
				return "with a threshold of 0 redis-cli never moves anything"
			}
			return "no primary is off its share by more than the threshold of " + decimalText(f.limit()) + " %"
		},
	}
}

func rebalanceFlags(cmd *cobra.Command, f *planFlags) {
	f.set.StringArrayVar(&f.weights, "weight", nil, "`NODE=W` a primary's weight, 1 where it is not given (repeatable)")
	f.set.Float64Var(&f.threshold, "threshold", 0,
		"`PERCENT` of its slots by which a primary may be off (default 2, fair: 0)")
	f.set.BoolVar(&f.useEmpty, "use-empty", false, "primaries without slots take part")
	choose(cmd, f.set, &f.planner, "planner", "the `RULES`", migration.RulesNames()...)
}

// rules returns the rules of a rebalancing.
func (f *planFlags) rules() migration.Rules {
	r, _, _ := migration.RulesOf(f.planner.word) // the flag has been checked
	return r
}

// limit returns the threshold of a rebalancing.
func (f *planFlags) limit() migration.Decimal {
	switch {
	case f.set.Changed("threshold"):
		return decimal(f.threshold)
	case f.rules().Fair:
		return 0
	}
	return migration.DefaultThreshold
}

// rebalancing returns how slots are to be balanced.
func (f *planFlags) rebalancing(c *census) (migration.Rebalancing, error) {
	r := migration.Rebalancing{Rules: f.rules(), UseEmpty: f.useEmpty, Threshold: f.limit()}
	if !(f.threshold >= 0 && f.threshold <= 100) {
		return r, fmt.Errorf("--threshold %v: from 0 to 100 per cent", f.threshold)
	}
	given := make([]bool, len(c.members))
	r.Weights = slices.Repeat([]migration.Decimal{migration.One}, len(c.members))
	for _, text := range f.weights {
		cut := strings.LastIndexByte(text, '=')
		if cut < 0 {
			return r, fmt.Errorf("--weight %s: write one such as %s=2", text, c.members[0].name)
		}
		n, err := c.find(text[:cut])
		if err != nil {
			return r, fmt.Errorf("--weight %s: %w", text, err)
		}
		w, err := strconv.ParseFloat(text[cut+1:], 64)
		switch {
		case err != nil || !(w >= 0 && w <= float64(migration.DecimalMax/migration.One)):
			most := migration.DecimalMax / migration.One
			return r, fmt.Errorf("--weight %s: a weight is a number from 0 to %d", text, most)
		case given[n]:
			return r, fmt.Errorf("--weight %s: %s has a weight already", text, c.name(n))
		}
		r.Weights[n], given[n] = decimal(w), true
	}
	return r, nil
}

// rebalanceCommand returns the arguments of redis-cli for a rebalancing, one that
// drains a node if that is given.
func (f *planFlags) rebalanceCommand(c *census, drained *slots.Owner) []string {
	if f.planner.word != migration.RulesNames()[0] {
		return nil
	}
	r, err := f.rebalancing(c)
	if err != nil {
		return nil // and there is no plan
	}
	if drained != nil {
		r.Weights[*drained] = 0
	}
	args := []string{"rebalance", c.address(0)}
	if slices.ContainsFunc(r.Weights, func(w migration.Decimal) bool { return w != migration.One }) {
		args = append(args, "--cluster-weight")
	}
	for i, w := range r.Weights {
		if w != migration.One {
			args = append(args, c.id(slots.Owner(i))+"="+decimalText(w))
		}
	}
	if r.UseEmpty {
		args = append(args, "--cluster-use-empty-masters")
	}
	if r.Threshold != migration.DefaultThreshold {
		args = append(args, "--cluster-threshold", decimalText(r.Threshold))
	}
	return args
}

func reshardPlanner() planner {
	return planner{
		name: "reshard", short: "Move so many slots to a primary",
		long: `Plan what redis-cli --cluster reshard does: sources give their lowest slots to the
target, each in proportion to what it has.`,
		example: `  simulate plan reshard --primaries 3 --empty 1 --to 3 --slots 4096
  simulate plan reshard --nodes nodes.txt --from 07c37df,6ec23923 --to 10.0.0.7:6379 --slots 100`,
		flags: func(_ *cobra.Command, f *planFlags) {
			f.set.StringSliceVar(&f.from, "from", []string{"all"}, "`NODES` that slots come from, such as 0,2")
			f.set.StringVar(&f.to, "to", "", "`NODE` that they go to (required)")
			f.set.IntVar(&f.count, "slots", 0, "`N` slots (required)")
		},
		plan: func(c *census, f *planFlags) (*migration.Plan, error) {
			if f.to == "" || f.count == 0 {
				return nil, fmt.Errorf("how many slots are to move where? Give --slots and --to")
			}
			to, err := c.find(f.to)
			if err != nil {
				return nil, fmt.Errorf("--to: %w", err)
			}
			from, err := f.sources(c)
			if err != nil {
				return nil, fmt.Errorf("--from: %w", err)
			}
			if n := slices.Index(from, to); n >= 0 {
				return nil, fmt.Errorf("--from %s: it is the target", f.from[n])
			}
			return migration.Reshard(c.layout, from, to, f.count)
		},
		redisCLI: func(c *census, f *planFlags, _ *migration.Plan) []string {
			to, _ := c.find(f.to) // there is a plan, so there are these
			from, _ := f.sources(c)
			sources := "all"
			if from != nil {
				var ids []string
				for _, n := range from {
					ids = append(ids, c.id(n))
				}
				sources = strings.Join(ids, ",")
			}
			return c.reshardCommand(sources, to, f.count)
		},
		idle: func(*planFlags) string { return "the sources have no slots" },
	}
}

// sources returns where slots come from; nil is all.
func (f *planFlags) sources(c *census) ([]slots.Owner, error) {
	if slices.Equal(f.from, []string{"all"}) {
		return nil, nil
	}
	return c.findAll(f.from)
}

// reshardCommand returns the arguments of redis-cli that move a source's lowest
// slots.
func (c *census) reshardCommand(sources string, to slots.Owner, count int) []string {
	return []string{"reshard", c.address(0), "--cluster-from", sources, "--cluster-to", c.id(to),
		"--cluster-slots", strconv.Itoa(count), "--cluster-yes"}
}

func drainPlanner() planner {
	return planner{
		name: "drain", short: "Take all slots from a primary",
		long: `Plan to take all its slots from a primary and spread them over the others, as
redis-cli --cluster rebalance does where its weight is 0, or to give them all to
one other.`,
		example: `  simulate plan drain --primaries 4 --node 3
  simulate plan drain --nodes nodes.txt --node 10.0.0.7:6379 --format commands`,
		flags: func(cmd *cobra.Command, f *planFlags) {
			f.set.StringVar(&f.node, "node", "", "`NODE` that is to have none (required)")
			f.set.StringVar(&f.to, "to", "", "`NODE` that gets them all")
			rebalanceFlags(cmd, f)
		},
		plan: func(c *census, f *planFlags) (*migration.Plan, error) {
			if f.node == "" {
				return nil, fmt.Errorf("which primary is to have no slots? Give --node")
			}
			node, err := c.find(f.node)
			if err != nil {
				return nil, fmt.Errorf("--node: %w", err)
			}
			if f.to != "" {
				to, err := c.find(f.to)
				switch {
				case err != nil:
					return nil, fmt.Errorf("--to: %w", err)
				case to == node:
					return nil, fmt.Errorf("--to %s: that is the node which is to have none", f.to)
				}
				return migration.DrainTo(c.layout, node, to)
			}
			r, err := f.rebalancing(c)
			if err != nil {
				return nil, err
			}
			return migration.Drain(c.layout, node, r)
		},
		redisCLI: func(c *census, f *planFlags, p *migration.Plan) []string {
			node, _ := c.find(f.node) // there is a plan, so there is this one
			if f.to == "" {
				return f.rebalanceCommand(c, &node)
			}
			to, _ := c.find(f.to)
			return c.reshardCommand(c.id(node), to, p.Len())
		},
		idle: func(f *planFlags) string { return f.node + " has no slots" },
	}
}

func hottestPlanner() planner {
	return planner{
		name: "hottest", short: "Move the hottest slots from the busiest primary to the idlest",
		long: `Plan a few moves of single slots, each from the primary that is busiest then to the
one that is idlest: the hottest slot that makes the busier of the two less busy than
it was. The plan says when that cannot help, since one slot alone is too much.`,
		example: `  simulate plan hottest scenarios/hot-counter.toml --count 3
  simulate plan hottest --nodes nodes.txt --load stats.txt --format commands --via valkey-9`,
		needsLoad: true,
		flags: func(_ *cobra.Command, f *planFlags) {
			f.set.IntVar(&f.count, "count", 10, "`N` moves at most")
		},
		plan: func(c *census, f *planFlags) (*migration.Plan, error) {
			if f.count < 1 || f.count > slots.Count {
				return nil, fmt.Errorf("--count %d: from 1 to %d moves", f.count, slots.Count)
			}
			return migration.Hottest(c.layout, c.load, f.count)
		},
		idle: func(*planFlags) string { return "no slot would leave both primaries less busy than the busiest is" },
	}
}

func isolatePlanner() planner {
	return planner{
		name: "isolate", short: "Give one slot a primary of its own",
		long: `Plan to leave a hot slot alone on a primary: it moves to one without slots or, if
there is none, all others move away from its own, each to whoever is idlest then.`,
		example: `  simulate plan isolate scenarios/hot-counter.toml --key page:view:count
  simulate plan isolate --primaries 3 --empty 1 --slot 12699`,
		flags: func(_ *cobra.Command, f *planFlags) {
			f.set.IntVar(&f.slot, "slot", 0, "slot `N` that is to be alone")
			f.set.StringVar(&f.key, "key", "", "or that of a `KEY`")
		},
		plan: func(c *census, f *planFlags) (*migration.Plan, error) {
			slot := f.slot
			switch byKey := f.set.Changed("key"); {
			case byKey == f.set.Changed("slot"):
				return nil, fmt.Errorf("which slot is to be alone? Give --slot or --key")
			case byKey:
				slot = int(slots.Of(f.key))
			case slot < 0 || slot >= slots.Count:
				return nil, fmt.Errorf("--slot %d: they are numbered from 0 to %d", slot, slots.Count-1)
			}
			load := c.load
			if load == nil {
				load = new(migration.Load)
			}
			return migration.Isolate(c.layout, load, slots.Slot(slot))
		},
		idle: func(*planFlags) string { return "the slot is alone already" },
	}
}

func balancePlanner() planner {
	return planner{
		name: "balance", short: "Balance by what slots cost, with few moves",
		long: `Plan to bring every primary down to the mean load and a few per cent more, with as
few moves as that takes: each primary above it gives as few slots as suffice, and
they go, the heaviest first, to whoever is idlest then. Balanced by CPU, by
commands, by bytes or by keys instead of by the number of slots.`,
		example: `  simulate plan balance scenarios/hot-counter.toml --by commands
  simulate plan balance --nodes nodes.txt --load stats.txt --by bytes --within 5`,
		needsLoad: true,
		flags: func(_ *cobra.Command, f *planFlags) {
			f.set.Float64Var(&f.within, "within", 0, "`PERCENT` above the mean load that a primary may have")
		},
		plan: func(c *census, f *planFlags) (*migration.Plan, error) {
			if !(f.within >= 0 && f.within <= 100) {
				return nil, fmt.Errorf("--within %v: from 0 to 100 per cent", f.within)
			}
			return migration.Level(c.layout, c.load, decimal(f.within))
		},
		idle: func(*planFlags) string {
			return "every primary is within the limit, or no slot that moves would bring it there"
		},
	}
}

// decimal returns a number in millionths.
func decimal(x float64) migration.Decimal {
	return migration.Decimal(math.Round(x * float64(migration.One)))
}

// decimalText returns a decimal as people write it.
func decimalText(d migration.Decimal) string {
	return strconv.FormatFloat(float64(d)/float64(migration.One), 'f', -1, 64)
}
