package network

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/wire"
)

const us = sim.Time(time.Microsecond)

// A rig is a network of two nodes and two client processes that note what
// reaches them, as "node 0: 3 at 100µs" for the message with Call 3.
type rig struct {
	*Network
	sched *sim.Scheduler[wire.Message]
	early bool // the client takes messages when they are sent
	log   []string
	calls []uint32 // in the order of log
	last  sim.Time // in log
}

func newRig(c Config) *rig {
	r := &rig{sched: sim.NewScheduler[wire.Message]()}
	for id := range sim.ActorID(3) {
		r.sched.Register(end{r, id})
	}
	r.Network = New(r.sched, c, 1, 2, 2)
	r.Connect(2, r)
	return r
}

// Early implements Early.
func (r *rig) Early(arrival sim.Time, m *wire.Message) bool {
	if r.early {
		r.note("early", arrival, m)
	}
	return r.early
}

func (r *rig) note(where string, at sim.Time, m *wire.Message) {
	r.log = append(r.log, fmt.Sprintf("%s: %d at %v", where, m.Call, at))
	r.calls, r.last = append(r.calls, m.Call), at
}

// An end of the network.
type end struct {
	*rig
	id sim.ActorID
}

// Wake notes what has arrived.
func (e end) Wake(sim.Time) {
	for ref, m, due := e.sched.Take(e.id); m != nil; ref, m, due = e.sched.Take(e.id) {
		e.note([]string{"node 0", "node 1", "client"}[e.id], due, m)
		e.sched.Free(ref)
	}
}

// letter returns a request that is numbered and 40 bytes long, or longer by a
// value; its reply, without a header of 7 bytes, is as long as the value.
func (r *rig) letter(n int, value int) (sim.Ref, *wire.Message) {
	ref, m := r.sched.New()
	*m = wire.Message{ID: wire.NewOpID(0, uint64(n)), Call: uint32(n), Keys: 1, Command: wire.GET}
	if value > 0 {
		m.Value = uint32(value - 7)
	}
	return ref, m
}

func (r *rig) request(depart sim.Time, node sim.ActorID, process uint16, n int) {
	ref, m := r.letter(n, 0)
	m.Process = process
	r.ToNode(depart, node, ref, m)
}

func (r *rig) reply(depart sim.Time, node sim.ActorID, process uint16, n, bytes int) {
	ref, m := r.letter(n, bytes)
	m.Kind, m.Process = wire.Reply, process
	r.ToClient(depart, node, ref, m, m.Bytes())
}

func (r *rig) check(t *testing.T, want ...string) {
	t.Helper()
	r.sched.Run(sim.Time(time.Second))
	if !slices.Equal(r.log, want) {
		t.Errorf("%q, want %q", r.log, want)
	}
	if n := r.sched.InUse(); n != 0 {
		t.Errorf("%d letters are in use", n)
	}
}

func TestLatency(t *testing.T) {
	r := newRig(Config{OneWay: sim.Constant(100 * time.Microsecond)})
	r.request(5*us, 0, 0, 1)
	r.reply(7*us, 1, 0, 2, 1<<30)
	ref, m := r.letter(3, 0)
	r.Stream(9*us, 0, 1, ref, m)
	r.check(t, "node 0: 1 at 105µs", "client: 2 at 107µs", "node 1: 3 at 109µs")
}

func TestMessagesSayWhereTheyAreFrom(t *testing.T) {
	r := newRig(Config{})
	for _, tt := range []struct {
		send func(ref sim.Ref, m *wire.Message)
		from sim.ActorID
		kind wire.Kind
		sent sim.Time
	}{
		{func(ref sim.Ref, m *wire.Message) { r.ToNode(5, 0, ref, m) }, 2, wire.Request, 5},
		{func(ref sim.Ref, m *wire.Message) { m.Kind = wire.Reply; r.ToClient(6, 1, ref, m, 5) }, 1, wire.Reply, 0},
		{func(ref sim.Ref, m *wire.Message) { r.Stream(7, 0, 1, ref, m) }, 0, wire.Replicate, 0},
	} {
		ref, m := r.letter(0, 0)
		tt.send(ref, m)
		if m.From != tt.from || m.Kind != tt.kind || m.Sent != tt.sent {
			t.Errorf("from %d, kind %d, sent at %v; want %d, %d, %v", m.From, m.Kind, m.Sent, tt.from, tt.kind, tt.sent)
		}
	}
}

// A request of 40 bytes takes a card of 1 MB/s 40 µs. What is sent while it is
// received costs no time of its own: the slower of the two cards counts.
func TestBandwidth(t *testing.T) {
	for _, tt := range []struct {
		about        string
		client, node int64
		want         []string
	}{
		{"no limit", 0, 0, []string{"node 0: 1 at 100µs", "node 0: 2 at 100µs", "node 0: 3 at 100µs", "node 1: 4 at 100µs"}},
		{"the sender's card", 1e6, 0, []string{"node 0: 1 at 140µs", "node 0: 3 at 140µs", "node 0: 2 at 180µs", "node 1: 4 at 180µs"}},
		{"the receiver's card", 0, 1e6, []string{"node 0: 1 at 140µs", "node 1: 4 at 140µs", "node 0: 2 at 180µs", "node 0: 3 at 220µs"}},
		{"both", 1e6, 1e6, []string{"node 0: 1 at 140µs", "node 0: 2 at 180µs", "node 1: 4 at 180µs", "node 0: 3 at 220µs"}},
		{"a faster receiver", 1e6, 2e6, []string{"node 0: 1 at 140µs", "node 0: 3 at 140µs", "node 0: 2 at 180µs", "node 1: 4 at 180µs"}},
		{"a slower receiver", 1e6, 5e5, []string{"node 0: 1 at 180µs", "node 1: 4 at 220µs", "node 0: 2 at 260µs", "node 0: 3 at 340µs"}},
	} {
		t.Run(tt.about, func(t *testing.T) {
			r := newRig(Config{OneWay: sim.Constant(100 * time.Microsecond),
				ClientBandwidth: tt.client, NodeBandwidth: tt.node})
			r.request(0, 0, 0, 1)
			r.request(0, 0, 0, 2)
			r.request(0, 0, 1, 3)
			r.request(0, 1, 1, 4)
			r.check(t, tt.want...)
		})
	}
}

// A reply of 1 MB keeps a card of 100 MB/s busy for 10 ms. A small one behind it
// waits, to whichever process it goes; one from another node does not.
func TestLargeReplyBlocksSmallOne(t *testing.T) {
	r := newRig(Config{OneWay: sim.Constant(100 * time.Microsecond), NodeBandwidth: 1e8})
	r.reply(0, 0, 0, 1, 1_000_000)
	r.reply(0, 0, 1, 2, 100)
	r.reply(0, 1, 1, 3, 100)
	r.check(t, "client: 3 at 101µs", "client: 1 at 10.1ms", "client: 2 at 10.101ms")
	if out, in := r.Busy(0); out != 10_001*time.Microsecond || in != 0 {
		t.Errorf("the card was sending for %v and receiving for %v", out, in)
	}
}

// Part of a reply that is still incomplete takes its time, too; what has left
// before does not delay what leaves later.
func TestPart(t *testing.T) {
	r := newRig(Config{NodeBandwidth: 1e8})
	r.Part(10*us, 0, &wire.Message{Kind: wire.Reply}, 1000)
	r.reply(0, 0, 0, 1, 100)
	r.reply(50*us, 0, 0, 2, 100)
	r.check(t, "client: 1 at 21µs", "client: 2 at 51µs")
	if out, _ := r.Busy(0); out != 12*time.Microsecond {
		t.Errorf("the card was sending for %v", out)
	}
}

// A card receives whatever there is to receive: the time until all has come is
// that of the bytes, where none of them comes late.
func TestReceptionIsNeverIdle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := card{picos: 1000, measured: span{0, sim.Never}} // a nanosecond a byte
		busy := map[sim.Time]bool{}
		for _, first := range rapid.SliceOfN(rapid.IntRange(0, 100), 1, 20).Draw(t, "arrivals") {
			bytes := rapid.Int64Range(1, 20).Draw(t, "bytes")
			at := sim.Time(first)
			for left := bytes; left > 0; at++ {
				if !busy[at] {
					busy[at] = true
					left--
				}
			}
			if got := c.receive(0, sim.Time(first), bytes); got != at {
				t.Fatalf("%d bytes that begin to come at %d are there at %d, want %d", bytes, first, got, at)
			}
		}
		if c.busyIn != time.Duration(len(busy)) {
			t.Errorf("busy for %v, want %d ns", c.busyIn, len(busy))
		}
		c.receive(1000, 1000, 1)
		if len(c.in) != 1 {
			t.Errorf("what is over is still remembered: %v", c.in)
		}
	})
}

func TestFastCards(t *testing.T) {
	r := newRig(Config{ClientBandwidth: 1 << 62, NodeBandwidth: 1 << 62}) // a picosecond a byte
	r.request(0, 0, 0, 1)
	r.reply(0, 0, 0, 2, 1000)
	r.check(t, "node 0: 1 at 0s", "client: 2 at 1ns")
}

// Under jitter, the messages of a connection arrive in the order in which they
// were sent, and only they.
func TestConnectionsNeverReorder(t *testing.T) {
	overtaken := 0
	rapid.Check(t, func(t *rapid.T) {
		r := newRig(Config{OneWay: sim.Exponential(100 * time.Microsecond),
			ClientBandwidth: rapid.SampledFrom([]int64{0, 1e7}).Draw(t, "bandwidth")})
		ways := map[string][]uint32{}
		for n, conn := range rapid.SliceOfN(rapid.Uint32Range(0, 2), 20, 60).Draw(t, "connections") {
			depart := sim.Time(n) * us
			way := rapid.IntRange(0, 2).Draw(t, "way")
			ref, m := r.letter(n, 0)
			m.Conn = conn
			switch way {
			case 0:
				r.ToNode(depart, 0, ref, m)
			case 1:
				r.ToClient(depart, 0, ref, m, 0)
			default:
				r.Stream(depart, 0, 1, ref, m)
			}
			name := []string{"node 0", "client", "node 1"}[way]
			if way < 2 {
				name = fmt.Sprint(name, conn)
			}
			ways[name] = append(ways[name], uint32(n))
		}
		r.sched.Run(sim.Never - 1)
		for name, sent := range ways {
			inOrder := slices.IsSortedFunc(sent, func(a, b uint32) int {
				return cmp.Compare(slices.Index(r.calls, a), slices.Index(r.calls, b))
			})
			switch {
			case name == "node 00" || name == "client0": // a connection each
				if !inOrder {
					overtaken++
				}
			case !inOrder:
				t.Errorf("%s: %v arrive in another order: %q", name, sent, r.log)
			}
		}
	})
	if overtaken == 0 {
		t.Error("nothing is ever overtaken: the jitter is none")
	}
}

// The latency is that of the operation, hop and direction, whatever else is sent.
func TestLatencyBelongsToOperation(t *testing.T) {
	arrival := func(others int, n int) sim.Time {
		r := newRig(Config{OneWay: sim.Exponential(100 * time.Microsecond)})
		for i := range others {
			r.request(0, 1, 0, 100+i)
		}
		r.early = true
		r.reply(0, 0, 0, n, 0)
		return r.last
	}
	if arrival(0, 1) != arrival(5, 1) || arrival(0, 1) == arrival(0, 2) {
		t.Errorf("%v alone, %v in company, %v for another", arrival(0, 1), arrival(5, 1), arrival(0, 2))
	}
}

func TestEarlyFreesLetter(t *testing.T) {
	r := newRig(Config{OneWay: sim.Constant(100 * time.Microsecond)})
	r.early = true
	r.reply(0, 0, 0, 1, 0)
	if n := r.sched.InUse(); n != 0 {
		t.Errorf("%d letters are in use", n)
	}
	r.check(t, "early: 1 at 100µs")
	if n := r.sched.Events(); n != 0 {
		t.Errorf("%d events were spent on it", n)
	}
}
