package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Replicate is CLUSTER REPLICATE. Only a replica, or a primary without slots, can
// become a replica of a primary; that it must not have keys is for the caller to
// see to.
func (s *State) Replicate(now sim.Time, primary slots.Owner, f *Facts, out *Out) {
	s.enter(now, f, out)
	if s.isNamed(primary) && s.isPrimary(primary) && primary != s.self && s.peer[s.self].owned == 0 {
		s.follow(primary)
	}
}

// Claim has the node own slots with a configuration epoch, whatever it believed
// before, without asking anybody.
func (s *State) Claim(now sim.Time, list []slots.Range, epoch uint64, f *Facts, out *Out) {
	s.enter(now, f, out)
	if !s.isPrimary(s.self) {
		old := s.peer[s.self].of
		s.become(s.self, s.self)
		s.act(Act{Kind: Promote})
		s.tell(wire.Event{Kind: wire.EventBecamePrimary, About: old, A: int64(epoch)})
	}
	s.peer[s.self].epoch = epoch
	s.currentEpoch = max(s.currentEpoch, epoch)
	r := ranges{s: s, owner: s.self}
	for _, part := range list {
		for slot := int(part.First); slot <= int(part.Last); slot++ {
			if s.table[slot] != s.self {
				r.give(slots.Slot(slot))
			}
		}
	}
	r.end()
	s.todo |= todoHealth | todoSaveSync
}

// TakeOver has the node own slots that it has imported atomically: it takes a new
// configuration epoch for them, without asking anybody, and tells all at once.
func (s *State) TakeOver(now sim.Time, list []slots.Range, f *Facts, out *Out) {
	s.enter(now, f, out)
	r := ranges{s: s, owner: s.self}
	for _, part := range list {
		for slot := int(part.First); slot <= int(part.Last); slot++ {
			r.give(slots.Slot(slot))
		}
	}
	s.bumpEpoch()
	r.end()
	s.todo |= todoHealth | todoSaveSync
	s.broadcastPong(false)
}

// Assign is CLUSTER ADDSLOTS: the node owns slots that nobody does, as it believes,
// and waits for its next packets to tell of it. Where one has an owner it does
// nothing and returns that slot.
func (s *State) Assign(now sim.Time, list []slots.Range, f *Facts, out *Out) slots.Slot {
	return s.reassign(now, list, s.self, f, out)
}

// Unassign is CLUSTER DELSLOTS: for this node the slots have no owner any more.
// Where one has none already it does nothing and returns that slot.
func (s *State) Unassign(now sim.Time, list []slots.Range, f *Facts, out *Out) slots.Slot {
	return s.reassign(now, list, slots.None, f, out)
}

// reassign gives slots to an owner, all of which must be free before, or to nobody,
// none of which may be. It returns the first that is not so, or slots.Count.
func (s *State) reassign(now sim.Time, list []slots.Range, to slots.Owner, f *Facts, out *Out) slots.Slot {
	s.enter(now, f, out)
	for _, part := range list {
		for slot := int(part.First); slot <= int(part.Last); slot++ {
			if (s.table[slot] == slots.None) == (to == slots.None) {
				return slots.Slot(slot)
			}
		}
	}
	todo := s.todo
	r := ranges{s: s, owner: to}
	for _, part := range list {
		for slot := int(part.First); slot <= int(part.Last); slot++ {
			r.give(slots.Slot(slot))
		}
	}
	r.end()
	s.todo = todo | todoHealth | todoSave
	return slots.Count
}

// BumpEpoch is CLUSTER BUMPEPOCH: the node takes the largest configuration epoch that
// there is, unless it has it.
func (s *State) BumpEpoch(now sim.Time, f *Facts, out *Out) {
	s.enter(now, f, out)
	s.bumpEpoch()
}

// Publish puts a message of so many bytes on the bus: to every node (PUBLISH) or
// to those of the node's shard (SPUBLISH).
func (s *State) Publish(now sim.Time, bytes int, shard bool, f *Facts, out *Out) {
	s.enter(now, f, out)
	kind := Publish
	if shard {
		kind = PublishShard
	}
	p := s.header(kind)
	p.Payload = bytes
	before := len(out.Send)
	if shard {
		s.tellShard(p)
	} else {
		s.broadcast(p)
	}
	out.Copies += len(out.Send) - before
}

// tellShard sends a packet to the other nodes of the shard.
func (s *State) tellShard(p *Packet) {
	primary := s.peer[s.self].of
	for _, node := range s.roster {
		if s.peer[node].of == primary && primary != slots.None && node != s.self && !s.is(node, Handshake) {
			s.env.Share(p)
			s.send(node, p)
		}
	}
	s.env.Release(p)
}
