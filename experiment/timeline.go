package experiment

import (
	"fmt"
	"time"

	"hotslot/scenarios"
	"hotslot/sim"
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
	Reason   string
	Numbers  []Number // what else is known
}

// A Number is something known of an event, by name.
type Number struct {
	Name  string
	Value int64
}

// A Step is what several nodes did or came to believe, told in Redis's words.
type Step struct {
	Seconds float64 // from the beginning of the run, of the first node
	Until   float64 // of the last
	Since   float64 // seconds from the fault before it; negative before the first
	Nodes   int
	Node    string // of one, its name
	Text    string
}

// numbersOf names the numbers of an event.
func numbersOf(e wire.Event) []Number {
	names := map[wire.EventKind][]string{
		wire.EventRestart: {"kept_data"}, wire.EventBlock: {"length_ns"}, wire.EventFork: {"length_ns"},
		wire.EventPartition: {"event"}, wire.EventHeal: {"event"}, wire.EventFAIL: {"reports"},
		wire.EventElectionScheduled: {"delay_ms", "rank", "offset"}, wire.EventElectionDelayed: {"added_ms", "rank"},
		wire.EventElectionStarted: {"epoch"}, wire.EventElectionExpired: {"epoch"}, wire.EventNoElection: {"age_ms"},
		wire.EventVoteGranted: {"epoch"}, wire.EventVoteRefused: {"epoch"}, wire.EventElectionWon: {"epoch"},
		wire.EventEpochCollision: {"epoch"}, wire.EventBecamePrimary: {"config_epoch"},
		wire.EventSlotOwner: {"first", "last", "config_epoch"}, wire.EventManualFailover: {"mode"},
		wire.EventWritesPaused: {"until_ns"}, wire.EventPartialResync: {"bytes"}, wire.EventFullResync: {"bytes"},
		wire.EventSynced: {"offset"}, wire.EventWriteLost: {"writes", "keys"}, wire.EventKeysDropped: {"keys"},
		wire.EventKeysMoved: {"keys", "bytes", "slot"},
	}
	var numbers []Number
	for i, name := range names[e.Kind] {
		numbers = append(numbers, Number{name, [...]int64{e.A, e.B, e.C}[i]})
	}
	return numbers
}

// lines returns the timeline of the run.
func (m *measurement) lines() []Line {
	var lines []Line
	for _, e := range m.cl.Timeline.Events {
		l := Line{Seed: m.cl.Seed, Strategy: m.strategy.Name, Micros: int64(e.At / 1000), Kind: e.Kind.String(),
			Node: m.nameOf(e.Node), About: m.nameOf(e.About), Reason: e.Reason.String(), Numbers: numbersOf(e)}
		lines = append(lines, l)
	}
	return lines
}

// nameOf returns a node's name, "" for none.
func (m *measurement) nameOf(node slots.Owner) string {
	if node == slots.None {
		return ""
	}
	return m.cl.NodeName(int(node))
}

// told is for how long after the first node others may follow and still be part
// of the same step.
const told = 3 * time.Second

// timeline folds what happened into steps.
func (m *measurement) timeline() []Step {
	var steps []Step
	type group struct {
		step int
		last sim.Time
	}
	open := map[wire.Event]group{} // by what the events of a step have in common
	fault := sim.Time(-1)
	for _, e := range m.cl.Timeline.Events {
		if isFault(e.Kind) {
			fault = e.At
		}
		key := wire.Event{Kind: e.Kind, About: e.About, Reason: e.Reason}
		switch e.Kind {
		case wire.EventSlotOwner, wire.EventVoteGranted, wire.EventVoteRefused:
			key.A, key.B = e.A, e.B
		case wire.EventElectionScheduled, wire.EventElectionStarted, wire.EventElectionWon, wire.EventBecamePrimary,
			wire.EventFullResync, wire.EventPartialResync, wire.EventSynced, wire.EventElectionDelayed:
			key.Node = e.Node
		}
		if g, is := open[key]; is && e.At.Sub(g.last) < told {
			steps[g.step].Nodes++
			steps[g.step].Until = e.At.Sub(0).Seconds()
			open[key] = group{g.step, e.At}
			continue
		}
		s := Step{Seconds: e.At.Sub(0).Seconds(), Until: e.At.Sub(0).Seconds(), Since: -1, Nodes: 1,
			Node: m.nameOf(e.Node), Text: m.words(e)}
		if fault >= 0 {
			s.Since = e.At.Sub(fault).Seconds()
		}
		open[key] = group{len(steps), e.At}
		steps = append(steps, s)
	}
	return steps
}

// isFault reports whether something is done to the cluster.
func isFault(k wire.EventKind) bool { return k <= wire.EventFork }

// words tells an event as Redis's log would.
func (m *measurement) words(e wire.Event) string {
	about := m.nameOf(e.About)
	switch e.Kind {
	case wire.EventPFAIL:
		return fmt.Sprintf("NODE %s possibly failing", about)
	case wire.EventPFAILCleared:
		return fmt.Sprintf("NODE %s answers again", about)
	case wire.EventFAIL:
		if e.A == 0 {
			return fmt.Sprintf("FAIL message received about %s", about)
		}
		return fmt.Sprintf("Marking node %s as failing (quorum reached).", about)
	case wire.EventFAILCleared:
		if e.Reason == wire.NobodyTook {
			return fmt.Sprintf("Clear FAIL state for node %s: is reachable again and nobody is serving its slots "+
				"after some time.", about)
		}
		return fmt.Sprintf("Clear FAIL state for node %s: replica is reachable again.", about)
	case wire.EventStateFail:
		return fmt.Sprintf("Cluster state changed: fail (%s)", e.Reason)
	case wire.EventStateOK:
		return "Cluster state changed: ok"
	case wire.EventElectionScheduled:
		return fmt.Sprintf("Start of election delayed for %d milliseconds (rank #%d, offset %d).", e.A, e.B, e.C)
	case wire.EventElectionDelayed:
		return fmt.Sprintf("Replica rank updated to #%d, added %d milliseconds of delay.", e.B, e.A)
	case wire.EventElectionStarted:
		return fmt.Sprintf("Starting a failover election for epoch %d.", e.A)
	case wire.EventElectionExpired:
		return "Failover attempt expired."
	case wire.EventElectionWon:
		return "Failover election won: I'm the new master."
	case wire.EventVoteGranted:
		return fmt.Sprintf("Failover auth granted to %s for epoch %d", about, e.A)
	case wire.EventVoteRefused:
		return fmt.Sprintf("Failover auth denied to %s for epoch %d: %s", about, e.A, e.Reason)
	case wire.EventNoElection:
		return fmt.Sprintf("Currently unable to failover: %s", e.Reason)
	}
	return m.moreWords(e, about)
}

// moreWords tells the events that are not part of an election.
func (m *measurement) moreWords(e wire.Event, about string) string {
	switch e.Kind {
	case wire.EventBecamePrimary:
		if e.A > 0 {
			return fmt.Sprintf("configEpoch set to %d after successful failover", e.A)
		}
		return "is a primary"
	case wire.EventBecameReplica:
		return fmt.Sprintf("Reconfiguring myself as a replica of %s", about)
	case wire.EventReplicaMigrated:
		return fmt.Sprintf("Migrating to orphaned master %s", about)
	case wire.EventSlotOwner:
		if e.About == slots.None {
			return fmt.Sprintf("slots %d-%d have no owner", e.A, e.B)
		}
		return fmt.Sprintf("slots %d-%d belong to %s, configEpoch %d", e.A, e.B, about, e.C)
	case wire.EventPartition, wire.EventHeal, wire.EventLinkChange:
		return fmt.Sprintf("%s: %s", e.Kind, m.cl.Config.Events[e.A].Name)
	case wire.EventFullResync:
		return fmt.Sprintf("Full resync from %s, %d bytes", about, e.A)
	case wire.EventPartialResync:
		return fmt.Sprintf("Successful partial resynchronization with %s, %d bytes", about, e.A)
	case wire.EventSynced:
		return fmt.Sprintf("MASTER <-> REPLICA sync: in sync with %s", about)
	case wire.EventReplicationLost:
		return fmt.Sprintf("Connection with master %s lost: %s", about, e.Reason)
	case wire.EventWriteLost:
		return fmt.Sprintf("%d acknowledged writes to %d keys are gone", e.A, e.B)
	case wire.EventManualFailover:
		return fmt.Sprintf("Manual failover requested, for %s", about)
	case wire.EventManualFailoverEnd:
		return fmt.Sprintf("Manual failover over: %s", e.Reason)
	}
	text := e.Kind.String()
	if about != "" {
		text += " " + about
	}
	if e.Reason != wire.NoReason {
		text += ": " + e.Reason.String()
	}
	return text
}

// Control is what became of a cluster that had a bad time, as means over seeds; a
// time that was never reached in some seed is infinite.
type Control struct {
	PFAIL, FAIL, Election, Won, OK Mean // microseconds from the first event of the scenario
	SlotSeconds                    Mean
	Longest, Recovery              Mean // microseconds
	LostWrites, LostKeys           Mean
	Steps                          []Step // of the first seed
}

// controlNames are the metrics that a Control holds, in its order.
func controlNames() []string {
	return []string{"time.pfail", "time.fail", "time.election", "time.won", "time.ok", "outage.slot_seconds",
		"outage.longest", "recovery_time", "lost_writes", "lost_keys"}
}

// controlValues returns what a Control holds, of one run; nil where nothing
// happened.
func (m *measurement) controlValues() []float64 {
	if len(m.cl.Timeline.Events) == 0 {
		return nil
	}
	var values []float64
	for _, name := range controlNames() {
		v, _ := m.control(nil, scenarios.Quantity{Metric: name})
		values = append(values, v)
	}
	return values
}

// control combines the runs of a strategy; nil where nothing happened in any.
func (a averager) control() *Control {
	var means []Mean
	for i := range controlNames() {
		var values []float64
		for _, s := range a {
			if s.control != nil {
				values = append(values, s.control[i])
			}
		}
		if len(values) == 0 {
			return nil
		}
		means = append(means, newMean(values))
	}
	return &Control{PFAIL: means[0], FAIL: means[1], Election: means[2], Won: means[3], OK: means[4],
		SlotSeconds: means[5], Longest: means[6], Recovery: means[7], LostWrites: means[8], LostKeys: means[9],
		Steps: a[0].steps}
}
