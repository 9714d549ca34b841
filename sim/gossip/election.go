package gossip

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An election is a replica's attempt to take its primary's place
// (failover_auth_*).
type election struct {
	at       millis // when it starts, or did
	rank     int    // among the replicas of the shard
	shards   int    // rank of the shard among those that fail
	sent     bool   // votes have been asked for
	epoch    uint64 // for which
	votes    int
	refusals int
	expired  bool // that it has expired was told
	reason   wire.Reason
	tries    uint64
}

// authTimeout is for how long votes count, and half the time to the next attempt.
func (s *State) authTimeout() millis { return max(2*s.timeout(), 2000) }

// stepElection carries on with an election, or begins one
// (clusterHandleReplicaFailover).
func (s *State) stepElection() {
	e := &s.election
	manual := s.manual.end != never && s.manual.canStart
	if !s.mayStand(manual) {
		return
	}
	age := s.t - e.at
	if e.tries == 0 {
		age = -longAgo
	}
	if age > 2*s.authTimeout() {
		s.schedule()
		return
	}
	if !e.sent && s.manual.end == never {
		s.rerank()
	}
	switch {
	case s.t < e.at:
	case age > s.authTimeout():
		if !e.expired {
			e.expired = true
			s.tell(wire.Event{Kind: wire.EventElectionExpired, About: s.of[s.self], A: int64(e.epoch)})
		}
	case !e.sent:
		s.askForVotes()
	case e.votes >= s.quorum():
		s.win()
	}
}

// mayStand checks, in Redis's order, what a replica needs in order to stand for
// election, and says on the timeline what is missing, once.
func (s *State) mayStand(manual bool) bool {
	primary := s.of[s.self]
	if s.isPrimary(s.self) || primary == slots.None || !s.failed(primary) && !manual ||
		s.env.NeedsSlots && s.owned[primary] == 0 {
		s.election.reason = wire.NoReason
		return false
	}
	if s.env.ReplicaNoFailover && !manual {
		return s.cannot(wire.NoFailover)
	}
	if !manual && s.tooOld() {
		return s.cannot(wire.DataAge)
	}
	return true
}

// cannot tells why the replica does not stand.
func (s *State) cannot(reason wire.Reason) bool {
	if s.election.reason != reason {
		s.election.reason = reason
		s.tell(wire.Event{Kind: wire.EventNoElection, About: s.of[s.self], Reason: reason,
			A: int64(s.dataAge() / time.Millisecond)})
	}
	return false
}

// dataAge returns for how long the replica has not heard from its primary, in
// whole seconds, less the node timeout.
func (s *State) dataAge() time.Duration {
	const forever = Epoch * time.Millisecond // repl_down_since is 0
	if !s.f.LinkUp && s.f.LastIO == 0 {
		return forever
	}
	age := time.Duration(s.now/sim.Time(time.Second)-s.f.LastIO/sim.Time(time.Second)) * time.Second
	if age > s.env.NodeTimeout {
		age -= s.env.NodeTimeout
	}
	return age
}

// tooOld reports whether the replica's data are older than the validity factor
// allows.
func (s *State) tooOld() bool {
	factor := s.env.ReplicaValidityFactor
	return factor > 0 && s.dataAge() > s.env.ReplPingReplicaPeriod+time.Duration(factor)*s.env.NodeTimeout
}

// schedule sets the instant of an election.
func (s *State) schedule() {
	e := &s.election
	draw := s.draws.election.At(e.tries)
	unit := s.delayUnit()
	*e = election{tries: e.tries + 1, rank: s.rank(), shards: s.shardRank()}
	delay := unit + millis(sim.Below(draw, int(unit))) + 2*unit*millis(e.rank) + unit*millis(e.shards)
	if s.env.DelayByTimeout && s.f.Offset == 0 {
		delay += 500 // it may be new, and not know its siblings
	}
	if s.manual.end != never {
		delay, e.rank = 0, 0
		s.todo |= todoFailover
	}
	e.at = s.t + delay
	s.tell(wire.Event{Kind: wire.EventElectionScheduled, About: s.of[s.self], A: int64(delay), B: int64(e.rank),
		C: int64(s.f.Offset)})
	s.broadcastPong(true)
}

// delayUnit returns the fixed part of the delay, in milliseconds: as much again
// is drawn at random.
func (s *State) delayUnit() millis {
	unit := millis(s.env.DelayFixed / time.Millisecond)
	if s.env.DelayByTimeout {
		unit = min(unit, s.timeout()/30)
	}
	return max(unit, 1)
}

// rerank makes up for what has been learnt of siblings since.
func (s *State) rerank() {
	e := &s.election
	rank, shards := s.rank(), s.shardRank()
	if !s.env.RankBothWays {
		rank = max(rank, e.rank)
	}
	if rank == e.rank && shards == e.shards {
		return
	}
	unit := s.delayUnit()
	added := 2*unit*millis(rank-e.rank) + unit*millis(shards-e.shards)
	e.rank, e.shards = rank, shards
	e.at += added
	s.tell(wire.Event{Kind: wire.EventElectionDelayed, About: s.of[s.self], A: int64(added), B: int64(rank)})
}

// rank returns how many siblings have more of the primary's data
// (clusterGetReplicaRank).
func (s *State) rank() (rank int) {
	primary := s.of[s.self]
	for node := range slots.Owner(s.count()) {
		if node == s.self || s.of[node] != primary || node == primary || s.hot[node].flags&NoFailover != 0 {
			continue
		}
		if s.offset[node] > s.f.Offset ||
			s.env.TiesByID && s.offset[node] == s.f.Offset && s.precedes(node, s.self) {
			rank++
		}
	}
	return rank
}

// shardRank returns how many other shards, whose names come first, have lost
// their primary and have replicas (clusterGetFailedPrimaryRank).
func (s *State) shardRank() (rank int) {
	if !s.env.ShardRank {
		return 0
	}
	primary := s.of[s.self]
	for node := range slots.Owner(s.count()) {
		if node != primary && s.failed(node) && s.isVoter(node) && s.hasReplica(node) &&
			s.precedes(s.shard[node], s.shard[primary]) &&
			s.t-s.failAt[node] < s.timeout()*millis(max(1, s.env.ReplicaValidityFactor)) {
			rank++
		}
	}
	return rank
}

// askForVotes starts the election.
func (s *State) askForVotes() {
	e := &s.election
	s.currentEpoch++
	e.epoch, e.sent = s.currentEpoch, true
	s.tell(wire.Event{Kind: wire.EventElectionStarted, About: s.of[s.self], A: int64(e.epoch)})
	p := s.packet(AuthRequest)
	p.ForceAck = s.manual.end != never
	s.broadcast(p)
	s.todo |= todoSave | todoHealth
}

// win ends an election that a majority has voted in.
func (s *State) win() {
	e := &s.election
	s.tell(wire.Event{Kind: wire.EventElectionWon, About: s.of[s.self], A: int64(e.epoch)})
	s.epoch[s.self] = max(s.epoch[s.self], e.epoch)
	s.promote()
}
