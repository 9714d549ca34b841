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

// Epoch is the Unix time, in milliseconds, at which runs begin. It is a whole
// second.
const Epoch = 1_700_000_000_000

// A millis is an instant in milliseconds since the beginning of the run, which is
// all that mstime() resolves.
type millis = int32

// never stands for an instant that has not been.
const never = millis(math.MinInt32)

// always stands for an instant that nothing is after.
const always = millis(math.MaxInt32)

// longAgo stands for an instant before the run that nothing depends on.
const longAgo = millis(-1 << 30)

// A State is what one node believes of the cluster (clusterState and clusterNode
// in cluster.h).
type State struct {
	env  *Env
	self slots.Owner
	peers

	table     slots.Table
	moving    open
	unclaimed Claim // slots that their owner has said not to own any more
	open      int   // slots without owner

	currentEpoch  uint64
	lastVoteEpoch uint64
	ok            bool
	size          int // primaries with slots, when the state was looked at last

	iteration     int    // of clusterCron; its phase is the node's own
	firstCall     millis // of updateHealth since the process started; never before that
	amongMinority millis
	unfollowed    bool // a replica that has started and not yet turned to its primary
	todo          todo
	election      election
	manual        manual
	disk          disk
	forgotten     []expiry // nodes that must not come back yet

	draws         draws
	Sent, Taken   [Types]uint64 // messages, by type, for CLUSTER INFO
	metAt         []millis      // when a MEET was sent last; made where MeetRepair needs it
	inboundLostAt []millis      // when a node's link to this one was closed; the same

	// Of the call that is going on.
	now sim.Time
	t   millis
	f   *Facts
	out *Out
}

// draws is where a State's chance comes from: one stream for each sort of
// decision, and how many have been taken.
type draws struct {
	pings, sections, elections sim.Stream
	ticks, section, attempts   uint64
}

// todo is what is put off until BeforeSleep (CLUSTER_TODO_*).
type todo uint8

const (
	todoFailover todo = 1 << iota
	todoManualFailover
	todoHealth
	todoSave
	todoSync // with fsync
	todoBroadcast

	todoSaveSync = todoSave | todoSync
)

// enter begins a call.
func (s *State) enter(now sim.Time, f *Facts, out *Out) {
	s.now, s.f, s.out = now, f, out
	s.t = millis(now / sim.Time(time.Millisecond))
}

// tell puts something on the timeline.
func (s *State) tell(e wire.Event) {
	e.At, e.Node = s.now, s.self
	s.out.Events = append(s.out.Events, e)
}

// act asks the node to do something.
func (s *State) act(a Act) { s.out.Acts = append(s.out.Acts, a) }

// timeout returns the node timeout.
func (s *State) timeout() millis { return inMillis(s.env.NodeTimeout) }

// pingInterval returns how old a pong may be before the node is pinged.
func (s *State) pingInterval() millis {
	if s.env.PingInterval > 0 {
		return inMillis(s.env.PingInterval)
	}
	return s.timeout() / 2
}

func inMillis(d time.Duration) millis { return millis(d / time.Millisecond) }

// OK reports whether the node takes the cluster to be up.
func (s *State) OK() bool { return s.ok }

// IsPrimary reports whether the node is a primary.
func (s *State) IsPrimary() bool { return s.isPrimary(s.self) }

// PrimaryOf returns the primary of a node as this one believes: the node itself
// if it is a primary, slots.None if it is not known.
func (s *State) PrimaryOf(node slots.Owner) slots.Owner { return s.peer[node].of }

// Table returns the owner of each slot as this node believes. It is the State's
// own and changes with it.
func (s *State) Table() *slots.Table { return &s.table }

// Link returns the generation of this node's link to another, and whether it is
// there, open or opening.
func (s *State) Link(peer slots.Owner) (generation uint8, there bool) {
	return s.peer[peer].linkGen, s.peer[peer].linkUp != linkNone
}

// ConfigEpoch returns the node's own configuration epoch.
func (s *State) ConfigEpoch() uint64 { return s.peer[s.self].epoch }

// CurrentEpoch returns the largest epoch that the node has heard of.
func (s *State) CurrentEpoch() uint64 { return s.currentEpoch }

// Slots returns how many slots a node owns, as this one believes.
func (s *State) Slots(node slots.Owner) int { return int(s.peer[node].owned) }

// Flags returns what this node takes another for.
func (s *State) Flags(node slots.Owner) NodeFlags { return s.flags[node] & public }

// Knows reports whether this node knows another by name.
func (s *State) Knows(node slots.Owner) bool { return s.isNamed(node) }

// FailureReports returns how many nodes report another as failed, of those whose
// word has not expired (CLUSTER COUNT-FAILURE-REPORTS).
func (s *State) FailureReports(now sim.Time, node slots.Owner) int {
	s.enter(now, nil, nil)
	return s.countReports(node)
}
