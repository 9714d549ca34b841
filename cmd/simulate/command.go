package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hotslot/experiment"
	"hotslot/scenarios"
)

// Main is the command with all that it takes from its surroundings.
type Main struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(name string) string // the environment
	Width          int                      // columns of the terminal that Stdout is; 0 where it is none
	Live           bool                     // Stderr is a terminal, on which a bar may move
	Simulate       simulator
}

// A simulator runs a scenario. It is experiment.Run, but in tests of what should
// never happen.
type simulator func(context.Context, *scenarios.Scenario, experiment.Options) (*experiment.Result, error)

// Run runs the command with its arguments and returns the exit status.
//
// What a verb returns as an exit it has told the user about. Any other error is
// about the arguments: cobra's, pflag's or the verb's own.
func (m *Main) Run(ctx context.Context, args []string) int {
	verb := m.root()
	verb.SetArgs(append([]string{}, args...)) // never nil, which to cobra means os.Args
	err := m.guard(commandLine(args...), func() (err error) {
		verb, err = verb.ExecuteContextC(ctx)
		return err
	})
	var status exit
	switch {
	case err == nil:
		return int(exitHold)
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, new(panicked)):
		return int(m.fail(err))
	}
	m.complain("%v\nRun '%s --help' for usage.", err, verb.CommandPath())
	return int(exitUsage)
}

// root returns the command with all its verbs.
func (m *Main) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "simulate",
		Short: "Simulate a Redis Cluster and compare what helps it",
		Long: `Simulate a Redis Cluster in virtual time: hot keys, hot slots, batches and what
helps against them. A scenario is a TOML file; the same scenario and seed give
the same result on every machine.

Results go to standard output, all else to standard error. Exit status:
    0  all thresholds hold
    1  internal error, or a file cannot be read or written
    2  bad usage, or an invalid scenario
    3  a threshold failed
    4  an invariant of the simulator was violated
    6  a threshold is inconclusive, and none failed
  130  interrupted; the partial result is marked as such`,
		Example: `  simulate list scenarios
  simulate run scenarios/hot-counter.toml
  simulate run scenarios/*.toml --seeds 20 --out out`,
		Args:          cobra.ArbitraryArgs,
		RunE:          refuseVerb,
		SilenceErrors: true, // Run tells them
		SilenceUsage:  true,
	}
	root.SetOut(m.Stdout)
	root.SetErr(m.Stderr)
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(m.runVerb(), m.checkVerb(), m.listVerb(), m.slotVerb(), m.tagsVerb(), m.validateVerb(),
		m.swarmVerb(), m.planVerb())
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Example = "  simulate completion bash > /etc/bash_completion.d/simulate"
		completion.Args = cobra.ArbitraryArgs
		completion.RunE = refuseVerb
	}
	return root
}

// refuseVerb is what a command does that only its verbs do anything.
func refuseVerb(cmd *cobra.Command, args []string) error {
	var verbs []string
	for _, verb := range cmd.Commands() {
		verbs = append(verbs, verb.Name())
	}
	if len(args) == 0 {
		return fmt.Errorf("what is to be done? Choose one of %s", strings.Join(verbs, ", "))
	}
	return fmt.Errorf("unknown command %q%s", args[0], didYouMean(args[0], verbs))
}

// explainFlag adds to the error about an unknown flag which one may be meant.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return fmt.Errorf("%w%s", err, didYouMean("--"+unknown.GetSpecifiedName(), known))
}

// atLeastOne refuses a command line without arguments.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s is missing", what)
		}
		return nil
	}
}

// none refuses arguments that are no flags.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q is too much: %s takes flags only", args[0], cmd.Name())
	}
	return nil
}

// A panicked is the error that guard makes of a panic.
type panicked struct {
	during string
	value  any
}

// Error implements error.
func (p panicked) Error() string {
	return fmt.Sprintf("internal error: %v; please report this line: %s (HOTSLOT_DEBUG=1 shows where)",
		p.value, p.during)
}

// guard calls do and makes an error of a panic, since a stack trace tells users
// nothing. HOTSLOT_DEBUG=1 lets it pass.
func (m *Main) guard(during string, do func() error) (err error) {
	if m.Env("HOTSLOT_DEBUG") == "1" {
		return do()
	}
	defer func() {
		if value := recover(); value != nil {
			err = panicked{during, value}
		}
	}()
	return do()
}

// complain writes a message to standard error.
func (m *Main) complain(format string, args ...any) {
	fmt.Fprintf(m.Stderr, "simulate: "+format+"\n", args...)
}

// fail tells an error and returns how it ends the command.
func (m *Main) fail(err error) exit {
	m.complain("%v", err)
	return exitOf(err)
}

// print writes a result to standard output.
func (m *Main) print(text string) error {
	if _, err := io.WriteString(m.Stdout, text); err != nil {
		return m.fail(err)
	}
	return nil
}
