package validation

import (
	"context"
	"errors"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// migrationSet is the name of the experiment.
const migrationSet = "replica_migration"

// A migration is one trial of it: the only replica of one primary is killed, while
// another primary has two, of which one changes over.
type migration struct {
	failed   float64 // the replica is flagged FAIL, ms after it was killed
	migrated float64 // another one leaves its primary, ms after that
}

// compareMigrations compares the times of replica migrations.
func compareMigrations(ctx context.Context, trials int, r *Report) error {
	t, err := readTable(migrationSet + ".csv")
	if err != nil {
		return err
	}
	var real []migration
	for row := range t.rows {
		failed, err1 := t.number(row, "t_replica_fail_ms")
		migrated, err2 := t.number(row, "t_migrate_log_ms")
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		real = append(real, migration{failed, migrated - failed})
	}
	simulated, err := onAllCores(trials, func(i int) (migration, error) { return migrate(ctx, uint64(i)+1) })
	if err != nil {
		return err
	}
	for _, q := range []struct {
		what string
		of   func(migration) float64
	}{
		{"replica FAIL", func(m migration) float64 { return m.failed }},
		{"FAIL to migration", func(m migration) float64 { return m.migrated }},
	} {
		r.Comparisons = append(r.Comparisons,
			compare(migrationSet, q.what, "ms", each(real, q.of), each(simulated, q.of)))
	}
	return nil
}

// each returns a quantity of each trial in which it was seen.
func each[T any](trials []T, of func(T) float64) []float64 {
	var xs []float64
	for _, t := range trials {
		if x := of(t); x >= 0 {
			xs = append(xs, x)
		}
	}
	return xs
}

// migrate runs a trial.
func migrate(ctx context.Context, seed uint64) (migration, error) {
	const timeout, joining = 2 * time.Second, 5 * time.Second
	c := loopback(seed, client.Shape{Primaries: 3, Replicas: 1}, timeout, joining+settling+20*time.Second)
	killed := sim.Time(joining + settling)
	c.Events = []cluster.Event{
		{Name: "second replica", Do: cluster.DoAdd, When: cluster.When{At: sim.Time(time.Second)},
			Nodes:  []cluster.Place{{Kind: cluster.AtAdded, I: 0}},
			Others: []cluster.Place{{Kind: cluster.AtPrimary, I: 1}}},
		{Name: "loss", Do: cluster.DoKill, When: cluster.When{At: killed, Until: killed.Add(timeout)},
			Nodes: []cluster.Place{{Kind: cluster.AtReplica, I: 0, J: 0}}},
	}
	cl := cluster.New(c)
	newPoller(cl)
	m := migration{none, none}
	if err := cl.Run(ctx); err != nil {
		return m, err
	}
	at := cl.Timeline.Scripted[1]
	since := func(kind wire.EventKind) float64 {
		e, ok := cl.Timeline.First(kind, at)
		if !ok {
			return none
		}
		x := float64(e.At.Sub(at)) / 1e6
		at = e.At
		return x
	}
	m.failed = since(wire.EventFAIL)
	m.migrated = since(wire.EventReplicaMigrated)
	return m, nil
}
