package network

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/wire"
)

const ms = sim.Time(time.Millisecond)

// calm is a network in which everything takes 100 µs.
func calm() *rig { return newRig(Config{OneWay: sim.Constant(100 * time.Microsecond)}) }

// nodes is a side of nodes, and apart the cut between nodes 0 and 1.
func nodes(numbers ...int) Side {
	s := Side{Nodes: make([]bool, 2)}
	for _, i := range numbers {
		s.Nodes[i] = true
	}
	return s
}

func apart() Fault { return Fault{A: nodes(0), B: nodes(1), Cut: true} }

// at does something at an instant.
func (r *rig) at(at sim.Time, do func()) {
	r.sched.Run(at)
	do()
}

// packet sends packet number n on a link, or back on it.
func (r *rig) packet(depart sim.Time, from, to sim.ActorID, generation uint8, flags wire.Flags, n int) {
	ref, m := r.sched.New()
	*m = wire.Message{ID: wire.NewOpID(63, uint64(n)), From: from, Owner: ownerOf(to), Conn: uint32(generation),
		Flags: flags, Call: uint32(n), Value: 2256}
	r.Bus(depart, ref, m)
}

// kinds replaces the notes of a rig by what kinds of letters came when.
func (r *rig) kinds() {
	names := map[wire.Kind]string{wire.Accept: "accept", wire.Opened: "opened", wire.Refused: "refused",
		wire.Closed: "closed", wire.Bus: "packet", wire.Room: "room"}
	r.sched.Trace = func(at sim.Time, to sim.ActorID, m *wire.Message) {
		if name, ok := names[m.Kind]; ok && int(to) < 2 {
			r.log = append(r.log, fmt.Sprintf("%s at node %d at %v", name, to, at))
		}
	}
}

func (r *rig) told(t *testing.T, until sim.Time, want ...string) {
	t.Helper()
	r.sched.Run(until)
	got := slices.DeleteFunc(r.log, func(s string) bool { return s[:4] == "node" })
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.log = nil
}

// A link is there when the other end's kernel has answered; who accepts it need
// not do anything. What is sent on it before waits.
func TestLinkOpens(t *testing.T) {
	r := calm()
	r.kinds()
	r.Open(1*ms, 0, 1, 7, 1)
	r.packet(1*ms, 0, 1, 7, 0, 1)
	r.told(t, 5*ms, "accept at node 1 at 1.1ms", "opened at node 0 at 1.2ms")
	if !r.Established(5*ms, &wire.Message{From: 0, Owner: 1, Conn: 7}) {
		t.Error("the link is not wanted any more")
	}
	r.told(t, 10*ms, "packet at node 1 at 5.1ms")
	r.packet(10*ms, 1, 0, 7, wire.Back, 2)
	r.packet(10*ms, 0, 1, 6, 0, 3) // of a link that is gone
	r.told(t, 20*ms, "packet at node 0 at 10.1ms")
	r.Close(0, 1)
	r.packet(20*ms, 1, 0, 7, wire.Back, 4)
	r.told(t, 30*ms)
}

// Nobody listens where a process is dead; from a host that is gone or cut off
// nothing comes, and the SYN is sent again after 1, 3, 7 and 15 s.
func TestLinkDoesNotOpen(t *testing.T) {
	r := calm()
	r.kinds()
	r.Died(0, 1)
	r.Open(0, 0, 1, 1, 1)
	r.told(t, 10*ms, "refused at node 0 at 200µs")
	r.Started(1)
	for _, tt := range []struct{ lift, accept sim.Time }{
		{500 * ms, 1000 * ms}, {1500 * ms, 3000 * ms}, {3001 * ms, 7000 * ms}, {14999 * ms, 15000 * ms},
	} {
		began := r.sched.Now()
		cut := r.Impose(apart())
		r.Open(began, 0, 1, 2, 2)
		r.packet(began, 0, 1, 2, 0, 1)
		r.at(began+tt.lift, func() { r.Lift(cut) })
		r.told(t, began+20000*ms, fmt.Sprintf("accept at node 1 at %v", began+tt.accept+100*us),
			fmt.Sprintf("opened at node 0 at %v", began+tt.accept+200*us))
		r.Close(0, 1)
	}
	cut := r.Impose(apart())
	began := r.sched.Now()
	r.Open(began, 0, 1, 3, 3)
	r.told(t, began+200_000*ms, fmt.Sprintf("refused at node 0 at %v", began+127_000*ms))
	r.Lift(cut)
}

// A process that dies takes its connections with it: those who had links to it
// learn of it, who were just connecting too.
func TestDeathClosesLinks(t *testing.T) {
	r := calm()
	r.kinds()
	r.Linked(0, 1, 5)
	r.at(1*ms, func() { r.Died(1*ms, 1) })
	r.told(t, 2*ms, "closed at node 0 at 1.1ms")
	r.Started(1)
	r.Open(2*ms, 0, 1, 6, 1)
	r.at(2*ms+150*us, func() { r.Died(r.sched.Now(), 1) })
	r.told(t, 3*ms, "accept at node 1 at 2.1ms", "opened at node 0 at 2.2ms", "closed at node 0 at 2.25ms")
}

// What cannot get through is sent again after 200, 600, 1400, 3000 ms, and all
// that follows on the same connection waits behind it.
func TestRetransmission(t *testing.T) {
	for _, tt := range []struct{ lift, again sim.Time }{
		{50 * ms, 200 * ms}, {300 * ms, 600 * ms}, {601 * ms, 1400 * ms}, {2 * 1000 * ms, 3000 * ms},
	} {
		r := calm()
		r.kinds()
		r.Linked(0, 1, 5)
		r.Linked(1, 0, 9)
		cut := r.Impose(apart())
		r.packet(0, 0, 1, 5, 0, 1)
		r.at(20*ms, func() { r.packet(20*ms, 0, 1, 5, 0, 2) })
		r.at(tt.lift, func() {
			r.Lift(cut)
			r.packet(tt.lift, 0, 1, 5, 0, 3)
			r.packet(tt.lift, 0, 1, 9, wire.Back, 4) // on another connection
		})
		want := fmt.Sprintf("packet at node 1 at %v", tt.again+100*us)
		r.told(t, 10_000*ms, fmt.Sprintf("packet at node 1 at %v", tt.lift+100*us), want, want, want)
		if !r.Whole() || r.sched.InUse() != 0 {
			t.Errorf("whole: %v, %d letters are in use", r.Whole(), r.sched.InUse())
		}
	}
}

// A packet whose link is closed meanwhile is not sent again.
func TestClosedLinkForgets(t *testing.T) {
	r := calm()
	r.kinds()
	r.Linked(0, 1, 5)
	cut := r.Impose(apart())
	dropped := new(drops)
	r.Tell(dropped)
	r.packet(0, 0, 1, 5, 0, 1)
	r.at(100*ms, func() { r.Close(0, 1); r.Lift(cut) })
	r.told(t, 1000*ms)
	if *dropped != 1 || r.sched.InUse() != 0 {
		t.Errorf("%d are dropped, %d letters in use", *dropped, r.sched.InUse())
	}
}

type drops int

func (d *drops) Undelivered(*wire.Message) { *d++ }

// A fault concerns what it says: one way or both, the bus or everything, these
// hosts and no others.
func TestFaultsConcernSomeOnly(t *testing.T) {
	client := Side{Processes: []bool{true}}
	for _, tt := range []struct {
		about string
		fault Fault
		want  []string
	}{
		{"both ways", apart(), []string{"request"}},
		{"one way", Fault{A: nodes(0), B: nodes(1), Cut: true, OneWay: true}, []string{"request", "1 to 0"}},
		{"the other way", Fault{A: nodes(1), B: nodes(0), Cut: true, OneWay: true}, []string{"request", "0 to 1"}},
		{"the bus", Fault{A: nodes(1), B: Side{Nodes: []bool{true}, Processes: []bool{true, true}}, Cut: true,
			BusOnly: true}, []string{"request"}},
		{"a process", Fault{A: nodes(1), B: client, Cut: true}, []string{"0 to 1", "1 to 0"}},
	} {
		r := calm()
		r.Linked(0, 1, 5)
		r.Linked(1, 0, 6)
		r.Impose(tt.fault)
		r.packet(0, 0, 1, 5, 0, 1)
		r.packet(0, 1, 0, 6, 0, 2)
		r.request(0, 1, 0, 3)
		r.sched.Run(150 * ms)
		var got []string
		for _, n := range r.calls {
			got = append(got, []string{"", "0 to 1", "1 to 0", "request"}[n])
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q gets through, want %q", tt.about, got, tt.want)
		}
	}
}

// A slow link adds to each way, whatever it is that travels.
func TestSlowLink(t *testing.T) {
	r := calm()
	r.Linked(0, 1, 5)
	others := Side{Nodes: []bool{false, true}, Processes: []bool{true, true}}
	r.Impose(Fault{A: nodes(0), B: others, Latency: time.Millisecond})
	r.packet(0, 0, 1, 5, 0, 1)
	r.request(0, 0, 0, 2)
	r.request(0, 1, 0, 3)
	r.check(t, "node 1: 3 at 100µs", "node 1: 1 at 1.1ms", "node 0: 2 at 1.1ms")
}

// Of what is lost, a share as large as was asked for is late, by 200 ms the first
// time; and nothing overtakes on its connection.
func TestLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := calm()
		r.Linked(0, 1, 5)
		r.Impose(Fault{A: nodes(0), B: nodes(1), Loss: 0.3})
		for n := range 200 {
			r.at(sim.Time(n)*1000*ms, func() { r.packet(r.sched.Now(), 0, 1, 5, 0, n) })
		}
		first := rapid.IntRange(0, 1000).Draw(t, "first")
		for n := range 20 { // closer than the timer
			r.at(200_000*ms+sim.Time(n*10)*ms, func() { r.packet(r.sched.Now(), 0, 1, 5, 0, 1000+first*100+n) })
		}
		r.sched.Run(1_000_000 * ms)
		if !slices.IsSorted(r.calls) || len(r.calls) != 220 {
			t.Fatalf("%d arrive, in another order: %v", len(r.calls), r.calls)
		}
	})
}

// Zones have latencies of their own.
func TestZones(t *testing.T) {
	near, far := sim.Constant(10*time.Microsecond), sim.Constant(time.Millisecond)
	r := newRig(Config{Zones: [][]sim.Distribution{{near, far}, {sim.Constant(2 * time.Millisecond), near}}})
	r.Place([]uint8{0, 1}, []uint8{0, 1})
	r.request(0, 0, 0, 1)
	r.request(0, 1, 0, 2)
	r.request(0, 0, 1, 3)
	r.request(0, 1, 1, 4)
	r.check(t, "node 0: 1 at 10µs", "node 1: 4 at 10µs", "node 1: 2 at 1ms", "node 0: 3 at 2ms")
}

// The two ends' kernels take ten megabytes that are not read; the writer is told
// when half of them are.
func TestSocketTakesSoMuch(t *testing.T) {
	r := calm()
	r.kinds()
	r.Join(1, 0, 1)
	taken := int64(0)
	for r.Fits(1, 1<<20) {
		taken += 1 << 20
	}
	if taken != socketBytes {
		t.Errorf("it takes %d", taken)
	}
	r.Read(5*ms, 1, 4<<20)
	r.told(t, 10*ms)
	r.Read(10*ms, 1, 1<<20)
	r.told(t, 20*ms, "room at node 0 at 10ms")
}

// A request that reaches a host which has vanished is sent again, and answered by
// whoever is there then.
func TestBounce(t *testing.T) {
	r := calm()
	r.at(1*ms, func() { r.Vanished(1) })
	ref, m := r.letter(4, 0)
	m.Kind = wire.Request
	r.Bounce(1*ms, 1, ref, m)
	r.at(300*ms, func() { r.Started(1) })
	r.check(t, "node 1: 4 at 601.1ms")
}
