package gossip

import (
	"math/bits"

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
	r.s.todo |= todoHealth | todoSaveSync
	e := wire.Event{Kind: wire.EventSlotOwner, About: r.owner, A: int64(r.first), B: int64(r.last)}
	if r.owner != slots.None {
		e.C = int64(r.s.peer[r.owner].epoch)
	}
	r.s.tell(e)
}

// slotsFrom compares the slots that a packet claims, for its sender or its
// sender's primary, with the table.
func (s *State) slotsFrom(p *Packet, wasPrimary bool) {
	from := p.Sender
	owner := from
	if !s.isPrimary(from) {
		if owner = s.peer[from].of; owner == slots.None || s.env.ClaimsOfPrimaries {
			return
		}
	}
	if s.agrees(owner, p.Claim) && (wasPrimary || !s.isPrimary(from) || !s.env.ClaimsOfPrimaries) {
		return
	}
	if s.isPrimary(from) {
		s.updateSlots(from, p.ConfigEpoch, p.Claim)
	}
	s.correct(p)
}

// correct tells the sender of a packet of the first slot it claims whose owner
// has a larger configuration epoch.
func (s *State) correct(p *Packet) {
	if owner := s.newerOwner(p); owner != slots.None {
		s.sendUpdate(p.Sender, owner)
	}
}

// newerOwner returns the owner of the first slot that a packet claims and that
// somebody else than its sender owns with a larger configuration epoch.
func (s *State) newerOwner(p *Packet) slots.Owner {
	for w, word := range p.Claim {
		for ; word != 0; word &= word - 1 {
			slot := slots.Slot(64*w + bits.TrailingZeros64(word))
			owner := s.table[slot]
			if owner != p.Sender && !s.isFree(slot) && s.peer[owner].epoch > p.ConfigEpoch {
				return owner
			}
		}
	}
	return slots.None
}

// isFree reports whether a slot goes to whoever claims it: it has no owner, or
// one that does not claim it any more (isSlotUnclaimed).
func (s *State) isFree(slot slots.Slot) bool {
	return s.table[slot] == slots.None || s.unclaimed.Has(slot)
}

// sendUpdate tells a node what another one owns, but for what that one does not
// claim any more (clusterSendUpdate).
func (s *State) sendUpdate(to, about slots.Owner) {
	u := s.packet(Update)
	u.About, u.ClaimEpoch, u.Update = about, s.peer[about].epoch, s.claimOf(about)
	if s.unclaimed != (Claim{}) {
		told := *u.Update
		for w := range told {
			told[w] &^= s.unclaimed[w]
		}
		u.Update = &told
	}
	s.send(to, u)
}

// updateSlots gives a primary the slots that it claims, where their owner has a
// smaller configuration epoch (clusterUpdateSlotsConfigWith).
func (s *State) updateSlots(sender slots.Owner, epoch uint64, claim *Claim) {
	if sender == s.self {
		return
	}
	mine, sibling := s.peer[s.self].of, s.peer[sender].shard == s.peer[s.self].shard
	lost := 0     // slots of this node's shard that go to the sender
	var own Claim // of them, this node's own
	r := ranges{s: s, owner: sender}
	for i := range s.table {
		slot := slots.Slot(i)
		owner := s.table[i]
		switch {
		case owner == sender:
			if claim.Has(slot) {
				s.unclaimed.clear(slot)
			} else if s.env.Unclaimed {
				s.unclaimed.set(slot)
			}
			continue
		case !claim.Has(slot), !s.isFree(slot) && s.peer[owner].epoch >= epoch, s.isImporting(slot):
			continue
		}
		if owner == s.self {
			own.set(slot)
		}
		if owner == mine && owner != slots.None {
			lost++
		}
		s.reopen(slot, owner, sender)
		r.give(slot)
	}
	r.end()
	s.repoint()
	if s.env.ShardsStay {
		s.afterLossInShard(sender, mine, lost, claim, &own, sibling, epoch)
	} else {
		s.afterLoss(sender, mine, lost, claim, &own)
	}
}

// afterLoss decides what a node does whose shard has lost slots: it follows the
// new owner if nothing is left, else it drops the keys.
func (s *State) afterLoss(sender, mine slots.Owner, lost int, claim, own *Claim) {
	migrates := s.env.AllowReplicaMigration || !s.env.MigrationOption
	switch {
	case lost > 0 && s.peer[mine].owned == 0 && (migrates || claim.count() == lost):
		s.follow(sender)
	case s.env.NoSubReplicas && s.cutChain():
	default:
		s.dropSlots(own)
	}
}

// afterLossInShard does so by the rules of Valkey, where a node stays in its shard
// if replicas may not migrate, and an empty shard has a primary too.
func (s *State) afterLossInShard(sender, mine slots.Owner, lost int, claim, own *Claim, sibling bool, epoch uint64) {
	empty := *claim == (Claim{}) && s.peer[s.self].owned == 0
	if lost == 0 && mine != sender && empty && sibling && s.ownEpoch() < epoch {
		s.follow(sender)
		return
	}
	switch {
	case lost == 0 || s.peer[mine].owned > 0:
		s.dropSlots(own)
	case s.env.AllowReplicaMigration || sibling:
		s.follow(sender)
	case s.isPrimary(s.self) && claim.count() >= lost && s.env.LateBroadcast:
		s.dropSlots(own)
	}
}

// ownEpoch returns the configuration epoch of the node's shard (nodeEpoch).
func (s *State) ownEpoch() uint64 {
	if mine := s.peer[s.self].of; mine != slots.None {
		return s.peer[mine].epoch
	}
	return s.peer[s.self].epoch
}

// dropSlots has the keys of slots deleted that the node has lost.
func (s *State) dropSlots(own *Claim) {
	if *own != (Claim{}) {
		dropped := *own
		s.act(Act{Kind: DropSlots, Slots: &dropped})
	}
}
