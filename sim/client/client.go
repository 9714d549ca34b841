// Package client models cluster-aware clients in application processes: each
// keeps a slot map of its own that may be stale, sends each command to the node
// that it believes in, follows redirections, splits operations on several keys
// into commands, and waits for a connection where it has too few.
//
// An operation's latency counts from the instant at which it was due, so a
// client that has to wait hides nothing. A reply that decides nothing is
// recorded when it is sent, and no event is spent on it.
//
// A process learns of the cluster from replies alone: MOVED, and CLUSTER SLOTS,
// which it sends after a redirection, after an error, or every so often. A command
// that fails may be tried again after a pause.
//
// What it leaves out so far: limits to the wait for a connection, the cost of
// connecting, and caches in front of the cluster.
package client

import (
	"strconv"
	"strings"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/network"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Shape says which node is where: primary i is actor i, its replica j is actor
// Primaries + i*Replicas + j, and nodes that join the cluster later come last.
type Shape struct{ Primaries, Replicas, Added int }

// Nodes returns how many nodes there are, or will be.
func (s Shape) Nodes() int { return s.Primaries*(1+s.Replicas) + s.Added }

// Replica returns the address of replica j of primary i.
func (s Shape) Replica(i, j int) sim.ActorID {
	return sim.ActorID(s.Primaries + i*s.Replicas + j)
}

// A Client stands for all application processes of a run. It is one actor.
type Client struct {
	Config
	Shape
	sched *sim.Scheduler[wire.Message]
	net   *network.Network
	id    sim.ActorID
	seed  uint64

	primaryOnly bool // reads go to primaries too
	processes   []process
	pools       []pool   // by process and node
	shared      []uint32 // connections that all requests of a process to a node share
	conns       uint32   // numbers of connections given out
	retired     []uint32 // of those, that may be given out again
	loads       []*load  // by number; nil where there is none
	calls       calls
	deadlines   sim.Ring[deadline]
	lost        int // operations that nothing is kept of, and that nothing will come of
	topology    Topology
	beliefs     beliefs
	start       belief // what processes believe at first
	policy      policy
	asked       []asked // since askedAt
	askedAt     sim.Time
	keepsCalls  bool        // a record is kept of every operation
	op          wire.Op     // scratch
	end         metrics.End // scratch
	draws       struct{ replica, conn, fetch, seed, backoff, stranger sim.Stream }
}

// A process of the application.
type process struct {
	belief
	own   bool // it is the only one that has this table
	fetch fetch
	cores []sim.Time // when each is free
}

// New returns a client and registers it. The topology is asked for the view of a
// node when that has answered CLUSTER SLOTS.
func New(sched *sim.Scheduler[wire.Message], net *network.Network, c Config, shape Shape, seed uint64,
	topology Topology) *Client {

	cl := &Client{Config: c, Shape: shape, sched: sched, net: net, seed: seed, topology: topology,
		processes: make([]process, c.Processes), policy: newPolicy(&c),
		keepsCalls: c.Timeout > 0 || c.Retries > 0 || c.Stateless}
	cl.id = sched.Register(cl)
	cl.primaryOnly = c.ReadFrom == FromPrimary || shape.Nodes() == shape.Primaries
	cl.draws.replica = sim.NewStream(seed, "client/replica")
	cl.draws.conn = sim.NewStream(seed, "client/connection")
	cl.draws.fetch = sim.NewStream(seed, "client/fetch")
	cl.draws.seed = sim.NewStream(seed, "client/seed")
	cl.draws.backoff = sim.NewStream(seed, "client/backoff")
	cl.draws.stranger = sim.NewStream(seed, "client/stranger")
	cl.start = belief{firstMap(c.SlotMap, shape.Primaries), shape.firstCast()}
	for i := range cl.processes {
		cl.processes[i] = process{belief: cl.start, cores: make([]sim.Time, max(1, c.Cores))}
	}
	cl.pools = make([]pool, c.Processes*shape.Nodes())
	if c.Pipelined {
		cl.shared = make([]uint32, len(cl.pools)*max(1, c.Connections))
		for i := range cl.shared {
			cl.shared[i] = cl.newConn()
		}
	}
	net.Connect(cl.id, cl)
	cl.startPeriodic()
	return cl
}

// Add gives the client a load, which it starts with the run.
func (c *Client) Add(d Demand, span metrics.Span) *metrics.Recorder {
	l := &load{Demand: d, Recorder: metrics.NewRecorder(span), client: c}
	l.Recorder.Name = d.Name
	l.id = c.sched.Register(l)
	l.draws.process = sim.NewStream(c.seed, "load/process").Sub(l.Number)
	l.draws.think = sim.NewStream(c.seed, "load/think").Sub(l.Number)
	l.processes = c.processesOf(&d)
	if d.Arrivals == nil {
		l.Closed = true
		l.workers = make([]worker, d.Workers)
		l.think = d.Think.Quantiles()
		l.Pipeline = max(1, d.Pipeline)
		if l.Pipeline > 1 {
			l.conns = c.conns + 1
			c.conns += uint32(d.Workers)
		}
	}
	for len(c.loads) <= d.Number {
		c.loads = append(c.loads, nil)
	}
	c.loads[d.Number] = l
	l.start()
	return l.Recorder
}

// firstMap returns the slot map that processes start with.
func firstMap(name string, primaries int) *slots.Table {
	if n, ok := strings.CutPrefix(name, SlotMapPrimaries); ok {
		if n, err := strconv.Atoi(n); err == nil {
			return slots.Even(min(n, primaries))
		}
	}
	table := slots.Even(primaries)
	if name == SlotMapShifted {
		for s, owner := range table {
			table[s] = (owner + 1) % slots.Owner(primaries)
		}
	}
	return table
}

// NewConn returns a number for a connection that is not the client's.
func (c *Client) NewConn() uint32 { return c.newConn() }

// newConn returns a number for a connection.
func (c *Client) newConn() uint32 {
	if n := len(c.retired); n > 0 {
		number := c.retired[n-1]
		c.retired = c.retired[:n-1]
		return number
	}
	c.conns++
	return c.conns
}

// begin starts operation n of a load.
func (c *Client) begin(now sim.Time, l *load, n uint64, process int) {
	op := &c.op
	l.Source.Op(n, op)
	l.Begin(now)
	if op.Keys != 1 || c.keepsCalls {
		c.beginCall(now, l, op, process)
		return
	}
	ref, m := c.sched.New()
	*m = wire.Message{ID: op.ID, Start: now, Command: op.Command, Value: op.ValueBytes,
		Process: uint16(process), Next: ref, Key: op.Key, Slot: op.Slot, Keys: 1}
	if l.Acks > 0 && op.Command.Writes() {
		m.Acks = l.Acks
	}
	node, replica := c.target(&c.processes[process].belief, op, op.Slot, 0)
	if replica {
		m.Flags = wire.Readonly
	}
	c.send(now, node, ref, m)
}

// target returns the node that an operation's commands for a slot go to, in the
// given attempt, and whether it is asked as a replica.
func (c *Client) target(b *belief, op *wire.Op, slot slots.Slot, try uint8) (node sim.ActorID, replica bool) {
	owner := b.table[slot]
	if owner == slots.None {
		known := c.start.known
		return known[sim.Below(c.draws.stranger.At(uint64(op.ID)<<8^uint64(try)), len(known))], false
	}
	if c.primaryOnly || op.Command.Writes() {
		return sim.ActorID(owner), false
	}
	replicas := b.replicas(owner)
	draw := c.draws.replica.At(uint64(op.ID)<<10 ^ uint64(owner) ^ uint64(try)<<56)
	if len(replicas) > 0 && c.ReadFrom == FromReplica {
		return replicas[sim.Below(draw, len(replicas))], true
	}
	if i := sim.Below(draw, len(replicas)+1); i > 0 {
		return replicas[i-1], true
	}
	return sim.ActorID(owner), false
}

// send sends a chain of commands that travel together to a node: a letter, the
// letters that follow it by Next, up to one that is its own next.
func (c *Client) send(now sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message) {
	switch l := c.loads[m.ID.Load()]; {
	case l.conns != 0:
		c.transmit(now, node, ref, l.conn(uint64(m.ID)&(1<<wire.LoadBits-1)))
	case c.Pipelined:
		i := c.pool(m.Process, node) * max(1, c.Connections)
		if c.Connections > 1 {
			i += sim.Below(c.draws.conn.At(uint64(m.ID)), c.Connections)
		}
		c.transmit(now, node, ref, c.shared[i])
	case c.Connections > 0 || m.Next != ref:
		c.borrow(now, node, ref, m)
	default:
		c.transmit(now, node, ref, 0)
	}
}

// transmit puts a chain of commands on the wire, on a connection. They leave
// together, when the process has written them all.
func (c *Client) transmit(now sim.Time, node sim.ActorID, ref sim.Ref, conn uint32) {
	at := now
	if c.CPUPerCommand > 0 {
		at = c.occupyCore(now, ref)
	}
	for {
		m := c.sched.At(ref)
		next := m.Next
		if m.Hops == 0 {
			m.First = at
		}
		m.Conn = conn
		if m.Call != 0 {
			c.sentPart(m)
		}
		c.net.ToNode(at, node, ref, m)
		if next == ref {
			return
		}
		ref = next
	}
}

// occupyCore takes, for each command of a chain, the core of the process that is
// free first, for as long as sending it, and reading its reply later, costs. It
// returns when the chain can leave.
func (c *Client) occupyCore(now sim.Time, ref sim.Ref) sim.Time {
	left := now
	for {
		m := c.sched.At(ref)
		cores := c.processes[m.Process].cores
		first := 0
		for i, free := range cores {
			if free < cores[first] {
				first = i
			}
		}
		from := max(now, cores[first])
		cores[first] = from.Add(c.CPUPerCommand)
		left = max(left, cores[first])
		l := c.loads[m.ID.Load()]
		l.Measured.CPU += l.Overlap(from, cores[first])
		if m.Next == ref {
			return left
		}
		ref = m.Next
	}
}
