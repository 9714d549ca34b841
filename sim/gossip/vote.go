package gossip

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// vote answers a request for a vote (clusterSendFailoverAuthIfNeeded). Redis is
// silent when it refuses.
func (s *State) vote(p *Packet) {
	from, epoch := p.Sender, p.CurrentEpoch
	reason, stale := s.objection(p)
	if reason == wire.NotVoting {
		return
	}
	if reason != wire.NoReason {
		s.tell(wire.Event{Kind: wire.EventVoteRefused, About: from, A: int64(epoch), Reason: reason})
		if reason == wire.StaleSlots && s.env.UpdatesRefused {
			s.sendUpdate(from, stale)
		}
		if s.env.Nacks {
			s.send(from, s.packet(AuthNack))
		}
		return
	}
	s.lastVoteEpoch = s.currentEpoch
	s.votedAt[s.of[from]] = s.t
	s.tell(wire.Event{Kind: wire.EventVoteGranted, About: from, A: int64(s.currentEpoch)})
	s.send(from, s.packet(AuthAck))
	s.todo |= todoSave
}

// objection returns why a vote is refused, in the order in which Redis asks, and
// who owns the slot where that is the reason.
func (s *State) objection(p *Packet) (wire.Reason, slots.Owner) {
	from := p.Sender
	primary := s.of[from]
	switch {
	case !s.isVoter(s.self):
		return wire.NotVoting, slots.None
	case p.CurrentEpoch < s.currentEpoch:
		return wire.OldEpoch, slots.None
	case s.lastVoteEpoch == s.currentEpoch:
		return wire.AlreadyVoted, slots.None
	case s.isPrimary(from) || primary == slots.None:
		return wire.NotReplica, slots.None
	case !s.failed(primary) && !p.ForceAck:
		return wire.PrimaryUp, slots.None
	case s.env.OneVotePerShard && s.t-s.votedAt[primary] < 2*s.timeout():
		return wire.VotedShard, slots.None
	}
	for slot, owner := range s.table {
		if owner != slots.None && s.epoch[owner] > p.ConfigEpoch && p.Claim.Has(slots.Slot(slot)) {
			return wire.StaleSlots, owner
		}
	}
	return wire.NoReason, slots.None
}

// voted counts a vote.
func (s *State) voted(p *Packet) {
	if s.isVoter(p.Sender) && s.election.sent && p.CurrentEpoch >= s.election.epoch {
		s.election.votes++
		s.todo |= todoFailover
	}
}

// refused counts a vote that is not given. When too few are left to win, the
// replica tries again without waiting for the attempt to expire.
func (s *State) refused(p *Packet) {
	e := &s.election
	if !e.sent || !s.isVoter(p.Sender) || p.CurrentEpoch < e.epoch {
		return
	}
	e.refusals++
	if s.size-e.refusals < s.quorum() {
		e.sent = false
		e.at = longAgo
	}
}
