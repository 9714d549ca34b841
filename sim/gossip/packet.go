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
	Update       // About owns Claim with ClaimEpoch
	MFStart      // a replica asks its primary to pause for a manual failover
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
	Claim        *Claim // the sender's slots or, from a replica, its primary's; of About for Update

	About      slots.Owner // Fail, Update
	ClaimEpoch uint64      // Update
	Payload    int         // bytes of channel and message, for Publish and PublishShard

	Entries []Entry // gossip section of Ping, Pong and Meet
}

// An Entry is what a Packet says of a third node (clusterMsgDataGossip).
type Entry struct {
	Pong  int32 // when the sender last heard a pong of it, seconds; 0 never
	Node  slots.Owner
	Flags NodeFlags
}

// NodeFlags are what a node is or is taken for (CLUSTER_NODE_*).
type NodeFlags uint16

// The flags.
const (
	Primary    NodeFlags = 1 << iota
	PFAIL                // suspected
	FAIL                 // failed, by the word of a majority
	NoFailover           // a replica that does not stand for election
	MigrateTo            // a primary that replicas may migrate to
	Handshake            // met, and not known by name yet
	NoAddr               // its address is not known
)
