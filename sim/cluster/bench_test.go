package cluster

import (
	"context"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/workloads"
)

// threePrimaries is W3 of the benchmark: 240,000 operations a second, Poisson,
// on 100,000 keys chosen uniformly, three nodes that take 10 µs for each, and
// 100 µs of network each way.
func threePrimaries(tb testing.TB, duration time.Duration, network network.Config) Config {
	tb.Helper()
	w, err := workloads.Build(workloads.Spec{
		Name: "keys", Kind: "keys", KeyPattern: "key:%016d", Count: 100_000, Rate: 240_000,
		Mix: []workloads.Share{{Command: "get", Share: 1}}, ValueSize: 100,
	}, 3, workloads.NewCache())
	if err != nil {
		tb.Fatal(err)
	}
	return config(tb, 3, duration, network, w)
}

func config(tb testing.TB, primaries int, duration time.Duration, network network.Config,
	w *workloads.Workload) Config {

	tb.Helper()
	costs, _, _ := node.Profile("round-100k")
	c := Config{
		Seed: 1, Shape: client.Shape{Primaries: primaries}, Costs: costs, Network: network,
		Node: node.Config{WriteBytesMax: 64 << 10},
		Client: client.Config{Processes: 10, Cores: 1, ReadFrom: client.FromPrimary,
			MaxRedirects: 5, OnMoved: client.MovedPatch, SlotMap: client.SlotMapCurrent},
		Keys:     w.Keys().Len(),
		Duration: duration,
	}
	for _, l := range w.Loads(1, 0, 0) {
		d := client.Demand{Name: l.Name, Number: l.Number, Source: l.Source, Arrivals: l.Arrivals}
		c.Demands = append(c.Demands, d)
	}
	return c
}

// BenchmarkThreePrimaries measures one operation, with all statistics on: to be
// held against the bare event loop in C++ (bench/base.cpp), which needs one heap
// operation for each of four events.
func BenchmarkThreePrimaries(b *testing.B) {
	constant := network.Config{OneWay: sim.Constant(100 * time.Microsecond)}
	for _, bb := range []struct {
		name    string
		network network.Config
		gossip  bool
	}{
		{"constant", constant, false},
		{"jitter", network.Config{OneWay: sim.Distribution{
			Shape: sim.ShapeShifted, A: 50 * time.Microsecond, B: 50 * time.Microsecond}}, false},
		{"controlled", constant, true},
	} {
		b.Run(bb.name, func(b *testing.B) {
			config := threePrimaries(b, time.Duration(float64(b.N+1)/240e3*1e9)+time.Millisecond, bb.network)
			config.Gossip, config.Version, config.Control = bb.gossip, "redis-7.2", gossip.DefaultConfig()
			c := New(config)
			b.ReportAllocs()
			b.ResetTimer()
			if err := c.Run(context.Background()); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			h := c.Recorders[0].Latency
			b.ReportMetric(float64(h.Sum().Total())/float64(h.Count())/1e3, "mean_µs")
			b.ReportMetric(float64(h.Quantile(0.99))/1e3, "p99_µs")
			b.ReportMetric(float64(h.Quantile(0.999))/1e3, "p999_µs")
			b.ReportMetric(float64(c.Sched.Events())/float64(h.Count()), "events/op")
		})
	}
}
