// Package node models one Redis process: a single thread that works in turns,
// as the event loop of ae.c and networking.c does.
//
// A turn begins when the thread finds connections ready. It reads up to 16 KiB
// from each, in the order in which they became ready, and executes every
// complete command in what it read (readQueryFromClient, processInputBuffer).
// Replies are only queued meanwhile. Before the thread polls again, it writes
// them, the connection that got its first reply last going first, at most 64 KiB
// to each (beforeSleep, handleClientsWithPendingWrites, writeToClient). So a
// request waits for everything else in its batch, later commands included, and
// what arrives during a turn belongs to the next one.
//
// Nothing can interrupt a turn, so all of it is computed when it begins, and
// what it sends leaves at the instants at which it would.
//
// What it leaves out so far: timers (serverCron, clusterCron), accepting
// connections, expiry and eviction, I/O threads, append-only file and fork, and
// what a command does to its value beyond its size. Output buffers have no
// limit.
package node

import (
	"hotslot/sim"
	"hotslot/sim/network"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Config is one Redis process, as a scenario sets it.
type Config struct {
	// Costs is a profile's name, or a table: profile = "…" and what differs.
	Costs CostSpec `toml:"costs"`
	// ReplicationLag is added to the time that the replication stream takes to
	// a replica anyway.
	ReplicationLag sim.Distribution `toml:"replication_lag"`
	// WriteBytesMax is the most that is written to one connection in one turn
	// (NET_MAX_WRITES_PER_EVENT, 64 KiB); 0 is no limit.
	WriteBytesMax int64 `toml:"max_write_per_turn"`
}

// readBytesMax is what one read takes from a connection (PROTO_IOBUF_LEN); a
// request above bigArgument is read at one go instead (PROTO_MBULK_BIG_ARG).
const (
	readBytesMax = 16 << 10
	bigArgument  = 32 << 10
)

// readyMax is how many connections one poll returns at most: the size of the
// event loop's table, maxclients and CONFIG_FDSET_INCR.
const readyMax = 10000 + 128

// A Witness is told what becomes of data. It knows more than any node: what the
// latest value of a key is. It is part of the measuring, not of the cluster.
type Witness interface {
	// Wrote tells of a write by a primary, after which its replication offset is
	// offset.
	Wrote(at sim.Time, node sim.ActorID, key wire.Key, offset uint64)
	// Applied tells that a replica has applied the replication stream up to
	// offset.
	Applied(node sim.ActorID, offset uint64)
	// Read tells of a read by a replica.
	Read(at sim.Time, node sim.ActorID, key wire.Key)
}

// Lists knows the keys of commands that have several.
type Lists interface {
	Keys(m *wire.Message) []wire.KeyRef
}

// A Shared is what all nodes of a run have in common.
type Shared struct {
	Sched   *sim.Scheduler[wire.Message]
	Net     *network.Network
	Costs   *Costs
	Seed    uint64
	Lag     *sim.Quantiles
	Meter   *Meter
	Witness Witness
	Lists   Lists
	// WriteBytesMax is as in Config.
	WriteBytesMax int64
}

// A Node is one process. Its number among the nodes is its actor's address.
type Node struct {
	Shared
	id    sim.ActorID
	shard slots.Owner // number of the primary: itself, or whose replica it is

	primary  bool
	replicas []sim.ActorID // of a primary
	view     *slots.Table  // who owns which slot, as far as this node knows
	offset   uint64        // of the replication stream: written, or applied

	load  *Load
	draws struct{ cost, lag sim.Stream }

	ready   []entry   // this turn's connections, in the order they became ready
	replies []sim.Ref // of shared connections
	single  [1]sim.Ref
	conns   []conn   // connections that several requests share, by number
	outputs []output // connections with more to write
	left    []entry  // connections with more to read
	stream  stream
}

// New returns a primary, and registers it. It owns what view gives to it.
func New(s *Shared, shard slots.Owner, view *slots.Table) *Node {
	n := &Node{Shared: *s, shard: shard, primary: true, view: view}
	n.id = s.Sched.Register(n)
	n.load = s.Meter.node()
	n.draws.cost = sim.NewStream(s.Seed, "node/cost")
	n.draws.lag = sim.NewStream(s.Seed, "node/replication-lag").Sub(int(n.id))
	return n
}

// NewReplica returns a replica of a primary, and registers it.
func NewReplica(s *Shared, of *Node) *Node {
	n := New(s, of.shard, of.view)
	n.primary = false
	of.replicas = append(of.replicas, n.id)
	return n
}

// ID returns the node's address.
func (n *Node) ID() sim.ActorID { return n.id }

// View returns the node's own belief about the slots, to be read or changed.
func (n *Node) View() *slots.Table { return n.view }

// Load returns what the node has measured of itself.
func (n *Node) Load() *Load { return n.load }

// Held calls f with every message that the node has taken and not answered.
func (n *Node) Held(f func(*wire.Message)) {
	for i := range n.conns {
		n.conns[i].in.each(n.Sched, f)
	}
	for i := range n.outputs {
		n.outputs[i].queue.each(n.Sched, f)
	}
}
