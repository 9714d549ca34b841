package gossip

import (
	"bytes"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// become makes a node a primary, if of is the node itself (clusterSetNodeAsMaster),
// or a replica of another (clusterNodeAddSlave).
func (s *State) become(node, of slots.Owner) {
	was := s.of[node]
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
		s.replicas[of]++
		s.set(of, MigrateTo)
		s.shard[node] = s.shard[of]
	}
	s.of[node] = of
	s.todo |= todoSave
	s.spreadOutdated = true
}

// leavePrimary has a replica have no primary, that is known
// (clusterNodeRemoveSlave). A primary that its last replica leaves does not get
// another.
func (s *State) leavePrimary(node slots.Owner) {
	of := s.of[node]
	if of != slots.None && of != node {
		if s.replicas[of]--; s.replicas[of] == 0 {
			s.unset(of, MigrateTo)
		}
	}
	s.of[node] = slots.None
	s.spreadOutdated = true
}

// demote makes a primary a replica, of whom is not known yet.
func (s *State) demote(node slots.Owner) {
	s.unset(node, Primary|MigrateTo)
	s.of[node] = slots.None
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
		case !s.env.SlotsFollowRole || !named || s.shard[of] != s.shard[from]:
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
	if named && s.of[from] != of {
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
		return s.epoch[p.PrimaryOf] > p.ConfigEpoch
	}
	return s.epoch[p.Sender] > p.ConfigEpoch
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
	s.epoch[heir] = epoch
}

// cutChain has a replica of a replica follow that one's primary.
func (s *State) cutChain() bool {
	mine := s.of[s.self]
	if s.isPrimary(s.self) || mine == slots.None || s.isPrimary(mine) || s.of[mine] == slots.None ||
		s.of[mine] == s.self {
		return false
	}
	s.follow(s.of[mine])
	return true
}

// follow makes this node a replica of another (clusterSetMaster).
func (s *State) follow(primary slots.Owner) {
	if s.isPrimary(s.self) {
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
	if s.epoch[with] != s.epoch[s.self] || !s.precedes(s.self, with) {
		return
	}
	s.currentEpoch++
	s.epoch[s.self] = s.currentEpoch
	s.todo |= todoSaveSync
	s.tell(wire.Event{Kind: wire.EventEpochCollision, About: with, A: int64(s.currentEpoch)})
}

// bumpEpoch takes the largest epoch there is without asking anybody
// (clusterBumpConfigEpochWithoutConsensus).
func (s *State) bumpEpoch() {
	most := s.currentEpoch
	for _, node := range s.roster {
		most = max(most, s.epoch[node])
	}
	if s.epoch[s.self] == 0 || s.epoch[s.self] != most {
		s.currentEpoch++
		s.epoch[s.self] = s.currentEpoch
		s.todo |= todoSaveSync
	}
}

// promote makes this replica the primary of its primary's slots
// (clusterFailoverReplaceYourMaster).
func (s *State) promote() {
	old := s.of[s.self]
	s.become(s.self, s.self)
	s.act(Act{Kind: Promote})
	s.tell(wire.Event{Kind: wire.EventBecamePrimary, About: old, A: int64(s.epoch[s.self])})
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
