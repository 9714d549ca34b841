package experiment

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Line is one event of a run's timeline.
type Line struct {
	Seed     uint64
	Strategy string
	Micros   int64  // from the beginning of the run
	Node     string // where; "" where it is nowhere in particular
	Kind     string
	About    string // another node, "" where there is none
	Event    string // of the scenario, whose partition or link it is; else ""
	Reason   string
	Numbers  []Number // what else is known
}

// A Number is something known of an event, by name.
type Number struct {
	Name  string
	Value int64
}

// numbersOf names the numbers of an event.
func numbersOf(e wire.Event) []Number {
	names := map[wire.EventKind][]string{
		wire.EventRestart: {"kept_data"}, wire.EventBlock: {"length_ns"}, wire.EventFork: {"length_ns"},
		wire.EventFAIL:              {"reports"},
		wire.EventElectionScheduled: {"delay_ms", "rank", "offset"}, wire.EventElectionDelayed: {"added_ms", "rank"},
		wire.EventElectionStarted: {"epoch"}, wire.EventElectionExpired: {"epoch"}, wire.EventNoElection: {"age_ms"},
		wire.EventVoteGranted: {"epoch"}, wire.EventVoteRefused: {"epoch"}, wire.EventElectionWon: {"epoch"},
		wire.EventEpochCollision: {"epoch"}, wire.EventBecamePrimary: {"config_epoch"},
		wire.EventSlotOwner: {"first", "last", "config_epoch"}, wire.EventManualFailover: {"mode"},
		wire.EventWritesPaused: {"until_ns"}, wire.EventPartialResync: {"bytes"}, wire.EventFullResync: {"bytes"},
		wire.EventSynced: {"offset"}, wire.EventWriteLost: {"writes", "keys"}, wire.EventKeysDropped: {"keys"},
		wire.EventKeysMoved: {"keys", "bytes", "slot"}, wire.EventMigrationStarted: {"slots"},
		wire.EventMigrationDone: {"slots", "keys"}, wire.EventMigrationFailed: {"slots", "keys"},
		wire.EventSlotMigrating: {"first", "last"}, wire.EventSlotImporting: {"first", "last"},
		wire.EventSlotStable:    {"first", "last"},
		wire.EventAtomicStarted: {"slots", "task"}, wire.EventAtomicSnapshot: {"bytes", "task"},
		wire.EventAtomicStreaming: {"waiting", "task"}, wire.EventAtomicPaused: {"", "task"},
		wire.EventAtomicDone: {"keys", "task", "paused_ns"}, wire.EventAtomicFailed: {"", "task"},
	}
	var numbers []Number
	for i, name := range names[e.Kind] {
		if name != "" {
			numbers = append(numbers, Number{name, [...]int64{e.A, e.B, e.C}[i]})
		}
	}
	return numbers
}

// lines returns the timeline of the run.
func (m *measurement) lines() []Line {
	var lines []Line
	for _, e := range m.cl.Timeline.Events {
		l := Line{Seed: m.cl.Seed, Strategy: m.strategy.Name, Micros: int64(e.At / 1000), Kind: e.Kind.String(),
			Node: m.nameOf(e.Node), About: m.nameOf(e.About), Event: m.eventOf(e), Reason: e.Reason.String(),
			Numbers: numbersOf(e)}
		lines = append(lines, l)
	}
	return lines
}

// eventOf returns the name of the scenario's event that something on the network, or
// a migration, belongs to.
func (m *measurement) eventOf(e wire.Event) string {
	switch e.Kind {
	case wire.EventPartition, wire.EventHeal, wire.EventLinkChange:
		return m.cl.Config.Events[e.A].Name
	case wire.EventMigrationStarted:
		return m.cl.Config.Events[e.B].Name
	case wire.EventMigrationDone, wire.EventMigrationFailed:
		return m.cl.Config.Events[e.C].Name
	}
	return ""
}

// nameOf returns a node's name, "" for none.
func (m *measurement) nameOf(node slots.Owner) string {
	if node == slots.None {
		return ""
	}
	return m.cl.NodeName(int(node))
}
