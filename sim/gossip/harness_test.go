package gossip

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A world is States and a bus between them that takes a fixed time.
type world struct {
	env    *Env
	nodes  []*State
	facts  []Facts
	down   []bool
	cut    func(a, b slots.Owner) bool
	delay  time.Duration
	queue  happenings
	now    sim.Time
	order  uint64
	out    Out
	events []wire.Event
	acts   []Act
	ticks  sim.Stream
	ticked []uint64
	bytes  int64
}

type happening struct {
	at    sim.Time
	order uint64
	do    func()
}

type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].order < h[j].order
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)   { *h = append(*h, x.(happening)) }
func (h *happenings) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// newWorld returns a cluster of primaries with replicas, that starts whole.
func newWorld(t testing.TB, version string, seed uint64, primaries, replicas int, c Config) *world {
	rules, _, ok := Version(version)
	if !ok {
		t.Fatalf("no version is called %q", version)
	}
	n := primaries * (1 + replicas)
	w := &world{env: &Env{Config: c, Rules: rules, Seed: seed}, facts: make([]Facts, n), down: make([]bool, n),
		cut: func(a, b slots.Owner) bool { return false }, delay: 100 * time.Microsecond,
		ticks: sim.NewStream(seed, "test/ticks"), ticked: make([]uint64, n)}
	layout := &Layout{Slots: slots.Even(primaries), Epochs: make([]uint64, n)}
	for i := range n {
		var name Name
		binary.BigEndian.PutUint64(name.ID[:], sim.NewStream(seed, "test/ids").At(uint64(i)))
		w.env.Names = append(w.env.Names, name)
		of := slots.Owner(i)
		if i >= primaries {
			of = slots.Owner((i - primaries) / replicas)
		} else {
			layout.Epochs[i] = uint64(i) + 1
		}
		layout.PrimaryOf = append(layout.PrimaryOf, of)
		w.facts[i] = Facts{LinkUp: i >= primaries}
	}
	for i := range n {
		w.nodes = append(w.nodes, New(w.env, slots.Owner(i), layout))
		phase := time.Duration(sim.Below(w.ticks.Sub(i).At(0), int(100*time.Millisecond)))
		w.after(phase, func() { w.tick(i) })
	}
	return w
}

func (w *world) after(d time.Duration, do func()) {
	w.order++
	heap.Push(&w.queue, happening{w.now.Add(d), w.order, do})
}

func (w *world) run(until time.Duration) {
	for len(w.queue) > 0 && w.queue[0].at <= sim.Time(until) {
		h := heap.Pop(&w.queue).(happening)
		w.now = h.at
		h.do()
	}
	w.now = sim.Time(until)
}

// tick is a cron that drifts by half a millisecond or so, as Redis's does.
func (w *world) tick(i int) {
	w.ticked[i]++
	drift := sim.Below(w.ticks.Sub(i).At(w.ticked[i]), int(1160*time.Microsecond))
	w.after(100*time.Millisecond+time.Duration(drift), func() { w.tick(i) })
	if !w.down[i] {
		w.call(i, func(out *Out) { w.nodes[i].Tick(w.now, w.fact(i), out) })
	}
}

func (w *world) fact(i int) *Facts {
	f := &w.facts[i]
	if f.LinkUp {
		if of := w.nodes[i].PrimaryOf(slots.Owner(i)); of != slots.None && !w.down[of] && !w.cut(of, slots.Owner(i)) {
			f.LastIO = w.now
		}
	}
	return f
}

// call lets a node do something, and carries out what it wants.
func (w *world) call(i int, do func(*Out)) {
	w.out.Reset()
	do(&w.out)
	for n := 0; w.nodes[i].Pending() && n < 3; n++ {
		w.nodes[i].BeforeSleep(w.now, w.fact(i), &w.out)
	}
	w.events = append(w.events, w.out.Events...)
	from := slots.Owner(i)
	for _, a := range w.out.Acts {
		w.acts = append(w.acts, a)
		if a.Kind == Connect {
			w.connect(from, a)
		}
	}
	for _, o := range w.out.Send {
		w.bytes += w.env.Bytes(o.Packet)
		w.after(w.delay, func() {
			if !w.down[o.To] && !w.cut(from, o.To) {
				w.call(int(o.To), func(out *Out) {
					w.nodes[o.To].Receive(w.now, o.Packet, o.Link, o.Back, w.fact(int(o.To)), out)
				})
			}
			w.env.Release(o.Packet)
		})
	}
}

func (w *world) connect(from slots.Owner, a Act) {
	switch {
	case w.cut(from, a.Node):
	case w.down[a.Node]:
		w.after(2*w.delay, func() {
			w.call(int(from), func(out *Out) { w.nodes[from].Refused(w.now, a.Node, a.Link, out) })
		})
	default:
		w.after(2*w.delay, func() {
			w.call(int(from), func(out *Out) { w.nodes[from].Connected(w.now, a.Node, a.Link, w.fact(int(from)), out) })
		})
	}
}

// kill ends a process: its links are reset.
func (w *world) kill(i int) {
	w.down[i] = true
	for j := range w.nodes {
		if j != i && !w.down[j] {
			w.call(j, func(out *Out) { w.nodes[j].Closed(w.now, slots.Owner(i), out) })
		}
	}
}

func (w *world) first(kind wire.EventKind, node int) (wire.Event, bool) {
	for _, e := range w.events {
		if e.Kind == kind && (node < 0 || int(e.Node) == node) {
			return e, true
		}
	}
	return wire.Event{}, false
}

func config(timeout time.Duration) Config {
	c := DefaultConfig()
	c.NodeTimeout = timeout
	return c
}

func TestRates(t *testing.T) {
	for _, tt := range []struct {
		timeout time.Duration
		want    float64
	}{{time.Second, 9.73}, {2 * time.Second, 4.93}, {5 * time.Second, 1.74}} {
		w := newWorld(t, "redis-7.0", 1, 3, 1, config(tt.timeout))
		w.run(300 * time.Second)
		sent := uint64(0)
		for _, n := range w.nodes {
			sent += n.Sent[Ping]
		}
		got := float64(sent) / 300 / 6
		if got < 0.95*tt.want || got > 1.05*tt.want {
			t.Errorf("at a node timeout of %v a node sends %.3f pings a second; measured were %.2f",
				tt.timeout, got, tt.want)
		}
	}
}

func TestFailover(t *testing.T) {
	for seed := range uint64(5) {
		w := newWorld(t, "redis-7.0", seed, 3, 1, config(2*time.Second))
		w.run(10 * time.Second)
		w.kill(0)
		w.run(30 * time.Second)
		for _, e := range w.events {
			if e.At < sim.Time(20*time.Second) && seed == 0 {
				t.Log(e.At, e.Kind, e.Node, e.About, e.Reason, e.A, e.B, e.C)
			}
		}
		if e, ok := w.first(wire.EventElectionWon, 3); !ok {
			t.Errorf("seed %d: nobody is elected", seed)
		} else if d := e.At.Sub(sim.Time(10 * time.Second)); d < 2500*time.Millisecond || d > 5*time.Second {
			t.Errorf("seed %d: elected after %v", seed, d)
		}
	}
}

func BenchmarkIdle(b *testing.B) {
	for _, n := range []int{500, 1000} {
		b.Run(fmt.Sprint(2*n), func(b *testing.B) {
			w := newWorld(b, "redis-7.2", 1, n, 1, config(15*time.Second))
			w.run(20 * time.Second)
			b.ResetTimer()
			for i := range b.N {
				w.run(time.Duration(21+i) * time.Second)
			}
			sent := uint64(0)
			for _, n := range w.nodes {
				sent += n.Sent[Ping]
			}
			b.ReportMetric(float64(sent)/float64(20+b.N)/float64(2*n), "pings/s/node")
		})
	}
}
