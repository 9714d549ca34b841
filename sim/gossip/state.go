package gossip

import (
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
}

// FailoverMode is the option of CLUSTER FAILOVER.
type FailoverMode uint8

// The modes.
const (
	FailoverDefault  FailoverMode = iota // the primary pauses, the replica catches up, a majority votes
	FailoverForce                        // without the primary
	FailoverTakeover                     // without anybody
)

// A State is what one node believes of the cluster.
type State struct {
	env  *Env
	self slots.Owner
}

// New returns the State of a node at the beginning of a run.
func New(env *Env, self slots.Owner, layout *Layout) *State { return &State{env: env, self: self} }

// Tick is clusterCron, every 100 ms.
func (s *State) Tick(now sim.Time, f *Facts, out *Out) {}

// BeforeSleep is clusterBeforeSleep: what was put off until the end of a turn.
func (s *State) BeforeSleep(now sim.Time, f *Facts, out *Out) {}

// Pending reports whether BeforeSleep has something to do.
func (s *State) Pending() bool { return false }

// Receive is clusterProcessPacket: a packet has come. link is the generation of
// the link it has come on: of this node's own to the sender if back is true, else
// of the sender's to this node.
func (s *State) Receive(now sim.Time, p *Packet, link uint8, back bool, f *Facts, out *Out) {}

// Connected tells that a link that was asked for is open.
func (s *State) Connected(now sim.Time, peer slots.Owner, link uint8, f *Facts, out *Out) {}

// Refused tells that a link that was asked for cannot be opened: nobody listens.
func (s *State) Refused(now sim.Time, peer slots.Owner, link uint8, out *Out) {}

// Closed tells that the other end of the link to a node is gone.
func (s *State) Closed(now sim.Time, peer slots.Owner, out *Out) {}

// Restart is a start of the process, with the configuration file that it had
// (nodes.conf): epochs, slots and nodes are kept, everything else begins anew.
func (s *State) Restart(now sim.Time, out *Out) {}

// Meet is CLUSTER MEET.
func (s *State) Meet(now sim.Time, peer slots.Owner, out *Out) {}

// Replicate is CLUSTER REPLICATE.
func (s *State) Replicate(now sim.Time, primary slots.Owner, f *Facts, out *Out) {}

// Failover is CLUSTER FAILOVER on a replica. It returns why it is refused.
func (s *State) Failover(now sim.Time, mode FailoverMode, f *Facts, out *Out) wire.Reason {
	return wire.NoReason
}

// Claim has the node own slots with a configuration epoch, whatever it believed
// before, without asking anybody.
func (s *State) Claim(now sim.Time, ranges []slots.Range, epoch uint64, f *Facts, out *Out) {}

// Publish puts a message of so many bytes on the bus (PUBLISH or, for the shard
// alone, SPUBLISH).
func (s *State) Publish(now sim.Time, bytes int, shard bool, f *Facts, out *Out) {}

// OK reports whether the node takes the cluster to be up.
func (s *State) OK() bool { return true }

// IsPrimary reports whether the node is a primary.
func (s *State) IsPrimary() bool { return true }

// PrimaryOf returns the primary of a node as this one believes: the node itself
// if it is a primary, slots.None if it is not known.
func (s *State) PrimaryOf(node slots.Owner) slots.Owner { return slots.None }

// Table returns the owner of each slot as this node believes. It is the State's
// own and changes with it.
func (s *State) Table() *slots.Table { return nil }

// Link returns the generation of this node's link to another, and whether it is
// there, open or opening.
func (s *State) Link(peer slots.Owner) (generation uint8, there bool) { return 0, false }
