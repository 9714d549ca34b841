package main

import (
	"context"
	"testing"
	"time"

	"hotslot/experiment"
	"hotslot/scenarios"
)

// BenchmarkThreePrimaries measures an operation of scenarios/bench, from the
// file to the result, with all statistics on. The floor to hold it against is a
// bare event loop in C++ with a binary heap and one histogram, on the same
// workload. As a test of the command, it is built with the command's profile.
func BenchmarkThreePrimaries(b *testing.B) {
	const rate = 240_000
	duration := time.Duration(b.N+rate/100) * time.Second / rate
	s, err := scenarios.Load("../../scenarios/bench/three-primaries.toml", scenarios.Options{Duration: &duration})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	r, err := experiment.Run(context.Background(), s, experiment.Options{Jobs: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.Operations), "ns/operation")
	b.ReportMetric(r.Strategies[0].Latency.Mean, "mean_µs")
	b.ReportMetric(r.Strategies[0].Latency.P99.Mean, "p99_µs")
}
