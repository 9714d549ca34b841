// Package cluster assembles one run: nodes, clients, the network between them
// and the load. It alone knows the truth, and checks that the run keeps to what
// must always hold.
// It carries out the events of a scenario, and keeps the timeline of what comes of
// them.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Config describes a run. All of it is plain data, but for the demand.
type Config struct {
	Seed     uint64
	Shape    client.Shape
	Node     node.Config
	Costs    node.Costs
	Network  network.Config
	Client   client.Config
	Demands  []client.Demand
	Keys     int           // keys of all demands, numbered from 0
	KeySlots []slots.Slot  // and their slots
	KeyBytes []int64       // of each slot: what its keys come to in a snapshot
	KeyValue []uint32      // of each key: bytes of its value; needed where slots move
	Elements []uint32      // of each key: of its value, where that is a collection; nil: of none
	Lacking  []wire.Key    // that are not there when the run begins
	Warmup   time.Duration // simulated first, and not measured
	Duration time.Duration // measured after that

	// Gossip has the nodes run the control plane. Without it nothing ever fails
	// over, and slots stay where they are.
	Gossip    bool
	Version   string // whose rules the control plane follows
	Control   gossip.Config
	Placement Placement
	Events    []Event
	Dumps     []Dump
}

// A Cluster is one run.
type Cluster struct {
	Config
	Span      metrics.Span
	Sched     *sim.Scheduler[wire.Message]
	Net       *network.Network
	Nodes     []*node.Node // primaries, then the replicas of each
	Client    *client.Client
	Recorders []*metrics.Recorder // by demand
	Meter     *node.Meter
	Ledger    *Ledger
	Timeline  Timeline
	Outage    Outage
	Dumped    []Dumped
	LagMax    int64 // bytes of the replication stream that a replica lacked, the most at any of 256 looks

	outage *outageMeter
	asking []Dump // that are still to come, in order
	script *script
	truth  *truth // nil where there is no control plane

	monitor  *monitor
	operator *operator      // nil where no slots move
	index    *node.KeyIndex // the same
}

// New assembles a run. Every stream of chance is named for what it decides, so
// that a new component, with a new name, leaves all other draws as they were.
func New(c Config) *Cluster {
	from := sim.Time(c.Warmup)
	span := metrics.NewSpan(from, from.Add(c.Duration))
	if len(c.Events) > 0 {
		span = metrics.NewFineSpan(from, from.Add(c.Duration))
	}
	c.Shape.Added = Added(c.Events)
	sched := sim.NewScheduler[wire.Message]()
	cl := &Cluster{Config: c, Span: span, Sched: sched,
		Net:    network.New(sched, c.Network, c.Seed, c.Shape.Nodes(), c.Client.Processes),
		Meter:  node.NewMeter(span.From, span.To, span.Bucket, c.Keys),
		Ledger: newLedger(c.Shape, c.Keys, span.From, span.To),
	}
	cl.Net.Measure(span.From, span.To)
	lists := new(keyLists)
	shared := &node.Shared{Sched: sched, Net: cl.Net, Costs: &cl.Costs, Seed: c.Seed,
		Lag: c.Node.ReplicationLag.Quantiles(), Meter: cl.Meter, Witness: witness{cl.Ledger, cl},
		Lists: lists, WriteBytesMax: c.Node.WriteBytesMax, WaitTimeout: c.Client.WaitTimeout}
	if c.Gossip {
		cl.attach(shared)
	}
	if c.moves() || len(c.Lacking) > 0 {
		cl.index = node.NewKeyIndex(c.KeySlots, c.KeyValue, slots.Even(c.Shape.Primaries))
		if rules, _, _ := gossip.Version(c.Version); rules.KeysScattered {
			cl.index.Scatter()
		}
		cl.index.Collect(c.Elements)
		if len(c.Lacking) > 0 {
			cl.index.Lack(c.Lacking)
		}
		cl.operator = &operator{Cluster: cl}
		shared.Index, shared.Orders = cl.index, cl.operator
	}
	cl.place()
	cl.outage = newOutageMeter(c.Shape.Nodes())
	cl.addNodes(shared)
	cl.begin()
	cl.Client = client.New(sched, cl.Net, c.Client, c.Shape, c.Seed, topology{cl})
	lists.Client = cl.Client
	for _, d := range c.Demands {
		cl.Recorders = append(cl.Recorders, cl.Client.Add(d, span))
	}
	if cl.index != nil {
		cl.operator.id = sched.Register(cl.operator)
		cl.Net.Attend(cl.operator.id, node.NewSockets(sched, cl.Nodes).ID())
	}
	cl.monitor = &monitor{Cluster: cl}
	cl.asking = inOrder(c.Dumps)
	if len(c.Events) > 0 {
		cl.script = newScript(cl)
	}
	return cl
}

// A topology is what nodes tell clients of the cluster.
type topology struct{ *Cluster }

// View returns what a node believes of the slots.
func (t topology) View(node sim.ActorID) *slots.Table { return t.Nodes[node].View() }

// PrimaryOf returns the primary of a node, as another one believes. Where there is
// no control plane nothing changes, and all nodes know the same.
func (t topology) PrimaryOf(node, other sim.ActorID) slots.Owner {
	if s := t.Nodes[node].State(); s != nil {
		if s.Flags(slots.Owner(other))&gossip.FAIL != 0 {
			return slots.None
		}
		return s.PrimaryOf(slots.Owner(other))
	}
	switch i := int(other) - t.Shape.Primaries; {
	case i < 0:
		return slots.Owner(other)
	case i < t.Shape.Primaries*t.Shape.Replicas:
		return slots.Owner(i / t.Shape.Replicas)
	}
	return slots.None
}

// keyLists lets nodes ask the client for the keys of a command, though they are
// made before it.
type keyLists struct{ *client.Client }

// addNodes makes the primaries, then the replicas of each in turn. Slots are
// assigned as redis-cli --cluster create does.
func (cl *Cluster) addNodes(shared *node.Shared) {
	for i := range cl.Shape.Primaries {
		cl.Nodes = append(cl.Nodes, node.New(shared, slots.Owner(i), slots.Even(cl.Shape.Primaries)))
	}
	for i := range cl.Shape.Primaries {
		for range cl.Shape.Replicas {
			cl.Nodes = append(cl.Nodes, node.NewReplica(shared, cl.Nodes[i]))
		}
	}
	for range cl.Shape.Added {
		n := node.New(shared, slots.None, new(slots.Table))
		n.Absent()
		cl.Nodes = append(cl.Nodes, n)
	}
}

// lookAtLag notes by how much a replica is behind its primary, if both are up.
func (cl *Cluster) lookAtLag() {
	if cl.Sched.Now() < cl.Span.From {
		return
	}
	for id, n := range cl.Nodes {
		if of := n.PrimaryOf(); n.Up() && of != slots.None && int(of) != id && cl.Nodes[of].Up() {
			cl.LagMax = max(cl.LagMax, int64(cl.Nodes[of].Offset())-int64(n.Offset()))
		}
	}
}

// ErrOverrun is returned, wrapped, by Run where a run needs more than it can
// have.
var ErrOverrun = errors.New("the run is too large")

// Run runs to the end, or until the context is done. It returns the context's
// error, an invariant that did not hold, or ErrOverrun.
func (cl *Cluster) Run(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r == sim.ErrTooManyLetters {
			err = fmt.Errorf("%w: %w; the demand exceeds what the cluster can serve by far: "+
				"shorten the run or lower the rate", ErrOverrun, sim.ErrTooManyLetters)
		} else if r != nil {
			panic(r)
		}
	}()
	const slices = 256 // how often the context is looked at
	for i := range sim.Time(slices) {
		if err := ctx.Err(); err != nil {
			return err
		}
		cl.runUntil(cl.Span.To / slices * (i + 1))
		cl.lookAtLag()
	}
	cl.runUntil(cl.Span.To)
	cl.neverAsked()
	cl.finish()
	return cl.check()
}
