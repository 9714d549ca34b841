package gossip

import (
	"slices"

	"hotslot/sim/slots"
)

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
	if s.isPrimary(s.self) {
		p.Paused = s.manual.end != never
	} else if p.PrimaryOf = s.of[s.self]; p.PrimaryOf != slots.None {
		owner = p.PrimaryOf
	}
	p.ConfigEpoch, p.Claim = s.epoch[owner], s.claimOf(owner)
	return p
}

// heartbeat returns a ping, pong or meet with its gossip section
// (clusterSendPing).
func (s *State) heartbeat(t Type, to slots.Owner) *Packet {
	p := s.packet(t)
	fresh := len(s.roster) - 2
	wanted := max(3, len(s.roster)/10)
	if s.env.EntriesFixed {
		wanted = 3
	}
	clear(s.seen)
	s.mark(s.self)
	if s.env.SkipsReceiver {
		s.mark(to)
	}
	s.sample(p, min(wanted, fresh), fresh)
	if s.env.PFAILInEach {
		for _, node := range s.suspects[:min(s.told, len(s.suspects))] {
			if !s.is(node, Handshake|NoAddr) {
				p.Entries = append(p.Entries, s.hot[node].entry(node))
			}
		}
	}
	if len(s.forgotten) > 0 && s.env.ForgetSpreads {
		s.tellForgotten(p)
	}
	s.out.Entries += len(p.Entries)
	return p
}

// maxDraws is a power of two that no section needs as many draws as.
const maxDraws = 1 << 20

// sample adds so many nodes to a packet, of those that are fresh to it, in three
// times as many tries at most. Whom it draws twice it takes once.
func (s *State) sample(p *Packet, wanted, fresh int) {
	s.draws.section++
	draws := s.draws.section * maxDraws
	tries := 3 * wanted
	if s.env.EntriesFixed {
		tries = maxDraws
	}
	entries := slices.Grow(p.Entries, max(wanted, 0))
	hot, seen, roster, n := s.hot, s.seen, s.roster, uint64(len(s.roster))
	all, draw, well := len(s.roster) == len(s.hot), uint64(0), linked
	if s.env.PFAILBias {
		well = 0 // even a node that is well may have to wait
	}
	for try := 0; try < tries && fresh > 0 && len(entries) < wanted; try++ {
		if try&1 == 0 { // a draw is good for two
			draw = s.draws.sections.At(draws + uint64(try/2))
		} else {
			draw <<= 32
		}
		node := slots.Owner(draw >> 32 * n >> 32)
		if !all {
			node = roster[node]
		}
		h := hot[node] // the costly step: memory
		word, bit := &seen[node/64], uint64(1)<<(node%64)
		if *word&bit != 0 || h.flags&(linked|PFAIL|Handshake|NoAddr) != well && !s.takes(h, try, tries, &fresh) {
			if s.env.EntriesFixed && node == s.self {
				fresh--
			}
			continue
		}
		fresh--
		*word |= bit
		entries = append(entries, h.entry(node))
	}
	p.Entries = entries
}

// takes reports whether a section takes a node that is not well: not if it has been
// told of already, or others have precedence; nor if nobody knows where it is, which
// makes one fewer that is fresh.
func (s *State) takes(h hot, try, tries int, fresh *int) bool {
	switch {
	case s.env.PFAILInEach && h.flags&PFAIL != 0:
		return false
	case s.env.PFAILBias && try < tries/3-1 && h.flags&(PFAIL|FAIL) == 0:
		return false
	case h.flags&(Handshake|NoAddr) != 0 || h.flags&(linked|slotted) == 0:
		*fresh--
		return false
	}
	return true
}

// entry returns what is known of a node.
func (h hot) entry(node slots.Owner) Entry {
	return Entry{Node: node, Flags: h.flags & public, Pong: h.pong}
}

// mark notes that a node is in the section that is being written, or must not be.
func (s *State) mark(node slots.Owner) { s.seen[node/64] |= 1 << (node % 64) }
