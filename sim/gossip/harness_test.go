package gossip

import (
	"encoding/binary"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A world is States and a bus between them that takes a fixed time. Links are in
// order; what a cut keeps back arrives when it heals, if the link is still there.
type world struct {
	env    *Env
	nodes  []*State
	facts  []Facts
	down   []bool
	lost   []bool // the host is gone: nobody refuses
	frozen []bool
	inbox  [][]event // of frozen nodes
	side   []int     // nodes on different sides of a cut do not hear each other
	held   []event
	delay  time.Duration
	queue  []event // a heap
	now    sim.Time
	order  uint64
	out    Out
	events []wire.Event
	acts   []Act
	ticks  sim.Stream
	ticked []uint64
	bytes  int64
	dials  int
}

// event is something that is due: a tick, a turn's end, a packet or the answer to
// an attempt to connect.
type event struct {
	at     sim.Time
	order  uint64
	kind   eventKind
	from   slots.Owner
	to     slots.Owner
	link   uint8
	back   bool
	packet *Packet
}

type eventKind uint8

const (
	tick eventKind = iota
	turn
	arrive
	dial
	connected
	refused
	closed
)

// failer is what a test and a check of rapid have in common.
type failer interface {
	Fatalf(format string, args ...any)
}

// newWorld returns a cluster of primaries with replicas, that starts whole, and
// spare nodes that are not in it.
func newWorld(t failer, version string, seed uint64, primaries, replicas, spare int, c Config) *world {
	rules, _, ok := Version(version)
	if !ok {
		t.Fatalf("no version is called %q", version)
	}
	n := primaries*(1+replicas) + spare
	w := &world{env: &Env{Config: c, Rules: rules, Seed: seed}, facts: make([]Facts, n), down: make([]bool, n),
		lost: make([]bool, n), frozen: make([]bool, n), inbox: make([][]event, n), side: make([]int, n),
		delay: 100 * time.Microsecond, ticks: sim.NewStream(seed, "test/ticks"), ticked: make([]uint64, n)}
	layout := &Layout{Slots: slots.Even(primaries), Epochs: make([]uint64, n)}
	for i := range n {
		var name Name
		binary.BigEndian.PutUint64(name.ID[:], sim.NewStream(seed, "test/ids").At(uint64(i)))
		name.Host, name.Port = "127.0.0.1", 7000+i
		w.env.Names = append(w.env.Names, name)
		of := slots.Owner(i)
		switch {
		case i < primaries:
			layout.Epochs[i] = uint64(i) + 1
		case i < n-spare:
			of = slots.Owner((i - primaries) / replicas)
		default:
			of = slots.None
		}
		layout.PrimaryOf = append(layout.PrimaryOf, of)
		w.facts[i].LinkUp = i >= primaries && i < n-spare
	}
	for i := range n {
		w.nodes = append(w.nodes, New(w.env, slots.Owner(i), layout))
		phase := time.Duration(sim.Below(w.ticks.Sub(i).At(0), int(100*time.Millisecond)))
		w.after(phase, event{kind: tick, to: slots.Owner(i)})
	}
	return w
}

func (w *world) after(d time.Duration, e event) {
	w.order++
	e.at, e.order = w.now.Add(d), w.order
	w.queue = append(w.queue, e)
	for i := len(w.queue) - 1; i > 0; {
		up := (i - 1) / 2
		if !w.queue[i].before(&w.queue[up]) {
			break
		}
		w.queue[i], w.queue[up] = w.queue[up], w.queue[i]
		i = up
	}
}

func (e *event) before(o *event) bool { return e.at < o.at || e.at == o.at && e.order < o.order }

func (w *world) pop() event {
	q := w.queue
	first, last := q[0], len(q)-1
	q[0] = q[last]
	w.queue = q[:last]
	q = w.queue
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(q) {
			return first
		}
		if down+1 < len(q) && q[down+1].before(&q[down]) {
			down++
		}
		if !q[down].before(&q[i]) {
			return first
		}
		q[i], q[down] = q[down], q[i]
		i = down
	}
}

// run goes on until an instant.
func (w *world) run(until time.Duration) {
	for len(w.queue) > 0 && w.queue[0].at <= sim.Time(until) {
		e := w.pop()
		w.now = e.at
		w.handle(e)
	}
	w.now = sim.Time(until)
}

func (w *world) handle(e event) {
	to := e.to
	if e.kind == tick { // a cron that drifts by half a millisecond or so, as Redis's does
		w.ticked[to]++
		drift := sim.Below(w.ticks.Sub(int(to)).At(w.ticked[to]), int(1160*time.Microsecond))
		w.after(100*time.Millisecond+time.Duration(drift), e)
	}
	switch {
	case w.down[to] && e.kind != dial:
		if e.kind == arrive {
			w.env.Release(e.packet)
		}
	case e.kind >= arrive && e.kind != refused && w.side[e.from] != w.side[to]:
		w.held = append(w.held, e)
	case w.frozen[to]:
		if e.kind != tick {
			w.inbox[to] = append(w.inbox[to], e)
		}
	default:
		w.deliver(e)
	}
}

// deliver has a node take what is for it.
func (w *world) deliver(e event) {
	s := w.nodes[e.to]
	switch e.kind {
	case tick:
		w.call(e.to, func(f *Facts, out *Out) { s.Tick(w.now, f, out) })
	case turn:
		if s.Pending() {
			w.call(e.to, func(*Facts, *Out) {})
		}
	case arrive:
		if w.isLinked(e) {
			w.call(e.to, func(f *Facts, out *Out) { s.Receive(w.now, e.packet, e.link, e.back, f, out) })
		}
		w.env.Release(e.packet)
	case dial:
		if gen, there := w.nodes[e.from].Link(e.to); !there || gen != e.link || w.down[e.from] {
			return
		}
		answer := connected
		if w.down[e.to] {
			answer = refused
		}
		if w.lost[e.to] {
			w.after(time.Second, e) // the kernel asks again
		} else {
			w.after(w.delay, event{kind: answer, from: e.to, to: e.from, link: e.link})
		}
	case connected:
		w.call(e.to, func(f *Facts, out *Out) { s.Connected(w.now, e.from, e.link, f, out) })
	case closed:
		w.call(e.to, func(f *Facts, out *Out) { s.Closed(w.now, e.from, out) })
	case refused:
		w.call(e.to, func(f *Facts, out *Out) { s.Refused(w.now, e.from, e.link, out) })
	}
}

// isLinked reports whether the link that a packet has come on is still there.
func (w *world) isLinked(e event) bool {
	of, peer := e.from, e.to
	if e.back {
		of, peer = e.to, e.from
	}
	gen, there := w.nodes[of].Link(peer)
	return there && gen == e.link && !w.down[of]
}

// call lets a node do something, ends its turn, and carries out what it wants.
func (w *world) call(i slots.Owner, do func(*Facts, *Out)) {
	s, f := w.nodes[i], &w.facts[i]
	if f.LinkUp {
		if of := s.PrimaryOf(i); of != slots.None && !w.down[of] && !w.frozen[of] && w.side[of] == w.side[i] {
			f.LastIO = w.now
		}
	}
	w.out.Reset()
	do(f, &w.out)
	if s.Pending() {
		s.BeforeSleep(w.now, f, &w.out)
		if s.Pending() && len(w.out.Send) > 0 {
			w.after(10*time.Microsecond, event{kind: turn, to: i}) // a writable socket wakes the thread
		}
	}
	w.events = append(w.events, w.out.Events...)
	for _, a := range w.out.Acts {
		w.acts = append(w.acts, a)
		switch a.Kind {
		case Connect:
			w.dials++
			w.after(w.delay, event{kind: dial, from: i, to: a.Node, link: a.Link})
		case CloseInbound:
			w.after(w.delay, event{kind: closed, from: i, to: a.Node})
		case Promote:
			f.LinkUp = false
		case Follow:
			f.LinkUp, f.LastIO = true, w.now
			f.Offset = w.facts[a.Node].Offset
		}
	}
	for _, o := range w.out.Send {
		w.bytes += w.env.Bytes(o.Packet)
		w.after(w.delay, event{kind: arrive, from: i, to: o.To, link: o.Link, back: o.Back, packet: o.Packet})
	}
}

// kill ends a process: its links are reset.
func (w *world) kill(i int) {
	w.down[i], w.frozen[i] = true, false
	w.inbox[i] = nil
	for j := range w.nodes {
		if j != i && !w.down[j] {
			w.call(slots.Owner(j), func(f *Facts, out *Out) { w.nodes[j].Closed(w.now, slots.Owner(i), out) })
		}
	}
}

// lose ends a host: nothing is heard of it any more.
func (w *world) lose(i int) { w.down[i], w.lost[i], w.frozen[i], w.inbox[i] = true, true, false, nil }

// restart starts a process with the configuration file that it had.
func (w *world) restart(i int) {
	w.down[i], w.lost[i], w.frozen[i] = false, false, false
	w.facts[i].LinkUp = false
	w.call(slots.Owner(i), func(f *Facts, out *Out) { w.nodes[i].Restart(w.now, out) })
}

// thaw lets a frozen process go on with what has come meanwhile.
func (w *world) thaw(i int) {
	w.frozen[i] = false
	inbox := w.inbox[i]
	w.inbox[i] = nil
	for _, e := range inbox {
		w.deliver(e)
	}
}

// cut keeps nodes from all others.
func (w *world) cut(nodes ...int) {
	for _, i := range nodes {
		w.side[i] = 1
	}
}

// heal ends cuts: what was kept back arrives.
func (w *world) heal() {
	clear(w.side)
	held := w.held
	w.held = nil
	for _, e := range held {
		e.at = w.now
		w.after(w.delay, e)
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

func (w *world) sent(t Type) (n uint64) {
	for _, s := range w.nodes {
		n += s.Sent[t]
	}
	return n
}

func config(timeout time.Duration) Config {
	c := DefaultConfig()
	c.NodeTimeout = timeout
	return c
}
