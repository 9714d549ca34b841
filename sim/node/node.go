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
// what it sends leaves at the instants at which it would. Where timers run, a turn
// is halted at 10 ms and at commands that take longer, and cut off where the
// process ends.
//
// Timers run after what was ready (processTimeEvents): serverCron, with
// replicationCron once a second, and clusterCron; then what the control plane has
// put off, then the replies leave, and packets of the bus at the next poll.
//
// Replication follows replication.c: histories and their backlog, the handshake
// and PSYNC, full resynchronisation from disk or directly from the child, output
// buffers and their limits, acknowledgements, WAIT and min-replicas-to-write. A
// replica's primary knows how much lies unread in the socket between them, as the
// kernels do.
//
// What it leaves out: expiry and eviction, I/O threads, the append-only file,
// memory, and what a command does to its value beyond its size; the handshake of
// clients' connections; that a backlog is trimmed by blocks, and that replicas
// share its memory (7.0); a second connection for the snapshot (8.0) and loading
// beside the old data (repl-diskless-load). A data set keeps the size that it has
// when the run begins, unless it is lost.
package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/network"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// readBytesMax is what one read takes from a connection (PROTO_IOBUF_LEN); a
// request above bigArgument is read at one go instead (PROTO_MBULK_BIG_ARG).
const (
	readBytesMax = 16 << 10
	bigArgument  = 32 << 10
)

// readyMax is how many connections one poll returns at most: the size of the
// event loop's table, maxclients and CONFIG_FDSET_INCR.
const readyMax = 10000 + 128

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
	// WaitTimeout is how long a write waits for the replicas that it asks for; 0 is
	// for ever.
	WaitTimeout time.Duration

	// Timers has nodes run serverCron, and replication for what it is. Without
	// them, nothing ever happens to a node.
	Timers      bool
	Replication *Replication
	Rules       gossip.Rules
	// Env and Layout are those of the control plane; nil where there is none.
	Env    *gossip.Env
	Layout *gossip.Layout
	// SlotKeys and SlotBytes are how many keys there are in each slot, and what
	// they come to in a snapshot; nil where nobody has counted.
	SlotKeys  []uint32
	SlotBytes []int64
	// Index has the keys by slot, and Orders what operators' tools send, where slots
	// may move; nil where they do not.
	Index  *KeyIndex
	Orders Orders

	// Cores are when each core of each machine is free, and MachineOf on which
	// machine each node is; nil where every process has a core of its own.
	Cores     [][]sim.Time
	MachineOf []int

	common *common
}

// common is what changes in the course of a run and all nodes share. Nothing in
// the cluster depends on it.
type common struct {
	histories uint32 // how many replication ids there have been
	// superseded says that a node has been promoted or has lost its data: there may be
	// a primary now that reads what is stale.
	superseded bool
	effects    []effects // by history
	// promised is, by node, what the snapshot has that was taken for it last.
	promised []promised
	tasks    []*migration.Task // atomic migrations, by number less 1
	nodes    []*Node
}

// promised is what a snapshot says of slots that move.
type promised struct {
	keys   keyspace
	moving []wire.OpenSlot
}

// A Node is one process. Its number among the nodes is its actor's address.
type Node struct {
	Shared
	id    sim.ActorID
	shard slots.Owner // number of the primary: itself, or whose replica it is

	primary   bool
	timed     bool       // Timers
	trouble   trouble    // what keeps it from executing commands
	followers []follower // its replicas
	view      *slots.Table
	offset    uint64 // of the replication stream: written, or applied

	load  *Load
	draws struct{ cost, lag, phase sim.Stream }

	ready   []entry   // this turn's connections, in the order they became ready
	replies []sim.Ref // of shared connections
	single  [1]sim.Ref
	conns   []conn   // connections that several requests share, by number
	outputs []output // connections with more to write
	left    []entry  // connections with more to read
	stream  stream   // what this turn has written, for the replicas
	turn    turn
	budget  readBudget

	process  process
	timers   timers
	control  control
	history  history
	upstream upstream
	child    child
	total    stream    // all that was ever written to the replication stream
	dataset  int64     // bytes of a snapshot
	letters  []sim.Ref // for other nodes, that leave before the replies
	orphans  []sim.Ref // replies that will not leave, since the process ends before
	deferred []entry   // from the primary, not read while a data set is loaded
	blocked  blocked
	orders   []order // that operators have given

	keys    keyspace
	dump    dump     // keys on their way to another node
	sockets []socket // of MIGRATE

	exports []*export // atomic migrations of its slots
	imports []*importing
	pulls   []*pull // those that it has asked for
}

// New returns a primary, and registers it. It owns what view gives to it.
func New(s *Shared, shard slots.Owner, view *slots.Table) *Node {
	if s.common == nil {
		s.common = new(common)
		if s.Index != nil {
			s.common.promised = make([]promised, len(s.Env.Names))
		}
	}
	n := &Node{Shared: *s, shard: shard, primary: true, view: view, timed: s.Timers,
		keys: newKeyspace(s.Index, shard)}
	n.id = s.Sched.Register(n)
	s.common.nodes = append(s.common.nodes, n)
	n.load = s.Meter.node()
	n.draws.cost = sim.NewStream(s.Seed, "node/cost")
	n.draws.lag = sim.NewStream(s.Seed, "node/replication-lag").Sub(int(n.id))
	n.turn.limit, n.process.doom = sim.Never, sim.Never
	n.history = history{id: n.nextHistory(), backlog: true}
	if n.timed {
		n.startTimers()
		n.Net.Tell(n)
	}
	if s.Env != nil {
		n.join()
	}
	if n.timed {
		n.dataset = n.holds()
	}
	return n
}

// NewReplica returns a replica of a primary, in sync with it, and registers it.
func NewReplica(s *Shared, of *Node) *Node {
	n := New(s, of.shard, of.view)
	n.primary = false
	n.history = of.history
	of.followers = append(of.followers, follower{id: n.id, generation: 1, state: online})
	n.upstream = upstream{primary: of.id, generation: 1, state: connected}
	n.Net.Join(n.id, of.id, 1)
	n.dataset = of.dataset
	n.trouble.set(stale, false)
	return n
}

// holds returns what a primary has when the run begins, in bytes of a snapshot.
func (n *Node) holds() int64 {
	bytes := n.Replication.Dataset
	for slot, size := range n.SlotBytes {
		if n.view[slot] == n.shard {
			bytes += size
		}
	}
	return bytes
}

// ID returns the node's address.
func (n *Node) ID() sim.ActorID { return n.id }

// View returns the node's own belief about the slots, to be read or changed.
func (n *Node) View() *slots.Table { return n.view }

// State returns the node's part in the control plane; nil where there is none.
func (n *Node) State() *gossip.State { return n.control.state }

// PrimaryOf returns whose replica the node is, by its own belief: the node itself
// where it is a primary.
func (n *Node) PrimaryOf() slots.Owner { return n.shard }

// Has reports whether the node has a key, where that is known one by one.
func (n *Node) Has(slot slots.Slot, key wire.Key) bool { return n.keys.has(n.Index, slot, key) }

// Offset returns the node's replication offset.
func (n *Node) Offset() uint64 { return n.offset }

// Load returns what the node has measured of itself.
func (n *Node) Load() *Load { return n.load }

// Held calls f with every message that the node has taken and not answered, and
// with those to other nodes that have not left.
func (n *Node) Held(f func(*wire.Message)) {
	for i := range n.conns {
		n.conns[i].in.Each(n.Sched, f)
	}
	for i := range n.outputs {
		n.outputs[i].queue.Each(n.Sched, f)
	}
	n.heldElsewhere(f)
}

// renameHistory has the node's history go on under another name. Who has it under
// the name that it had can go on with it, but for versions that forget that one.
func (n *Node) renameHistory() {
	if n.Rules.ForgetsHistory {
		n.history = history{}
	}
	n.history.shift(n.nextHistory(), n.offset)
	if len(n.common.effects) > 0 {
		n.continueEffects()
	}
}

// nextHistory returns a replication id that nobody has had.
func (n *Node) nextHistory() uint32 {
	n.common.histories++
	return n.common.histories
}

// heldElsewhere calls f with the messages that are not in a connection's input or
// output.
func (n *Node) heldElsewhere(f func(*wire.Message)) {
	n.heldIn(n.left, f)
	n.heldIn(n.ready, f)
	n.heldIn(n.deferred, f)
	for i := n.blocked.waits.Head(); i != n.blocked.waits.Tail(); i++ {
		if w := n.blocked.waits.At(i); !w.done {
			f(n.Sched.At(w.ref))
		}
	}
	for _, w := range n.blocked.postponed {
		f(n.Sched.At(w.ref))
	}
	for _, refs := range [][]sim.Ref{n.letters, n.orphans, n.control.mail} {
		for _, ref := range refs {
			f(n.Sched.At(ref))
		}
	}
}

// heldIn calls f with the messages of connections in a turn that is not over.
func (n *Node) heldIn(entries []entry, f func(*wire.Message)) {
	for i := range entries {
		e := &entries[i]
		if e.m != nil {
			f(e.m)
			continue
		}
		for _, ref := range n.replies[e.first:e.last] {
			f(n.Sched.At(ref))
		}
	}
}
