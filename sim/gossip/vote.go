package gossip

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// vote answers a request for a vote (clusterSendFailoverAuthIfNeeded). Redis is
// silent when it refuses.
func (s *State) vote(p *Packet) {
	if !s.isVoter(s.self) {
		return // who has no vote does not refuse it
	}
	from, epoch := p.Sender, p.CurrentEpoch
	if reason, newer := s.objection(p); reason != wire.NoReason {
		s.tell(wire.Event{Kind: wire.EventVoteRefused, About: from, A: int64(epoch), Reason: reason})
		if reason == wire.StaleSlots && s.env.UpdatesRefused {
			s.sendUpdate(from, newer)
		}
		if s.env.Nacks {
			s.send(from, s.packet(AuthNack))
		}
		return
	}
	s.lastVoteEpoch = s.currentEpoch
	s.peer[s.peer[from].of].votedAt = s.t
	s.tell(wire.Event{Kind: wire.EventVoteGranted, About: from, A: int64(s.currentEpoch)})
	s.send(from, s.packet(AuthAck))
	s.todo |= todoSaveSync
}

// objection returns why a vote is refused, in the order in which Redis asks, and
// who owns a slot with a larger epoch where that is the reason.
func (s *State) objection(p *Packet) (reason wire.Reason, newer slots.Owner) {
	from := p.Sender
	primary := s.peer[from].of
	switch {
	case p.CurrentEpoch < s.currentEpoch:
		return wire.OldEpoch, slots.None
	case s.lastVoteEpoch == s.currentEpoch:
		return wire.AlreadyVoted, slots.None
	case s.isPrimary(from) || primary == slots.None:
		return wire.NotReplica, slots.None
	case !s.failed(primary) && !p.ForceAck:
		return wire.PrimaryUp, slots.None
	case s.env.OneVotePerShard && s.t-s.peer[primary].votedAt < 2*s.timeout():
		return wire.VotedShard, slots.None
	}
	if newer := s.newerOwner(p); newer != slots.None {
		return wire.StaleSlots, newer
	}
	return wire.NoReason, slots.None
}

// voted counts a vote.
func (s *State) voted(p *Packet) {
	if s.isVoter(p.Sender) && p.CurrentEpoch >= s.election.epoch {
		s.election.votes++
		s.todo |= todoFailover
	}
}

// refused counts a vote that is not given. When those that have not failed and
// have not refused are too few to win, the replica begins anew, without waiting
// for the attempt to expire.
func (s *State) refused(p *Packet) {
	e := &s.election
	if !e.sent || e.at == longAgo || !s.isVoter(p.Sender) || p.CurrentEpoch < e.epoch {
		return
	}
	e.refusals++
	left := -e.refusals
	for _, node := range s.roster {
		if s.isVoter(node) && !s.failed(node) {
			left++
		}
	}
	if left < s.quorum() {
		e.at = longAgo
		s.todo |= todoFailover
	}
}
