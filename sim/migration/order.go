package migration

import (
	"slices"
	"time"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An Order is a command that an operator's tool sends to a node, and the node's
// answer.
type Order struct {
	// Command is wire.SETSLOT, ADDSLOTS, DELSLOTS, BUMPEPOCH, CLUSTERNODES,
	// GETKEYSINSLOT, COUNTKEYSINSLOT, MIGRATE, MIGRATESLOTS, MIGRATIONIMPORT or
	// GETSLOTMIGRATIONS.
	Command wire.Command
	To      slots.Owner // the node that it is for
	Slot    slots.Slot
	Action  wire.SlotAction // of SETSLOT
	Node    slots.Owner     // SETSLOT: the other end, or the owner; MIGRATE: the target
	Count   int             // GETKEYSINSLOT: how many keys at most; GETSLOTMIGRATIONS: the task's number
	Keys    []wire.Key      // MIGRATE: which
	Ranges  []slots.Range   // MIGRATESLOTS, MIGRATIONIMPORT: which slots
	Copy    bool            // MIGRATE: the source keeps the keys
	Replace bool            // MIGRATE: what the target has of them is overwritten
	// Timeout is, of MIGRATE, for how long the node waits for any one answer; of
	// SETSLOT, how long replicas may take to acknowledge it. 0 is what the node has.
	Timeout time.Duration

	Answer Answer
}

// An Answer is what a node answers to an Order.
type Answer struct {
	// Verdict is wire.OK, or why the node did not execute the command, or not all of
	// it: of MIGRATE the target's, IOError, or NoKey.
	Verdict wire.Verdict
	Refusal wire.Refusal // of SETSLOT
	// Remote says that a Verdict of MIGRATE is the target's, and Owner whom a MOVED
	// among them names.
	Remote bool
	Owner  slots.Owner
	Keys   []wire.Key // of GETKEYSINSLOT; of MIGRATE those that have moved
	Count  int        // of COUNTKEYSINSLOT
	Bytes  int64      // of the values of the keys that have moved
	View   View       // of CLUSTERNODES
	Task   Task       // of MIGRATESLOTS, MIGRATIONIMPORT and GETSLOTMIGRATIONS
}

// A View is what a node says of itself in CLUSTER NODES.
type View struct {
	Primary bool
	Owned   []slots.Range
	Open    []wire.OpenSlot
}

// owns reports whether a slot is among those that the node says are its own.
func (v *View) owns(slot slots.Slot) bool {
	return slices.ContainsFunc(v.Owned, func(r slots.Range) bool { return r.First <= slot && slot <= r.Last })
}

// open returns an open slot of the node.
func (v *View) open(slot slots.Slot, importing bool) (peer slots.Owner, is bool) {
	for _, o := range v.Open {
		if o.Slot == slot && o.Importing == importing {
			return o.Peer, true
		}
	}
	return slots.None, false
}

// Failed reports whether the command was not carried out.
func (a *Answer) Failed() bool {
	return a.Refusal != wire.Accepted || a.Verdict != wire.OK && a.Verdict != wire.NoKey
}
