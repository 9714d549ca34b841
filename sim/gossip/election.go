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
	at       millis // when it starts, or did; longAgo if there is none
	rank     int    // among the replicas of the shard
	shards   int    // rank of the shard among those that fail
	sent     bool   // votes have been asked for
	epoch    uint64 // for which
	votes    int
	refusals int
	expired  bool        // that it has expired was told
	reason   wire.Reason // why there is none, that was told
}

func noElection() election { return election{at: longAgo} }

// authTimeout is for how long votes count, and half the time to the next attempt.
func (s *State) authTimeout() millis { return max(2*s.timeout(), 2000) }

// stepElection carries on with an election, or begins one
// (clusterHandleSlaveFailover).
func (s *State) stepElection() {
	s.todo &^= todoFailover
	e := &s.election
	if !s.mayStand(s.manual.end != never && s.manual.canStart) {
		return
	}
	age := s.t - e.at
	if age > 2*s.authTimeout() {
		s.schedule()
		if !s.env.ManualAtOnce || s.t < e.at {
			return
		}
		age = 0
	}
	if !e.sent && s.manual.end == never {
		s.rerank()
	}
	switch {
	case s.t < e.at:
	case age > s.authTimeout():
		s.expire()
	case !e.sent:
		s.askForVotes()
	case e.votes >= s.quorum():
		s.win()
	}
}

// mayStand checks, in Redis's order, what a replica needs in order to stand for
// election, and says on the timeline what is missing, once.
func (s *State) mayStand(manual bool) bool {
	primary := s.peer[s.self].of
	if s.isPrimary(s.self) || primary == slots.None || !s.failed(primary) && !manual {
		s.election.reason = wire.NoReason
		return false
	}
	if s.env.ReplicaNoFailover && !manual {
		s.cannot(wire.NoFailover)
		return false
	}
	if s.env.NeedsSlots && s.peer[primary].owned == 0 {
		s.election.reason = wire.NoReason
		return false
	}
	if s.tooOld() && !manual {
		s.cannot(wire.DataAge)
		return false
	}
	return true
}

// cannot tells why the replica does not stand.
func (s *State) cannot(reason wire.Reason) {
	if s.election.reason != reason {
		s.election.reason = reason
		s.tell(wire.Event{Kind: wire.EventNoElection, About: s.peer[s.self].of, Reason: reason})
	}
}

// tooOld reports whether the replica's data are older than the validity factor
// allows. Redis knows in whole seconds when it last heard from its primary.
func (s *State) tooOld() bool {
	factor := s.env.ReplicaValidityFactor
	if factor == 0 {
		return false
	}
	if !s.f.LinkUp && s.f.LastIO == 0 {
		return true // repl_down_since is 0: since 1970
	}
	const second = sim.Time(time.Second)
	age := time.Duration(s.now/second-s.f.LastIO/second) * time.Second
	if age > s.env.NodeTimeout {
		age -= s.env.NodeTimeout
	}
	return age > s.env.ReplPingReplicaPeriod+time.Duration(factor)*s.env.NodeTimeout
}

// schedule sets the instant of an election.
func (s *State) schedule() {
	e := &s.election
	unit := s.delayUnit()
	*e = election{rank: s.rank(), shards: s.shardRank(), epoch: e.epoch}
	draw := s.draws.elections.At(s.draws.attempts)
	s.draws.attempts++
	delay := unit + millis(sim.Below(draw, int(unit))) + 2*unit*millis(e.rank) + unit*millis(e.shards)
	if s.env.DelayByTimeout && s.f.Offset == 0 {
		delay += 500 // it may be new, and not know its siblings
	}
	if s.manual.end != never {
		delay, e.rank, e.shards = 0, 0, 0
		if !s.env.ManualAtOnce {
			s.todo |= todoFailover
		}
	}
	e.at = s.t + delay
	s.tell(wire.Event{Kind: wire.EventElectionScheduled, About: s.peer[s.self].of, A: int64(delay), B: int64(e.rank),
		C: int64(s.f.Offset)})
	s.broadcastPong(true)
}

// delayUnit returns the fixed part of the delay, in milliseconds: as much again
// is drawn at random.
func (s *State) delayUnit() millis {
	unit := inMillis(s.env.DelayFixed)
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
	s.tell(wire.Event{Kind: wire.EventElectionDelayed, About: s.peer[s.self].of, A: int64(added), B: int64(rank)})
}

// rank returns how many siblings have more of the primary's data
// (clusterGetSlaveRank).
func (s *State) rank() (rank int) {
	primary := s.peer[s.self].of
	for _, node := range s.roster {
		if s.peer[node].of != primary || node == s.self || node == primary || s.is(node, NoFailover) {
			continue
		}
		if s.peer[node].offset > s.f.Offset ||
			s.env.TiesByID && s.peer[node].offset == s.f.Offset && s.precedes(node, s.self) {
			rank++
		}
	}
	return rank
}

// shardRank returns how many other shards, whose names come first, have lost
// their primary and have replicas (clusterGetFailedPrimaryRank).
func (s *State) shardRank() (rank int) {
	if !s.env.ShardRank || s.gone == 0 {
		return 0
	}
	valid := s.timeout() * millis(s.env.ReplicaValidityFactor)
	for _, node := range s.roster {
		if !s.failed(node) || !s.isVoter(node) || s.peer[node].replicas == 0 ||
			valid > 0 && s.t-s.peer[node].failAt > valid {
			continue
		}
		if s.precedes(s.peer[node].shard, s.peer[s.self].shard) {
			rank++
		}
	}
	return rank
}

// expire tells that an attempt counts no more. The next has to wait.
func (s *State) expire() {
	e := &s.election
	if e.expired {
		return
	}
	e.expired = true
	if e.sent {
		s.tell(wire.Event{Kind: wire.EventElectionExpired, About: s.peer[s.self].of, A: int64(e.epoch)})
	}
	s.cannot(wire.Waiting)
}

// askForVotes starts the election (clusterRequestFailoverAuth).
func (s *State) askForVotes() {
	e := &s.election
	s.currentEpoch++
	e.epoch, e.sent = s.currentEpoch, true
	s.tell(wire.Event{Kind: wire.EventElectionStarted, About: s.peer[s.self].of, A: int64(e.epoch)})
	p := s.packet(AuthRequest)
	p.ForceAck = s.manual.end != never
	s.broadcast(p)
	s.todo |= todoSaveSync | todoHealth
}

// win ends an election that a majority has voted in.
func (s *State) win() {
	e := &s.election
	s.tell(wire.Event{Kind: wire.EventElectionWon, About: s.peer[s.self].of, A: int64(e.epoch)})
	s.peer[s.self].epoch = max(s.peer[s.self].epoch, e.epoch)
	s.promote()
}
