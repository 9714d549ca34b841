package cluster

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// TestSwarm runs small clusters of all sorts, each for some milliseconds, and
// holds them to what is true of any.
func TestSwarm(t *testing.T) {
	const seeds = 200
	runs, done, failed, waits := 0, uint64(0), uint64(0), uint64(0)
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			cl := New(swarmConfig(seed))
			traffic := watch(cl)
			if err := cl.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			checkAgain(t, cl, seed)
			checkTraffic(t, cl, traffic)
			checkWorkers(t, cl, traffic)
			runs++
			for _, r := range cl.Recorders {
				checkLatencies(t, cl, r)
				done += r.Done
				waits += r.Measured.PoolWaits
				failed += r.Begun - r.Done - r.InFlight()
			}
		})
	}
	if runs == seeds && (done < 30_000 || failed < 10_000 || waits < 10_000) {
		t.Errorf("only %d operations ended well, %d failed and %d waited: the swarm shows little", done, failed, waits)
	}
}

// Dice are draws of one seed, one after another.
type dice struct {
	sim.Stream
	thrown uint64
}

// below returns a number from 0 to n-1.
func (d *dice) below(n int) int {
	d.thrown++
	return sim.Below(d.At(d.thrown), n)
}

func pick[T any](d *dice, from ...T) T { return from[d.below(len(from))] }

// swarmConfig returns a cluster that nobody would build.
func swarmConfig(seed uint64) Config {
	const us, ms = time.Microsecond, time.Millisecond
	d := &dice{Stream: sim.NewStream(seed, "swarm")}
	primaries := 1 + d.below(6)
	c := Config{
		Seed:  seed,
		Shape: client.Shape{Primaries: primaries, Replicas: d.below(3)},
		Node: node.Config{
			ReplicationLag: pick(d, sim.Constant(0), sim.Exponential(ms)),
			WriteBytesMax:  pick[int64](d, 0, 64<<10),
		},
		Network: network.Config{
			OneWay: pick(d, sim.Constant(0), sim.Constant(100*us), sim.Exponential(50*us),
				sim.Distribution{Shape: sim.ShapeUniform, A: 50 * us, B: 150 * us}),
			NodeBandwidth:   pick[int64](d, 0, 0, 1e8, 1e9),
			ClientBandwidth: pick[int64](d, 0, 0, 1e8, 1e9),
		},
		Client: client.Config{
			Processes: 1 + d.below(4), Cores: 1 + d.below(2), CPUPerCommand: pick(d, 0, 2*us),
			Connections: d.below(4), Pipelined: d.below(3) == 0, Timeout: pick(d, 0, 0, 300*us, 2*ms),
			ReadFrom:     pick(d, client.FromPrimary, client.FromReplica, client.FromAny),
			MaxRedirects: pick(d, 0, 1, 5, 5), OnMoved: pick(d, client.MovedPatch, client.MovedRefresh, client.MovedIgnore),
			SlotMap: pick(d, client.SlotMapCurrent, client.SlotMapCurrent, client.SlotMapShifted,
				client.SlotMapPrimaries+"2"),
		},
		Keys: swarmKeys, Warmup: pick(d, 0, 2*ms), Duration: 10 * ms,
	}
	c.Costs = node.Costs{Turn: pick(d, 0, 2*us), Read: pick(d, 0, us), Write: pick(d, 0, us), Refuse: us,
		Shape: pick(d, sim.ShapeConstant, sim.ShapeExponential)}
	for i := range c.Costs.Commands {
		c.Costs.Commands[i] = node.CommandCost{Base: pick(d, us, 10*us, 50*us), Key: us, Byte: pick[int64](d, 0, 500)}
	}
	for number := range 1 + d.below(2) {
		c.Demands = append(c.Demands, swarmDemand(d, number))
	}
	return c
}

func swarmDemand(d *dice, number int) client.Demand {
	const us = time.Microsecond
	demand := client.Demand{
		Number: number,
		Source: swarmSource{d.Sub(number), number, pick[uint32](d, 0, 100, 20_000, 300_000)},
		Batch: client.Batching{
			Split: pick(d, client.SplitNone, client.SplitSlot, client.SplitSlotSequential, client.SplitNode,
				client.SplitNode),
			Chunk: d.below(4), ChunkFirst: d.below(2) == 0,
		},
	}
	if d.below(2) == 0 {
		demand.Workers, demand.Pipeline = 1+d.below(40), pick(d, 1, 1, 4)
		demand.Think = pick(d, sim.Constant(0), sim.Exponential(100*us))
		return demand
	}
	gap := pick(d, sim.Constant(20*us), sim.Constant(time.Millisecond), sim.Exponential(10*us), sim.Exponential(50*us))
	demand.Arrivals = &swarmArrivals{gaps: gap.Quantiles(), draws: d.Sub(100 + number)}
	return demand
}

// swarmArrivals come at random distances.
type swarmArrivals struct {
	gaps  *sim.Quantiles
	draws sim.Stream
	n     uint64
	last  sim.Time
}

func (a *swarmArrivals) Next() sim.Time {
	a.last = a.last.Add(a.gaps.At(a.draws.At(a.n)))
	a.n++
	return a.last
}

const swarmKeys = 100

// A swarmSource asks for one key, or for several, with any command.
type swarmSource struct {
	sim.Stream
	number   int
	valueMax uint32
}

func (s swarmSource) Op(n uint64, op *wire.Op) {
	d := &dice{Stream: s.Sub(int(n))}
	*op = wire.Op{ID: wire.NewOpID(s.number, n), Command: wire.Command(d.below(int(wire.PING))),
		ValueBytes: uint32(d.below(int(s.valueMax) + 1)), Keys: pick[uint16](d, 1, 1, 1, 5)}
	if op.Command.Writes() {
		op.Kind = wire.WriteOp
	}
	first := s.Keys(*op, nil)[0]
	op.Key, op.Slot = first.Key, first.Slot
}

func (s swarmSource) Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	d := &dice{Stream: s.Sub(int(op.ID)).Sub(0)}
	for range op.Keys {
		key := d.below(swarmKeys)
		buf = append(buf, wire.KeyRef{Key: wire.Key(key), Slot: slots.Slot(key * key * 7 % slots.Count)})
	}
	return buf
}

// checkAgain runs the same cluster again, unwatched.
func checkAgain(t *testing.T, cl *Cluster, seed uint64) {
	again := New(swarmConfig(seed))
	if err := again.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if cl.Sched.Fingerprint() != again.Sched.Fingerprint() || !reflect.DeepEqual(cl.Recorders, again.Recorders) {
		t.Errorf("fingerprint %x, and the second time %x", cl.Sched.Fingerprint(), again.Sched.Fingerprint())
	}
}

// checkLatencies: nothing is faster than light, and the blame is all of it.
func checkLatencies(t *testing.T, cl *Cluster, r *metrics.Recorder) {
	if r.Latency.Count() == 0 {
		return
	}
	if least, fastest := 2*cl.Network.OneWay.Quantiles().At(0), r.Latency.Quantile(0); fastest < least {
		t.Errorf("an operation took %v, and the way there and back takes %v", fastest, least)
	}
	if cl.Warmup > 0 {
		return // the windows show more than the histogram
	}
	var all metrics.Window
	for i := range r.Series {
		all.Add(&r.Series[i])
	}
	blamed := r.Latency.Sum().Total() / time.Duration(r.Latency.Count())
	if all.Count() != r.Latency.Count() || all.Mean() != blamed || all.Max() != r.Latency.Max() {
		t.Errorf("%d operations took %v on average, %d are blamed for %v",
			all.Count(), all.Mean(), r.Latency.Count(), blamed)
	}
}

// A trip is a request that was answered.
type trip struct {
	start, sent, back sim.Time
	sequence          int // of answers
	network           time.Duration
	op                wire.OpID
}

// A road is what takes a process's requests to a node.
type road struct {
	process uint16
	node    sim.ActorID
	conn    uint32
}

// A traffic is all trips of a run. It takes the place of the client at the end of
// the network, and passes on what comes.
type traffic struct {
	*client.Client
	trips map[road][]trip
}

func watch(cl *Cluster) *traffic {
	w := &traffic{cl.Client, map[road][]trip{}}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), w)
	return w
}

// Early notes a reply and passes it on.
func (w *traffic) Early(at sim.Time, m *wire.Message) bool {
	r := road{m.Process, m.From, m.Conn}
	w.trips[r] = append(w.trips[r],
		trip{m.Start, m.Sent, at, len(w.trips[r]), at.Sub(m.Sent) - m.Wait - m.Work, m.ID})
	return w.Client.Early(at, m)
}

// checkTraffic: no message is faster than the network; a connection answers in
// order; a pool has no more connections than it may, and uses each for one
// request or one pipeline at a time.
func checkTraffic(t *testing.T, cl *Cluster, w *traffic) {
	least := 2 * cl.Network.OneWay.Quantiles().At(0)
	settings := cl.Config.Client
	pools := map[road]int{}
	for r, trips := range w.trips {
		for _, trip := range trips {
			if trip.network < least {
				t.Fatalf("%v: a trip of %v on the network, which takes %v", r, trip.network, least)
			}
		}
		if r.conn == 0 {
			continue
		}
		pooled := !settings.Pipelined && cl.Demands[trips[0].op.Load()].Pipeline <= 1
		slices.SortStableFunc(trips, func(a, b trip) int { return cmp.Compare(a.sent, b.sent) })
		for i, trip := range trips[1:] {
			before := trips[i]
			if trip.sequence < before.sequence || trip.back < before.back {
				t.Fatalf("%v: overtaken: %+v, %+v", r, before, trip)
			}
			if pooled && settings.Timeout == 0 && trip.op != before.op && trip.sent < before.back {
				t.Fatalf("%v: a request on a connection in use: %+v, %+v", r, before, trip)
			}
		}
		if pooled {
			pools[road{r.process, r.node, 0}]++
		}
	}
	for r, conns := range pools {
		// A connection that is closed after a timeout makes room for another.
		if settings.Connections > 0 && settings.Timeout == 0 && conns > settings.Connections {
			t.Errorf("%v: %d connections of %d", r, conns, settings.Connections)
		}
	}
}

// checkWorkers: a worker begins a round when all answers to the last are in.
func checkWorkers(t *testing.T, cl *Cluster, w *traffic) {
	if cl.Config.Client.Timeout > 0 {
		return // or when it has given up
	}
	type round struct{ load, worker, number int }
	in := map[round]sim.Time{}
	roundOf := func(op wire.OpID) round {
		d := &cl.Demands[op.Load()]
		n := int(op & (1<<wire.LoadBits - 1))
		return round{op.Load(), n % d.Workers, n / d.Workers / max(1, d.Pipeline)}
	}
	each := func(f func(r round, trip trip)) {
		for _, trips := range w.trips {
			for _, trip := range trips {
				if trip.op.Load() < len(cl.Demands) && cl.Demands[trip.op.Load()].Workers > 0 {
					f(roundOf(trip.op), trip)
				}
			}
		}
	}
	each(func(r round, trip trip) { in[r] = max(in[r], trip.back) })
	each(func(r round, trip trip) {
		before := r
		before.number--
		if trip.start < in[before] {
			t.Errorf("worker %+v begins at %v, and waits for the last round until %v", r, trip.start, in[before])
		}
	})
}
