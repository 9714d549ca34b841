package cluster

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
	"hotslot/workloads"
)

// oneWay is how long the network takes in these tests, each way.
const oneWay = 100 * time.Microsecond

// setup returns a run of some workloads on a cluster of round-100k nodes.
func setup(tb testing.TB, primaries int, specs ...workloads.Spec) Config {
	tb.Helper()
	costs, _, _ := node.Profile("round-100k")
	c := Config{
		Seed: 1, Shape: client.Shape{Primaries: primaries}, Costs: costs,
		Node: node.Config{WriteBytesMax: 64 << 10}, Network: network.Config{OneWay: sim.Constant(oneWay)},
		Client: client.Config{Processes: 1, ReadFrom: client.FromPrimary, MaxRedirects: 5,
			OnMoved: client.MovedPatch, SlotMap: client.SlotMapCurrent, Cores: 1},
	}
	for i, spec := range specs {
		spec.Name = "load"
		w, err := workloads.Build(spec, primaries, workloads.NewCache())
		if err != nil {
			tb.Fatal(err)
		}
		l := w.Loads(c.Seed, i*workloads.LoadsMax, wire.Key(c.Keys))[0]
		d := client.Demand{Number: l.Number, Source: l.Source, Workers: l.Workers, Think: l.Think, Pipeline: l.Pipeline}
		if l.Arrivals != nil {
			d.Arrivals = l.Arrivals
		}
		c.Demands = append(c.Demands, d)
		c.Keys += w.Keys().Len()
	}
	return c
}

func run(tb testing.TB, cl *Cluster) {
	tb.Helper()
	if err := cl.Run(context.Background()); err != nil {
		tb.Fatal(err)
	}
}

// A visit is a command's stay at a node.
type visit struct {
	work time.Duration // execution
	done sim.Time      // executed
	left sim.Time      // the reply left
}

// A diary notes all visits to a cluster's one node, by number of operation. It
// stands in two places that the cluster offers: where the client is told early
// of replies, and where the ledger is told of writes as they are executed. The
// network must take no time, and all operations must be writes.
type diary struct {
	node.Witness
	early  func(sim.Time, *wire.Message) bool
	visits []visit
	wrote  int
}

func keepDiary(cl *Cluster) *diary {
	d := &diary{Witness: cl.Nodes[0].Witness, early: cl.Client.Early}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), d)
	cl.Nodes[0].Witness = d
	return d
}

func (d *diary) visit(n int) *visit {
	for n >= len(d.visits) {
		d.visits = append(d.visits, visit{})
	}
	return &d.visits[n]
}

// Early notes a reply that leaves.
func (d *diary) Early(at sim.Time, m *wire.Message) bool {
	v := d.visit(int(m.ID))
	v.work, v.left = m.Work, at.Add(-oneWay)
	return d.early(at, m)
}

// Wrote notes a command that is executed: the first to come is operation 0, and
// so on, as the oracle will confirm.
func (d *diary) Wrote(at sim.Time, node sim.ActorID, key wire.Key, offset uint64) {
	d.visit(d.wrote).done = at
	d.wrote++
	d.Witness.Wrote(at, node, key, offset)
}

// served is the oracle: what becomes of arrivals, in order, at one thread.
//
// Who is executed when is Lindley's recursion: a command starts when it has come
// and the one before it is done ("The theory of queues with a single server",
// 1952). A turn takes in all that has come when it begins, and all its replies
// leave when it ends. What comes at the very instant belongs to the turn: it was
// sent before. (Were the network to take no time at all, it would be sent and
// come at that instant, after the turn has begun.)
func served(arrivals []sim.Time, work func(n int) time.Duration) []visit {
	all := make([]visit, len(arrivals))
	thread := sim.Time(0)
	for first := 0; first < len(all); {
		begin := max(thread, arrivals[first])
		last := first
		for last < len(all) && arrivals[last] <= begin {
			thread = max(thread, arrivals[last]).Add(work(last))
			all[last] = visit{work: work(last), done: thread}
			last++
		}
		for ; first < last; first++ {
			all[first].left = thread
		}
	}
	return all
}

// openLoad is Poisson arrivals at one thread, and how long its commands take.
type openLoad struct {
	name    string
	costs   node.CostSpec
	mix     []workloads.Share
	squared float64 // mean square of a command's time over the square of its mean, 10 µs
}

func us(n int) time.Duration { return time.Duration(n) * time.Microsecond }

func openLoads() []openLoad {
	set := []workloads.Share{{Command: "set", Share: 1}}
	return []openLoad{
		{"M/D/1", node.CostSpec{Profile: "round-100k"}, set, 1},
		{"M/M/1", node.CostSpec{Profile: "round-100k", Distribution: "exponential"}, set, 2},
		{"M/G/1", // 0.9 × 5 µs and 0.1 × 55 µs
			node.CostSpec{Profile: "round-100k", CommandTime: map[string]time.Duration{"set": us(5), "incr": us(55)}},
			[]workloads.Share{{Command: "set", Share: 0.9}, {Command: "incr", Share: 0.1}}, 0.9*0.25 + 0.1*30.25},
	}
}

// TestOpen sends a million commands as a Poisson process to one node, for each of
// three loads, and holds it against the oracle, to the nanosecond, and against
// theory. Seeds are fixed, so a tolerance of four standard errors never fails by
// chance from run to run; that it is small enough to fail otherwise is checked.
//
// What theory says of a thread that works in turns. Executions are those of any
// work-conserving server in order of arrival, so a command waits
// λE[S²]/2(1-ρ) for its execution (Pollaczek and Khinchine). But it leaves with
// its turn. Let T be the length of a turn. Of the turns, those that follow a turn
// of length T have Poisson(λT) commands, or one, after a pause, if that is 0. So
// E[N](1-ρ) = P(0) and, from the second moments, E[T²]/E[T] = E[S²]/E[S](1-ρ²):
// how often the thread pauses cancels out. With probability ρ a command meets a
// turn, of length T in proportion to T; half of it is left on average, and
// the next takes E[S](1 + λT). Together the mean stay is
//
//	E[S] + λE[S²]/2(1-ρ) × (1+2ρ)/(1+ρ)
//
// which is the wait of first come, first served, times something between 1
// and 1.5.
func TestOpen(t *testing.T) {
	long(t)
	for _, o := range openLoads() {
		for _, rho := range []float64{0.3, 0.6, 0.8} {
			t.Run(fmt.Sprintf("%s/load=%v", o.name, rho), func(t *testing.T) {
				t.Parallel()
				o.check(t, rho)
			})
		}
	}
}

const service = 10_000.0 // ns, of a command in openLoads, on average

func (o openLoad) check(t *testing.T, rho float64) {
	const operations = 1_000_000
	spec := workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000, Mix: o.mix, Rate: rho * 1e5}
	c := setup(t, 1, spec)
	costs, err := o.costs.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	c.Costs, c.Duration = costs, time.Duration(operations/spec.Rate*1e9)
	cl := New(c)
	d := keepDiary(cl)
	run(t, cl)

	comes := workloads.NewArrivals(spec, c.Seed, 0)
	arrivals := make([]sim.Time, d.wrote)
	for i := range arrivals {
		arrivals[i] = comes.Next().Add(oneWay)
	}
	for n, want := range served(arrivals, func(n int) time.Duration { return d.visits[n].work }) {
		if d.visits[n] != want {
			t.Fatalf("operation %d, due at %v: %+v, want %+v", n, arrivals[n], d.visits[n], want)
		}
	}

	wait := make([]float64, d.wrote) // for execution
	stay := make([]float64, d.wrote) // until the reply left
	for n, v := range d.visits[:d.wrote] {
		wait[n] = float64(v.done.Sub(arrivals[n]) - v.work)
		stay[n] = float64(v.left.Sub(arrivals[n]))
	}
	delay := rho * service * o.squared / 2 / (1 - rho)
	hold(t, "mean wait for execution", wait, delay, 0.04)
	hold(t, "mean stay", stay, service+delay*(1+2*rho)/(1+rho), 0.04)

	holdLittle(t, cl)

	// The thread's share of work is a mean of so many service times over a span
	// that Poisson arrivals make vary.
	busy := float64(cl.Nodes[0].Load().Busy) / float64(c.Duration)
	if se := rho * math.Sqrt(o.squared/operations); math.Abs(busy-rho) > 4*se {
		t.Errorf("busy for %.5f of the time, want %.5f ± 4 × %.5f", busy, rho, se)
	}
	switch o.name {
	case "M/M/1": // time until executed is exponential with rate μ-λ
		for n, v := range d.visits[:d.wrote] {
			wait[n] = float64(v.done.Sub(arrivals[n]))
		}
		holdTail(t, "time until executed", wait, func(x float64) float64 { return math.Exp(-x * (1 - rho) / service) })
	case "M/D/1":
		holdTail(t, "stay", stay, newTurns(rho).longer)
	}
}

// hold compares the mean of successive values with theory. Neighbours are not
// independent, so the standard error comes from the means of 50 batches, each far
// longer than the queue remembers (about 1/(1-√ρ)² services: 90 at a load of
// 0.8). most is the largest relative error that this may leave room for.
func hold(t *testing.T, what string, values []float64, want, most float64) {
	t.Helper()
	const batches = 50
	var mean, squares float64
	size := len(values) / batches
	for b := range batches {
		batch := sum(values[b*size:(b+1)*size]) / float64(size)
		mean += batch / batches
		squares += batch * batch / batches
	}
	se := math.Sqrt((squares - mean*mean) / (batches - 1))
	t.Logf("%s: %.5g, theory %.5g, standard error %.2g", what, mean, want, se)
	if math.Abs(mean-want) > 4*se {
		t.Errorf("%s: %.5g, theory says %.5g ± 4 × %.2g", what, mean, want, se)
	}
	if se > most*want {
		t.Errorf("%s: a standard error of %.2g says little about %.5g", what, se, want)
	}
}

func sum(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// holdTail compares how many values exceed the quantiles of a distribution with
// how many should.
func holdTail(t *testing.T, what string, values []float64, longer func(x float64) float64) {
	t.Helper()
	over := make([]float64, len(values))
	for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
		x := quantile(longer, p)
		for i, v := range values {
			over[i] = 0
			if v > x {
				over[i] = 1
			}
		}
		hold(t, fmt.Sprintf("%s: share above P%v, %.1f µs", what, 100*p, x/1e3), over, longer(x), 0.3)
	}
}

// quantile returns the least x, up to a second, that values exceed with
// probability 1-p at most.
func quantile(longer func(x float64) float64, p float64) float64 {
	low, high := 0.0, 1e9
	for range 60 {
		if middle := (low + high) / 2; longer(middle) > 1-p {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// holdLittle compares the number of operations under way with throughput times
// mean latency. They differ by what is under way at either end of the span.
func holdLittle(t *testing.T, cl *Cluster) {
	t.Helper()
	for i, r := range cl.Recorders {
		present := float64(r.Latency.Sum().Total()) / float64(r.To.Sub(r.From))
		if math.Abs(r.Present()/present-1) > 0.005 {
			t.Errorf("load %d: %.4f operations under way, %.4f by Little's law", i, r.Present(), present)
		}
	}
}

// think is the mean of the pause, exponentially distributed, that the workers of
// closed loads make.
const think = 200 * time.Microsecond

// holdClosed runs a closed load for about a quarter of a million operations and
// compares its throughput with theory's. Its standard error is at most that of
// so many exponential service times one after another, 0.2 %; 1 % is five times
// that.
func holdClosed(t *testing.T, c Config, want float64) {
	t.Helper()
	c.Warmup, c.Duration = 10*time.Millisecond, time.Duration(250_000/want*1e9)
	cl := New(c)
	run(t, cl)
	holdLittle(t, cl)
	got := float64(cl.Recorders[0].Latency.Count()) / c.Duration.Seconds()
	t.Logf("%.0f operations/s, theory %.0f", got, want)
	if math.Abs(got/want-1) > 0.01 {
		t.Errorf("%.0f operations/s, theory says %.0f", got, want)
	}
}

func closedSpec(workers int) workloads.Spec {
	return workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000, ValueSize: 40_000,
		Mix: []workloads.Share{{Command: "set", Share: 1}}, Workers: workers, Think: sim.Exponential(think)}
}

// TestClosedOneByOne holds closed loads on one and on three nodes, with
// exponential service, against exact mean value analysis. That wants each reply
// to leave when it is executed, which turns do not do: so all workers share one
// connection to each node, and a request of more than 32 KiB is read alone. Then
// a turn is one command.
func TestClosedOneByOne(t *testing.T) {
	long(t)
	for _, primaries := range []int{1, 3} {
		visits := make([]float64, primaries)
		for i := range 1000 {
			visits[slots.Even(primaries)[slots.Of(fmt.Sprintf("key:%d", i))]] += 1.0 / 1000
		}
		for _, workers := range []int{1, 5, 20, 100} {
			t.Run(fmt.Sprintf("nodes=%d/workers=%d", primaries, workers), func(t *testing.T) {
				c := setup(t, primaries, closedSpec(workers))
				c.Costs.Shape = sim.ShapeExponential
				c.Client.Pipelined, c.Client.Connections = true, 1
				holdClosed(t, c, meanValues(workers, visits))
			})
		}
	}
}

// meanValues returns the throughput, per second, of customers that go from a
// delay to one of several exponential stations and back: an arriving customer
// sees the stations as if it were not there (Reiser and Lavenberg, "Mean-value
// analysis of closed multichain queuing networks", 1980).
func meanValues(customers int, visits []float64) (throughput float64) {
	present := make([]float64, len(visits))
	stay := make([]float64, len(visits))
	for n := 1; n <= customers; n++ {
		cycle := float64(think + 2*oneWay)
		for k, v := range visits {
			stay[k] = v * service * (1 + present[k])
			cycle += stay[k]
		}
		throughput = float64(n) / cycle
		for k := range visits {
			present[k] = throughput * stay[k]
		}
	}
	return throughput * 1e9
}

// TestClosedTurns holds a closed load on one node that serves its connections in
// turns, as nodes do, against the chain of its turns: replies that wait for the
// turn's end keep their workers from thinking, so mean value analysis would
// promise too much. Without a network, each of the workers that are not in a turn
// of n commands, of constant length, joins the next with the same probability.
func TestClosedTurns(t *testing.T) {
	long(t)
	for _, workers := range []int{1, 5, 20, 100} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			c := setup(t, 1, closedSpec(workers))
			c.Network.OneWay = sim.Constant(0)
			holdClosed(t, c, closedTurns(workers))
		})
	}
}
