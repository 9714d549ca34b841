package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
)

// Receive is clusterProcessPacket: a packet has come. link is the generation of
// the link it has come on: of this node's own to the sender if back is true, else
// of the sender's to this node.
func (s *State) Receive(now sim.Time, p *Packet, link uint8, back bool, f *Facts, out *Out) {
	s.enter(now, f, out)
	from := p.Sender
	if back && (s.peer[from].linkUp == linkNone || s.peer[from].linkGen != link) {
		return // that link is closed
	}
	if p.Type == Publish || p.Type == PublishShard {
		out.TakenCopies++
	} else {
		out.Taken++
	}
	out.TakenEntries += len(p.Entries)
	s.Taken[p.Type]++
	sender := s.isNamed(from)
	if sender {
		s.peer[from].dataAt = s.t
		if !back {
			s.setInbound(from, true)
		}
		s.learnHeader(p)
	}
	switch p.Type {
	case Ping, Meet:
		s.answer(p, link, back, sender)
		s.heartbeatFrom(p, back, sender)
	case Pong:
		s.heartbeatFrom(p, back, sender)
	default:
		if sender {
			s.order(p, link, back)
		}
	}
}

// learnHeader takes over what every message says of its sender.
func (s *State) learnHeader(p *Packet) {
	from := p.Sender
	s.currentEpoch = max(s.currentEpoch, p.CurrentEpoch)
	if p.ConfigEpoch > s.peer[from].epoch && (!s.env.EpochOfPrimaries || p.PrimaryOf == slots.None) {
		s.peer[from].epoch = p.ConfigEpoch
		s.todo |= todoSaveSync
		if s.env.ClaimEndsAttempt && s.election.sent && s.election.at != longAgo && p.ConfigEpoch >= s.election.epoch {
			s.election.at = longAgo
			s.todo |= todoFailover
		}
	}
	s.peer[from].offset = p.Offset
	m := &s.manual
	if m.end != never && !s.isPrimary(s.self) && s.peer[s.self].of == from && p.Paused && !m.known {
		m.known, m.offset = true, p.Offset
		if !s.env.ManualByTick {
			s.todo |= todoManualFailover
		}
	}
}

// answer sends the pong that every ping gets: with what the node believed before
// it read the rest of the ping.
func (s *State) answer(p *Packet, link uint8, back, sender bool) {
	from := p.Sender
	if p.Type == Meet {
		switch {
		case !sender:
			s.shakeHands(from)
			s.readGossip(p, false)
		case s.env.MeetRepair && s.is(from, linked) && s.t-s.peer[from].since > s.handshakeTimeout():
			s.freeLink(from) // it does not know this node: a ping on a new link tells
		}
	}
	s.reply(from, link, back, s.heartbeat(Pong, from))
}

// heartbeatFrom goes through the rest of a ping, pong or meet.
func (s *State) heartbeatFrom(p *Packet, back, sender bool) {
	from := p.Sender
	if back && s.is(from, Handshake) {
		s.introduce(from, p.Flags)
	}
	if sender {
		s.flags[from] = s.flags[from]&^NoFailover | p.Flags&NoFailover
	}
	if back && p.Type == Pong {
		s.heard(from)
	}
	if !sender {
		return
	}
	wasPrimary := s.isPrimary(from)
	if s.roleFrom(p) {
		return
	}
	s.slotsFrom(p, wasPrimary)
	if s.isPrimary(s.self) && s.isPrimary(from) && p.ConfigEpoch == s.peer[s.self].epoch {
		s.collide(from)
	}
	s.readGossip(p, true)
	if len(p.Forgotten) > 0 {
		s.readForgotten(p)
	}
}

// heard notes that a pong has come back on the node's own link.
func (s *State) heard(node slots.Owner) {
	s.pong[node] = s.t
	s.setPing(node, never)
	switch {
	case s.is(node, PFAIL):
		s.unsuspect(node)
	case s.failed(node):
		s.clearFailure(node)
	}
}

// order carries out what a message other than a heartbeat says.
func (s *State) order(p *Packet, link uint8, back bool) {
	switch p.Type {
	case Fail:
		s.failureTold(p.About)
	case AuthRequest:
		s.vote(p)
	case AuthAck:
		s.voted(p)
	case AuthNack:
		s.refused(p)
	case MFStart:
		s.pauseFor(p.Sender, link, back)
	case Update:
		s.updated(p)
	}
}

// updated takes over what a node owns, by somebody else's word.
func (s *State) updated(p *Packet) {
	n := p.About
	if !s.isNamed(n) || s.peer[n].epoch >= p.ClaimEpoch {
		return
	}
	s.become(n, n)
	s.peer[n].epoch = p.ClaimEpoch
	s.todo |= todoSaveSync
	s.updateSlots(n, p.ClaimEpoch, p.Update)
}
