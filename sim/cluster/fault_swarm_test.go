package cluster

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/wire"
	"hotslot/workloads"
)

// TestSwarmOfFaults has anything happen to clusters with a control plane, while
// clients ask for things. What must hold of operations, letters, votes and views
// does, and the same seed takes the same course.
func TestSwarmOfFaults(t *testing.T) {
	const seeds = 30
	promotions, losses, failures := 0, 0, uint64(0)
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			cl := faultSwarm(t, seed)
			if again := faultSwarm(t, seed); cl.Sched.Fingerprint() != again.Sched.Fingerprint() {
				t.Error("another course the second time")
			}
			for _, e := range cl.Timeline.Events {
				if e.Kind == wire.EventBecamePrimary {
					promotions++
				}
			}
			losses += len(cl.Ledger.Losses)
			for _, r := range cl.Recorders {
				failures += r.Begun - r.Done - r.InFlight()
			}
		})
	}
	if promotions < seeds/4 || losses < seeds/10 || failures < 500 {
		t.Errorf("only %d promotions, %d losses and %d failures", promotions, losses, failures)
	}
}

func faultSwarm(t *testing.T, seed uint64) *Cluster {
	const ms = time.Millisecond
	d := &dice{Stream: sim.NewStream(seed, "swarm of faults")}
	w, err := workloads.Build(workloads.Spec{Name: "keys", Kind: "keys", KeyPattern: "key:%d", Count: 1000, Rate: 300,
		Mix:       []workloads.Share{{Command: "get", Share: 0.5}, {Command: "set", Share: 0.5}},
		ValueSize: 1 << (4 + d.below(10))}, 3, workloads.NewCache())
	if err != nil {
		t.Fatal(err)
	}
	oneWay := pick(d, sim.Constant(50*time.Microsecond), sim.Exponential(ms))
	c := config(t, 3, 40*time.Second, network.Config{OneWay: oneWay, NodeBandwidth: pick[int64](d, 0, 1e8)}, w)
	c.Seed, c.Shape.Replicas = seed, 1+d.below(2)
	c.Costs, _, _ = node.Profile("redis-7.0.15")
	c.Gossip, c.Version, c.Control = true, pick(d, gossip.Versions()...), gossip.DefaultConfig()
	c.Control.NodeTimeout = pick(d, 500*ms, 1000*ms)
	c.Node.Replication = node.DefaultReplication()
	c.Node.Dataset, c.Node.ReplBacklogSize = pick[int64](d, 0, 1e7), pick[int64](d, 1000, 1<<20)
	c.Node.ForkStall = pick(d, 0, 1500*ms)
	c.Client.Timeout, c.Client.Retries, c.Client.RetryBackoff = pick(d, 0, 100*ms), pick(d, 0, 3), pick(d, 0, 50*ms)
	c.Client.Connections, c.Client.Pipelined = 1+d.below(4), d.below(3) == 0
	c.Client.ReadFrom = pick(d, client.FromPrimary, client.FromAny)
	c.Client.RefreshOnError, c.Client.RetryOn = true, client.RetryKinds()
	for i := range 1 + d.below(6) {
		e := Event{Name: fmt.Sprint("event ", i), When: When{At: sim.Time(d.below(20e9))},
			Do: pick(d, DoKill, DoKill, DoLose, DoFreeze, DoSlow, DoStall, DoFork, DoPartition, DoLink, DoCutReplication,
				DoFailover, DoRestart),
			For: pick(d, 0, time.Duration(d.below(8e9))), Length: time.Duration(d.below(2e9)), KeepData: d.below(2) == 0,
			Loss: pick(d, 0, 0.1), OneWay: d.below(4) == 0, BusOnly: d.below(4) == 0,
			Mode: pick(d, gossip.FailoverDefault, gossip.FailoverForce, gossip.FailoverTakeover)}
		for range 1 + d.below(2) {
			e.Nodes = append(e.Nodes, Place{Kind: pick(d, AtPrimary, AtReplica, AtPrimaryOfSlot), I: d.below(3)})
		}
		if e.Do == DoFailover {
			e.Nodes = []Place{{Kind: AtReplica, I: d.below(3)}}
		}
		if e.Do == DoPartition && d.below(2) == 0 {
			e.Nodes = append(e.Nodes, Place{Kind: AtClients, I: -1})
		}
		c.Events = append(c.Events, e)
	}
	cl := New(c)
	if err := cl.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return cl
}
