package sim

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The first outputs of SplitMix64 with seed 1234567, as published with its
// implementations in many languages.
func TestStreamIsSplitMix64(t *testing.T) {
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821} {
		if got := (Stream{1234567}).At(uint64(i)); got != want {
			t.Errorf("draw %d is %d, want %d", i, got, want)
		}
	}
}

// What a seed means must not change from one version to the next.
func TestStreamGolden(t *testing.T) {
	for _, tt := range []struct {
		about string
		got   uint64
		want  uint64
	}{
		{"a stream", NewStream(1, "workload/keys").At(0), 0xbb628943ab6eafdf},
		{"a draw far out", NewStream(1, "workload/keys").At(1 << 63), 0xc8731474fb00af70},
		{"the empty name", NewStream(0, "").At(0), 0xa6bbc8dcbe30928c},
		{"a member of a family", NewStream(1, "gossip/peers").Sub(3).At(7), 0x9cca3ef59aeb0faf},
		{"numbers mixed", Mix(42), 0xbdd732262feb6e95},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.about, tt.got, tt.want)
		}
	}
}

func TestStreamIsUniform(t *testing.T) {
	const cells, n = 100, 100_000
	for seed := range uint64(20) {
		s := NewStream(seed, "network/latency")
		var seen [cells]float64
		for i := range uint64(n) {
			seen[Below(s.At(i), cells)]++
		}
		chi2 := 0.0
		for _, count := range seen {
			chi2 += (count - n/cells) * (count - n/cells) / (n / cells)
		}
		// Of 99 degrees of freedom: left of and right of 0.999 of the distribution.
		if chi2 < 59 || chi2 > 148.2 {
			t.Errorf("seed %d: chi-square %.1f", seed, chi2)
		}
	}
}

// Streams whose names, seeds or places in a family are close have nothing to do
// with each other, and neither have neighbours in one stream.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 100_000
	s := NewStream(1, "network/latency")
	for _, tt := range []struct {
		about string
		other func(i uint64) uint64
	}{
		{"another name", NewStream(1, "network/latencz").At},
		{"the next seed", NewStream(2, "network/latency").At},
		{"a member", s.Sub(0).At},
		{"another member", s.Sub(1).At},
		{"the next draw", func(i uint64) uint64 { return s.At(i + 1) }},
	} {
		sum := 0.0
		for i := range uint64(n) {
			sum += (float64(s.At(i))/(1<<64) - 0.5) * (float64(tt.other(i))/(1<<64) - 0.5)
		}
		if r := 12 * sum / math.Sqrt(n); math.Abs(r) > 3.3 { // of a standard normal, once in a thousand
			t.Errorf("%s: correlated by %.2f standard deviations", tt.about, r)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		draw uint64
		n    int
		want int
	}{
		{0, 1, 0}, {math.MaxUint64, 1, 0},
		{0, 10, 0}, {math.MaxUint64, 10, 9}, {math.MaxUint64/10*3 + 2, 10, 3}, {math.MaxUint64 / 10 * 3, 10, 2},
		{1<<63 - 1, 2, 0}, {1 << 63, 2, 1},
		{math.MaxUint64, math.MaxInt, math.MaxInt - 1},
	} {
		if got := Below(tt.draw, tt.n); got != tt.want {
			t.Errorf("Below(%d, %d) = %d, want %d", tt.draw, tt.n, got, tt.want)
		}
	}
	for _, n := range []int{0, -1} {
		mustPanic(t, fmt.Sprintf("Below(0, %d)", n), func() { Below(0, n) })
	}
}

func TestBelowNeverFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, math.MaxInt).Draw(t, "n")
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
		if Below(min(a, b), n) > Below(max(a, b), n) {
			t.Fatalf("%d gives more than %d", min(a, b), max(a, b))
		}
	})
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s does not panic", what)
		}
	}()
	f()
}
