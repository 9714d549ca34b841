package gossip

import (
	"bytes"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// become makes a node a primary, if of is the node itself (clusterSetNodeAsMaster),
// or a replica of another (clusterNodeAddSlave).
func (s *State) become(node, of slots.Owner) {
	was := s.peer[node].of
	if was == of {
		return
	}
	s.leavePrimary(node)
	if of == node {
		if was != slots.None && node != s.self && s.env.PromotedIsTarget {
			s.set(node, MigrateTo)
		}
		s.set(node, Primary)
		s.todo |= todoHealth
	} else {
		s.unset(node, Primary|MigrateTo)
		s.peer[of].replicas++
		s.set(of, MigrateTo)
		s.peer[node].shard = s.peer[of].shard
	}
	s.peer[node].of = of
	s.todo |= todoSave
	s.spreadOutdated = true
}

// leavePrimary has a replica have no primary, that is known
// (clusterNodeRemoveSlave). A primary that its last replica leaves does not get
// another.
func (s *State) leavePrimary(node slots.Owner) {
	of := s.peer[node].of
	if of != slots.None && of != node {
		if s.peer[of].replicas--; s.peer[of].replicas == 0 {
			s.unset(of, MigrateTo)
		}
	}
	s.peer[node].of = slots.None
	s.spreadOutdated = true
}

// demote makes a primary a replica, of whom is not known yet.
func (s *State) demote(node slots.Owner) {
	s.unset(node, Primary|MigrateTo)
	s.peer[node].of = slots.None
	s.todo |= todoHealth | todoSave
	s.spreadOutdated = true
}

// roleFrom takes over the role that the sender of a heartbeat says it has. It
// reports whether the message is not to be read further.
func (s *State) roleFrom(p *Packet) (stop bool) {
	from, of := p.Sender, p.PrimaryOf
	if of == slots.None {
		s.become(from, from)
		return false
	}
	named := s.isNamed(of)
	if s.isPrimary(from) {
		switch {
		case !s.env.SlotsFollowRole || !named || s.peer[of].shard != s.peer[from].shard:
			s.rebindAll(from, slots.None)
		case s.isStale(p):
			if s.env.StaleRolesEnd {
				return true
			}
		default:
			s.succeed(from, of, p.ConfigEpoch)
		}
		s.demote(from)
	}
	if named && s.peer[from].of != of {
		s.become(from, of)
		if s.env.ChainsCutByRole {
			s.cutChain()
		}
	}
	return false
}

// isStale reports whether a primary that says it is a replica of another in its
// shard says what is older than what this node knows.
func (s *State) isStale(p *Packet) bool {
	if s.env.StaleRolesEnd {
		return s.peer[p.PrimaryOf].epoch > p.ConfigEpoch
	}
	return s.peer[p.Sender].epoch > p.ConfigEpoch
}

// succeed has a node be the primary of its shard after another.
func (s *State) succeed(old, heir slots.Owner, epoch uint64) {
	if s.isPrimary(heir) && s.env.StaleRolesEnd {
		return // it is known already
	}
	if s.env.SlotsMove {
		s.rebindAll(old, heir)
	}
	s.become(heir, heir)
	s.peer[heir].epoch = epoch
}

// cutChain has a replica of a replica follow that one's primary.
func (s *State) cutChain() bool {
	mine := s.peer[s.self].of
	if s.isPrimary(s.self) || mine == slots.None || s.isPrimary(mine) || s.peer[mine].of == slots.None ||
		s.peer[mine].of == s.self {
		return false
	}
	s.follow(s.peer[mine].of)
	return true
}

// follow makes this node a replica of another (clusterSetMaster).
func (s *State) follow(primary slots.Owner) {
	if s.isPrimary(s.self) {
		if !s.env.OpenSlotsReplicate || s.peer[primary].shard != s.peer[s.self].shard {
			s.closeAll()
		}
		s.demote(s.self)
	}
	s.become(s.self, primary)
	s.act(Act{Kind: Follow, Node: primary})
	s.tell(wire.Event{Kind: wire.EventBecameReplica, About: primary})
	s.endManualFailover(wire.NoReason)
	s.unfollowed = false
	if s.env.ForgetsAttempt {
		s.election.at = longAgo
	}
	s.todo |= todoHealth | todoSaveSync
	if s.env.LateBroadcast {
		s.todo |= todoBroadcast
	}
}

// precedes reports whether the id of a node is smaller than that of another.
func (s *State) precedes(a, b slots.Owner) bool {
	return bytes.Compare(s.env.Names[a].ID[:], s.env.Names[b].ID[:]) < 0
}

// collide settles that two primaries have the same configuration epoch: the one
// with the smaller id takes a new one (clusterHandleConfigEpochCollision).
func (s *State) collide(with slots.Owner) {
	if s.peer[with].epoch != s.peer[s.self].epoch || !s.precedes(s.self, with) {
		return
	}
	s.currentEpoch++
	s.peer[s.self].epoch = s.currentEpoch
	s.todo |= todoSaveSync
	s.tell(wire.Event{Kind: wire.EventEpochCollision, About: with, A: int64(s.currentEpoch)})
}

// bumpEpoch takes the largest epoch there is without asking anybody
// (clusterBumpConfigEpochWithoutConsensus).
func (s *State) bumpEpoch() {
	most := s.currentEpoch
	for _, node := range s.roster {
		most = max(most, s.peer[node].epoch)
	}
	if s.peer[s.self].epoch == 0 || s.peer[s.self].epoch != most {
		s.currentEpoch++
		s.peer[s.self].epoch = s.currentEpoch
		s.todo |= todoSaveSync
	}
}

// promote makes this replica the primary of its primary's slots
// (clusterFailoverReplaceYourMaster).
func (s *State) promote() {
	old := s.peer[s.self].of
	s.become(s.self, s.self)
	s.act(Act{Kind: Promote})
	s.tell(wire.Event{Kind: wire.EventBecamePrimary, About: old, A: int64(s.peer[s.self].epoch)})
	s.rebindAll(old, s.self)
	s.updateHealth()
	s.todo |= todoSaveSync
	if s.env.LateBroadcast {
		s.todo |= todoBroadcast
	} else {
		s.broadcastPong(false)
	}
	s.endManualFailover(wire.Won)
	if s.env.ClaimEndsAttempt {
		s.election.at = longAgo
	}
}
