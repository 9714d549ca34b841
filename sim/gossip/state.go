package gossip

import (
	"math"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Name is what nodes call a node: its id, which decides ties, and its address.
type Name struct {
	ID   [20]byte // 40 hexadecimal digits
	Host string
	Port int
}

// An Env is what the States of a run have in common.
type Env struct {
	Config
	Rules
	Seed  uint64
	Names []Name // by node
	Packets
}

// A Layout is the cluster that the nodes of a run know at its beginning: one
// that was created long ago and is whole.
type Layout struct {
	PrimaryOf []slots.Owner // by node: itself for a primary, slots.None for one that is not in the cluster (yet)
	Slots     *slots.Table
	Epochs    []uint64 // configuration epochs, by node; 0 for replicas

	claims []*Claim // by node; made when they are asked for first, and shared by all States
}

// claim returns the slots of a node.
func (l *Layout) claim(node slots.Owner) *Claim {
	if l.claims == nil {
		l.claims = make([]*Claim, len(l.PrimaryOf))
		for i := range l.claims {
			l.claims[i] = new(Claim)
		}
		for slot, owner := range l.Slots {
			if owner != slots.None {
				l.claims[owner].set(slots.Slot(slot))
			}
		}
	}
	return l.claims[node]
}

// FailoverMode is the option of CLUSTER FAILOVER.
type FailoverMode uint8

// The modes.
const (
	FailoverDefault  FailoverMode = iota // the primary pauses, the replica catches up, a majority votes
	FailoverForce                        // without the primary
	FailoverTakeover                     // without anybody
)

// Epoch is the Unix time, in milliseconds, at which runs begin.
const Epoch = 1_700_000_000_000

// A millis is an instant in milliseconds since the beginning of the run, which is
// all that mstime() resolves.
type millis = int32

// never stands for an instant that has not been.
const never = millis(math.MinInt32)

// longAgo stands for an instant before the run that nothing depends on.
const longAgo = millis(-1 << 30)

// A State is what one node believes of the cluster (clusterState and clusterNode
// in cluster.h).
type State struct {
	env  *Env
	self slots.Owner
	peers

	table     slots.Table
	unclaimed Claim // slots that their owner has said not to own any more
	open      int   // slots without owner

	currentEpoch  uint64
	lastVoteEpoch uint64
	ok            bool
	size          int // primaries with slots, when the state was looked at last

	iteration     int
	firstCall     millis // of updateHealth since the process started; never before that
	amongMinority millis
	todo          todo
	election      election
	manual        manual

	draws struct {
		peers, election sim.Stream
		drawn           uint64
	}
	Sent, Taken [Types]uint64 // messages, by type, for CLUSTER INFO

	// Of the call that is going on.
	now sim.Time
	t   millis
	f   *Facts
	out *Out
}

// todo is what is put off until BeforeSleep (CLUSTER_TODO_*).
type todo uint8

const (
	todoFailover todo = 1 << iota
	todoManualFailover
	todoHealth
	todoSave
	todoBroadcast
)

// New returns the State of a node at the beginning of a run: links are open, and
// pongs have come within the last half of the node timeout.
func New(env *Env, self slots.Owner, layout *Layout) *State {
	s := &State{env: env, self: self, ok: true, firstCall: longAgo, amongMinority: longAgo, manual: noManual()}
	s.draws.peers = sim.NewStream(env.Seed, "gossip/peers").Sub(int(self))
	s.draws.election = sim.NewStream(env.Seed, "gossip/election").Sub(int(self))
	s.peers = newPeers(len(env.Names))
	s.iteration = s.below(10)
	s.open = slots.Count
	for i := range s.table {
		s.table[i] = slots.None
	}
	alone := layout.PrimaryOf[self] == slots.None
	for node, of := range layout.PrimaryOf {
		node := slots.Owner(node)
		if of == slots.None || alone && node != self {
			continue
		}
		s.know(node)
		s.setRole(node, of)
		s.epoch[node] = layout.Epochs[node]
		s.currentEpoch = max(s.currentEpoch, layout.Epochs[node])
	}
	if alone {
		s.know(self)
		s.setRole(self, self)
		s.ok = false
		return s
	}
	s.table, s.open = *layout.Slots, 0
	for _, owner := range layout.Slots {
		if owner == slots.None {
			s.open++
			continue
		}
		s.owned[owner]++
		s.hot[owner].flags |= slotted
	}
	for node := range slots.Owner(s.count()) {
		s.claims[node] = layout.claim(node)
	}
	s.settle()
	return s
}

// settle has every link open and every peer heard of lately.
func (s *State) settle() {
	half := s.pingInterval()
	for node := range slots.Owner(s.count()) {
		if !s.isKnown(node) {
			continue
		}
		if node == s.self {
			continue
		}
		s.linkUp[node], s.linkAt[node] = linkOpen, longAgo
		s.hot[node].flags |= linked
		s.unlinked--
		age := min(half, millis(s.known)*1000)
		s.hot[node].pong = -millis(s.below(int(age) + 1))
		s.dataAt[node] = s.hot[node].pong
	}
	s.size = s.voters()
}

// enter begins a call.
func (s *State) enter(now sim.Time, f *Facts, out *Out) {
	s.now, s.f, s.out = now, f, out
	s.t = millis(now / sim.Time(time.Millisecond))
}

// below draws a number from 0 to n-1.
func (s *State) below(n int) int {
	s.draws.drawn++
	return sim.Below(s.draws.peers.At(s.draws.drawn), n)
}

// tell puts something on the timeline.
func (s *State) tell(e wire.Event) {
	e.At, e.Node = s.now, s.self
	s.out.Events = append(s.out.Events, e)
}

// act asks the node to do something.
func (s *State) act(a Act) { s.out.Acts = append(s.out.Acts, a) }

// timeout returns the node timeout in milliseconds.
func (s *State) timeout() millis { return millis(s.env.NodeTimeout / time.Millisecond) }

// pingInterval returns how old a pong may be before the node is pinged.
func (s *State) pingInterval() millis {
	if s.env.PingInterval > 0 {
		return millis(s.env.PingInterval / time.Millisecond)
	}
	return s.timeout() / 2
}

// OK reports whether the node takes the cluster to be up.
func (s *State) OK() bool { return s.ok }

// IsPrimary reports whether the node is a primary.
func (s *State) IsPrimary() bool { return s.isPrimary(s.self) }

// PrimaryOf returns the primary of a node as this one believes: the node itself
// if it is a primary, slots.None if it is not known.
func (s *State) PrimaryOf(node slots.Owner) slots.Owner { return s.of[node] }

// Table returns the owner of each slot as this node believes. It is the State's
// own and changes with it.
func (s *State) Table() *slots.Table { return &s.table }

// Link returns the generation of this node's link to another, and whether it is
// there, open or opening.
func (s *State) Link(peer slots.Owner) (generation uint8, there bool) {
	return s.linkGen[peer], s.linkUp[peer] != linkNone
}

// ConfigEpoch returns the node's own configuration epoch.
func (s *State) ConfigEpoch() uint64 { return s.epoch[s.self] }

// CurrentEpoch returns the largest epoch that the node has heard of.
func (s *State) CurrentEpoch() uint64 { return s.currentEpoch }

// Slots returns how many slots a node owns, as this one believes.
func (s *State) Slots(node slots.Owner) int { return int(s.owned[node]) }

// Flags returns what this node takes another for.
func (s *State) Flags(node slots.Owner) NodeFlags { return s.hot[node].flags & public }

// Knows reports whether this node knows another.
func (s *State) Knows(node slots.Owner) bool { return s.isKnown(node) }
