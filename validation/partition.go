package validation

import (
	"context"
	"errors"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// partitionSet is the name of the experiment.
const partitionSet = "partition_A"

// The partition that was measured: one primary of three is alone for 9 s, with a
// node timeout of 2 s, while a client writes to it all the time, as it does to
// another primary.
const (
	partitionTime    = 9 * time.Second
	partitionTimeout = 2 * time.Second
)

// A partition is one trial of it. Times are in ms, after the cut or the heal.
type partition struct {
	refuses  float64 // the primary that is alone takes the cluster to be down
	won      float64 // its replica has won an election
	down     float64 // the other primaries take the cluster to be down
	upAgain  float64 // and up again
	acked    float64 // writes that the lonely primary has acknowledged after the cut
	lost     float64 // acknowledged writes that are lost in the end
	demoted  float64 // after the heal: it is a replica
	rejoined float64 // after the heal: it takes the cluster to be up
}

// quantities are what is compared of partitions, and where it is written down.
func quantities() []struct {
	what, column, unit string
	of                 func(partition) float64
} {
	return []struct {
		what, column, unit string
		of                 func(partition) float64
	}{
		{"minority refuses", "t_state_fail_minority_log_ms", "ms", func(p partition) float64 { return p.refuses }},
		{"election won", "t_won_ms", "ms", func(p partition) float64 { return p.won }},
		{"majority down", "t_other_primary_down_ms", "ms", func(p partition) float64 { return p.down }},
		{"majority up again", "t_other_primary_ok_again_ms", "ms", func(p partition) float64 { return p.upAgain }},
		{"acknowledged and lost", "lost_after_cut", "", func(p partition) float64 { return p.lost }},
		{"heal to replica", "heal_to_replica_ms", "ms", func(p partition) float64 { return p.demoted }},
		{"heal to ok", "heal_to_minority_state_ok_log_ms", "ms", func(p partition) float64 { return p.rejoined }},
	}
}

// comparePartitions compares what becomes of a primary that is alone.
func comparePartitions(ctx context.Context, trials int, r *Report) error {
	t, err := readTable(partitionSet + ".csv")
	if err != nil {
		return err
	}
	simulated, err := onAllCores(trials, func(i int) (partition, error) { return part(ctx, uint64(i)+1) })
	if err != nil {
		return err
	}
	for _, q := range quantities() {
		var real []float64
		for row := range t.rows {
			x, err := t.number(row, q.column)
			if err != nil {
				return err
			}
			if q.what == "majority up again" {
				x -= delayedAck
			}
			real = append(real, x)
		}
		r.Comparisons = append(r.Comparisons, compare(partitionSet, q.what, q.unit, real, each(simulated, q.of)))
	}
	return checkLosses(t, simulated, r)
}

// checkLosses holds what was acknowledged after the cut against what was lost. On
// real servers that was the same, every time.
func checkLosses(t *table, simulated []partition, r *Report) error {
	acked, lost := 0.0, 0.0
	for row := range t.rows {
		a, err1 := t.number(row, "acked_after_cut_minority")
		l, err2 := t.number(row, "lost_after_cut")
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		acked, lost = acked+a, lost+l
	}
	c := Check{Set: partitionSet, What: "lost, of what was acknowledged", Measured: lost / acked}
	acked, lost = 0, 0
	for _, p := range simulated {
		acked, lost = acked+p.acked, lost+p.lost
	}
	c.Simulated, c.Tolerance = lost/acked, 0.005 // a write may be on its way when the link is cut
	r.Checks = append(r.Checks, c)
	return nil
}

// part runs a trial.
func part(ctx context.Context, seed uint64) (partition, error) {
	c := loopback(seed, client.Shape{Primaries: 3, Replicas: 1}, partitionTimeout,
		settling+partitionTime+10*time.Second)
	draws := sim.NewStream(seed, "validation/victim")
	alone := sim.Below(draws.At(0), c.Shape.Primaries)
	cut := sim.Time(settling) + sim.Time(sim.Below(draws.At(1), int(partitionTimeout)))
	c.Events = []cluster.Event{{Name: "cut", Do: cluster.DoPartition, For: partitionTime, When: cluster.When{At: cut},
		Nodes: []cluster.Place{{Kind: cluster.AtPrimary, I: alone}}}}
	c.Client.OnMoved, c.Client.Timeout = client.MovedIgnore, 500*time.Millisecond
	for i := range c.Shape.Primaries {
		c.KeySlots = append(c.KeySlots, slots.Slot(i*slots.Count/c.Shape.Primaries+1))
	}
	c.Keys, c.KeyBytes = len(c.KeySlots), make([]int64, slots.Count)
	for i, key := range []int{alone, (alone + 1) % c.Shape.Primaries} {
		c.Demands = append(c.Demands, client.Demand{Number: i, Name: "writer", Workers: 1, Pipeline: 1,
			Think:  sim.Distribution{Shape: sim.ShapeUniform, A: writerRest, B: writerRest + time.Millisecond},
			Source: writer{load: i, key: wire.Key(key), slot: c.KeySlots[key]}})
	}
	cl := cluster.New(c)
	done := func(cl *cluster.Cluster) uint64 { return cl.Recorders[0].Done }
	before, after := newNote(cl, cut, done), newNote(cl, cut.Add(partitionTime), done)
	if err := cl.Run(ctx); err != nil {
		return partition{}, err
	}
	p := observe(cl, slots.Owner(alone))
	p.acked = float64(after.value - before.value)
	return p, nil
}

// writerRest is for how long a writer rests at least: as the one that was measured,
// it writes 309 times a second.
const writerRest = 2690 * time.Microsecond

// A writer writes one key again and again.
type writer struct {
	load int
	key  wire.Key
	slot slots.Slot
}

// Op implements client.Source.
func (w writer) Op(n uint64, op *wire.Op) {
	*op = wire.Op{ID: wire.NewOpID(w.load, n), Command: wire.SET, Kind: wire.WriteOp, Keys: 1, Key: w.key, Slot: w.slot,
		ValueBytes: 20}
}

// Keys implements client.Source.
func (w writer) Keys(_ wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	return append(buf, wire.KeyRef{Key: w.key, Slot: w.slot})
}

// observe reads a trial off a run.
func observe(cl *cluster.Cluster, alone slots.Owner) partition {
	p := partition{none, none, none, none, none, float64(cl.Ledger.LostWrites), none, none}
	cut := cl.Timeline.Scripted[0]
	heal := cut.Add(partitionTime)
	note := func(x *float64, at sim.Time, since sim.Time) {
		if *x < 0 {
			*x = float64(at.Sub(since)) / 1e6
		}
	}
	for _, e := range cl.Timeline.Events {
		switch {
		case e.At < cut:
		case e.Kind == wire.EventElectionWon:
			note(&p.won, e.At, cut)
		case e.Kind == wire.EventStateFail && e.Node == alone:
			note(&p.refuses, e.At, cut)
		case e.Kind == wire.EventStateFail && int(e.Node) < cl.Shape.Primaries:
			note(&p.down, e.At, cut)
		case e.Kind == wire.EventStateOK && int(e.Node) < cl.Shape.Primaries && e.At < heal && e.Node != alone:
			note(&p.upAgain, e.At, cut)
		case e.At < heal:
		case e.Kind == wire.EventBecameReplica && e.Node == alone:
			note(&p.demoted, e.At, heal)
		case e.Kind == wire.EventStateOK && e.Node == alone:
			note(&p.rejoined, e.At, heal)
		}
	}
	return p
}
