package gossip

import (
	"math"
	"slices"

	"hotslot/sim/slots"
)

// peers is what a State knows of each node, itself included, by its number: one
// array for each fact (clusterNode in cluster.h). What every tick and every gossip
// entry look at is together in one of them.
type peers struct {
	hot      []hot
	pingSent []millis      // when a ping that is not answered was sent; never
	dataAt   []millis      // when anything came last
	linkAt   []millis      // when the link was made last
	linkUp   []linkState   // this node's link to the peer
	linkGen  []uint8       // how often it was made
	of       []slots.Owner // its primary; itself if it is one; None if it is not known
	shard    []slots.Owner // names its shard: a node that was its primary
	owned    []uint16      // slots
	replicas []uint16      // nodes that have it for primary
	epoch    []uint64      // configuration epoch
	offset   []uint64      // replication offset, as its last header said
	failAt   []millis      // when it was found to have failed
	votedAt  []millis      // when this node last voted for a replica of it
	orphanAt []millis      // since when it has been seen without a working replica; never
	since    []millis      // when this node came to know it
	claims   []*Claim      // its slots by the table; nil if they have to be looked up

	reports  map[slots.Owner][]report // looked up, never walked
	suspects []slots.Owner            // flagged PFAIL, ascending
	roster   []slots.Owner            // nodes that are known, this one included, ascending
	seen     []uint64                 // scratch: a bit for each node that a gossip section has

	unlinked int // nodes that are known and have no link
	met      int // nodes in handshake
	gone     int // nodes flagged FAIL
	told     int // suspects at the beginning of the last tick: as many are told of in a section

	spread         spread
	spreadOutdated bool
}

// hot is what is looked at most often. Of a node that is not known a pong has
// come for all time: nobody pings it.
type hot struct {
	pong  millis // when a pong came last, here or elsewhere
	flags NodeFlags
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
	p := peers{
		hot: make([]hot, n), pingSent: make([]millis, n), dataAt: make([]millis, n), linkAt: make([]millis, n),
		linkUp: make([]linkState, n), linkGen: make([]uint8, n), of: make([]slots.Owner, n),
		shard: make([]slots.Owner, n), owned: make([]uint16, n), replicas: make([]uint16, n),
		epoch: make([]uint64, n), offset: make([]uint64, n), failAt: make([]millis, n), votedAt: make([]millis, n),
		orphanAt: make([]millis, n), since: make([]millis, n), claims: make([]*Claim, n),
		seen: make([]uint64, (n+63)/64), reports: map[slots.Owner][]report{}, spreadOutdated: true,
	}
	for i := range n {
		p.clear(slots.Owner(i))
	}
	return p
}

// clear has a node not be known (createClusterNode). What it knew of its link's
// generations it keeps.
func (p *peers) clear(n slots.Owner) {
	p.hot[n] = hot{pong: math.MaxInt32}
	p.pingSent[n], p.orphanAt[n] = never, never
	p.dataAt[n], p.linkAt[n], p.failAt[n], p.votedAt[n] = longAgo, longAgo, longAgo, longAgo
	p.of[n], p.shard[n] = slots.None, n
	p.epoch[n], p.offset[n] = 0, 0
	p.linkUp[n] = linkNone
}

// count returns how many nodes there are, known or not.
func (p *peers) count() int { return len(p.hot) }

func (p *peers) is(n slots.Owner, f NodeFlags) bool { return p.hot[n].flags&f != 0 }
func (p *peers) isKnown(n slots.Owner) bool         { return p.is(n, known) }
func (p *peers) isPrimary(n slots.Owner) bool       { return p.is(n, Primary) }
func (p *peers) failed(n slots.Owner) bool          { return p.is(n, FAIL) }
func (p *peers) set(n slots.Owner, f NodeFlags)     { p.hot[n].flags |= f }
func (p *peers) unset(n slots.Owner, f NodeFlags)   { p.hot[n].flags &^= f }

// isNamed reports whether a node is known by name (clusterLookupNode).
func (p *peers) isNamed(n slots.Owner) bool { return p.hot[n].flags&(known|Handshake) == known }

// isVoter reports whether a node is a primary with slots.
func (p *peers) isVoter(n slots.Owner) bool {
	return p.hot[n].flags&(Primary|slotted) == Primary|slotted
}

// know adds a node: its role is not known yet, and there is no link to it.
func (s *State) know(node slots.Owner) {
	i, found := slices.BinarySearch(s.roster, node)
	if found {
		return
	}
	s.roster = slices.Insert(s.roster, i, node)
	s.set(node, known)
	s.since[node] = s.t
	s.spreadOutdated = true
	if node != s.self {
		s.unlinked++
		s.hot[node].pong = longAgo
	}
}

// forget removes a node (clusterDelNode): its slots are nobody's, its replicas
// have no primary, and what it reported is not true any more.
func (s *State) forget(node slots.Owner) {
	s.freeLink(node)
	if s.owned[node] > 0 {
		s.rebindAll(node, slots.None)
	}
	for n, of := range s.of {
		n := slots.Owner(n)
		if s.is(n, reported) {
			s.withdraw(n, node)
		}
		if of == node && n != node {
			s.of[n] = slots.None
		}
	}
	s.replicas[node] = 0
	s.leavePrimary(node)
	for _, flag := range []NodeFlags{Handshake, PFAIL, FAIL} {
		s.setFlag(node, flag, false)
	}
	delete(s.reports, node)
	s.unlinked--
	i, _ := slices.BinarySearch(s.roster, node)
	s.roster = slices.Delete(s.roster, i, i+1)
	s.clear(node)
	s.spreadOutdated = true
}

// setFlag sets or clears PFAIL, FAIL or Handshake, and keeps count.
func (s *State) setFlag(node slots.Owner, flag NodeFlags, on bool) {
	if s.is(node, flag) == on {
		return
	}
	s.hot[node].flags ^= flag
	change := 1
	if !on {
		change = -1
	}
	switch flag {
	case FAIL:
		s.gone += change
	case Handshake:
		s.met += change
	case PFAIL:
		i, _ := slices.BinarySearch(s.suspects, node)
		if on {
			s.suspects = slices.Insert(s.suspects, i, node)
		} else {
			s.suspects = slices.Delete(s.suspects, i, i+1)
		}
	}
	s.spreadOutdated = true
}

// setPing notes when a ping was sent that has no answer; never if there is none.
func (s *State) setPing(node slots.Owner, at millis) {
	s.pingSent[node] = at
	if at == never {
		s.unset(node, pinging)
	} else {
		s.set(node, pinging)
	}
}
