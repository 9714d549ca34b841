package gossip

import (
	"bytes"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// setRole makes a node a primary, if of is the node itself, or a replica of
// another (clusterSetNodeAsMaster, clusterNodeAddSlave).
func (s *State) setRole(node, of slots.Owner) {
	was := s.of[node]
	if of == node {
		if was != slots.None && was != node && node != s.self && s.env.PromotedIsTarget {
			s.hot[node].flags |= MigrateTo
		}
		s.hot[node].flags |= Primary
	} else {
		s.hot[node].flags &^= Primary | MigrateTo
		s.hot[of].flags |= MigrateTo
	}
	s.of[node] = of
	switch {
	case of == node && s.shard[node] == slots.None:
		s.shard[node] = node
	case of != node && s.shard[of] != slots.None:
		s.shard[node] = s.shard[of]
	}
	s.lentOutdated = true
}

// roleFrom takes over the role that the sender of a heartbeat says it has.
func (s *State) roleFrom(p *Packet) {
	from := p.Sender
	if p.PrimaryOf == slots.None {
		if !s.isPrimary(from) {
			s.setRole(from, from)
		}
		return
	}
	if s.isPrimary(from) && s.owned[from] > 0 {
		s.leaveSlots(from, p)
	}
	if s.of[from] != p.PrimaryOf && s.isKnown(p.PrimaryOf) {
		s.setRole(from, p.PrimaryOf)
		s.todo |= todoSave
	}
}

// leaveSlots takes the slots from a primary that says it is a replica now. Where
// a version knows shards, they go to its new primary if that is of the same one;
// else they have no owner until somebody claims them (clusterDelNodeSlots).
func (s *State) leaveSlots(from slots.Owner, p *Packet) {
	to := slots.None
	if heir := p.PrimaryOf; s.env.SlotsFollowRole && s.isKnown(heir) && s.shard[heir] == s.shard[from] {
		if s.epoch[from] > p.ConfigEpoch {
			return
		}
		to = heir
		if !s.isPrimary(heir) {
			s.setRole(heir, heir)
		}
		s.epoch[heir] = max(s.epoch[heir], p.ConfigEpoch)
	}
	r := ranges{s: s, owner: to}
	for slot, owner := range s.table {
		if owner == from {
			r.give(slots.Slot(slot))
		}
	}
	r.end()
	s.todo |= todoHealth | todoSave
}

// follow makes this node a replica of another (clusterSetMaster).
func (s *State) follow(primary slots.Owner) {
	s.setRole(s.self, primary)
	s.act(Act{Kind: Follow, Node: primary})
	s.tell(wire.Event{Kind: wire.EventBecameReplica, About: primary})
	s.endManualFailover(wire.NoReason)
	s.todo |= todoHealth | todoSave
}

// Replicate is CLUSTER REPLICATE.
func (s *State) Replicate(now sim.Time, primary slots.Owner, f *Facts, out *Out) {
	s.enter(now, f, out)
	if !s.isKnown(primary) || primary == s.self || s.isPrimary(s.self) && s.owned[s.self] > 0 {
		return
	}
	s.follow(primary)
}

// precedes reports whether the id of a node is smaller than that of another.
func (s *State) precedes(a, b slots.Owner) bool {
	return bytes.Compare(s.env.Names[a].ID[:], s.env.Names[b].ID[:]) < 0
}

// collide settles that two primaries have the same configuration epoch: the one
// with the smaller id takes a new one (clusterHandleConfigEpochCollision).
func (s *State) collide(with slots.Owner) {
	if !s.precedes(s.self, with) {
		return
	}
	s.currentEpoch++
	s.epoch[s.self] = s.currentEpoch
	s.todo |= todoSave
	s.tell(wire.Event{Kind: wire.EventEpochCollision, About: with, A: int64(s.currentEpoch)})
}

// bumpEpoch takes the largest epoch there is without asking anybody
// (clusterBumpConfigEpochWithoutConsensus).
func (s *State) bumpEpoch() {
	most := s.currentEpoch
	for node, epoch := range s.epoch {
		if s.isKnown(slots.Owner(node)) {
			most = max(most, epoch)
		}
	}
	if s.epoch[s.self] == 0 || s.epoch[s.self] != most {
		s.currentEpoch = most + 1
		s.epoch[s.self] = s.currentEpoch
		s.todo |= todoSave
	}
}

// promote makes this replica the primary of its primary's slots
// (clusterFailoverReplaceYourMaster).
func (s *State) promote() {
	old := s.of[s.self]
	s.setRole(s.self, s.self)
	s.act(Act{Kind: Promote})
	s.tell(wire.Event{Kind: wire.EventBecamePrimary, About: old, A: int64(s.epoch[s.self])})
	if old != slots.None && s.owned[old] > 0 {
		r := ranges{s: s, owner: s.self}
		for slot, owner := range s.table {
			if owner == old {
				r.give(slots.Slot(slot))
			}
		}
		r.end()
	}
	s.updateHealth()
	s.todo |= todoSave
	if s.env.LateBroadcast {
		s.todo |= todoBroadcast
	} else {
		s.broadcastPong(false)
	}
	s.endManualFailover(wire.Won)
}

// Claim has the node own slots with a configuration epoch, whatever it believed
// before, without asking anybody.
func (s *State) Claim(now sim.Time, list []slots.Range, epoch uint64, f *Facts, out *Out) {
	s.enter(now, f, out)
	if !s.isPrimary(s.self) {
		old := s.of[s.self]
		s.setRole(s.self, s.self)
		s.act(Act{Kind: Promote})
		s.tell(wire.Event{Kind: wire.EventBecamePrimary, About: old, A: int64(epoch)})
	}
	s.epoch[s.self] = epoch
	s.currentEpoch = max(s.currentEpoch, epoch)
	r := ranges{s: s, owner: s.self}
	for _, part := range list {
		for slot := part.First; ; slot++ {
			if s.table[slot] != s.self {
				r.give(slot)
			}
			if slot == part.Last {
				break
			}
		}
	}
	r.end()
	s.todo |= todoHealth | todoSave
}
