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
	out.Taken++
	out.TakenEntries += len(p.Entries)
	s.Taken[p.Type]++
	from := p.Sender
	sender := s.isKnown(from) && s.hot[from].flags&Handshake == 0
	if sender {
		s.dataAt[from] = s.t
		s.learnHeader(p)
	}
	switch p.Type {
	case Ping, Meet:
		s.answer(p, link, sender)
		s.heartbeatFrom(p, link, false, sender)
	case Pong:
		s.heartbeatFrom(p, link, back, sender)
	default:
		if sender {
			s.order(p)
		}
	}
}

// learnHeader takes over what every message says of its sender.
func (s *State) learnHeader(p *Packet) {
	from := p.Sender
	s.currentEpoch = max(s.currentEpoch, p.CurrentEpoch)
	if p.ConfigEpoch > s.epoch[from] && (!s.env.EpochOfPrimaries || p.PrimaryOf == slots.None) {
		s.epoch[from] = p.ConfigEpoch
		s.todo |= todoSave
	}
	s.offset[from] = p.Offset
	m := &s.manual
	if m.end != never && !s.isPrimary(s.self) && s.of[s.self] == from && p.Paused && !m.known {
		m.known, m.offset = true, p.Offset
		s.todo |= todoManualFailover
	}
}

// answer sends the pong that every ping gets: with what the node believed before
// it read the rest of the ping.
func (s *State) answer(p *Packet, link uint8, sender bool) {
	if p.Type == Meet && !sender {
		s.shakeHands(p.Sender)
		s.readGossip(p, false)
	}
	pong := s.heartbeat(Pong, p.Sender)
	s.Sent[Pong]++
	s.out.Send = append(s.out.Send, Outgoing{To: p.Sender, Link: link, Back: true, Packet: pong})
}

// heartbeatFrom goes through the rest of a ping, pong or meet.
func (s *State) heartbeatFrom(p *Packet, link uint8, back, sender bool) {
	from := p.Sender
	if back {
		if s.linkGen[from] != link || s.linkUp[from] == linkNone {
			return // the link that it was sent on is gone
		}
		if s.hot[from].flags&Handshake != 0 {
			s.setFlag(from, Handshake, false)
			sender = true
		}
		s.heard(from)
	}
	if !sender {
		return
	}
	s.hot[from].flags = s.hot[from].flags&^NoFailover | p.Flags&NoFailover
	s.roleFrom(p)
	s.slotsFrom(p)
	if s.isPrimary(s.self) && s.isPrimary(from) && p.ConfigEpoch == s.epoch[s.self] {
		s.collide(from)
	}
	s.readGossip(p, true)
}

// heard notes that a pong has come back on the node's own link.
func (s *State) heard(node slots.Owner) {
	s.hot[node].pong = s.t
	s.setPing(node, never)
	switch {
	case s.hot[node].flags&PFAIL != 0:
		s.unsuspect(node)
	case s.failed(node):
		s.clearFailure(node)
	}
}

// slotsFrom compares the slots that a packet claims, for its sender or its
// sender's primary, with the table.
func (s *State) slotsFrom(p *Packet) {
	from := p.Sender
	owner := from
	if !s.isPrimary(from) {
		owner = s.of[from]
	}
	if owner == slots.None || s.agrees(owner, p.Claim) {
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
	for slot, owner := range s.table {
		if owner == p.Sender || owner == slots.None || !p.Claim.Has(slots.Slot(slot)) {
			continue
		}
		if s.epoch[owner] > p.ConfigEpoch {
			s.sendUpdate(p.Sender, owner)
			return
		}
	}
}

// sendUpdate tells a node what another one owns (clusterSendUpdate).
func (s *State) sendUpdate(to, about slots.Owner) {
	u := s.packet(Update)
	u.About, u.ClaimEpoch, u.Update = about, s.epoch[about], s.claimOf(about)
	s.send(to, u)
}

// order carries out what a message other than a heartbeat says.
func (s *State) order(p *Packet) {
	switch p.Type {
	case Fail:
		s.failureTold(p)
	case AuthRequest:
		s.vote(p)
	case AuthAck:
		s.voted(p)
	case AuthNack:
		s.refused(p)
	case MFStart:
		s.pauseFor(p.Sender)
	case Update:
		s.updated(p)
	}
}

// updated takes over what a node owns, by somebody else's word.
func (s *State) updated(p *Packet) {
	n := p.About
	if !s.isKnown(n) || s.epoch[n] >= p.ClaimEpoch {
		return
	}
	if !s.isPrimary(n) {
		s.setRole(n, n)
	}
	s.epoch[n] = p.ClaimEpoch
	s.updateSlots(n, p.ClaimEpoch, p.Update)
}

// readGossip goes through the gossip section of a packet
// (clusterProcessGossipSection). Entries of a sender that is not known itself
// say that there are nodes, and no more.
func (s *State) readGossip(p *Packet, sender bool) {
	reports := sender && (s.isVoter(p.Sender) || s.isPrimary(p.Sender) && !s.env.ReportsByVoters)
	imports := s.env.PongTimes
	for i := range p.Entries {
		e := &p.Entries[i]
		h := &s.hot[e.Node]
		if e.Flags&(FAIL|PFAIL) == 0 && h.flags&(known|reported|pinging) == known {
			if imports {
				h.heardOf(e, s.t)
			}
			continue // nothing out of the ordinary
		}
		s.readEntry(e, p.Sender, sender, reports)
	}
}

// heardOf takes over when somebody else has had a pong, in whole seconds.
func (h *hot) heardOf(e *Entry, now millis) {
	if e.Pong <= h.pong {
		return
	}
	if at := wholeSeconds(e.Pong); at > h.pong && at <= now+500 {
		h.pong = at
	}
}

// wholeSeconds returns the beginning of the second that an instant lies in. It
// may be before the run.
func wholeSeconds(t millis) millis {
	if t < 0 {
		t -= 999
	}
	return t / 1000 * 1000
}

// readEntry goes through an entry that may say something new.
func (s *State) readEntry(e *Entry, from slots.Owner, sender, reports bool) {
	node := e.Node
	h := &s.hot[node]
	if h.flags&known == 0 {
		if sender && e.Flags&(NoAddr|Handshake) == 0 {
			s.learn(e)
		}
		return
	}
	failing := e.Flags&(FAIL|PFAIL) != 0
	if reports && node != s.self {
		if failing {
			s.report(node, from)
			s.judge(node)
		} else if h.flags&reported != 0 {
			s.withdraw(node, from)
		}
	}
	if s.env.PongTimes && !failing && h.flags&pinging == 0 && !s.isReported(node) {
		h.heardOf(e, s.t)
	}
}

// learn adds a node that somebody has told of.
func (s *State) learn(e *Entry) {
	s.know(e.Node)
	if e.Flags&Primary != 0 {
		s.setRole(e.Node, e.Node)
	}
	if e.Flags&FAIL != 0 {
		s.setFlag(e.Node, FAIL, true)
		s.failAt[e.Node] = s.t
	}
}
