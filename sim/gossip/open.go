package gossip

import (
	"slices"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// open are a node's open slots: those that migrate, then those that are imported,
// each in the order of their numbers.
type open []wire.OpenSlot

// place returns where a slot is, or would be.
func (o open) place(slot slots.Slot, importing bool) (int, bool) {
	return slices.BinarySearchFunc(o, wire.OpenSlot{Slot: slot, Importing: importing}, func(a, b wire.OpenSlot) int {
		if a.Importing != b.Importing {
			if b.Importing {
				return -1
			}
			return 1
		}
		return int(a.Slot) - int(b.Slot)
	})
}

// peer returns the other end of an open slot.
func (o open) peer(slot slots.Slot, importing bool) (slots.Owner, bool) {
	i, is := o.place(slot, importing)
	if !is {
		return slots.None, false
	}
	return o[i].Peer, true
}

// put opens a slot, or gives it another peer.
func (o *open) put(slot slots.Slot, peer slots.Owner, importing bool) {
	i, is := o.place(slot, importing)
	if !is {
		*o = slices.Insert(*o, i, wire.OpenSlot{})
	}
	(*o)[i] = wire.OpenSlot{Slot: slot, Peer: peer, Importing: importing}
}

// close closes a slot, and reports whether it was open.
func (o *open) close(slot slots.Slot, importing bool) bool {
	i, is := o.place(slot, importing)
	if is {
		*o = slices.Delete(*o, i, i+1)
	}
	return is
}

// Open returns the node's open slots. They are the State's own.
func (s *State) Open() []wire.OpenSlot { return s.moving }

// MigratingTo returns where a slot is migrating to, as this node believes.
func (s *State) MigratingTo(slot slots.Slot) (slots.Owner, bool) { return s.moving.peer(slot, false) }

// ImportingFrom returns where a slot is imported from.
func (s *State) ImportingFrom(slot slots.Slot) (slots.Owner, bool) { return s.moving.peer(slot, true) }

// A SetSlot is a CLUSTER SETSLOT command.
type SetSlot struct {
	Slot   slots.Slot
	Action wire.SlotAction
	Node   slots.Owner // the peer, or the owner; nothing for Stable
	// HasKeys says that the node that executes it holds keys of the slot.
	HasKeys bool
	// Replicated says that the command has come on the replication stream, on which
	// replicas take it.
	Replicated bool
}

// SetSlot is CLUSTER SETSLOT, of this node's own view (clusterCommand). It reports
// why it does nothing, if so.
func (s *State) SetSlot(now sim.Time, c SetSlot, f *Facts, out *Out) wire.Refusal {
	s.enter(now, f, out)
	if r := s.Refuses(c); r != wire.Accepted {
		return r
	}
	switch c.Action {
	case wire.Migrating:
		s.moving.put(c.Slot, c.Node, false)
		s.tell(wire.Event{Kind: wire.EventSlotMigrating, About: c.Node, A: int64(c.Slot), B: int64(c.Slot)})
	case wire.Importing:
		s.moving.put(c.Slot, c.Node, true)
		s.tell(wire.Event{Kind: wire.EventSlotImporting, About: c.Node, A: int64(c.Slot), B: int64(c.Slot)})
	case wire.Stable:
		migrated, imported := s.moving.close(c.Slot, false), s.moving.close(c.Slot, true)
		if migrated || imported {
			s.tell(wire.Event{Kind: wire.EventSlotStable, About: slots.None, A: int64(c.Slot), B: int64(c.Slot)})
		}
	case wire.ToNode:
		s.assign(c)
	}
	s.todo |= todoSave | todoHealth
	return wire.Accepted
}

// Refuses checks a command, in Redis's order.
func (s *State) Refuses(c SetSlot) wire.Refusal {
	known := c.Action == wire.Stable || c.Node != slots.None && s.isNamed(c.Node)
	switch mine := s.table[c.Slot] == s.self; {
	case !s.isPrimary(s.self) && !c.Replicated:
		return wire.OnlyPrimaries
	case c.Replicated && !known:
		return wire.UnknownPeer
	case c.Replicated:
		return wire.Accepted
	case c.Action == wire.Migrating && !mine:
		return wire.NotOwner
	case c.Action == wire.Importing && mine:
		return wire.AlreadyOwner
	case !known && c.Action == wire.ToNode:
		return wire.UnknownNode
	case !known:
		return wire.UnknownPeer
	case c.Action != wire.Stable && s.env.PeersArePrimaries && !s.isPrimary(c.Node):
		return wire.TargetNotPrimary
	case c.Action == wire.ToNode && mine && c.Node != s.self && c.HasKeys:
		return wire.HoldsKeys
	}
	return wire.Accepted
}

// assign gives a slot to a node in this one's view. The node that has imported it
// takes a new configuration epoch for it, without asking anybody; one that has nothing
// left becomes a replica of the new owner.
func (s *State) assign(c SetSlot) {
	if !c.HasKeys {
		s.moving.close(c.Slot, false)
	}
	wasMine := s.table[c.Slot] == s.self
	if s.table[c.Slot] != c.Node {
		r := ranges{s: s, owner: c.Node}
		r.give(c.Slot)
		r.end()
	}
	if c.Node == s.self && s.moving.close(c.Slot, true) {
		s.bumpEpoch()
		if s.env.TellsImport {
			s.broadcastPong(false)
		}
	}
	if c.Replicated {
		s.moving.close(c.Slot, true)
		return
	}
	if s.env.DemotesWhenEmpty && s.env.AllowReplicaMigration && wasMine && c.Node != s.self &&
		s.peer[s.self].owned == 0 {
		s.follow(c.Node)
	}
}

// VerifyKeys has a primary that has started look which slots it holds keys of, though they
// are not its own: it owns those that nobody owns, and takes the others to be imported
// (verifyClusterConfigWithData).
func (s *State) VerifyKeys(now sim.Time, holds func(slots.Slot) bool, f *Facts, out *Out) {
	s.enter(now, f, out)
	if !s.isPrimary(s.self) {
		return
	}
	r := ranges{s: s, owner: s.self}
	for slot := range slots.Slot(slots.Count) {
		owner := s.table[slot]
		_, importing := s.moving.peer(slot, true)
		switch {
		case owner == s.self || importing || !holds(slot):
		case owner == slots.None:
			r.give(slot)
			s.todo |= todoSave
		default:
			s.moving.put(slot, owner, true)
			s.tell(wire.Event{Kind: wire.EventSlotImporting, About: owner, A: int64(slot), B: int64(slot)})
			s.todo |= todoSave
		}
	}
	r.end()
}

// AdoptOpen has a replica take over the open slots of its primary, with that one's
// data.
func (s *State) AdoptOpen(now sim.Time, list []wire.OpenSlot) {
	s.enter(now, nil, nil)
	s.moving = append(s.moving[:0], list...)
	s.todo |= todoSave
}

// isImporting reports whether a slot is open for import, which protects it from
// being rebound in some versions.
func (s *State) isImporting(slot slots.Slot) bool {
	if !s.env.ImportProtected || len(s.moving) == 0 {
		return false
	}
	_, is := s.moving.peer(slot, true)
	return is
}

// reopen sees to a node's open slots when one of them has got another owner, in
// versions in which replicas know of them too (clusterUpdateSlotsConfigWith in
// Valkey 8): the end of a move that has failed over is its new primary, and a slot
// that has gone elsewhere does not move any more.
func (s *State) reopen(slot slots.Slot, from, to slots.Owner) {
	if !s.env.OpenSlotsReplicate || len(s.moving) == 0 {
		return
	}
	sameShard := from != slots.None && s.peer[from].shard == s.peer[to].shard
	if peer, is := s.moving.peer(slot, true); is {
		if peer == from && sameShard {
			s.moving.put(slot, to, true)
		} else {
			s.moving.close(slot, true)
		}
	}
	if _, is := s.moving.peer(slot, false); is && !sameShard {
		s.moving.close(slot, false)
	}
}

// repoint has open slots whose other end has become a replica point to that one's
// primary.
func (s *State) repoint() {
	if !s.env.OpenSlotsReplicate {
		return
	}
	for i := range s.moving {
		o := &s.moving[i]
		if of := s.peer[o.Peer].of; of != slots.None && of != o.Peer && s.isPrimary(of) && of != s.self {
			o.Peer = of
		}
	}
}

// closeAll closes all open slots: the node follows another (clusterCloseAllSlots).
func (s *State) closeAll() { s.moving = s.moving[:0] }
