package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Meet is CLUSTER MEET: a link is made, and a MEET sent on it. The node is known
// by name when it has answered.
func (s *State) Meet(now sim.Time, peer slots.Owner, out *Out) {
	s.enter(now, nil, out)
	if s.isKnown(peer) {
		return
	}
	s.shakeHands(peer)
	s.hot[peer].flags |= meeting
	s.tell(wire.Event{Kind: wire.EventMeet, About: peer})
}

// shakeHands adds a node that is not known by name yet (clusterStartHandshake).
func (s *State) shakeHands(peer slots.Owner) {
	if s.isKnown(peer) {
		return
	}
	s.know(peer)
	s.setFlag(peer, Handshake, true)
	s.fate[peer] = s.t
}

// Restart is a start of the process, with the configuration file that it had
// (nodes.conf): epochs, slots, nodes and who has failed are kept, everything else
// begins anew.
func (s *State) Restart(now sim.Time, out *Out) {
	s.enter(now, nil, out)
	for node := range slots.Owner(s.count()) {
		if node == s.self || !s.isKnown(node) {
			continue
		}
		if s.linkUp[node] != linkNone {
			s.linkUp[node] = linkNone
			s.hot[node].flags &^= linked
			s.unlinked++
		}
		s.hot[node].pong, s.dataAt[node] = longAgo, longAgo
		s.setPing(node, never)
		s.orphanAt[node], s.votedAt[node], s.offset[node] = never, longAgo, 0
		s.setFlag(node, PFAIL, false)
		s.hot[node].flags &^= reported
		s.failAt[node] = s.t
	}
	clear(s.reports)
	s.ok, s.firstCall, s.amongMinority = false, never, longAgo
	s.manual, s.election, s.todo = noManual(), election{}, todoHealth
	s.iteration = s.below(10)
	s.Sent, s.Taken = [Types]uint64{}, [Types]uint64{}
	if of := s.of[s.self]; of != s.self && of != slots.None {
		s.act(Act{Kind: Follow, Node: of})
	}
}

// Publish puts a message of so many bytes on the bus: to every node (PUBLISH) or
// to those of the node's shard (SPUBLISH).
func (s *State) Publish(now sim.Time, bytes int, shard bool, f *Facts, out *Out) {
	s.enter(now, f, out)
	kind := Publish
	if shard {
		kind = PublishShard
	}
	p := s.packet(kind)
	p.Payload = bytes
	if !shard {
		s.broadcast(p)
		return
	}
	primary := s.of[s.self]
	for node, of := range s.of {
		if of == primary && slots.Owner(node) != s.self && primary != slots.None {
			s.env.Share(p)
			s.send(slots.Owner(node), p)
		}
	}
	s.env.Release(p)
}
