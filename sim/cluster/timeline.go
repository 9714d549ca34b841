package cluster

import (
	"cmp"
	"slices"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Timeline is what happened in a run, in order.
type Timeline struct {
	Events []wire.Event
	// Scripted says when each event of the scenario happened, by its place in
	// Config.Events; sim.Never if it did not.
	Scripted []sim.Time
}

// First returns the first event of a kind at or after an instant, at any node.
func (t *Timeline) First(kind wire.EventKind, from sim.Time) (wire.Event, bool) {
	for _, e := range t.Events {
		if e.Kind == kind && e.At >= from {
			return e, true
		}
	}
	return wire.Event{}, false
}

// sort puts the events in the order of time. A node tells of a turn when it
// begins, so two nodes may tell of theirs the other way round.
func (t *Timeline) sort() {
	slices.SortStableFunc(t.Events, func(a, b wire.Event) int { return cmp.Compare(a.At, b.At) })
}
