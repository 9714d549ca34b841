package main

import (
	"errors"
	"slices"

	"hotslot/experiment"
	"hotslot/scenarios"
	"hotslot/sim/cluster"
)

// An exit is the status that the command ends with. As an error it means that
// the user has been told why.
type exit int

const (
	exitHold         exit = 0   // all thresholds hold
	exitInternal     exit = 1   // a fault of the simulator, a run too large, a file that cannot be read or written
	exitUsage        exit = 2   // bad usage, or an invalid scenario
	exitFail         exit = 3   // a threshold failed
	exitViolation    exit = 4   // an invariant of the simulator did not hold
	exitInconclusive exit = 6   // no threshold failed, and some are inconclusive
	exitInterrupted  exit = 130 // by SIGINT, as shells have it
)

// Error implements error.
func (e exit) Error() string { return e.String() }

// String says in a word or two what became of a scenario.
func (e exit) String() string {
	switch e {
	case exitHold:
		return "holds"
	case exitUsage:
		return "invalid"
	case exitFail:
		return "fails"
	case exitViolation:
		return "invariant violated"
	case exitInconclusive:
		return "inconclusive"
	case exitInterrupted:
		return "interrupted"
	}
	return "error"
}

// worse returns the one of two exits that the user must hear of first: what
// makes all results doubtful before what concerns one of them.
func worse(a, b exit) exit {
	order := []exit{exitViolation, exitInternal, exitUsage, exitInterrupted, exitFail, exitInconclusive, exitHold}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// exitOf returns how an error ends the command.
func exitOf(err error) exit {
	var invalid scenarios.Errors
	var violation *cluster.Violation
	switch {
	case errors.As(err, &violation):
		return exitViolation
	case errors.As(err, &invalid), errors.As(err, new(misuse)):
		return exitUsage
	}
	return exitInternal
}

// exitOfResult returns how a result ends the command.
func exitOfResult(r *experiment.Result) exit {
	n := verdicts(r)
	switch {
	case r.Partial:
		return exitInterrupted
	case n[experiment.Fail] > 0:
		return exitFail
	case n[experiment.Inconclusive] > 0:
		return exitInconclusive
	}
	return exitHold
}

// verdicts counts the thresholds of a result by verdict.
func verdicts(r *experiment.Result) map[experiment.Verdict]int {
	n := map[experiment.Verdict]int{}
	for _, t := range r.Thresholds {
		n[t.Verdict]++
	}
	return n
}
