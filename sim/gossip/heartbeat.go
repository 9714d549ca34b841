package gossip

import (
	"hotslot/sim/slots"
)

// ping sends a ping, and starts the clock of its answer.
func (s *State) ping(node slots.Owner) {
	s.send(node, s.heartbeat(Ping, node))
	s.pingSent[node] = s.t
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
		if node == s.self || s.linkUp[node] == linkNone || s.flags[node]&Handshake != 0 {
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
		if node == s.self || s.linkUp[node] == linkNone || s.flags[node]&Handshake != 0 {
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
	p.Flags = s.flags[s.self] & public
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
	s.section++
	s.seen[s.self] = s.section
	if s.env.SkipsReceiver {
		s.seen[to] = s.section
	}
	for tries := 3 * wanted; tries > 0 && fresh > 0 && len(p.Entries) < wanted; tries-- {
		node := s.random()
		if s.seen[node] == s.section || s.flags[node]&PFAIL != 0 && s.env.PFAILInEach {
			continue
		}
		if s.flags[node]&(Handshake|NoAddr) != 0 || s.linkUp[node] == linkNone && s.owned[node] == 0 {
			fresh--
			continue
		}
		s.gossip(p, node)
		fresh--
	}
	if s.env.PFAILInEach {
		for _, node := range s.suspects[:min(s.told, len(s.suspects))] {
			s.gossip(p, node)
		}
	}
	s.out.Entries += len(p.Entries)
	return p
}

// gossip adds what is known of a node to a packet.
func (s *State) gossip(p *Packet, node slots.Owner) {
	s.seen[node] = s.section
	e := Entry{Node: node, Flags: s.flags[node] & public, Pong: never}
	if s.pongAt[node] > longAgo {
		e.Pong = seconds(s.pongAt[node])
	}
	p.Entries = append(p.Entries, e)
}

// seconds returns the whole seconds of an instant, which may be before the run.
func seconds(t millis) int32 {
	if t < 0 {
		return (t - 999) / 1000
	}
	return t / 1000
}
