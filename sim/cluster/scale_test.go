package cluster

import (
	"testing"
	"time"

	"hotslot/sim"
)

// BenchmarkIdle measures how fast an idle cluster of 1000 nodes runs, by simulated
// seconds.
func BenchmarkIdle(b *testing.B) {
	c := controlled(b, 1, 15*time.Second, time.Hour)
	c.Shape.Primaries = 500
	cl := New(c)
	cl.Sched.Run(sim.Time(20 * time.Second))
	b.ReportAllocs()
	b.ResetTimer()
	cl.Sched.Run(sim.Time(20*time.Second) + sim.Time(b.N)*sim.Time(time.Second))
}
