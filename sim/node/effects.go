package node

import (
	"slices"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An effect is what a command on the replication stream does to which keys there
// are, or to which slots are open: what a replica has to know of the stream beside
// its size. Values are not simulated.
type effect struct {
	offset uint64 // of the stream after the command
	kind   effectKind
	slot   slots.Slot
	key    wire.Key        // keyAdded, keyRemoved
	action wire.SlotAction // slotSet
	node   slots.Owner     // slotSet
}

type effectKind uint8

const (
	keyAdded   effectKind = iota // RESTORE, or a write to a key that was not there
	keyRemoved                   // DEL
	slotSet                      // CLUSTER SETSLOT, where it is replicated
)

// effects are those of one history, in the order of its stream. What it has in
// common with the one before it stands there.
type effects struct {
	before uint32
	fork   uint64
	list   []effect
}

// note adds an effect of what the node has just added to the stream.
func (n *Node) note(e effect) {
	e.offset = n.offset
	h := n.continueEffects()
	if len(h.list) == cap(h.list) {
		h.list = slices.Delete(h.list, 0, h.useless(n.needed()))
	}
	h.list = append(h.list, e)
}

// continueEffects returns the effects of the node's history, which go on from those
// of the one before it.
func (n *Node) continueEffects() *effects {
	c := n.common
	for len(c.effects) <= int(n.history.id) {
		c.effects = append(c.effects, effects{})
	}
	h := &c.effects[n.history.id]
	h.before, h.fork = n.history.before, n.history.fork
	return h
}

// needed returns up to which offset nobody will be sent the node's stream again.
func (n *Node) needed() uint64 {
	needed := n.history.oldest(n.offset, n.backlogSize())
	for i := range n.followers {
		f := &n.followers[i]
		if f.state == online {
			needed = min(needed, f.acked)
		} else {
			needed = min(needed, f.base)
		}
	}
	return needed
}

// useless returns how many effects come up to an offset.
func (h *effects) useless(offset uint64) int {
	i, _ := slices.BinarySearchFunc(h.list, offset+1, func(e effect, offset uint64) int {
		if e.offset < offset {
			return -1
		}
		return 1
	})
	return i
}

// catchUp has the effects of the stream that the node follows, from one offset to
// another.
func (n *Node) catchUp(from, to uint64) { n.follows(n.history.id, from, to) }

// follows has the effects of a history, and of the one before it first.
func (n *Node) follows(history uint32, from, to uint64) {
	if int(history) >= len(n.common.effects) {
		return
	}
	h := &n.common.effects[history]
	if h.before != 0 && from < h.fork {
		n.follows(h.before, from, min(to, h.fork))
	}
	if len(h.list) == 0 || h.list[len(h.list)-1].offset <= from {
		return
	}
	for _, e := range h.list[h.useless(from):] {
		if e.offset > to {
			return
		}
		n.suffer(e)
	}
}

// suffer has one effect.
func (n *Node) suffer(e effect) {
	switch e.kind {
	case keyAdded, keyRemoved:
		n.keys.set(n.Index, e.slot).put(n.Index.rank[e.key], e.kind == keyAdded)
	case slotSet:
		now := n.Sched.Now()
		n.control.state.SetSlot(now, n.setSlotOf(e), n.facts(now), &n.control.out)
		n.carryOut(now)
	}
}

// takeOver has what a snapshot has: its keys and, in versions that replicate them,
// its open slots.
func (n *Node) takeOver(at sim.Time, p promised) {
	n.keys = p.keys
	if n.Rules.OpenSlotsReplicate {
		n.control.state.AdoptOpen(at, p.moving)
		n.look()
	}
}
