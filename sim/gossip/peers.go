package gossip

import (
	"math"
	"slices"

	"hotslot/sim/slots"
)

// peers is what a State knows of each node, itself included, by its number: one
// array for each fact. What every tick and every gossip entry look at is together
// in one of them.
type peers struct {
	hot      []hot
	pingSent []millis      // when a ping that is not answered was sent; never
	dataAt   []millis      // when anything came last
	linkAt   []millis      // when the link was made
	linkUp   []linkState   // this node's link to the peer
	linkGen  []uint8       // how often it was made
	of       []slots.Owner // its primary; itself if it is one; None if it is not known
	shard    []slots.Owner // names its shard: which of the nodes was its first primary
	owned    []uint16      // slots
	epoch    []uint64      // configuration epoch
	offset   []uint64      // replication offset, as its last header said
	failAt   []millis      // when it was found to have failed
	votedAt  []millis      // when this node last voted for a replica of it
	orphanAt []millis      // since when it has been seen without a working replica
	claims   []*Claim      // its slots by the table; nil if they have to be looked up

	reports  map[slots.Owner][]report // looked up, never walked
	suspects []slots.Owner            // flagged PFAIL, ascending
	seen     []uint64                 // scratch: a bit for each node that a gossip section has
	fate     []millis                 // when a handshake began

	known    int // nodes that are known, itself included
	unlinked int // of them, those without a link
	met      int // of them, those in handshake
	gone     int // of them, those flagged FAIL
	told     int // suspects at the beginning of the last tick: as many are told of in a section

	lent         replicas
	lentOutdated bool
}

// hot is what is looked at most often. Of a node that is not known, and of the
// node itself, a pong has come for all time: nobody pings them.
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
	slotted  NodeFlags = 1 << 10 // it owns slots
	linked   NodeFlags = 1 << 11 // there is a link to it
	pinging  NodeFlags = 1 << 12 // a ping has no answer yet
	meeting  NodeFlags = 1 << 13 // CLUSTER MEET named it, and no MEET was sent to it yet
	known    NodeFlags = 1 << 14
	reported NodeFlags = 1 << 15 // somebody reports it as failed
	public             = slotted - 1
)

func newPeers(n int) peers {
	p := peers{
		hot: make([]hot, n), pingSent: make([]millis, n), dataAt: make([]millis, n), linkAt: make([]millis, n), linkUp: make([]linkState, n),
		linkGen: make([]uint8, n), of: make([]slots.Owner, n), shard: make([]slots.Owner, n),
		owned: make([]uint16, n), epoch: make([]uint64, n), offset: make([]uint64, n),
		failAt: make([]millis, n), votedAt: make([]millis, n), orphanAt: make([]millis, n),
		fate: make([]millis, n), claims: make([]*Claim, n), seen: make([]uint64, (n+63)/64), reports: map[slots.Owner][]report{},
		lentOutdated: true,
	}
	for i := range n {
		p.of[i], p.shard[i] = slots.None, slots.None
		p.pingSent[i], p.orphanAt[i], p.votedAt[i] = never, never, longAgo
		p.hot[i].pong = math.MaxInt32 // nobody pings whom he does not know
	}
	return p
}

// count returns how many nodes there are, known or not.
func (p *peers) count() int { return len(p.hot) }

func (p *peers) isKnown(n slots.Owner) bool   { return p.hot[n].flags&known != 0 }
func (p *peers) isPrimary(n slots.Owner) bool { return p.hot[n].flags&Primary != 0 }
func (p *peers) failed(n slots.Owner) bool    { return p.hot[n].flags&FAIL != 0 }

// isVoter reports whether a node is a primary with slots.
func (p *peers) isVoter(n slots.Owner) bool { return p.isPrimary(n) && p.owned[n] > 0 }

// voters returns how many primaries have slots, those that failed included.
func (p *peers) voters() (n int) {
	for node := range slots.Owner(p.count()) {
		if p.isVoter(node) {
			n++
		}
	}
	return n
}

// hasReplica reports whether a node has any replica.
func (p *peers) hasReplica(n slots.Owner) bool {
	for node, of := range p.of {
		if of == n && slots.Owner(node) != n {
			return true
		}
	}
	return false
}

// know adds a node: its role is not known yet, and there is no link to it.
func (s *State) know(node slots.Owner) {
	if s.isKnown(node) {
		return
	}
	s.hot[node].flags |= known
	s.known++
	if node != s.self {
		s.unlinked++
		s.hot[node].pong, s.dataAt[node] = longAgo, longAgo
	}
	s.lentOutdated = true
}

// forget removes a node that was met and never answered.
func (s *State) forget(node slots.Owner) {
	s.freeLink(node)
	s.setFlag(node, Handshake, false)
	s.setFlag(node, PFAIL, false)
	s.setFlag(node, FAIL, false)
	s.hot[node].flags = 0
	s.known--
	s.unlinked--
	s.hot[node].pong = math.MaxInt32
	s.setPing(node, never)
	s.lentOutdated = true
}

// setFlag sets or clears PFAIL, FAIL or Handshake, and keeps count.
func (s *State) setFlag(node slots.Owner, flag NodeFlags, on bool) {
	if s.hot[node].flags&flag != 0 == on {
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
	s.lentOutdated = true
}

// setPing notes when a ping was sent that has no answer; never if there is none.
func (s *State) setPing(node slots.Owner, at millis) {
	s.pingSent[node] = at
	if at == never {
		s.hot[node].flags &^= pinging
	} else {
		s.hot[node].flags |= pinging
	}
}

// freeLink closes the link to a node (freeClusterLink).
func (s *State) freeLink(node slots.Owner) {
	if s.linkUp[node] == linkNone {
		return
	}
	s.linkUp[node] = linkNone
	s.hot[node].flags &^= linked
	s.unlinked++
	s.act(Act{Kind: Disconnect, Node: node, Link: s.linkGen[node]})
}

// openLink makes a link to a node, which is open when Connected says so.
func (s *State) openLink(node slots.Owner) {
	s.linkGen[node]++
	s.linkUp[node], s.linkAt[node] = linkOpening, s.t
	s.hot[node].flags |= linked
	s.unlinked--
	s.act(Act{Kind: Connect, Node: node, Link: s.linkGen[node]})
}
