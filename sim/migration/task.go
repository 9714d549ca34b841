package migration

import (
	"time"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Task is one atomic migration: slots that go from a primary to another with a
// snapshot, the writes that come meanwhile, a short pause of writes, and one change of
// owner. In Valkey 9 the source drives it (cluster_migrateslots.c), in Redis 8.4 the
// target asks for it and asks again when it fails (cluster_asm.c).
type Task struct {
	Number         int // from 1
	Source, Target slots.Owner
	Ranges         []slots.Range
	Pull           bool // the target asks for it

	State    TaskState
	Reason   wire.Reason // of the last failure
	Keys     int         // of its slots when they changed owner
	Snapshot int64       // bytes of the snapshot
	Streamed int64       // bytes of writes that came meanwhile
	Peak     int64       // bytes of them that waited to be sent, at most
	Pause    time.Duration
	Retries  int // of a task that is pulled
}

// TaskState is how far a task is. The names are those of CLUSTER GETSLOTMIGRATIONS.
type TaskState uint8

// The states.
const (
	Queued            TaskState = iota // another task has to end first
	Connecting                         // to the other node
	WaitingToSnapshot                  // for another child process to end
	Snapshotting
	Replicating     // the snapshot has been sent, and writes are
	WaitingToPause  // until little is left to be sent
	FailoverPaused  // writes wait
	FailoverGranted // the target may take the slots
	Success
	Failed
)

var taskStates = [...]string{Queued: "queued", Connecting: "connecting", WaitingToSnapshot: "waiting-to-snapshot",
	Snapshotting: "snapshotting", Replicating: "replicating", WaitingToPause: "waiting-to-pause",
	FailoverPaused: "failover-paused", FailoverGranted: "failover-granted", Success: "success", Failed: "failed"}

// String returns the state's name.
func (s TaskState) String() string { return taskStates[s] }

// Over reports whether a task has come to its end.
func (s TaskState) Over() bool { return s >= Success }

// Len returns how many slots a task moves.
func (t *Task) Len() (n int) {
	for _, r := range t.Ranges {
		n += r.Len()
	}
	return n
}

// A Sync is what the nodes tell each other of a task (CLUSTER SYNCSLOTS).
type Sync uint8

// What they tell. The source sends all of it but Want, and the target answers.
const (
	Want        Sync = iota // the target wants the slots
	Establish               // a task begins
	Piece                   // a piece of the snapshot
	SnapshotEnd             // that was all; the answer asks for the pause
	Writes                  // that came meanwhile
	Paused                  // and there are no more; the answer asks for the slots
	Granted                 // they are yours
	Alive                   // nothing
	Abort                   // the task has failed
)

// A Carrier has slots carried over by atomic migrations, one of all slots that go from a
// node to another after the other, as valkey-cli does with
// --cluster-use-atomic-slot-migration: it begins each and asks how far it is until it is
// over.
type Carrier struct {
	Pull bool // the target is asked, else the source

	ranges []slots.Range
	source slots.Owner
	target slots.Owner
	number int // of the task; 0 before it has begun
	over   bool
	failed bool
	Status Task // what was heard of it last
	Failed Answer
}

// PollEvery is how often the tool asks.
const PollEvery = 100 * time.Millisecond

// Start begins to carry slots over.
func (c *Carrier) Start(ranges []slots.Range, source, target slots.Owner) {
	*c = Carrier{Pull: c.Pull, ranges: ranges, source: source, target: target}
}

// Next writes the next command on an Order. It returns false when there is none any
// more.
func (c *Carrier) Next(o *Order) bool {
	if c.over {
		return false
	}
	keys, answer := o.Keys[:0], o.Answer.Keys[:0]
	*o = Order{Command: wire.MIGRATESLOTS, To: c.source, Node: c.target, Ranges: c.ranges}
	if c.Pull {
		o.Command, o.To, o.Node = wire.MIGRATIONIMPORT, c.target, c.source
	}
	if c.number > 0 {
		o.Command, o.Count = wire.GETSLOTMIGRATIONS, c.number
	}
	o.Keys, o.Answer.Keys = keys, answer
	return true
}

// Take takes the answer to the command.
func (c *Carrier) Take(o *Order) {
	a := &o.Answer
	switch {
	case a.Failed():
		c.over, c.failed, c.Failed = true, true, *a
	case c.number == 0:
		c.number = a.Task.Number
	default:
		c.Status = a.Task
		c.over = a.Task.State.Over()
		if c.failed = a.Task.State == Failed; c.failed {
			c.Failed = *a
		}
	}
}

// Over reports whether the slots have been carried over, or something has kept them from
// that.
func (c *Carrier) Over() (over, failed bool) { return c.over, c.failed }

// Progress returns how many keys have changed owner, and the bytes of the snapshot.
func (c *Carrier) Progress() (keys int, bytes int64) {
	if c.Status.State != Success {
		return 0, 0
	}
	return c.Status.Keys, c.Status.Snapshot
}

// Failure returns the answer that ended it, if one did.
func (c *Carrier) Failure() *Answer { return &c.Failed }

// Len returns how many slots there are.
func (c *Carrier) Len() (n int) {
	t := Task{Ranges: c.ranges}
	return t.Len()
}

// BetweenBatches reports whether nothing has been begun yet.
func (c *Carrier) BetweenBatches() bool { return c.number == 0 }
