// Simulate runs scenarios of a simulated Redis Cluster and reports what came
// out: which strategy serves a demand, at what price, and whether the
// scenario's thresholds hold.
//
// The verbs are thin: they turn arguments into what package scenarios loads,
// package experiment runs and package reports renders, and what became of that
// into an exit status. Results go to standard output and are the same bytes for
// the same arguments; all that depends on the machine and the moment goes to
// standard error.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"hotslot/experiment"
)

func main() {
	m := Main{
		Stdin:    os.Stdin,
		Stdout:   os.Stdout,
		Stderr:   os.Stderr,
		Env:      os.Getenv,
		Live:     term.IsTerminal(int(os.Stderr.Fd())),
		Simulate: experiment.Run,
	}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		m.Width = width
	}
	os.Exit(m.Run(interruptible(), os.Args[1:]))
}

// interruptible returns a context that the first SIGINT or SIGTERM cancels, so
// that what is finished by then is reported. The second signal kills: unlike
// signal.NotifyContext, this lets go of the signals before it cancels, so that
// the second one cannot come too early.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
	}()
	return ctx
}
