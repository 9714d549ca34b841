package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
)

// openLink makes a link to a node, which is open when Connected says so.
func (s *State) openLink(node slots.Owner) {
	s.peer[node].linkGen++
	s.peer[node].linkUp, s.peer[node].linkAt = linkOpening, s.t
	s.set(node, linked)
	s.unlinked.remove(node)
	s.act(Act{Kind: Connect, Node: node, Link: s.peer[node].linkGen})
	if s.env.PingsUnconnected {
		s.greet(node)
	}
}

// freeLink closes the link to a node (freeClusterLink).
func (s *State) freeLink(node slots.Owner) {
	if s.peer[node].linkUp != linkNone {
		s.act(Act{Kind: Disconnect, Node: node, Link: s.peer[node].linkGen})
		s.dropLink(node)
	}
}

// dropLink has the link to a node be gone.
func (s *State) dropLink(node slots.Owner) {
	if s.peer[node].linkUp != linkNone {
		s.peer[node].linkUp = linkNone
		s.unset(node, linked)
		s.unlinked.add(node)
	}
}

// greet sends the first message on a link: a MEET to a node that is to be met,
// else a ping. A ping that has had no answer on an earlier link keeps its time, so
// that a new link does not set the clock of a failure back.
func (s *State) greet(node slots.Owner) {
	if s.is(node, meeting) {
		s.unset(node, meeting)
		s.send(node, s.heartbeat(Meet, node))
		if s.env.MeetRepair {
			s.metAt[node] = s.t
		}
		return
	}
	s.send(node, s.heartbeat(Ping, node))
	if !s.is(node, pinging) {
		s.setPing(node, s.t)
	}
}

// Connected tells that a link that was asked for is open
// (clusterLinkConnectHandler).
func (s *State) Connected(now sim.Time, peer slots.Owner, link uint8, f *Facts, out *Out) {
	s.enter(now, f, out)
	if s.peer[peer].linkUp != linkOpening || s.peer[peer].linkGen != link {
		return
	}
	s.peer[peer].linkUp = linkOpen
	if !s.env.PingsUnconnected {
		s.greet(peer)
	}
}

// Refused tells that a link that was asked for cannot be opened: nobody listens.
// The next tick tries again. Being refused makes a failure known no sooner than
// silence does.
func (s *State) Refused(now sim.Time, peer slots.Owner, link uint8, out *Out) {
	s.enter(now, nil, out)
	if s.peer[peer].linkUp == linkOpening && s.peer[peer].linkGen == link {
		s.dropLink(peer)
	}
}

// Closed tells that the other end of the link to a node is gone, and with it the
// node's own link to this one.
func (s *State) Closed(now sim.Time, peer slots.Owner, out *Out) {
	s.enter(now, nil, out)
	if s.isKnown(peer) {
		s.dropLink(peer)
		s.loseInbound(peer)
	}
}

// loseInbound notes that a node's link to this one is closed.
func (s *State) loseInbound(node slots.Owner) {
	if s.env.MeetRepair && s.is(node, inbound) {
		s.inboundLostAt[node] = s.t
	}
	s.setInbound(node, false)
}

// ping sends a ping, and starts the clock of its answer.
func (s *State) ping(node slots.Owner) {
	s.send(node, s.heartbeat(Ping, node))
	s.setPing(node, s.t)
}

// send sends a packet on the node's own link to another, if there is one.
func (s *State) send(to slots.Owner, p *Packet) {
	if s.peer[to].linkUp == linkNone {
		s.env.Release(p)
		return
	}
	s.Sent[p.Type]++
	s.out.Send = append(s.out.Send, Outgoing{To: to, Link: s.peer[to].linkGen, Packet: p})
}

// reply sends a packet on the link that another has come on.
func (s *State) reply(to slots.Owner, link uint8, back bool, p *Packet) {
	s.Sent[p.Type]++
	s.out.Send = append(s.out.Send, Outgoing{To: to, Link: link, Back: !back, Packet: p})
}

// broadcast sends a packet to all nodes that there is a link to
// (clusterBroadcastMessage).
func (s *State) broadcast(p *Packet) {
	for _, node := range s.roster {
		if node != s.self && s.flags[node]&(linked|Handshake) == linked {
			s.env.Share(p)
			s.send(node, p)
		}
	}
	s.env.Release(p)
}

// broadcastPong tells all nodes, or the replicas of the node's shard alone, how
// things stand (clusterBroadcastPong).
func (s *State) broadcastPong(siblings bool) {
	for _, node := range s.roster {
		if node == s.self || s.flags[node]&(linked|Handshake) != linked {
			continue
		}
		of := s.peer[node].of
		if siblings && (s.isPrimary(node) || of == slots.None || of != s.self && of != s.peer[s.self].of) {
			continue
		}
		s.send(node, s.heartbeat(Pong, node))
	}
}
