package workloads

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hotslot/sim"
)

// count returns how many operations start before end.
func count(a *Arrivals, end sim.Time) int {
	n := 0
	for a.Next() < end {
		n++
	}
	return n
}

func TestConstantArrivals(t *testing.T) {
	for _, tt := range []struct {
		rate float64
		n    int // operation n, counted from 1,
		at   sim.Time
	}{
		{1000, 1, 1e6}, {1000, 10, 10e6},
		{3, 3, 1e9}, {7, 7, 1e9}, {120_000, 120_000, 1e9},
		{1e9, 5, 5},
		{0.001, 2, 2000e9},
	} {
		a := NewArrivals(Spec{Rate: tt.rate, Arrivals: "constant"}, 1, 0)
		var at sim.Time
		for range tt.n {
			at = a.Next()
		}
		if at != tt.at {
			t.Errorf("at %v/s operation %d starts at %v, want %v", tt.rate, tt.n, at, tt.at)
		}
	}
}

// The increments' mean is 1 to a millionth: over strata of equal probability,
// the sum does not depend on luck.
func TestPoissonMean(t *testing.T) {
	table, mean := unitExponential()
	const n = 1 << 22
	sum := 0.0
	for i := range uint64(n) {
		sum += float64(table.At(i<<42 + 1<<41))
	}
	if got := sum / n / one / mean; math.Abs(got-1) > 1e-6 {
		t.Errorf("mean increment %v", got)
	}
	if mean == 1 || math.Abs(mean-1) > 1e-3 {
		t.Errorf("the table's own mean is %v", mean)
	}
}

func TestPoissonRate(t *testing.T) {
	const n = 10_000_000
	a := NewArrivals(Spec{Rate: 120_000}, 1, 0)
	var at sim.Time
	for range n {
		at = a.Next()
	}
	got := n / (float64(at) / 1e9)
	if math.Abs(got/120_000-1) > 4/math.Sqrt(n) { // four standard deviations
		t.Errorf("rate %v", got)
	}
}

// In a Poisson process, counts over windows have their mean as variance.
func TestPoissonVariance(t *testing.T) {
	const windows, mean = 20_000, 10.0
	a := NewArrivals(Spec{Rate: 10_000}, 1, 0)
	var counts [windows]float64
	for at := a.Next(); at < windows*1e6; at = a.Next() {
		counts[at/1e6]++
	}
	variance := 0.0
	for _, c := range counts {
		variance += (c - mean) * (c - mean) / windows
	}
	if math.Abs(variance/mean-1) > 0.05 {
		t.Errorf("variance %v of counts of mean %v", variance, mean)
	}
}

// The same operation has the same increment whatever the rate.
func TestRateScalesTime(t *testing.T) {
	slow, fast := NewArrivals(Spec{Rate: 1000}, 1, 0), NewArrivals(Spec{Rate: 4000}, 1, 0)
	for n := range 10_000 {
		a, b := slow.Next(), fast.Next()
		if d := a - 4*b; d < -8 || d > 8 {
			t.Fatalf("operation %d starts at %v, and at %v four times as fast", n, a, b)
		}
	}
	other := NewArrivals(Spec{Rate: 1000}, 1, 1)
	if other.Next() == NewArrivals(Spec{Rate: 1000}, 1, 0).Next() {
		t.Error("two loads have the same arrivals")
	}
}

func TestProfiles(t *testing.T) {
	const s = time.Second
	type window struct {
		from, to sim.Time
		want     int
	}
	for _, tt := range []struct {
		about   string
		spec    Spec
		windows []window
	}{
		{"steps", Spec{Rate: 1000, Steps: []Step{{At: 2 * s, Rate: 5000}, {At: 3 * s, Rate: 0}, {At: 4 * s, Rate: 100}}},
			[]window{{0, 2e9, 2000}, {2e9, 3e9, 5000}, {3e9, 4e9, 0}, {4e9, 6e9, 200}}},
		{"steps in any order", Spec{Rate: 1000, Steps: []Step{{At: 3 * s, Rate: 0}, {At: s, Rate: 10}}},
			[]window{{0, 1e9, 1000}, {1e9, 3e9, 20}, {3e9, 9e9, 0}}},
		{"steps at once: the last one counts", Spec{Rate: 7, Steps: []Step{{At: 0, Rate: 50}, {At: 0, Rate: 1000}}},
			[]window{{0, 2e9, 2000}}},
		{"nothing, then something", Spec{Steps: []Step{{At: s, Rate: 1000}}},
			[]window{{0, 1e9, 0}, {1e9, 2e9, 1000}}},
		{"on and off", Spec{Rate: 1000, OnOff: &OnOff{On: s, Off: 3 * s}},
			[]window{{0, 1e9, 1000}, {1e9, 4e9, 0}, {4e9, 5e9, 1000}, {5e9, 8e9, 0}, {8e9, 9e9, 1000}}},
		{"on and off with a step", Spec{Rate: 1000, OnOff: &OnOff{On: s, Off: s}, Steps: []Step{{At: 1500e6, Rate: 100}}},
			[]window{{0, 1e9, 1000}, {1e9, 2e9, 0}, {2e9, 3e9, 100}}},
		{"off until the rate is 0", Spec{Rate: 1000, OnOff: &OnOff{On: s, Off: s}, Steps: []Step{{At: s, Rate: 0}}},
			[]window{{0, 1e9, 1000}, {1e9, 99e9, 0}}},
		{"ramp", Spec{Rate: 0, Ramp: &Ramp{To: 1000, From: s, Over: 4 * s}},
			[]window{{0, 1e9, 0}, {1e9, 3e9, 500}, {3e9, 5e9, 1500}, {5e9, 6e9, 1000}}},
		{"ramp down from a step", Spec{Rate: 10, Steps: []Step{{At: s, Rate: 1000}}, Ramp: &Ramp{To: 0, From: s, Over: 2 * s}},
			[]window{{0, 1e9, 10}, {1e9, 3e9, 1000}, {3e9, 9e9, 0}}},
		{"ramp that a step cuts short", Spec{Rate: 1000, Steps: []Step{{At: 2 * s, Rate: 10}}, Ramp: &Ramp{To: 3000, From: s, Over: 2 * s}},
			[]window{{0, 1e9, 1000}, {1e9, 2e9, 1500}, {2e9, 4e9, 20}}},
		{"ramp in no time", Spec{Rate: 1000, Ramp: &Ramp{To: 100, From: s}},
			[]window{{0, 1e9, 1000}, {1e9, 2e9, 100}}},
	} {
		for _, arrivals := range []string{constantArrivals, poissonArrivals} {
			tt.spec.Arrivals = arrivals
			for _, w := range tt.windows {
				got := count(NewArrivals(tt.spec, 1, 0), w.to) - count(NewArrivals(tt.spec, 1, 0), w.from)
				tolerance := 1.0 // an operation on the border
				if arrivals == poissonArrivals {
					tolerance = 4 * math.Sqrt(float64(w.want))
				}
				if math.Abs(float64(got-w.want)) > tolerance {
					t.Errorf("%s, %s: %d operations from %v to %v, want %d",
						tt.about, arrivals, got, w.from, w.to, w.want)
				}
			}
		}
	}
}

func TestNothingForEver(t *testing.T) {
	for _, spec := range []Spec{
		{},
		{Rate: 0, OnOff: &OnOff{On: 1, Off: 1}},
		{Rate: 0.001, Arrivals: "constant", OnOff: &OnOff{On: 1, Off: math.MaxInt64 - 1}},
		{Rate: 1, Arrivals: "constant", Steps: []Step{{At: 10, Rate: 0}}},
	} {
		a := NewArrivals(spec, 1, 0)
		for range 3 {
			if at := a.Next(); at != sim.Never {
				t.Errorf("%+v: an operation at %v", spec, at)
			}
		}
	}
}

// An increment that is carried over borders of equal rates ends where it would
// without them, up to rounding, which is never late by more than a little.
func TestCarryIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(1, 1e4).Draw(t, "rate")
		plain := Spec{Rate: rate}
		cut := plain
		for range rapid.IntRange(1, 20).Draw(t, "borders") {
			at := time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "border"))
			cut.Steps = append(cut.Steps, Step{At: at, Rate: rate})
		}
		a, b := NewArrivals(plain, 1, 0), NewArrivals(cut, 1, 0)
		for at := sim.Time(0); at < 1e9; {
			at = a.Next()
			if got := b.Next(); got-at < -30 || got-at > 30 {
				t.Fatalf("an operation at %v without borders is at %v with them", at, got)
			}
		}
	})
}

func TestArrivalsNeverGoBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(0, 1e7)
		length := rapid.Int64Range(1, 1e6)
		spec := Spec{
			Rate:     rate.Draw(t, "rate"),
			Arrivals: rapid.SampledFrom([]string{"poisson", "constant"}).Draw(t, "arrivals"),
			Steps:    []Step{{At: time.Duration(length.Draw(t, "step")), Rate: rate.Draw(t, "rate")}},
			Ramp:     &Ramp{To: rate.Draw(t, "to"), From: time.Duration(length.Draw(t, "from")), Over: time.Duration(length.Draw(t, "over"))},
			OnOff:    &OnOff{On: time.Duration(length.Draw(t, "on")), Off: time.Duration(length.Draw(t, "off"))},
		}
		cycle := sim.Time(spec.OnOff.On + spec.OnOff.Off)
		a := NewArrivals(spec, 1, 0)
		last := sim.Time(0)
		for range 1000 {
			at := a.Next()
			if at < last || at != sim.Never && at%cycle >= sim.Time(spec.OnOff.On) {
				t.Fatalf("an operation at %d after one at %d; on for %d of %d", at, last, spec.OnOff.On, cycle)
			}
			last = at
		}
	})
}

// A clock that stands still while a load is off and the time that it shows are
// each other's inverse while the load is on.
func TestOnOffClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.Int64Range(1, 1000)
		o := OnOff{On: time.Duration(length.Draw(t, "on")), Off: time.Duration(length.Draw(t, "off"))}
		shown := sim.Time(rapid.Int64Range(0, 1e15).Draw(t, "shown"))
		at := o.time(shown)
		if phase := at % sim.Time(o.On+o.Off); phase >= sim.Time(o.On) || o.clock(at) != shown {
			t.Fatalf("%+v: %d on the clock is %d, when the clock shows %d", o, shown, at, o.clock(at))
		}
	})
}

func TestBurstArrivals(t *testing.T) {
	for _, tt := range []struct {
		over time.Duration
		want []sim.Time
	}{
		{0, []sim.Time{10, 10, 10, 20, 20, 20, 30}},
		{9, []sim.Time{10, 13, 16, 20, 23, 26, 30}},
	} {
		a := NewArrivals(Spec{Kind: "burst", Size: 3, Every: 10, Over: tt.over}, 1, 0)
		for n, want := range tt.want {
			if got := a.Next(); got != want {
				t.Errorf("over %d: operation %d at %d, want %d", tt.over, n, got, want)
			}
		}
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	for _, spec := range []Spec{
		{Rate: 1e6},
		{Rate: 1e6, OnOff: &OnOff{On: 1e5, Off: 1e5}, Ramp: &Ramp{To: 10, Over: 1e6}},
		{Kind: "burst", Size: 10, Every: 10},
	} {
		a := NewArrivals(spec, 1, 0)
		if got := testing.AllocsPerRun(1000, func() { a.Next() }); got != 0 {
			t.Errorf("%v allocations", got)
		}
	}
}
