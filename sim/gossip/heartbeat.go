package gossip

import (
	"math/bits"

	"hotslot/sim/slots"
)

// packet returns a packet with the header filled in (clusterBuildMessageHdr).
func (s *State) packet(t Type) *Packet {
	s.out.Built++
	return s.header(t)
}

// header is packet for one that is not counted as put together.
func (s *State) header(t Type) *Packet {
	p := s.env.New()
	p.Type, p.Sender, p.PrimaryOf = t, s.self, slots.None
	p.Flags = s.flags[s.self] & public
	p.StateOK, p.CurrentEpoch = s.ok, s.currentEpoch
	p.About = slots.None
	if s.f != nil {
		p.Offset = s.f.Offset
	}
	owner := s.self
	if s.isPrimary(s.self) {
		p.Paused = s.manual.end != never
	} else if p.PrimaryOf = s.peer[s.self].of; p.PrimaryOf != slots.None {
		owner = p.PrimaryOf
	}
	p.ConfigEpoch, p.Claim = s.peer[owner].epoch, s.claimOf(owner)
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
	clear(s.drawn)
	s.mark(s.self)
	if s.env.SkipsReceiver {
		s.mark(to)
	}
	s.draw(min(wanted, fresh), fresh)
	s.unmark(s.self)
	if s.env.SkipsReceiver {
		s.unmark(to)
	}
	s.tellDrawn(p)
	if s.env.PFAILInEach {
		for _, node := range s.suspects[:min(s.told, len(s.suspects))] {
			if !s.is(node, Handshake|NoAddr) {
				p.Entries = append(p.Entries, s.entry(node))
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

// draw marks so many nodes, of those that are fresh to a section, in three times
// as many tries at most. Whom it draws twice it takes once. It looks at nothing but
// the marks while all nodes are well: what is known of 2000 nodes is far from
// the processor.
func (s *State) draw(wanted, fresh int) {
	s.draws.section++
	draws := s.draws.section * maxDraws
	tries := 3 * wanted
	if s.env.EntriesFixed {
		tries = maxDraws
	}
	drawn, roster, n := s.drawn, s.roster, uint64(len(s.roster))
	all, well := len(roster) == len(s.flags), len(s.unlinked)+len(s.suspects)+len(s.met) == 0 && !s.env.PFAILBias
	draw := uint64(0)
	for try := 0; try < tries && fresh > 0 && wanted > 0; try++ {
		if try&1 == 0 { // a draw is good for two
			draw = s.draws.sections.At(draws + uint64(try/2))
		} else {
			draw <<= 32
		}
		node := slots.Owner(draw >> 32 * n >> 32)
		if !all {
			node = roster[node]
		}
		word, bit := &drawn[node/64], uint64(1)<<(node%64)
		if *word&bit != 0 || !well && !s.takes(s.flags[node], try, tries, &fresh) {
			if s.env.EntriesFixed && node == s.self {
				fresh--
			}
			continue
		}
		*word |= bit
		fresh--
		wanted--
	}
}

// takes reports whether a section takes a node: not if it is told of anyway, or
// others have precedence; nor if nobody knows where it is, which makes one fewer
// that is fresh.
func (s *State) takes(flags NodeFlags, try, tries int, fresh *int) bool {
	switch {
	case s.env.PFAILInEach && flags&PFAIL != 0:
		return false
	case s.env.PFAILBias && try < tries/3-1 && flags&(PFAIL|FAIL) == 0:
		return false
	case flags&(Handshake|NoAddr) != 0 || flags&(linked|slotted) == 0:
		*fresh--
		return false
	}
	return true
}

// tellDrawn adds the nodes that are marked to a packet. Who reads it meets them in
// ascending order, which is as good as any, and kind to memory.
func (s *State) tellDrawn(p *Packet) {
	entries, flags, pong := p.Entries, s.flags, s.pong
	for w, word := range s.drawn {
		for ; word != 0; word &= word - 1 {
			node := slots.Owner(64*w + bits.TrailingZeros64(word))
			entries = append(entries, Entry{Node: node, Flags: flags[node] & public, Pong: pong[node]})
		}
	}
	p.Entries = entries
}

// entry returns what is known of a node.
func (s *State) entry(node slots.Owner) Entry {
	return Entry{Node: node, Flags: s.flags[node] & public, Pong: s.pong[node]}
}

func (s *State) mark(node slots.Owner)   { s.drawn[node/64] |= 1 << (node % 64) }
func (s *State) unmark(node slots.Owner) { s.drawn[node/64] &^= 1 << (node % 64) }
