package cluster

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A job is slots that are to be moved, or mended, with a tool and at a pace.
type job struct {
	Migration
	event int
	tool  migration.Tool
	pace  Pace
	moves []migration.Move // that have not been begun
	fixer *migration.Fixer // nil where slots are moved
	lanes int              // that work at it
}

// A Migration is what became of slots that an operator moved.
type Migration struct {
	Event        string   // of the scenario, that began it
	Began, Ended sim.Time // Ended is sim.Never as long as it goes on
	Slots        int      // that were to be moved
	Moved        int      // that have been; of a fix: that have been closed or given to somebody
	Keys         int64
	Bytes        int64                 // of their values
	Commands     [wire.Commands]uint64 // that the tool has sent, and RESTOREs
	// Work is what the commands took at the nodes, by INFO commandstats' reckoning, and
	// Longest the longest of each: for so long did a node do nothing else.
	Work, Longest [wire.Commands]time.Duration
	Waited        time.Duration    // that the pace had lanes wait, together
	Failed        migration.Answer // the first answer that ended a move, if one did
	Failures      int              // moves that ended so
	At            migration.Move   // the last of them: one slot
	Stopped       bool             // it ended before its time
	Refused       string           // why the tool did not begin, or stopped, of its own accord
	// Of slots that moved atomically: bytes of writes that came meanwhile, how many of
	// them waited to be sent at most, for how long writes were paused at most, how often
	// the target asked again, and why a task failed last.
	Streamed, Peak int64
	Pause          time.Duration
	Retries        int
	Reason         wire.Reason
	Unfixed        []slots.Slot // of a fix: what the tool does not know how to mend
}

// count takes note of what a command took.
func (m *Migration) count(answer *wire.Message) {
	m.Work[answer.Command] += answer.Work
	m.Longest[answer.Command] = max(m.Longest[answer.Command], answer.Work)
}

// RoundTrips returns for how many answers the tool, and MIGRATE on its behalf, have
// waited.
func (m *Migration) RoundTrips() (n uint64) {
	for c, sent := range m.Commands {
		if wire.Command(c) != wire.RESTORE {
			n += sent
		}
	}
	return n + m.Commands[wire.MIGRATE]
}

// An Interval is a part of a run, from one instant to before another.
type Interval struct{ From, To sim.Time }

// Pace says how hard an operator drives a migration.
type Pace struct {
	Lanes int           // slots that move at the same time; 0 is 1
	Pause time.Duration // after each batch of keys
	Skip  bool          // a slot that cannot be moved is left, and the next one begun; redis-cli stops

	Low    []Interval    // nothing is moved at other times, where there are any
	Below  float64       // nor while clients get more operations done in a second; 0: whatever they do
	SlowAt time.Duration // nor while their P99 is above it; 0: whatever it is
	StopAt time.Duration // no slot is begun any more once their P99 is above it; 0: whatever it is
}

// watches reports whether the pace depends on what happens.
func (p *Pace) watches() bool { return len(p.Low) > 0 || p.Below > 0 || p.SlowAt > 0 || p.StopAt > 0 }

// goes reports whether the pace lets a batch go.
func (p *Pace) goes(now sim.Time, w *monitor) bool {
	low := len(p.Low) == 0
	for _, span := range p.Low {
		low = low || span.From <= now && now < span.To
	}
	seen := w.look(now)
	return low && (p.Below == 0 || seen.Throughput < p.Below) && (p.SlowAt == 0 || seen.P99 <= p.SlowAt)
}

// Migrations returns what became of the slots that operators moved, in the order in
// which they began.
func (cl *Cluster) Migrations() (all []*Migration) {
	if cl.operator == nil {
		return nil
	}
	for _, j := range cl.operator.jobs {
		all = append(all, &j.Migration)
	}
	return all
}
