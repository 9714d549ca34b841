package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hotslot/scenarios"
)

// runFlags are the flags of the verb run.
type runFlags struct {
	strategies []string
	seed       uint64
	seeds      int
	duration   time.Duration
	sets       []string
	format     format
	out        string
	events     string
	dumps      dumpFlag
	jobs       int
	quiet      bool

	set *pflag.FlagSet // knows which of them were given
}

// decisive are the flags that decide what standard output gets, in the order in
// which they are told.
var decisive = []string{"strategy", "seed", "seeds", "duration", "set", "format", "dump"}

func (m *Main) runVerb() *cobra.Command {
	f := runFlags{format: textFormat}
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Run scenarios and report what came out",
		Long: `Run every strategy of the scenarios with every seed, report what came out, and
judge the thresholds. Several files are run one after another, and the worst of
them decides the exit status.

The first interrupt (Ctrl-C) ends the run and reports what is finished, marked
as partial; the second one kills.`,
		Example: `  simulate run scenarios/hot-counter.toml
  simulate run scenarios/hot-counter.toml --strategy baseline,suffix-x16 --seeds 20
  simulate run scenarios/hot-counter.toml --set cluster.primaries=6 --format json
  simulate run scenarios/*.toml --quiet --out out
  simulate run scenarios/failover.toml --seeds 1 --events events.jsonl
  simulate run scenarios/failover.toml --dump 't=12s,node=primary 1,what=cluster nodes'`,
		Args:              atLeastOne("a scenario FILE"),
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			return m.run(cmd.Context(), files, &f)
		},
	}
	f.set = cmd.Flags()
	f.set.SortFlags = false
	f.set.StringSliceVar(&f.strategies, "strategy", nil, "run only the strategies of these `NAMES`, such as a,b")
	f.set.Uint64Var(&f.seed, "seed", 0, "first seed `N`, instead of the scenario's")
	f.set.IntVar(&f.seeds, "seeds", 0, "`N` seeds, instead of the scenario's")
	f.set.DurationVar(&f.duration, "duration", 0, "virtual `TIME` to measure, such as 10s, instead of the scenario's")
	f.set.StringArrayVar(&f.sets, "set", nil,
		"set `PATH=VALUE` under every strategy, such as cluster.primaries=6 (repeatable)")
	f.set.Var(&f.format, "format", "`FORMAT` of standard output: "+strings.Join(formats(), ", "))
	f.set.StringVar(&f.out, "out", "", "write every report and plot into the folder `DIR` too")
	f.set.StringVar(&f.events, "events", "",
		"write what happens in the control plane, of all runs, into `FILE`: JSON, one event a line")
	f.set.Var(&f.dumps, "dump",
		"print `WHAT` a node tells of itself at an instant, in the run of the first seed,\nsuch as "+
			"'t=12s,node=primary 1,what=cluster nodes' (repeatable); alone with --quiet")
	f.set.IntVar(&f.jobs, "jobs", 0, "`N` runs at a time (default: one for each core)")
	f.set.BoolVar(&f.quiet, "quiet", false, "no progress and no notes on standard error")
	complete := func(name string, words cobra.CompletionFunc) {
		if err := cmd.RegisterFlagCompletionFunc(name, words); err != nil {
			panic(err) // there is no such flag
		}
	}
	complete("format", cobra.FixedCompletions(formats(), cobra.ShellCompDirectiveNoFileComp))
	complete("strategy", completeStrategies)
	complete("out", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	return cmd
}

// completeStrategies lets a shell complete the names of the strategies of the
// files that stand on the line already.
func completeStrategies(_ *cobra.Command, files []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, file := range files {
		if s, err := scenarios.Load(file, scenarios.Options{}); err == nil {
			for i := range s.Strategies {
				names = append(names, s.Strategies[i].Name)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// options returns what the flags say over a scenario file.
func (f *runFlags) options() scenarios.Options {
	opts := scenarios.Options{Set: f.sets, Strategies: f.strategies}
	if f.set.Changed("seed") {
		opts.Seed = &f.seed
	}
	if f.set.Changed("seeds") {
		opts.Seeds = &f.seeds
	}
	if f.set.Changed("duration") {
		opts.Duration = &f.duration
	}
	return opts
}

// given returns the flags of some names as they were given, to be written
// behind files on a command line.
func (f *runFlags) given(names ...string) []string {
	var words []string
	for _, name := range names {
		flag := f.set.Lookup(name)
		if !flag.Changed {
			continue
		}
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			words = append(words, "--"+name, value)
		}
	}
	return words
}

// reproduce returns the command that runs files with some flags.
func reproduce(files []string, flags ...string) string {
	words := []string{"run"}
	for _, file := range files {
		if strings.HasPrefix(file, "-") {
			file = "./" + file // or it would be taken for a flag
		}
		words = append(words, file)
	}
	return commandLine(append(words, flags...)...)
}

func (m *Main) run(ctx context.Context, files []string, f *runFlags) error {
	if f.jobs < 0 {
		return fmt.Errorf("--jobs %d: at least one run at a time", f.jobs)
	}
	loaded, status := m.load(files, f.options())
	if status != exitHold {
		return status
	}
	b := &batch{Main: m, flags: f, files: files, scenarios: loaded}
	if err := errors.Join(b.makeFolders(), b.makeEvents()); err != nil {
		return m.fail(err)
	}
	return b.run(ctx)
}
