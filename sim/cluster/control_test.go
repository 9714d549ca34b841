package cluster

import (
	"context"
	"math"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// controlled is a run of a cluster of three primaries with a replica each and a
// control plane, on which nothing is asked for.
func controlled(tb testing.TB, seed uint64, timeout, duration time.Duration) Config {
	tb.Helper()
	c := threePrimaries(tb, duration, network.Config{OneWay: sim.Constant(50 * time.Microsecond)})
	c.Demands, c.Seed, c.Shape.Replicas = nil, seed, 1
	c.Costs, _, _ = node.Profile("redis-7.0.15")
	c.Gossip, c.Version, c.Control = true, "redis-7.0", gossip.DefaultConfig()
	c.Control.NodeTimeout = timeout
	c.Node.Replication = node.DefaultReplication()
	c.Node.ReplDisklessSyncDelay = 0
	return c
}

// runAll runs to the end.
func runAll(tb testing.TB, cl *Cluster) {
	tb.Helper()
	if err := cl.Run(context.Background()); err != nil {
		tb.Fatal(err)
	}
}

// first returns when the first event of a kind is, from an instant on.
func first(tb testing.TB, cl *Cluster, kind wire.EventKind, from sim.Time) sim.Time {
	tb.Helper()
	e, ok := cl.Timeline.First(kind, from)
	if !ok {
		tb.Fatalf("no %v", kind)
	}
	return e.At
}

// Timers are armed anew when their callback has ended, and polls end a whole
// number of milliseconds after they began, a little late. On servers that were
// asked for something now and then, ten ticks took 1005.8 ms.
func TestTicksDrift(t *testing.T) {
	const seconds = 60
	cl := New(controlled(t, 1, 2*time.Second, seconds*time.Second))
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), &told{})
	probes := sim.NewStream(1, "probes")
	for i := range uint64(seconds * 50) {
		for id := range cl.Nodes {
			at := sim.Time(i)*sim.Time(20*time.Millisecond) + sim.Time(sim.Below(probes.Sub(id).At(i), 2e7))
			ref, m := cl.Sched.New()
			*m = wire.Message{Command: wire.PING}
			cl.Net.ToNode(at, sim.ActorID(id), ref, m)
		}
	}
	cl.Sched.Run(cl.Span.To)
	ticks := uint64(0)
	for _, n := range cl.Nodes {
		ticks += n.Load().Ticks
	}
	if ten := seconds * 1e4 * float64(len(cl.Nodes)) / float64(ticks); math.Abs(ten-1005.8) > 1 {
		t.Errorf("ten ticks take %.1f ms", ten)
	}
}

// Processes that share two cores take turns on them: no core does more than there
// is time for, and nobody starves.
func TestProcessesShareCores(t *testing.T) {
	c := controlled(t, 1, time.Second, 3*time.Second)
	c.Placement = Placement{Machines: 1, Cores: 2}
	cl := New(c)
	answers := &told{}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), answers)
	draws, asked := sim.NewStream(1, "questions"), 0
	for at := sim.Time(0); at < cl.Span.To; at += sim.Time(sim.Below(draws.At(uint64(asked)), 3e4)) {
		ref, m := cl.Sched.New()
		*m = wire.Message{Command: wire.PING}
		cl.Net.ToNode(at, sim.ActorID(asked%len(cl.Nodes)), ref, m)
		asked++
	}
	cl.Sched.Run(cl.Span.To.Add(time.Second))
	busy := time.Duration(0)
	for _, n := range cl.Nodes {
		busy += n.Load().Busy
	}
	if len(answers.at) != asked || busy > 2*cl.Span.To.Sub(0) || busy < time.Second/2 {
		t.Errorf("%d of %d are answered, the threads were busy for %v", len(answers.at), asked, busy)
	}
}

// A client that writes to a primary which is frozen has its write acknowledged
// when that is thawed, though there is a new primary: the thawed one reads what
// its client has sent before the bus, on which there are new connections that it
// has to accept first. So the write is lost, every time.
func TestThawedPrimaryAcknowledges(t *testing.T) {
	for seed := range uint64(20) {
		cl := New(controlled(t, seed, time.Second, 20*time.Second))
		early := &told{}
		cl.Net.Connect(sim.ActorID(len(cl.Nodes)), early)
		cl.Sched.Run(sim.Time(3*time.Second) + sim.Time(seed)*sim.Time(17*time.Millisecond))
		cl.Nodes[0].Freeze(cl.Sched.Now())
		write := func() {
			ref, m := cl.Sched.New()
			*m = wire.Message{Command: wire.SET, Keys: 1, Slot: 0, Key: 0}
			cl.Net.ToNode(cl.Sched.Now(), 0, ref, m)
		}
		cl.Sched.Run(sim.Time(4 * time.Second))
		write()
		won := sim.Time(0)
		for won == 0 && cl.Sched.Now() < sim.Time(10*time.Second) {
			cl.Sched.Run(cl.Sched.Now().Add(100 * time.Millisecond))
			if e, ok := cl.Timeline.First(wire.EventElectionWon, 0); ok {
				won = e.At
			}
		}
		cl.Sched.Run(won.Add(2 * time.Second))
		thaw := cl.Sched.Now()
		cl.Nodes[0].Thaw(thaw)
		cl.Sched.Run(thaw.Add(5 * time.Second))
		if len(early.verdicts) != 1 || early.verdicts[0] != wire.OK {
			t.Fatalf("seed %d: the write is answered %v", seed, early.verdicts)
		}
		if d := first(t, cl, wire.EventBecameReplica, thaw).Sub(thaw); d > 14*time.Millisecond {
			t.Errorf("seed %d: a replica %v after the thaw", seed, d)
		}
		if cl.Ledger.LostWrites != 1 {
			t.Errorf("seed %d: %d writes are lost", seed, cl.Ledger.LostWrites)
		}
	}
}

// told notes the answers that a client gets.
type told struct {
	verdicts []wire.Verdict
	at       []sim.Time
}

func (t *told) Early(at sim.Time, m *wire.Message) bool {
	t.verdicts, t.at = append(t.verdicts, m.Verdict), append(t.at, at)
	return true
}

// A primary that is alone on its side of a partition takes writes until it notices,
// and then no more; a client on its side loses what it was told is written.
func TestPrimaryAloneStopsTakingWrites(t *testing.T) {
	cl := New(controlled(t, 1, 2*time.Second, 30*time.Second))
	answers := &told{}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), answers)
	cl.Sched.Run(sim.Time(5 * time.Second))
	side := func(in func(int) bool) network.Side {
		s := network.Side{Nodes: make([]bool, len(cl.Nodes))}
		for i := range s.Nodes {
			s.Nodes[i] = in(i)
		}
		return s
	}
	fault := cl.Net.Impose(network.Fault{Cut: true,
		A: side(func(i int) bool { return i == 0 }), B: side(func(i int) bool { return i != 0 })})
	for i := range 100 {
		cl.Sched.Run(sim.Time(5*time.Second) + sim.Time(i)*sim.Time(100*time.Millisecond))
		ref, m := cl.Sched.New()
		*m = wire.Message{Command: wire.SET, Keys: 1, Slot: 0, Key: 0}
		cl.Net.ToNode(cl.Sched.Now(), 0, ref, m)
	}
	cl.Net.Lift(fault)
	cl.Sched.Run(sim.Time(30 * time.Second))
	accepted, stopped := 0, sim.Never
	for i, v := range answers.verdicts {
		switch {
		case v == wire.OK && stopped == sim.Never:
			accepted++
		case v == wire.ClusterDown:
			stopped = min(stopped, answers.at[i])
		default:
			t.Errorf("write %d is answered %v", i, v)
		}
	}
	if d := stopped.Sub(sim.Time(5 * time.Second)); d < 2*time.Second || d > 3200*time.Millisecond {
		t.Errorf("it stops after %v", d)
	}
	if int(cl.Ledger.LostWrites) != accepted {
		t.Errorf("%d writes were accepted, %d lost", accepted, cl.Ledger.LostWrites)
	}
	for i, n := range cl.Nodes {
		if n.View()[0] != 3 {
			t.Errorf("node %d takes node %d for the owner of slot 0", i, n.View()[0])
		}
	}
}

// The same seed takes the same course, whatever happens in it; and packets do not
// pile up.
func TestControlIsDeterministic(t *testing.T) {
	course := func() (uint64, int) {
		cl := New(controlled(t, 7, time.Second, 20*time.Second))
		cl.Sched.Run(sim.Time(2 * time.Second))
		cl.Nodes[2].Doom(sim.Time(2010 * time.Millisecond))
		cl.Sched.Run(sim.Time(2010 * time.Millisecond))
		cl.Nodes[2].Kill(cl.Sched.Now())
		cl.Sched.Run(sim.Time(7 * time.Second))
		cl.Nodes[2].Restart(cl.Sched.Now(), true)
		cl.Nodes[1].Lose(cl.Sched.Now())
		runAll(t, cl)
		return cl.Sched.Fingerprint(), cl.Nodes[0].Env.InUse()
	}
	one, packets := course()
	other, _ := course()
	if one != other {
		t.Error("another course the second time")
	}
	if packets > 40 {
		t.Errorf("%d packets are in use", packets)
	}
}

// A manual failover moves a shard without losing anything: writes are paused, and
// then sent to the new primary.
func TestManualFailover(t *testing.T) {
	cl := New(controlled(t, 3, 5*time.Second, 20*time.Second))
	answers := &told{}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), answers)
	for i := range 400 {
		cl.Sched.Run(sim.Time(3*time.Second) + sim.Time(i)*sim.Time(time.Millisecond))
		if i == 200 {
			cl.Nodes[3].Failover(cl.Sched.Now(), gossip.FailoverDefault)
		}
		ref, m := cl.Sched.New()
		*m = wire.Message{Command: wire.SET, Keys: 1, Slot: 0, Key: 0}
		cl.Net.ToNode(cl.Sched.Now(), 0, ref, m)
	}
	runAll(t, cl)
	if !cl.Nodes[3].Serving() || cl.Nodes[0].PrimaryOf() != 3 || len(answers.verdicts) != 400 {
		t.Fatalf("node 0 follows node %d, %d answers", cl.Nodes[0].PrimaryOf(), len(answers.verdicts))
	}
	moved := 0
	for _, v := range answers.verdicts {
		if v == wire.Moved {
			moved++
		}
	}
	if moved == 0 || moved > 200 || cl.Ledger.LostWrites != 0 {
		t.Errorf("%d are sent on, %d lost", moved, cl.Ledger.LostWrites)
	}
	if got := cl.Nodes[0].Offset(); got != cl.Nodes[3].Offset() {
		t.Errorf("the old primary is at %d, the new one at %d", got, cl.Nodes[3].Offset())
	}
}

// A node that is blocked while an answer is on its way suspects who has answered:
// it looks at its timers before it reads what lies in its sockets. It has even
// closed the link that the answer has come on, and makes another at its next tick.
func TestBlockedNodeSuspectsOthers(t *testing.T) {
	cl := New(controlled(t, 1, 2*time.Second, 12*time.Second))
	cl.Sched.Run(sim.Time(5 * time.Second))
	pinged := slots.None
	cl.Sched.Trace = func(at sim.Time, to sim.ActorID, m *wire.Message) {
		if pinged == slots.None && m.Kind == wire.Bus && m.From == 3 && m.Flags&wire.Back == 0 {
			pinged = slots.Owner(to)
			cl.Nodes[3].Block(at, 2100*time.Millisecond)
		}
	}
	runAll(t, cl)
	block, suspected := first(t, cl, wire.EventBlock, 0), false
	for _, e := range cl.Timeline.Events {
		if e.Node != 3 || e.About != pinged {
			continue
		}
		after := e.At.Sub(block)
		suspected = suspected || e.Kind == wire.EventPFAIL
		limit := 2102 * time.Millisecond
		if e.Kind == wire.EventPFAILCleared {
			limit = 2210 * time.Millisecond
		}
		if after < 2100*time.Millisecond || after > limit {
			t.Errorf("%v %v after the block began", e.Kind, after)
		}
	}
	if !suspected || cl.Nodes[3].State().Flags(pinged)&gossip.PFAIL != 0 {
		t.Errorf("node %d is not suspected, or still is", pinged)
	}
}

// A node that is frozen for longer than it takes to replace it is the replica of
// its replica after that; so is one that is killed and started again.
func TestOldPrimaryFollows(t *testing.T) {
	for _, how := range []string{"kill", "lose", "freeze"} {
		cl := New(controlled(t, 5, time.Second, 30*time.Second))
		cl.Sched.Run(sim.Time(3 * time.Second))
		n, now := cl.Nodes[1], cl.Sched.Now()
		map[string]func(sim.Time){"kill": n.Kill, "lose": n.Lose, "freeze": n.Freeze}[how](now)
		cl.Sched.Run(sim.Time(12 * time.Second))
		if how == "freeze" {
			n.Thaw(cl.Sched.Now())
		} else {
			n.Restart(cl.Sched.Now(), false)
		}
		runAll(t, cl)
		if n.PrimaryOf() != 4 || !cl.Nodes[4].Serving() {
			t.Errorf("%s: it follows node %d", how, n.PrimaryOf())
		}
		for i, other := range cl.Nodes {
			if *other.View() != *n.View() {
				t.Errorf("%s: node %d has another view", how, i)
			}
		}
		if _, ok := cl.Timeline.First(wire.EventSynced, sim.Time(12*time.Second)); !ok {
			if _, ok := cl.Timeline.First(wire.EventPartialResync, sim.Time(12*time.Second)); !ok {
				t.Errorf("%s: it is not in sync", how)
			}
		}
	}
}
