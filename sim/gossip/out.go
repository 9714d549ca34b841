package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Facts are what a node tells its state of itself with each call: what only the
// node knows.
type Facts struct {
	// Offset is the node's replication offset: what it has written as a primary,
	// or applied as a replica (replicationGetSlaveOffset).
	Offset uint64
	// LinkUp says that a replica is connected to its primary and in sync.
	LinkUp bool
	// LastIO is when a replica that is connected last heard from its primary
	// (lastinteraction), else since when it has not been connected
	// (repl_down_since). It is 0 for a replica that never was.
	LastIO sim.Time
	// Loading says that the node is loading a data set.
	Loading bool
}

// An Out is what a state wants done. The caller empties it before each call and
// carries out Acts in their order, then Send.
type Out struct {
	Send   []Outgoing
	Acts   []Act
	Events []wire.Event
	// Copies counts the messages of subscribers that were sent, one for each node,
	// and TakenCopies those that were read. They are not among the others.
	Copies, TakenCopies int
	// Built and Entries count the messages that were put together and the gossip
	// entries in them, and Taken and TakenEntries those that were read: they cost
	// the node's thread time.
	Built, Entries, Taken, TakenEntries int
	// Saved says that the configuration was written to disk, and the thread waited
	// for it, before anything is sent (clusterSaveConfig with fsync).
	Saved bool
}

// Reset empties an Out and keeps its memory.
func (o *Out) Reset() {
	*o = Out{Send: o.Send[:0], Acts: o.Acts[:0], Events: o.Events[:0]}
}

// An Outgoing is a packet for a node. It travels on the sender's own link to
// that node, whose generation is Link; or, where Back is true, on the link of
// the receiver that the packet it answers has come on.
type Outgoing struct {
	To     slots.Owner
	Link   uint8
	Back   bool
	Packet *Packet
}

// An Act is something that the node has to do.
type Act struct {
	Kind  ActKind
	Node  slots.Owner
	Link  uint8    // generation of the link, for Connect and Disconnect
	Until sim.Time // for PauseWrites
	Slots *Claim   // for DropSlots
}

// ActKind is the kind of an Act.
type ActKind uint8

// The acts.
const (
	// Connect opens a link to Node. The caller reports Connected or Refused, with
	// the same Link, when it knows; nothing if it never does.
	Connect ActKind = iota
	// Disconnect closes the link to Node. What was sent on it and has not arrived
	// is lost, and so are answers that would come back on it.
	Disconnect
	// CloseInbound closes the link of Node to this node, to whom it looks as if the
	// process were gone (Closed): Node is forgotten.
	CloseInbound
	// Promote makes the node a primary: its replication history goes on under its
	// own name, its replicas are disconnected (replicationUnsetMaster).
	Promote
	// Follow makes the node a replica of Node (replicationSetMaster). Its data
	// will be replaced by what a partial or full resync brings.
	Follow
	// PauseWrites keeps writes of clients from being executed until an instant at
	// most (pauseActions, for a manual failover).
	PauseWrites
	// ResumeWrites ends that.
	ResumeWrites
	// DropSlots deletes the keys of slots that the node has lost (delKeysInSlot).
	DropSlots
)
