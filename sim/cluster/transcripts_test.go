package cluster

import (
	"reflect"
	"slices"
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

// TestWhatChangesNothing runs pairs of which one has something that cannot matter.
// Every operation must take as long as without it: not only do distributions
// agree, each cell of the histogram and where its time went are the same.
func TestWhatChangesNothing(t *testing.T) {
	for _, tt := range []struct {
		what   string
		change func(*Config)
		before func(*Cluster) // the run
		course bool           // it takes the same course, event by event
	}{
		{what: "a pool that is never exhausted", course: true,
			change: func(c *Config) { c.Client.Connections = 10_000 }},
		{what: "reads from replicas that do not exist", course: true,
			change: func(c *Config) { c.Client.ReadFrom = client.FromReplica }},
		{what: "more redirections allowed than occur", course: true,
			change: func(c *Config) { c.Client.MaxRedirects = 16 }},
		{what: "another way to learn from redirections that do not occur", course: true,
			change: func(c *Config) { c.Client.OnMoved = client.MovedRefresh }},
		{what: "a way to split batches, without batches", course: true,
			change: func(c *Config) { c.Demands[0].Batch.Split = client.SplitNode }},
		{what: "network cards that are never busy", course: true,
			change: func(c *Config) { c.Network.NodeBandwidth = 1e15 }},
		{what: "a timeout that never passes", change: func(c *Config) { c.Client.Timeout = time.Second }},
		// Writing the stream costs a node of round-100k nothing.
		{what: "replicas that nobody reads", change: func(c *Config) { c.Shape.Replicas = 2 }},
		{what: "a node without slots", change: func(c *Config) {
			c.Shape.Primaries, c.Client.SlotMap = 4, client.SlotMapPrimaries+"3"
		}, before: func(cl *Cluster) {
			for _, n := range cl.Nodes {
				*n.View() = *slots.Even(3)
			}
		}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			plain := New(mixed(t))
			run(t, plain)
			config := mixed(t)
			tt.change(&config)
			changed := New(config)
			if tt.before != nil {
				tt.before(changed)
			}
			run(t, changed)
			if !reflect.DeepEqual(plain.Recorders[0].Latency, changed.Recorders[0].Latency) {
				t.Errorf("latencies differ: mean %v without, %v with it", mean(plain), mean(changed))
			}
			if tt.course && plain.Sched.Fingerprint() != changed.Sched.Fingerprint() {
				t.Error("the run takes another course")
			}
		})
	}
}

// mixed is a run with queues, redirection-free, whose network draws its latencies.
func mixed(t *testing.T) Config {
	c := setup(t, 3, workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000, Rate: 240_000,
		Mix: []workloads.Share{{Command: "get", Share: 0.7}, {Command: "set", Share: 0.3}}, ValueSize: 100})
	c.Client.Processes = 10
	c.Network.OneWay = sim.Exponential(oneWay)
	c.Costs.Shape = sim.ShapeExponential
	c.Warmup, c.Duration = 10*time.Millisecond, 50*time.Millisecond
	return c
}

func mean(cl *Cluster) time.Duration {
	h := cl.Recorders[0].Latency
	return h.Sum().Total() / time.Duration(max(1, h.Count()))
}

// A stopwatch notes, by number of operation, what load 0 was answered.
type stopwatch struct {
	client  network.Early
	answers []answer
}

type answer struct {
	command        wire.Command
	due, sent, got sim.Time
}

func (a answer) took() time.Duration { return a.got.Sub(a.due) }

// Early notes an answer: one that is not a redirection.
func (s *stopwatch) Early(at sim.Time, m *wire.Message) bool {
	if m.ID.Load() == 0 {
		for int(m.ID) >= len(s.answers) {
			s.answers = append(s.answers, answer{})
		}
		s.answers[m.ID] = answer{m.Command, m.Start, m.First, at}
	}
	return s.client.Early(at, m)
}

// timed runs a cluster and returns what load 0 was answered.
func timed(t *testing.T, c Config) []answer {
	t.Helper()
	cl := New(c)
	s := &stopwatch{client: cl.Client}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), s)
	run(t, cl)
	if len(s.answers) < 1000 {
		t.Fatalf("%d answers are too few to say anything", len(s.answers))
	}
	return s.answers
}

// TestDoubledTime: where all costs, latencies and gaps are twice as long, every
// operation takes exactly twice as long. Nothing is drawn but keys.
func TestDoubledTime(t *testing.T) {
	load := func(factor time.Duration) Config {
		c := setup(t, 3, workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000, ValueSize: 100,
			Mix:  []workloads.Share{{Command: "get", Share: 0.7}, {Command: "set", Share: 0.3}},
			Rate: 400_000 / float64(factor), Arrivals: "constant"})
		costs, _, _ := node.Profile("redis-7.0.15")
		for _, d := range []*time.Duration{&costs.Turn, &costs.Read, &costs.Write, &costs.Refuse} {
			*d *= factor
		}
		for i := range costs.Commands {
			k := &costs.Commands[i]
			k.Base, k.Key, k.Byte = k.Base*factor, k.Key*factor, k.Byte*int64(factor)
		}
		costs.WriteByte *= int64(factor)
		c.Costs, c.Network.OneWay, c.Duration = costs, sim.Constant(oneWay*factor), 20*time.Millisecond*factor
		return c
	}
	once, twice := timed(t, load(1)), timed(t, load(2))
	if len(once) != len(twice) {
		t.Errorf("%d answers, %d in twice the time", len(once), len(twice))
	}
	longest := time.Duration(0)
	for n := range min(len(once), len(twice)) {
		if 2*once[n].took() != twice[n].took() {
			t.Fatalf("operation %d took %v, and %v where all is doubled", n, once[n].took(), twice[n].took())
		}
		longest = max(longest, once[n].took())
	}
	if longest < 2*oneWay+30*time.Microsecond {
		t.Errorf("nothing ever queued: the longest took %v", longest)
	}
}

// TestReplicasCost: where writing the replication stream costs something, and no
// two commands meet, each write takes longer by one write to each replica, and a
// read is as it was.
func TestReplicasCost(t *testing.T) {
	costs, _, _ := node.Profile("redis-7.0.15")
	with := func(replicas int) []answer {
		c := setup(t, 1, workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000,
			Mix:  []workloads.Share{{Command: "get", Share: 0.5}, {Command: "set", Share: 0.5}},
			Rate: 10_000, Arrivals: "constant"})
		c.Costs, c.Shape.Replicas, c.Duration = costs, replicas, 200*time.Millisecond
		return timed(t, c)
	}
	alone := with(0)
	for n, a := range with(2) {
		more := a.took() - alone[n].took()
		if want := 2 * costs.Write; a.command == wire.SET && more != want || a.command == wire.GET && more != 0 {
			t.Fatalf("operation %d, %v, takes %v longer with 2 replicas", n, a.command, more)
		}
	}
}

// TestOtherLoads: a load that shares no node with another does not feel it, and
// neither does its luck.
func TestOtherLoads(t *testing.T) {
	load := func(pattern string, rate float64) workloads.Spec {
		return workloads.Spec{Kind: "keys", KeyPattern: pattern, Count: 1000, Rate: rate,
			Mix: []workloads.Share{{Command: "get", Share: 0.7}, {Command: "set", Share: 0.3}}}
	}
	with := func(specs ...workloads.Spec) []answer {
		c := setup(t, 3, specs...)
		c.Network.OneWay, c.Costs.Shape = sim.Exponential(oneWay), sim.ShapeExponential
		c.Duration = 50 * time.Millisecond
		return timed(t, c)
	}
	// {t2} lives on the first node, {t1} on the second.
	alone := with(load("{t2}:%d", 80_000))
	if both := with(load("{t2}:%d", 80_000), load("{t1}:%d", 95_000)); !slices.Equal(alone, both) {
		t.Error("a load on another node changes answers")
	}
	if both := with(load("{t2}:%d", 80_000), load("{t2}:%d", 10_000)); slices.Equal(alone, both) {
		t.Error("a load on the same node changes nothing")
	}
}

// TestPool holds a pool of 4 connections against what first come, first served
// means: a command is sent when it is due and the connection that is free first
// is free.
func TestPool(t *testing.T) {
	c := mixed(t)
	c.Shape.Primaries, c.Client.Processes, c.Client.Connections = 1, 1, 4
	c.Demands = setup(t, 1, workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000, Rate: 15_000,
		Mix: []workloads.Share{{Command: "get", Share: 1}}}).Demands
	c.Duration = time.Second
	free, waited := make([]sim.Time, c.Client.Connections), 0
	for n, a := range timed(t, c) {
		slices.Sort(free)
		want := max(a.due, free[0])
		if a.got == 0 || a.sent != want {
			t.Fatalf("operation %d, due at %v, is sent at %v, want %v", n, a.due, a.sent, want)
		}
		if want > a.due {
			waited++
		}
		free[0] = a.got
	}
	if waited < 1000 {
		t.Errorf("only %d commands waited", waited)
	}
}
