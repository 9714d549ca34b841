package gossip

import (
	"slices"

	"hotslot/sim/slots"
)

// ping sends a ping, and starts the clock of its answer.
func (s *State) ping(node slots.Owner) {
	s.send(node, s.heartbeat(Ping, node))
	s.setPing(node, s.t)
}

// send sends a packet on the node's own link to another, if there is one.
func (s *State) send(to slots.Owner, p *Packet) {
	if s.linkUp[to] == linkNone {
		s.env.Release(p)
		return
	}
	s.Sent[p.Type]++
	s.out.Send = append(s.out.Send, Outgoing{To: to, Link: s.linkGen[to], Packet: p})
}

// broadcast sends a packet to all nodes that there is a link to
// (clusterBroadcastMessage).
func (s *State) broadcast(p *Packet) {
	for node := range slots.Owner(s.count()) {
		if node == s.self || s.linkUp[node] == linkNone || s.hot[node].flags&Handshake != 0 {
			continue
		}
		s.env.Share(p)
		s.send(node, p)
	}
	s.env.Release(p)
}

// broadcastPong tells all nodes, or the replicas of the node's primary alone, how
// things stand (clusterBroadcastPong).
func (s *State) broadcastPong(siblings bool) {
	for node := range slots.Owner(s.count()) {
		if node == s.self || s.linkUp[node] == linkNone || s.hot[node].flags&Handshake != 0 {
			continue
		}
		if siblings && (s.isPrimary(node) || s.of[node] == slots.None ||
			s.of[node] != s.self && s.of[node] != s.of[s.self]) {
			continue
		}
		s.send(node, s.heartbeat(Pong, node))
	}
}

// packet returns a packet with the header filled in (clusterBuildMessageHdr).
func (s *State) packet(t Type) *Packet {
	p := s.env.New()
	s.out.Built++
	p.Type, p.Sender, p.PrimaryOf = t, s.self, slots.None
	p.Flags = s.hot[s.self].flags & public
	p.StateOK, p.CurrentEpoch = s.ok, s.currentEpoch
	p.About = slots.None
	if s.f != nil {
		p.Offset = s.f.Offset
	}
	owner := s.self
	if !s.isPrimary(s.self) {
		p.PrimaryOf = s.of[s.self]
		if p.PrimaryOf != slots.None {
			owner = p.PrimaryOf
		}
	} else if s.manual.end != never {
		p.Paused = true
	}
	p.ConfigEpoch, p.Claim = s.epoch[owner], s.claimOf(owner)
	return p
}

// heartbeat returns a ping, pong or meet with its gossip section
// (clusterSendPing).
func (s *State) heartbeat(t Type, to slots.Owner) *Packet {
	p := s.packet(t)
	fresh := s.known - 2
	wanted := min(max(3, s.known/10), fresh)
	if s.env.EntriesFixed {
		wanted = min(3, fresh)
	}
	clear(s.seen)
	s.mark(s.self)
	if s.env.SkipsReceiver {
		s.mark(to)
	}
	s.sample(p, wanted, fresh)
	if s.env.PFAILInEach {
		for _, node := range s.suspects[:min(s.told, len(s.suspects))] {
			e := s.hot[node].entry(node)
			e.Flags &= public
			p.Entries = append(p.Entries, e)
		}
	}
	s.out.Entries += len(p.Entries)
	return p
}

// sample adds so many nodes to a packet, of those that are fresh to it, in three
// times as many tries at most. Whom it draws twice it takes once.
func (s *State) sample(p *Packet, wanted, fresh int) {
	skipped := Handshake | NoAddr
	bias := NodeFlags(0) // whom another loop takes care of
	if s.env.PFAILInEach {
		bias = PFAIL
	}
	entries := slices.Grow(p.Entries, wanted)[:wanted]
	hot, seen, all, taken := s.hot, s.seen, s.known == s.count(), 0
	n, draw := uint64(len(hot)), uint64(0)
	for tries := 0; tries < 3*wanted && fresh > 0 && taken < wanted; tries++ {
		var node uint64
		switch {
		case !all:
			node = uint64(s.random())
		case tries&1 == 0: // a draw is good for two
			s.draws.drawn++
			draw = s.draws.peers.At(s.draws.drawn)
			node = draw >> 32 * n >> 32
		default:
			node = draw & (1<<32 - 1) * n >> 32
		}
		e := hot[node].entry(slots.Owner(node)) // the costly step: memory
		word, bit := &seen[node/64], uint64(1)<<(node%64)
		if *word&bit != 0 || e.Flags&bias != 0 {
			continue
		}
		fresh--
		if e.Flags&skipped != 0 || e.Flags&(linked|slotted) == 0 {
			continue
		}
		*word |= bit
		e.Flags &= public
		entries[taken] = e
		taken++
	}
	p.Entries = entries[:taken]
}

// entry returns what is known of a node.
func (h hot) entry(node slots.Owner) Entry { return Entry{Node: node, Flags: h.flags, Pong: h.pong} }

// mark notes that a node is in the section that is being written, or must not be.
func (s *State) mark(node slots.Owner) { s.seen[node/64] |= 1 << (node % 64) }
