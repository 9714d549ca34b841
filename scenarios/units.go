package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"hotslot/sim"
	"hotslot/workloads"
)

// Sizes, from which bandwidths are made too.
var sizeUnits = map[string]float64{
	"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
}

var bandwidthUnits = map[string]float64{
	"bit/s": 1. / 8, "kbit/s": 1e3 / 8, "Mbit/s": 1e6 / 8, "Gbit/s": 1e9 / 8,
	"B/s": 1, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "KiB/s": 1 << 10, "MiB/s": 1 << 20, "GiB/s": 1 << 30,
}

var rateUnits = map[string]float64{
	"/s": 1, "k/s": 1e3, "M/s": 1e6, "/min": 1. / 60, "k/min": 1e3 / 60, "M/min": 1e6 / 60,
}

// rateMax is one operation a nanosecond, the resolution of virtual time.
const rateMax = 1e9

// amountMax bounds sizes and bandwidths: an exbibyte.
const amountMax = 1 << 60

// splitNumber splits a text such as "64 KiB" into number and unit.
func splitNumber(text string) (number float64, unit string, ok bool) {
	end := 0
	for end < len(text) && strings.IndexByte("+-.0123456789", text[end]) >= 0 {
		end++
	}
	number, err := strconv.ParseFloat(text[:end], 64)
	return number, strings.TrimSpace(text[end:]), err == nil
}

// inUnits reads a number with one of the units, and returns it in their base.
func inUnits(text string, units map[string]float64) (amount float64, ok bool) {
	number, unit, ok := splitNumber(text)
	factor, known := units[unit]
	return number * factor, ok && known
}

// parseDuration reads a duration as Go writes it.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	switch {
	case err != nil:
		return 0, fmt.Errorf(`%q is no duration; write one such as "10s" or "1.5ms"`, text)
	case d < 0:
		return 0, fmt.Errorf("a duration cannot be negative")
	}
	return d, nil
}

// parseSize reads a number of bytes.
func parseSize(text string) (int64, error) {
	return wholeBytes(text, sizeUnits, `size; write one such as "200B" or "64KiB"`)
}

// parseBandwidth reads a number of bytes, or of bits, per second.
func parseBandwidth(text string) (int64, error) {
	return wholeBytes(text, bandwidthUnits, `bandwidth; write one such as "10Gbit/s" or "125MB/s"`)
}

func wholeBytes(text string, units map[string]float64, what string) (int64, error) {
	bytes, ok := inUnits(text, units)
	switch {
	case !ok || bytes > amountMax:
		return 0, fmt.Errorf("%q is no %s", text, what)
	case bytes < 0:
		return 0, fmt.Errorf("%q is negative, which no amount of bytes can be", text)
	}
	return int64(math.Round(bytes)), nil
}

// parseRate reads a number of operations per second.
func parseRate(text string) (float64, error) {
	rate, ok := inUnits(text, rateUnits)
	switch {
	case !ok || rate > rateMax:
		return 0, fmt.Errorf(`%q is no rate; write one such as "10/s", "120k/s" or "90/min"`, text)
	case rate < 0:
		return 0, fmt.Errorf("a rate cannot be negative")
	}
	return rate, nil
}

// parseDistribution reads a duration or a distribution of durations.
func parseDistribution(text string) (sim.Distribution, error) {
	name, args, ok := parseCall(text)
	if ok && len(args) == 0 {
		d, err := parseDuration(name)
		return sim.Constant(d), err
	}
	shapes := map[string]struct {
		shape sim.Shape
		args  int
	}{
		"exponential": {sim.ShapeExponential, 1},
		"uniform":     {sim.ShapeUniform, 2},
		"lognormal":   {sim.ShapeLognormal, 2},
		"shifted":     {sim.ShapeShifted, 2},
	}
	known, is := shapes[name]
	if !ok || !is || len(args) != known.args {
		return sim.Distribution{}, fmt.Errorf(`%q is no distribution; write a duration, "exponential(mean)", `+
			`"uniform(from, to)", "lognormal(median, p99)" or "shifted(constant, mean)"`, text)
	}
	var durations [2]time.Duration
	for i, arg := range args {
		d, err := parseDuration(arg)
		if err != nil {
			return sim.Distribution{}, err
		}
		durations[i] = d
	}
	d := sim.Distribution{Shape: known.shape, A: durations[0], B: durations[1]}
	switch {
	case d.Shape == sim.ShapeLognormal && d.A == 0:
		return d, fmt.Errorf("the median of a lognormal distribution cannot be 0")
	case (d.Shape == sim.ShapeUniform || d.Shape == sim.ShapeLognormal) && d.B < d.A:
		return d, fmt.Errorf("%q: the second duration is less than the first; swap them", text)
	}
	return d, nil
}

// parsePopularity reads how often each key is asked for.
func parsePopularity(text string) (workloads.Popularity, error) {
	name, texts, ok := parseCall(text)
	p := workloads.Popularity{Kind: name}
	args := make([]float64, len(texts))
	for i, arg := range texts {
		x, err := strconv.ParseFloat(arg, 64)
		ok = ok && err == nil && x >= 0 && x <= thetaMax
		args[i] = x
	}
	share := func(x float64) bool { return x > 0 && x < 1 }
	switch {
	case !ok:
	case len(args) == 0 && name != "" && isPlainPopularity(name):
		return p, nil
	case len(args) == 1 && (name == "zipf" || name == "scrambled-zipf" || name == "latest"):
		p.Theta = args[0]
		return p, nil
	case len(args) == 1 && name == "hot-key" && share(args[0]):
		p.Share = args[0]
		return p, nil
	case len(args) == 2 && name == "hot-set" && share(args[0]) && share(args[1]):
		p.Hot, p.Share = args[0], args[1]
		return p, nil
	}
	return workloads.Popularity{}, fmt.Errorf(`%q is no popularity; write "uniform", "sequential", "zipf(0.99)", `+
		`"scrambled-zipf(0.99)", "latest(0.99)", "hot-set(0.01, 0.9)", "hot-key(0.6)" or a measured curve: %s`,
		text, oneOf(workloads.Curves()))
}

// thetaMax is the steepest popularity: above it one key gets everything.
const thetaMax = 5

// parseCall splits a text such as "uniform(1ms, 2ms)" into name and arguments.
// A name alone has none.
func parseCall(text string) (name string, args []string, ok bool) {
	name, rest, called := strings.Cut(strings.TrimSpace(text), "(")
	if !called {
		return name, nil, true
	}
	inside, closed := strings.CutSuffix(rest, ")")
	for arg := range strings.SplitSeq(inside, ",") {
		args = append(args, strings.TrimSpace(arg))
	}
	return strings.TrimSpace(name), args, closed
}
