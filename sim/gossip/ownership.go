package gossip

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// ranges gives slots to an owner, in ascending order, and tells of them as
// ranges.
type ranges struct {
	s           *State
	owner       slots.Owner
	first, last slots.Slot
	open        bool
}

// give gives a slot to the owner.
func (r *ranges) give(slot slots.Slot) {
	r.s.rebind(slot, r.owner)
	if r.open && slot == r.last+1 {
		r.last = slot
		return
	}
	r.end()
	r.first, r.last, r.open = slot, slot, true
}

// end tells of the range that has come so far.
func (r *ranges) end() {
	if !r.open {
		return
	}
	r.open = false
	e := wire.Event{Kind: wire.EventSlotOwner, About: r.owner, A: int64(r.first), B: int64(r.last)}
	if r.owner != slots.None {
		e.C = int64(r.s.epoch[r.owner])
	}
	r.s.tell(e)
}

// updateSlots gives a primary the slots that it claims, where their owner has a
// smaller configuration epoch (clusterUpdateSlotsConfigWith).
func (s *State) updateSlots(sender slots.Owner, epoch uint64, claim *Claim) {
	if sender == s.self {
		return
	}
	mine := s.self
	if !s.isPrimary(s.self) {
		mine = s.of[s.self]
	}
	lost := 0     // slots of this node's shard that go to the sender
	var own Claim // of them, this node's own
	r := ranges{s: s, owner: sender}
	for i := range s.table {
		slot := slots.Slot(i)
		owner := s.table[i]
		if !claim.Has(slot) {
			if owner == sender && s.env.Unclaimed {
				s.unclaimed.set(slot)
			}
			continue
		}
		if owner == sender {
			s.unclaimed.clear(slot)
			continue
		}
		if owner != slots.None && s.epoch[owner] >= epoch && !s.unclaimed.Has(slot) {
			continue
		}
		if owner == s.self {
			own.set(slot)
		}
		if owner == mine && owner != slots.None {
			lost++
		}
		r.give(slot)
		s.todo |= todoHealth | todoSave
	}
	r.end()
	s.afterLoss(sender, mine, lost, &own)
}

// afterLoss decides what a node does whose shard has lost slots: it follows the
// new owner if nothing is left, else it drops the keys.
func (s *State) afterLoss(sender, mine slots.Owner, lost int, own *Claim) {
	switch {
	case lost > 0 && s.owned[mine] == 0 && (s.env.AllowReplicaMigration || int(s.owned[sender]) == lost):
		s.follow(sender)
	case s.isSubReplica():
		s.follow(s.of[mine])
	case *own != Claim{}:
		dropped := *own
		s.act(Act{Kind: DropSlots, Slots: &dropped})
	}
}

// isSubReplica reports whether the node's primary is a replica itself.
func (s *State) isSubReplica() bool {
	mine := s.of[s.self]
	return !s.isPrimary(s.self) && mine != slots.None && !s.isPrimary(mine) && s.of[mine] != slots.None &&
		s.of[mine] != s.self
}
