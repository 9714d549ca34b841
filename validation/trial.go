package validation

import (
	"context"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Setup is a cluster whose failovers were measured.
type Setup struct {
	Name                string // of the measurements
	Primaries, Replicas int
	Timeout             time.Duration
	Freeze              bool // the victim is stopped, not killed
}

// Setups returns the clusters that were measured: Redis 7.0.15 on loopback, idle.
func Setups() []Setup {
	return []Setup{
		{"3x1_1000", 3, 1, time.Second, false},
		{"3x1_2000", 3, 1, 2 * time.Second, false},
		{"3x1_5000", 3, 1, 5 * time.Second, false},
		{"3x2_2000", 3, 2, 2 * time.Second, false},
		{"5x1_2000_stop", 5, 1, 2 * time.Second, true},
	}
}

// config returns a run of the setup. Everything that is not said here is as the
// measured servers had it: the defaults of Redis 7.0.15.
func (s *Setup) config(seed uint64) cluster.Config {
	control := gossip.DefaultConfig()
	control.NodeTimeout = s.Timeout
	costs, _, _ := node.Profile("redis-7.0.15")
	replication := node.DefaultReplication()
	replication.ReplDisklessSyncDelay = 0
	return cluster.Config{
		Seed: seed, Shape: client.Shape{Primaries: s.Primaries, Replicas: s.Replicas},
		Node: node.Config{Replication: replication}, Costs: costs,
		Network: network.Config{OneWay: sim.Constant(20 * time.Microsecond)},
		Client: client.Config{Processes: 1, Cores: 1, SlotMap: client.SlotMapCurrent, ReadFrom: client.FromAny,
			MaxRedirects: 5, Timeout: 20 * time.Millisecond},
		Demands: []client.Demand{{Name: "observer", Source: observer{sim.NewStream(seed, "validation/observer")}, Workers: 1,
			Think: sim.Constant(300 * time.Microsecond)}},
		Keys:   1,
		Gossip: true, Version: "redis-7.0", Control: control,
		Placement: cluster.Placement{Machines: 1, Cores: 2},
	}
}

// An observer asks one server after another how it is, without a pause, as the
// program did that took the measurements.
type observer struct{ draws sim.Stream }

// Op implements client.Source.
func (o observer) Op(n uint64, op *wire.Op) {
	*op = wire.Op{ID: wire.NewOpID(0, n), Command: wire.PING, Keys: 1,
		Slot: slots.Slot(sim.Below(o.draws.At(n), slots.Count))}
}

// Keys implements client.Source.
func (o observer) Keys(_ wire.Op, buf []wire.KeyRef) []wire.KeyRef { return buf }

// settled is for how long a cluster runs before something is done to it.
const settled = 20 * time.Second

// failover runs one trial: a primary is killed, or stopped, at a random instant,
// and the times of the phases are noted, in ms after that. A phase that was not
// reached has none.
func (s *Setup) failover(ctx context.Context, seed uint64) (times [Phases]float64, seen [Phases]bool, err error) {
	c := s.config(seed)
	victim := sim.Below(sim.NewStream(seed, "validation/victim").At(0), s.Primaries)
	do := cluster.DoKill
	if s.Freeze {
		do = cluster.DoFreeze
	}
	c.Events = []cluster.Event{{Name: "fault", Do: do, Nodes: []cluster.Place{{Kind: cluster.AtPrimary, I: victim}},
		When: cluster.When{At: sim.Time(settled), Until: sim.Time(settled + 10*time.Second)}}}
	c.Duration = settled + 10*time.Second + 3*s.Timeout + 3*time.Second
	cl := cluster.New(c)
	if err := cl.Run(ctx); err != nil {
		return times, seen, err
	}
	t := &cl.Timeline
	fault := t.Scripted[0]
	note := func(p Phase, at sim.Time) {
		times[p], seen[p] = float64(at.Sub(fault))/1e6, true
	}
	kinds := map[Phase]wire.EventKind{FirstPFAIL: wire.EventPFAIL, FAIL: wire.EventFAIL,
		Scheduled: wire.EventElectionScheduled, Started: wire.EventElectionStarted, Won: wire.EventElectionWon}
	for p := range Phases {
		if kind, is := kinds[p]; is {
			if e, ok := t.First(kind, fault); ok {
				note(p, e.At)
			}
		}
	}
	suspecting := 0
	down := map[slots.Owner]bool{}
	for _, e := range t.Events {
		switch {
		case e.At < fault:
		case e.Kind == wire.EventPFAIL && int(e.About) == victim && int(e.Node) < s.Primaries:
			if suspecting++; suspecting == s.Primaries/2+1 {
				note(Quorum, e.At)
			}
		case e.Kind == wire.EventStateFail:
			down[e.Node] = true
		case e.Kind == wire.EventStateOK:
			if delete(down, e.Node); len(down) == 0 && seen[Won] && !seen[AllOK] {
				note(AllOK, e.At)
			}
		}
	}
	return times, seen, nil
}
