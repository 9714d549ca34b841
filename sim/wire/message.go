// Package wire is the vocabulary of the cluster: what clients want done, and
// the one kind of message that actors send each other.
package wire

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
)

// OpID identifies an application's operation: the load it belongs to in the
// upper bits, and the load's own count below. It is the same in every run of a
// scenario and under every strategy.
type OpID uint64

// IDBits is the width of an OpID: draws use the bits above it to tell the parts
// and hops of one operation apart.
const IDBits = 46

// LoadBits is the shift of the load's number in an OpID.
const LoadBits = 40

// NewOpID returns the identity of operation n of a load. Both are counted from
// 0; a load may be at most 63 and n below 2^40.
func NewOpID(load int, n uint64) OpID { return OpID(uint64(load)<<LoadBits | n) }

// Load returns the load that the operation belongs to.
func (id OpID) Load() int { return int(id >> LoadBits) }

// Key is a key's number. All keys of a run are numbered through; a key's name
// matters only for its slot.
type Key uint32

// Op is what an application wants done: one command, or one command to each of
// several parts. It is the workload's word and says nothing of nodes.
type Op struct {
	ID      OpID
	Command Command
	// Kind tells apart the sorts of operations of one workload whose price
	// differs, such as a counter's increments and its reads.
	Kind OpKind
	// Keys is how many keys the operation touches. Where it is 1, Key and Slot
	// tell which; where it is more, the workload is asked for the list.
	Keys uint16
	Slot slots.Slot
	Key  Key
	// ValueBytes is the size of one value: of each value written or read.
	ValueBytes uint32
}

// OpKind sorts the operations of a workload.
type OpKind uint8

// The kinds of operations.
const (
	ReadOp OpKind = iota
	WriteOp
	OpKinds // how many there are
)

// A KeyRef is a key and its slot.
type KeyRef struct {
	Key  Key
	Slot slots.Slot
}

// Kind says what a message tells its receiver.
type Kind uint8

// The kinds of messages. Those from Bus on concern nodes alone: From is who sent
// them, Owner for whom they are, and Conn the generation of the connection that
// they are about.
const (
	Request   Kind = iota // client to node: a command
	Reply                 // node to client: the same message with Verdict and Owner
	Replicate             // primary to replica: part of the replication stream
	Freed                 // client, to itself: a connection of pool number Call is free
	Next                  // load, to itself: worker number Call goes on
	Retry                 // client, to itself: a command of operation Call has paused, and is tried again
	Refresh               // client, to itself: it is time for a process to fetch the slot map

	Bus     // a packet of the cluster bus, number Call
	Syn     // the network, to itself: a connection that is to be opened
	Accept  // a connection waits to be accepted
	Opened  // the connection that the node was opening is open
	Refused // nobody listens where the node was connecting to
	Closed  // the other end of a connection is gone; Part: the Reason, if it is known
	Stall   // to oneself: the thread is busy for Work, and does nothing else
	Order   // to oneself: an operator's command, number Call

	Handshake  // replica to primary: step Part of what comes before PSYNC
	Psync      // replica to primary: what follows Offset in history Call, please; Call 0: everything
	Welcome    // primary to replica: go on after step Part
	NotNow     // primary to replica: -LOADING or -NOMASTERLINK
	Continue   // primary to replica: that comes; from here on the history is Call
	FullResync // primary to replica: a snapshot comes instead, of history Call up to Offset; Work: its bytes, if known
	Snapshot   // primary to replica: Value bytes of it; with the flag Last, all of it has come
	Newline    // primary to replica: nothing, but a sign of life
	Acked      // replica to primary: REPLCONF ACK Offset
	Room       // the network to a primary: the socket to replica From takes more
	Pipe       // primary to itself: the child has written a piece of the snapshot
	Synced     // the answer to SYNCSLOTS, for the thread that has sent it
)

// A Message is one flat value for all kinds, as in etcd's raft. A request is
// written once and travels: the node writes its verdict on it and sends it
// back, the client that follows a redirect sends it on.
type Message struct {
	ID    OpID
	Start sim.Time // when the operation was due to start
	First sim.Time // when the command first left the client
	Sent  sim.Time // when it left for the node that has it now

	// Wait is the time at the node, from arrival until the reply left, less
	// Work. While the message is at the node, it holds the instant of arrival.
	Wait time.Duration
	Work time.Duration // execution by the node's thread

	// Offset is, of Replicate, up to where the stream is in this message; of a
	// write that is executed, the replication offset that it left.
	Offset uint64

	Key     Key
	From    sim.ActorID // who sent it
	Conn    uint32      // connection at the node; 0 is one that nobody else uses
	Value   uint32      // bytes of one value; of the stream, for Replicate
	Call    uint32      // the client's record of the operation; 0 where it keeps none
	Next    sim.Ref     // the next letter in whatever queue this one is in
	Process uint16      // of the client

	Slot    slots.Slot
	Owner   slots.Owner // redirects: the node to try next
	Keys    uint16
	Part    uint16 // which command of its operation
	Kind    Kind
	Command Command
	Verdict Verdict
	Hops    uint8 // redirections followed so far
	Acks    uint8 // replicas that must have acknowledged a write before it is answered (WAIT); 0 for none
	Flags   Flags
}

// Draw returns the index of draws about this command on this hop: it is
// different for each command of an operation and for each hop. The two lowest
// of the 64 bits are free for the caller.
func (m *Message) Draw() uint64 {
	return uint64(m.ID)<<2 ^ uint64(m.Part)<<(IDBits+2) ^ uint64(m.Hops)<<60
}

// The sizes of a message on the wire, in bytes: what RESP adds to a command, to
// each key with its length, and to a reply.
const (
	commandBytes = 14 // *2\r\n$3\r\nGET\r\n
	keyBytes     = KeyBytes
	askingBytes  = 16  // ASKING
	valueBytes   = 7   // header of a value of up to 999 bytes
	statusBytes  = 5   // +OK\r\n
	errorBytes   = 40  // -MOVED 3999 127.0.0.1:6381\r\n, say
	mapBytes     = 120 // of each node in the reply to CLUSTER SLOTS
	controlBytes = 60  // of a line of the replication protocol, or an empty TCP segment
)

// KeyBytes is what a key takes on the wire and in a snapshot: one of 20 bytes, as
// redis-benchmark's, with its header.
const KeyBytes = 26

// Bytes returns the size of the message on the wire.
func (m *Message) Bytes() int64 {
	switch m.Kind {
	case Request:
		return m.RequestBytes()
	case Reply:
		return m.ReplyBytes()
	case Replicate, Bus, Snapshot:
		return int64(m.Value)
	}
	return controlBytes
}

// ReplyBytes returns the size of the answer to the command.
func (m *Message) ReplyBytes() int64 {
	switch {
	case m.Verdict != OK:
		return errorBytes
	case m.Command == ClusterSlots:
		return int64(m.Keys) * mapBytes
	}
	info := &commands[m.Command]
	return info.status + int64(m.Keys)*info.returns*(int64(m.Value)+valueBytes)
}

// RequestBytes returns the size of the command, whatever has become of it.
func (m *Message) RequestBytes() int64 {
	bytes := commandBytes + int64(m.Keys)*(keyBytes+commands[m.Command].payload*(int64(m.Value)+valueBytes))
	if m.Flags&Asking != 0 {
		bytes += askingBytes
	}
	return bytes
}

// Flags qualify a message.
type Flags uint8

// The flags.
const (
	Mixed        Flags = 1 << iota // its keys do not share a slot
	Readonly                       // the connection has sent READONLY
	Asking                         // ASKING was sent just before
	Unreplicated                   // a reply: fewer replicas than Acks had acknowledged the write in time
	Back                           // Bus: on the receiver's own link, as an answer
	OnStream                       // Syn to Closed: a connection for replication, not of the bus
	GetAck                         // Replicate: with a REPLCONF GETACK at its end
	Last                           // Snapshot: its end

	Replace = Back   // RESTORE: what is there of the key is overwritten
	Unasked = GetAck // a request: the client sends no ASKING for it any more
)
