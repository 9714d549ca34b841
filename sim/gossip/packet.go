package gossip

import (
	"hotslot/sim/slots"
)

// Type is the type of a Packet.
type Type uint8

// The types, as in cluster.h.
const (
	Ping Type = iota
	Pong
	Meet
	Fail         // About has failed
	Publish      // a message for subscribers, to every node
	PublishShard // to the nodes of the shard alone
	AuthRequest  // a replica asks for votes
	AuthAck      // a vote
	Update       // About owns slots with a configuration epoch
	MFStart      // a replica asks its primary to pause for a manual failover
	AuthNack     // a vote is refused
	Types        // how many there are
)

// A Packet is one message of the cluster bus (clusterMsg). The same packet may
// be on its way to several nodes.
type Packet struct {
	Number uint32 // its place among the Packets
	refs   int32

	Type         Type
	Sender       slots.Owner
	PrimaryOf    slots.Owner // the sender's primary; slots.None if it is one itself
	Flags        NodeFlags   // the sender's own
	StateOK      bool        // how the sender sees the cluster
	Paused       bool        // CLUSTERMSG_FLAG0_PAUSED: a primary that has paused its clients
	ForceAck     bool        // CLUSTERMSG_FLAG0_FORCEACK: a vote is due though the primary is up
	CurrentEpoch uint64
	ConfigEpoch  uint64 // of the sender or, from a replica, of its primary
	Offset       uint64 // the sender's replication offset
	Claim        *Claim // the sender's slots or, from a replica, its primary's

	About      slots.Owner // Fail, Update
	Update     *Claim      // the slots of About, in an Update
	ClaimEpoch uint64      // and its configuration epoch
	Payload    int         // bytes of channel and message, for Publish and PublishShard

	Entries   []Entry     // gossip section of Ping, Pong and Meet
	Forgotten []Forgotten // and whom the sender was told to forget
}

// An Entry is what a Packet says of a third node (clusterMsgDataGossip).
type Entry struct {
	Pong  int32 // when the sender last heard a pong of it, ms; who reads it takes whole seconds
	Node  slots.Owner
	Flags NodeFlags
}

// A Forgotten is a node that was forgotten (clusterMsgPingExtForgottenNode).
type Forgotten struct {
	Node slots.Owner
	TTL  int32 // for how long it must not come back, seconds
}

// NodeFlags are what a node is or is taken for (CLUSTER_NODE_*).
type NodeFlags uint16

// The flags. A node that is not Primary is a replica, unless it is in Handshake.
const (
	Primary    NodeFlags = 1 << iota
	PFAIL                // suspected
	FAIL                 // failed, by the word of a majority
	NoFailover           // a replica that does not stand for election
	MigrateTo            // a primary that replicas may migrate to
	Handshake            // met, and not known by name yet
	NoAddr               // its address is not known
)

// The sizes of the parts of a message, in bytes (cluster.h).
const (
	headerBytes      = 2256
	entryBytes       = 104
	failBytes        = 40   // the id of the node that failed
	updateBytes      = 2096 // epoch, id and slots
	publishBytes     = 8    // the lengths of channel and message
	lightHeaderBytes = 16
)

// Bytes returns how long a packet is on the wire.
func (e *Env) Bytes(p *Packet) int64 {
	switch p.Type {
	case Ping, Pong, Meet:
		return int64(headerBytes + entryBytes*len(p.Entries) + e.ExtensionBytes + forgottenBytes*len(p.Forgotten))
	case Fail:
		return headerBytes + failBytes
	case Update:
		return headerBytes + updateBytes
	case Publish, PublishShard:
		if e.LightPublish {
			return int64(lightHeaderBytes + publishBytes + p.Payload)
		}
		return int64(headerBytes + publishBytes + p.Payload)
	}
	return headerBytes
}
