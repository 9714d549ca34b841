package cluster

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/wire"
)

// instants are operations on key 0.
type instants []sim.Time

func (i *instants) Op(n uint64, op *wire.Op) { *op = wire.Op{ID: wire.NewOpID(0, n), Keys: 1} }

func (i *instants) Keys(wire.Op, []wire.KeyRef) []wire.KeyRef { return nil }

func (i *instants) Next() sim.Time {
	if len(*i) == 0 {
		return sim.Never
	}
	at := (*i)[0]
	*i = (*i)[1:]
	return at
}

func withOperations(at ...sim.Time) *Cluster {
	load := instants(at)
	return New(Config{Shape: client.Shape{Primaries: 1}, Client: client.Config{Processes: 1}, Keys: 1,
		Duration: time.Millisecond - 1, Demands: []client.Demand{{Source: &load, Arrivals: &load}}})
}

// A run goes on up to and including its last instant, at which an operation may
// begin and nothing is measured any more.
func TestRunGoesToItsEnd(t *testing.T) {
	const end = sim.Time(time.Millisecond - 1)
	cl := withOperations(end-1, end, end+1)
	run(t, cl)
	r := cl.Recorders[0]
	if cl.Sched.Now() != end || r.Begun != 2 || r.Measured.Begun != 1 || r.Done != 1 || r.Late != 1 {
		t.Errorf("at %v, %d have begun, %d of them measured, %d are done and %d late",
			cl.Sched.Now(), r.Begun, r.Measured.Begun, r.Done, r.Late)
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cl := withOperations(0, sim.Time(time.Millisecond/2), sim.Time(time.Millisecond-2))
	cl.Sched.Trace = func(at sim.Time, _ sim.ActorID, _ *wire.Message) {
		if at > 0 {
			cancel()
		}
	}
	if err := cl.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
	if got := cl.Recorders[0].Begun; got != 2 {
		t.Errorf("%d operations have begun", got)
	}
}

// The checks at a run's end, each against what it is there to find.
func TestViolations(t *testing.T) {
	for _, tt := range []struct {
		want   string
		tamper func(cl *Cluster)
	}{
		{"began", func(cl *Cluster) { cl.Recorders[0].Begun++ }},
		{"letters are in use", func(cl *Cluster) { cl.Sched.New() }},
		{"negative time", func(cl *Cluster) { cl.Recorders[0].Latency.Record(0, &metrics.Blame{Network: -1}) }},
		{"latencies add up", func(cl *Cluster) {
			cl.Recorders[0].Latency.Record(0, &metrics.Blame{Network: time.Hour})
		}},
		{"was busy for", func(cl *Cluster) { cl.Nodes[0].Load().Busy = time.Second }},
	} {
		cl := withOperations(0, 10, 20)
		run(t, cl)
		tt.tamper(cl)
		var v *Violation
		if err := cl.check(); !errors.As(err, &v) || !strings.Contains(err.Error(), tt.want) || v.At != cl.Span.To {
			t.Errorf("%v, want that it says %q", err, tt.want)
		}
	}
}

func TestRunTooLarge(t *testing.T) {
	cl := withOperations(0)
	cl.Sched.Trace = func(sim.Time, sim.ActorID, *wire.Message) { panic(sim.ErrTooManyLetters) }
	if err := cl.Run(context.Background()); !errors.Is(err, ErrOverrun) {
		t.Errorf("the run ends with %v", err)
	}
	cl = withOperations(0)
	cl.Sched.Trace = func(sim.Time, sim.ActorID, *wire.Message) { panic("a fault") }
	defer func() {
		if r := recover(); r != "a fault" {
			t.Errorf("a fault of the simulator ends the run with %v", r)
		}
	}()
	cl.Run(context.Background())
}

func TestNodeName(t *testing.T) {
	cl := New(Config{Shape: client.Shape{Primaries: 2, Replicas: 2}, Client: client.Config{Processes: 1}, Duration: 1})
	for id, want := range []string{
		"primary 0", "primary 1", "replica 0.0", "replica 0.1", "replica 1.0", "replica 1.1",
	} {
		if got := cl.NodeName(id); got != want {
			t.Errorf("node %d is %s, want %s", id, got, want)
		}
	}
}
