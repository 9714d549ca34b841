package workloads

import (
	"fmt"
	"testing"

	"hotslot/sim"
	"hotslot/sim/wire"
)

func BenchmarkZipf(b *testing.B) {
	for _, count := range []int{1000, 100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			z := newZipf(zipfShape{count, 0.99})
			draws := sim.NewStream(1, "test")
			sum := 0
			n := uint64(0)
			for b.Loop() {
				sum += z.number(draws.At(n))
				n++
			}
			sink = sum
		})
	}
}

func BenchmarkNewZipf(b *testing.B) {
	for _, count := range []int{1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			for b.Loop() {
				sink = len(newZipf(zipfShape{count, 0.99}).bounds)
			}
		})
	}
}

func BenchmarkCurve(b *testing.B) {
	p := newCurve(curves["meta-kvcache"], 1_000_000)
	draws := sim.NewStream(1, "test")
	sum := 0
	n := uint64(0)
	for b.Loop() {
		sum += p.number(draws.At(n))
		n++
	}
	sink = sum
}

func BenchmarkOp(b *testing.B) {
	zipf := Popularity{Kind: "zipf", Theta: 0.99}
	for _, bench := range []struct {
		name string
		spec Spec
	}{
		{"counter", Spec{Kind: "counter", Key: "page", Shards: 16}},
		{"keys", Spec{Kind: "keys", KeyPattern: "key:%016d", Count: 100_000, Popularity: zipf, Mix: getSet}},
		{"batch", Spec{Kind: "batch", KeyPattern: "key:%016d", Count: 100_000, Popularity: zipf, Command: "mget", Size: 10}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			source := build(b, bench.spec).Loads(1, 0, 0)[0].Source
			buf := make([]wire.KeyRef, 0, 64)
			n := uint64(0)
			var op wire.Op
			for b.Loop() {
				source.Op(n, &op)
				if op.Keys > 1 {
					buf = source.Keys(op, buf[:0])
				}
				n++
			}
		})
	}
}

func BenchmarkNext(b *testing.B) {
	for _, kind := range []string{constantArrivals, poissonArrivals} {
		b.Run(kind, func(b *testing.B) {
			a := NewArrivals(Spec{Rate: 120_000, Arrivals: kind}, 1, 0)
			for b.Loop() {
				a.Next()
			}
		})
	}
}

func BenchmarkLoadMillionKeys(b *testing.B) {
	for _, pattern := range []string{"key:%016d", "{user:%d}:profile"} {
		b.Run(pattern, func(b *testing.B) {
			spec := Spec{Kind: "keys", KeyPattern: pattern, Count: 1_000_000}
			for b.Loop() {
				names, err := spec.names(3)
				if err != nil {
					b.Fatal(err)
				}
				sink = newKeys(names).Len()
			}
		})
	}
}

// sink keeps results that nobody reads from being optimized away.
var sink int

var getSet = []Share{{"get", 0.9}, {"set", 0.1}}

// build builds a workload of a cluster of three primaries.
func build(tb testing.TB, spec Spec) *Workload {
	tb.Helper()
	w, err := Build(spec, 3, NewCache())
	if err != nil {
		tb.Fatal(err)
	}
	return w
}
