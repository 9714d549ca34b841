package migration

import (
	"time"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Tool is how an operator's tool moves slots key by key.
type Tool struct {
	Batch   int           // keys of one MIGRATE (--cluster-pipeline)
	Timeout time.Duration // of MIGRATE (--cluster-timeout)
	Atomic  bool          // slots move atomically, and nothing of the above matters
	Answer  time.Duration // for how long the tool waits for an answer; 0, as redis-cli, for ever
	Replace bool          // keys that the target has already are overwritten (--cluster-replace)
	// Thrifty says that the tool sends no command more than it has to: it asks for one
	// key more than it moves, and so knows when there are none left, and it tells the
	// new owner of a slot and the old one alone; the others hear of it on the bus.
	// redis-cli asks once more, and tells all primaries.
	Thrifty bool
	// CommandTime is what the tool takes between an answer and its next command, and
	// KeyTime as much for each key in either.
	CommandTime, KeyTime time.Duration
}

// RedisCLI returns what redis-cli does if it is not told otherwise
// (CLUSTER_MANAGER_MIGRATE_PIPELINE, CLUSTER_MANAGER_MIGRATE_TIMEOUT). Its own time is
// what is left of the wall time of moves of a slot of 100,000 keys on loopback
// (sim/cluster/testdata/redis-7.0.15/migration_speed.csv).
func RedisCLI() Tool {
	return Tool{Batch: 10, Timeout: time.Minute, CommandTime: 6 * time.Microsecond, KeyTime: 850}
}

// A Mover moves one slot from a primary to another, as clusterManagerMoveSlot in
// redis-cli.c does: it says which command comes next, and is told what comes of it.
type Mover struct {
	Tool
	Slot           slots.Slot
	Source, Target slots.Owner
	Others         []slots.Owner // the other primaries
	// Cold says that only the keys are moved: what nodes say of the slot stands.
	Cold bool

	step   step
	other  int        // of Others, who is told next
	keys   []wire.Key // of the batch that is moved next
	last   bool       // there are no more after them
	Keys   int        // that have been moved
	Bytes  int64      // of their values
	Failed Answer     // the answer that ended it, if one did
	failed bool
}

type step uint8

const (
	importing step = iota
	migrating
	asking  // which keys there are
	sending // some of them
	telling // the new owner
	ending  // the old one
	spreading
	done
)

// Start has the Mover move a slot.
func (m *Mover) Start(slot slots.Slot, source, target slots.Owner, others []slots.Owner) {
	*m = Mover{Tool: m.Tool, Slot: slot, Source: source, Target: target, Others: others, keys: m.keys[:0]}
}

// Drain has the Mover move what keys of a slot a node has to another, and nothing
// else.
func (m *Mover) Drain(slot slots.Slot, source, target slots.Owner) {
	m.Start(slot, source, target, nil)
	m.Cold, m.step = true, asking
}

// Next writes the next command on an Order. It returns false when there is none any
// more.
func (m *Mover) Next(o *Order) bool {
	*o = Order{Slot: m.Slot, Command: wire.SETSLOT, Keys: o.Keys[:0], Answer: Answer{Keys: o.Answer.Keys[:0]}}
	switch m.step {
	case importing:
		o.To, o.Action, o.Node = m.Target, wire.Importing, m.Source
	case migrating:
		o.To, o.Action, o.Node = m.Source, wire.Migrating, m.Target
	case asking:
		o.To, o.Command, o.Count = m.Source, wire.GETKEYSINSLOT, m.Batch
		if m.Thrifty {
			o.Count++
		}
	case sending:
		o.To, o.Command, o.Node = m.Source, wire.MIGRATE, m.Target
		o.Keys = append(o.Keys, m.keys...)
		o.Replace, o.Timeout = m.Replace, m.Timeout
	case telling:
		o.To, o.Action, o.Node = m.Target, wire.ToNode, m.Target
	case ending:
		o.To, o.Action, o.Node = m.Source, wire.ToNode, m.Target
	case spreading:
		o.To, o.Action, o.Node = m.Others[m.other], wire.ToNode, m.Target
	default:
		return false
	}
	return true
}

// Take takes the answer to the command.
func (m *Mover) Take(o *Order) {
	a := &o.Answer
	if m.step == sending {
		m.Keys += len(a.Keys)
		m.Bytes += a.Bytes
	}
	// A source that has lost its last slot may be a replica of the target by now.
	tolerable := m.step == ending && a.Refusal == wire.OnlyPrimaries
	if a.Failed() && !tolerable {
		m.Failed, m.failed, m.step = *a, true, done
		return
	}
	switch m.step {
	case asking:
		m.chosen(a.Keys)
	case sending:
		m.step = asking
		if m.last {
			m.step = m.emptied()
		}
	case ending:
		m.step = spreading
		if m.Thrifty || len(m.Others) == 0 {
			m.step = done
		}
	case spreading:
		if m.other++; m.other == len(m.Others) {
			m.step = done
		}
	default:
		m.step++
	}
}

// chosen takes the keys that are there.
func (m *Mover) chosen(keys []wire.Key) {
	m.last = m.Thrifty && len(keys) <= m.Batch
	m.keys = append(m.keys[:0], keys[:min(len(keys), m.Batch)]...)
	m.step = sending
	if len(m.keys) == 0 {
		m.step = m.emptied()
	}
}

// emptied returns what comes when all keys have been moved.
func (m *Mover) emptied() step {
	if m.Cold {
		return done
	}
	return telling
}

// Over reports whether the slot has been moved, or something has kept it from that:
// see Failed.
func (m *Mover) Over() (over, failed bool) { return m.step == done, m.failed }

// Progress returns how many keys have been moved, and the bytes of their values.
func (m *Mover) Progress() (keys int, bytes int64) { return m.Keys, m.Bytes }

// Failure returns the answer that ended the move, if one did.
func (m *Mover) Failure() *Answer { return &m.Failed }

// BetweenBatches reports whether the next command begins a batch, or the move.
func (m *Mover) BetweenBatches() bool { return m.step == asking || m.step == importing }
