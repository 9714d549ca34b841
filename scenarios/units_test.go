package scenarios

import (
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/workloads"
)

// check parses a text; ok tells whether it may be written.
func check[T comparable](t *testing.T, parse func(string) (T, error), text string, want T, ok bool) {
	t.Helper()
	got, err := parse(text)
	if (err == nil) != ok || ok && got != want {
		t.Errorf("%q: got %v, %v; want %v, ok %v", text, got, err, want, ok)
	}
}

func TestUnits(t *testing.T) {
	check(t, parseDuration, "1.5ms", 1500*time.Microsecond, true)
	check(t, parseDuration, "0s", 0, true)
	for _, bad := range []string{"", "10", "-1s", "1e9h", "ten"} {
		check(t, parseDuration, bad, 0, false)
	}

	check(t, parseSize, "200B", 200, true)
	check(t, parseSize, "64KiB", 65536, true)
	check(t, parseSize, "1.5 MB", 1_500_000, true)
	check(t, parseSize, "0B", 0, true)
	for _, bad := range []string{"", "B", "64kb", "-1B", "99999999999GiB", "1..5B", "NaNB"} {
		check(t, parseSize, bad, 0, false)
	}

	check(t, parseBandwidth, "10Gbit/s", 1_250_000_000, true)
	check(t, parseBandwidth, "400 MB/s", 400_000_000, true)
	check(t, parseBandwidth, "1KiB/s", 1024, true)
	check(t, parseBandwidth, "10Gbit", 0, false)

	check(t, parseRate, "120k/s", 120_000, true)
	check(t, parseRate, "1.2M/s", 1_200_000, true)
	check(t, parseRate, "90/min", 1.5, true)
	for _, bad := range []string{"", "120", "120/h", "-1/s", "9999M/s", "inf/s"} {
		check(t, parseRate, bad, 0, false)
	}
}

func TestDistributions(t *testing.T) {
	ms := time.Millisecond
	check(t, parseDistribution, "1ms", sim.Constant(ms), true)
	check(t, parseDistribution, "exponential(1ms)", sim.Exponential(ms), true)
	uniform := sim.Distribution{Shape: sim.ShapeUniform, A: ms, B: 2 * ms}
	lognormal := sim.Distribution{Shape: sim.ShapeLognormal, A: ms, B: 2 * ms}
	shifted := sim.Distribution{Shape: sim.ShapeShifted, A: 2 * ms, B: ms}
	check(t, parseDistribution, "uniform( 1ms , 2ms )", uniform, true)
	check(t, parseDistribution, "lognormal(1ms, 2ms)", lognormal, true)
	check(t, parseDistribution, "shifted(2ms, 1ms)", shifted, true)
	for _, bad := range []string{"", "100", "(1ms)", "normal(1ms, 2ms)", "exponential(1ms, 2ms)", "exponential()",
		"exponential(1ms", "uniform(2ms, 1ms)", "uniform(-1ms, 1ms)", "lognormal(0s, 1ms)", "exponential(1)"} {
		check(t, parseDistribution, bad, sim.Distribution{}, false)
	}
}

// What a distribution prints is what a scenario file may say.
func TestDistributionsReadWhatTheyPrint(t *testing.T) {
	for _, d := range []sim.Distribution{sim.Constant(time.Second), sim.Exponential(1500),
		{Shape: sim.ShapeUniform, A: 1, B: 2},
		{Shape: sim.ShapeLognormal, A: 1, B: 2}, {Shape: sim.ShapeShifted, A: 3, B: 2}} {
		check(t, parseDistribution, d.String(), d, true)
	}
}

func TestPopularities(t *testing.T) {
	good := map[string]workloads.Popularity{
		"uniform":             {Kind: "uniform"},
		"sequential":          {Kind: "sequential"},
		"zipf(0.99)":          {Kind: "zipf", Theta: 0.99},
		"scrambled-zipf(1)":   {Kind: "scrambled-zipf", Theta: 1},
		"latest(0)":           {Kind: "latest"},
		"hot-set(0.01, 0.9)":  {Kind: "hot-set", Hot: 0.01, Share: 0.9},
		"hot-key(0.6)":        {Kind: "hot-key", Share: 0.6},
		workloads.Curves()[0]: {Kind: workloads.Curves()[0]},
	}
	for text, want := range good {
		check(t, parsePopularity, text, want, true)
	}
	for _, bad := range []string{"", "zipf", "zipf()", "zipf(x)", "zipf(-1)", "zipf(6)", "zipf(NaN)", "uniform(1)",
		"hot-set(0.1)", "hot-set(0.1, 1.1)", "hot-key(0)", "pareto(1)", "zipf(0.99"} {
		check(t, parsePopularity, bad, workloads.Popularity{}, false)
	}
}
