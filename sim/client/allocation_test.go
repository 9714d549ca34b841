package client_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/network"
	"hotslot/sim/wire"
)

// steady is an operation on key 0 every 10 µs.
type steady struct{ last sim.Time }

func (s *steady) Op(n uint64, op *wire.Op) { *op = wire.Op{ID: wire.NewOpID(0, n), Keys: 1} }

func (s *steady) Keys(wire.Op, []wire.KeyRef) []wire.KeyRef { return nil }

func (s *steady) Next() sim.Time {
	s.last += sim.Time(10 * time.Microsecond)
	return s.last
}

// An operation costs no memory however often it fails, once a run is warm.
func TestAttemptsAllocateNothing(t *testing.T) {
	for name, c := range map[string]client.Config{
		"retries":   {Retries: 3, RetryBackoff: 50 * time.Microsecond, RefreshOnError: true},
		"timeouts":  {Timeout: 250 * time.Microsecond, Retries: 2, RetryOn: []string{"TIMEOUT"}, Connections: 50},
		"refreshes": {RefreshOnError: true, RefreshEvery: time.Millisecond},
		"stateless": {Stateless: true, Retries: 1},
	} {
		load := new(steady)
		c.Processes, c.MaxRedirects, c.SlotMap, c.OnMoved = 4, 5, client.SlotMapCurrent, client.MovedPatch
		const length = 200 * time.Millisecond
		cl := cluster.New(cluster.Config{Shape: client.Shape{Primaries: 2, Replicas: 1}, Client: c, Keys: 1,
			Network: network.Config{OneWay: sim.Constant(100 * time.Microsecond)}, Duration: length,
			Demands: []client.Demand{{Source: load, Arrivals: load}}})
		cl.Net.Connect(sim.ActorID(len(cl.Nodes)), &rain{cl.Client})
		cl.Sched.Run(sim.Time(length / 2))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cl.Sched.Run(sim.Time(length) - 1)
		runtime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > 20 {
			t.Errorf("%s: %d allocations in %d operations", name, n, cl.Recorders[0].Begun/2)
		}
		if err := cl.Run(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rain makes an error of every other reply, and loses some.
type rain struct{ *client.Client }

func (r *rain) Early(at sim.Time, m *wire.Message) bool {
	switch luck := sim.Mix(m.Draw()) % 16; {
	case luck == 0 && r.Timeout > 0:
		r.Lost(m)
		return true
	case luck < 4:
		m.Verdict = wire.Connection
	case luck < 8:
		m.Verdict = wire.ClusterDown
	}
	return r.Client.Early(at, m)
}
