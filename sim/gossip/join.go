package gossip

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// handshakeTimeout returns for how long a node that is met may keep its name back.
func (s *State) handshakeTimeout() millis { return max(s.timeout(), 1000) }

// Meet is CLUSTER MEET: a link is made, and a MEET sent on it. The node is known
// by name when it has answered.
func (s *State) Meet(now sim.Time, peer slots.Owner, out *Out) {
	s.enter(now, nil, out)
	if s.isKnown(peer) {
		return // Redis shakes hands, and finds that it knows the node
	}
	s.shakeHands(peer)
	s.set(peer, meeting)
	s.tell(wire.Event{Kind: wire.EventMeet, About: peer})
}

// shakeHands adds a node that is not known by name yet (clusterStartHandshake).
func (s *State) shakeHands(peer slots.Owner) {
	if !s.isKnown(peer) {
		s.know(peer)
		s.setFlag(peer, Handshake, true)
		s.todo |= todoSave
	}
}

// repairMeet meets a node again that does not connect to this one: it may not know
// it.
func (s *State) repairMeet(node slots.Owner) {
	limit := s.handshakeTimeout()
	if s.flags[node]&(Handshake|meeting|PFAIL|FAIL) == 0 && s.peer[node].linkUp == linkOpen &&
		s.t-s.inboundLostAt[node] > limit && s.t-s.peer[node].since > limit && s.t-s.metAt[node] > limit {
		s.metAt[node] = s.t
		s.send(node, s.heartbeat(Meet, node))
	}
}

// blacklistTTL is for how long a node that was forgotten does not come back
// (CLUSTER_BLACKLIST_TTL).
const blacklistTTL = time.Minute

// An expiry is a node that must not come back until an instant.
type expiry struct {
	node  slots.Owner
	until millis
}

// Forget is CLUSTER FORGET: the node is not known any more, and is not learnt of
// from others for a minute. It reports whether it can be forgotten: this node
// itself, its primary and nodes that it does not know cannot.
func (s *State) Forget(now sim.Time, node slots.Owner, out *Out) bool {
	s.enter(now, nil, out)
	return s.strike(node, inMillis(blacklistTTL))
}

// strike forgets a node for some time.
func (s *State) strike(node slots.Owner, ttl millis) bool {
	if !s.isNamed(node) || node == s.self || s.peer[s.self].of == node {
		return false
	}
	s.forgotten = slices.DeleteFunc(s.forgotten, func(e expiry) bool { return e.node == node || e.until < s.t })
	s.forgotten = append(s.forgotten, expiry{node, s.t + ttl})
	s.forget(node)
	s.todo |= todoHealth | todoSave
	return true
}

// isForgotten reports whether a node must not come back yet.
func (s *State) isForgotten(node slots.Owner) bool {
	return slices.ContainsFunc(s.forgotten, func(e expiry) bool { return e.node == node && e.until >= s.t })
}

// tellForgotten adds to a packet who was forgotten.
func (s *State) tellForgotten(p *Packet) {
	s.forgotten = slices.DeleteFunc(s.forgotten, func(e expiry) bool { return e.until < s.t })
	for _, e := range s.forgotten {
		p.Forgotten = append(p.Forgotten, Forgotten{Node: e.node, TTL: (e.until - s.t) / 1000})
	}
}

// readForgotten forgets whom the sender of a packet was told to forget.
func (s *State) readForgotten(p *Packet) {
	for _, f := range p.Forgotten {
		s.strike(f.Node, f.TTL*1000)
	}
}
