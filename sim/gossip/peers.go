package gossip

import (
	"hotslot/sim/slots"
)

// peers is what a State knows of each node, itself included, by its number
// (clusterNode in cluster.h). What gossip entries look at is in arrays of its own,
// small enough to be at hand; of the rest a packet needs nearly all, so that is
// together, in a line of the processor's cache.
type peers struct {
	pong  []millis    // when a pong came last, here or elsewhere; of a node that is not known, for all time
	flags []NodeFlags // what it is taken for, and what does not travel
	odd   []uint64    // a bit for each node of which a gossip entry may say more than when a pong came
	peer  []peer

	reports map[slots.Owner][]report // looked up, never walked
	drawn   []uint64                 // scratch: a bit for each node that a gossip section has

	roster   nodeset // who is known, this node included
	unlinked nodeset // of them, those without a link
	met      nodeset // those in handshake
	awaited  nodeset // those that have not answered a ping
	suspects nodeset // those flagged PFAIL
	distant  nodeset // those that have no link to this node, as far as it can tell
	gone     int     // how many are flagged FAIL
	told     int     // suspects at the beginning of the last tick: as many are told of in a section

	soon      nodeset // those whose pong gets too old before soonUntil
	soonUntil millis
	walked    nodeset // scratch: what a loop walks through while it changes

	spread         spread
	spreadOutdated bool
}

// peer is the rest, in 64 bytes.
type peer struct {
	epoch    uint64      // configuration epoch
	offset   uint64      // replication offset, as its last header said
	claim    *Claim      // its slots by the table; nil if they have to be looked up
	pingSent millis      // when a ping that is not answered was sent; never
	dataAt   millis      // when anything came last
	linkAt   millis      // when the link was made last
	failAt   millis      // when it was found to have failed
	votedAt  millis      // when this node last voted for a replica of it
	orphanAt millis      // since when it has been seen without a working replica; never
	since    millis      // when this node came to know it
	of       slots.Owner // its primary; itself if it is one; None if it is not known
	shard    slots.Owner // names its shard: a node that was its primary
	owned    uint16      // slots
	replicas uint16      // nodes that have it for primary
	linkUp   linkState   // this node's link to it
	linkGen  uint8       // how often it was made
}

// linkState is the state of a link.
type linkState uint8

const (
	linkNone linkState = iota
	linkOpening
	linkOpen
)

// Flags that do not travel.
const (
	inbound  NodeFlags = 1 << 9  // its link to this node is open, as far as this one can tell
	slotted  NodeFlags = 1 << 10 // it owns slots
	linked   NodeFlags = 1 << 11 // there is a link to it
	pinging  NodeFlags = 1 << 12 // a ping has no answer yet
	meeting  NodeFlags = 1 << 13 // a MEET is due to it
	known    NodeFlags = 1 << 14
	reported NodeFlags = 1 << 15 // somebody reports it as failed
	public             = inbound - 1
)

func newPeers(n int) peers {
	words := (n + 63) / 64
	p := peers{pong: make([]millis, n), flags: make([]NodeFlags, n), odd: make([]uint64, words),
		peer: make([]peer, n), drawn: make([]uint64, words), reports: map[slots.Owner][]report{},
		soonUntil: longAgo, spreadOutdated: true}
	for i := range n {
		p.clear(slots.Owner(i))
	}
	return p
}

// clear has a node not be known (createClusterNode). How often a link to it was
// made it keeps.
func (p *peers) clear(n slots.Owner) {
	p.pong[n], p.flags[n] = always, 0
	p.see(n)
	p.peer[n] = peer{pingSent: never, dataAt: longAgo, linkAt: longAgo, failAt: longAgo, votedAt: longAgo,
		orphanAt: never, of: slots.None, shard: n, linkGen: p.peer[n].linkGen}
}

// see brings up to date whether a node is odd: whether it is not known by name, a
// ping has no answer, or it is reported.
func (p *peers) see(n slots.Owner) {
	word, bit := &p.odd[n/64], uint64(1)<<(n%64)
	if *word &^= bit; p.flags[n]&(known|Handshake|pinging|reported) != known {
		*word |= bit
	}
}

// count returns how many nodes there are, known or not.
func (p *peers) count() int { return len(p.flags) }

func (p *peers) is(n slots.Owner, f NodeFlags) bool { return p.flags[n]&f != 0 }
func (p *peers) isKnown(n slots.Owner) bool         { return p.is(n, known) }
func (p *peers) isPrimary(n slots.Owner) bool       { return p.is(n, Primary) }
func (p *peers) failed(n slots.Owner) bool          { return p.is(n, FAIL) }
func (p *peers) set(n slots.Owner, f NodeFlags)     { p.flags[n] |= f }
func (p *peers) unset(n slots.Owner, f NodeFlags)   { p.flags[n] &^= f }

// isNamed reports whether a node is known by name (clusterLookupNode).
func (p *peers) isNamed(n slots.Owner) bool { return p.flags[n]&(known|Handshake) == known }

// isVoter reports whether a node is a primary with slots.
func (p *peers) isVoter(n slots.Owner) bool {
	return p.flags[n]&(Primary|slotted) == Primary|slotted
}

// know adds a node: its role is not known yet, and there is no link to it.
func (s *State) know(node slots.Owner) {
	if !s.roster.add(node) {
		return
	}
	s.set(node, known)
	s.see(node)
	s.peer[node].since = s.t
	s.spreadOutdated = true
	if node != s.self {
		s.unlinked.add(node)
		s.distant.add(node)
		s.pong[node] = longAgo
		s.soonUntil = longAgo
	}
}

// forget removes a node (clusterDelNode): its slots are nobody's, its replicas
// have no primary, and what it reported is not true any more.
func (s *State) forget(node slots.Owner) {
	s.freeLink(node)
	s.act(Act{Kind: CloseInbound, Node: node})
	if s.peer[node].owned > 0 {
		s.rebindAll(node, slots.None)
	}
	for _, n := range s.roster {
		s.withdraw(n, node)
		if s.peer[n].of == node && n != node {
			s.peer[n].of = slots.None
		}
	}
	s.peer[node].replicas = 0
	s.leavePrimary(node)
	for _, flag := range []NodeFlags{Handshake, PFAIL, FAIL} {
		s.setFlag(node, flag, false)
	}
	s.setPing(node, never)
	delete(s.reports, node)
	s.unlinked.remove(node)
	s.distant.remove(node)
	s.roster.remove(node)
	s.clear(node)
	s.spreadOutdated = true
}

// setFlag sets or clears PFAIL, FAIL or Handshake, and keeps count.
func (s *State) setFlag(node slots.Owner, flag NodeFlags, on bool) {
	if s.is(node, flag) == on {
		return
	}
	s.flags[node] ^= flag
	s.see(node)
	s.spreadOutdated = true
	switch flag {
	case PFAIL:
		s.suspects.put(node, on)
	case Handshake:
		s.met.put(node, on)
	case FAIL:
		if s.gone--; on {
			s.gone += 2
		}
	}
}

// setPing notes when a ping was sent that has no answer; never if there is none.
func (s *State) setPing(node slots.Owner, at millis) {
	s.peer[node].pingSent = at
	if on := at != never; s.is(node, pinging) != on {
		s.flags[node] ^= pinging
		s.see(node)
		s.awaited.put(node, on)
	}
}

// setInbound notes whether a node has a link to this one.
func (s *State) setInbound(node slots.Owner, on bool) {
	if s.is(node, inbound) != on {
		s.flags[node] ^= inbound
		s.distant.put(node, !on)
	}
}
