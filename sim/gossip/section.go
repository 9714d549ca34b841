package gossip

import (
	"hotslot/sim/slots"
)

// readGossip goes through the gossip section of a packet
// (clusterProcessGossipSection). Entries of a sender that is not known itself
// neither report failures nor introduce nodes.
func (s *State) readGossip(p *Packet, sender bool) {
	now, imports, odd, pong := s.t, s.env.PongTimes, s.odd, s.pong
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Flags&(FAIL|PFAIL) != 0 || odd[e.Node/64]>>(e.Node%64)&1 != 0 {
			s.readEntry(e, p.Sender, sender)
		} else if e.Pong > pong[e.Node] && imports {
			s.heardOf(e, now)
		}
	}
}

// heardOf takes over when somebody else has had a pong, in whole seconds, unless
// that is in the future.
func (s *State) heardOf(e *Entry, now millis) {
	at := e.Pong / 1000 * 1000
	if at > e.Pong {
		at -= 1000 // of an instant before the run
	}
	if at > s.pong[e.Node] && at <= now+500 {
		s.pong[e.Node] = at
	}
}

// readEntry goes through an entry that may say something new.
func (s *State) readEntry(e *Entry, from slots.Owner, sender bool) {
	node := e.Node
	if !s.isNamed(node) {
		if sender && node != s.self && e.Flags&NoAddr == 0 && !s.isForgotten(node) {
			s.learn(e)
		}
		return
	}
	failing := e.Flags&(FAIL|PFAIL) != 0
	if sender && node != s.self {
		switch {
		case failing && s.counts(from):
			s.report(node, from)
			s.judge(node)
		case failing && s.env.AnyoneWithdraws:
			s.judge(node)
		case !failing && (s.counts(from) || s.env.AnyoneWithdraws):
			s.withdraw(node, from)
		}
	}
	if s.env.PongTimes && !failing && !s.is(node, pinging) && s.countReports(node) == 0 {
		s.heardOf(e, s.t)
	}
}

// learn adds a node that somebody has told of. If a handshake with it is under
// way, that is over: its name is known.
func (s *State) learn(e *Entry) {
	node := e.Node
	if !s.env.GossipIntroduces {
		if !s.isKnown(node) {
			s.shakeHands(node)
			s.set(node, meeting)
		}
		return
	}
	s.know(node)
	s.introduce(node, e.Flags)
	s.set(node, e.Flags&(NoFailover|MigrateTo))
	s.setFlag(node, PFAIL, e.Flags&PFAIL != 0)
	s.setFlag(node, FAIL, e.Flags&FAIL != 0)
	s.peer[node].failAt = longAgo
}

// introduce has a node be known by name, and whether it is a primary.
func (s *State) introduce(node slots.Owner, flags NodeFlags) {
	s.setFlag(node, Handshake, false)
	if flags&Primary != 0 {
		s.become(node, node)
	}
	s.todo |= todoSave
}
