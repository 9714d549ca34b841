package reports

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"

	"hotslot/experiment"
)

// stepsMost is how many steps a line over time has at most. The replies of an
// overloaded node leave in clumps, a turn of its event loop at a time, and a
// line through narrower buckets shows the clumps and nothing else. Where
// something happens to the cluster it is looked at more closely.
const (
	stepsMost       = 30
	stepsMostEvents = 150
)

// steps makes a point of each step of a series, at its middle. What is not a
// number counts as 0.
func steps(values []float64, width float64, merged int, merge func([]float64) float64) []plotter.XY {
	var points []plotter.XY
	for from := 0; from < len(values); from += merged {
		to := min(from+merged, len(values))
		known := make([]float64, 0, merged)
		for _, v := range values[from:to] {
			if !finite(v) {
				v = 0
			}
			known = append(known, v)
		}
		points = append(points, plotter.XY{X: float64(from+to) / 2 * width, Y: merge(known)})
	}
	return points
}

// bucketsPerStep returns how many buckets make a step: few enough for so many
// of them, and a step of a round width, 1, 2 or 5 times a power of ten, where
// buckets go into one.
func bucketsPerStep(buckets int, width float64, most int) int {
	if buckets <= most || !(width > 0) || !finite(width) {
		return 1
	}
	least := (buckets + most - 1) / most
	for step, tries := roundStep(float64(least)*width), 0; tries < 3; tries++ {
		if n := step / width; math.Abs(n-math.Round(n)) < 1e-6 {
			return int(math.Round(n))
		}
		step = roundStep(step * 1.5)
	}
	return least
}

// meanOfStep returns the mean of some values.
func meanOfStep(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// highestOfStep returns the highest of some values.
func highestOfStep(values []float64) float64 {
	highest := 0.0
	for _, v := range values {
		highest = max(highest, v)
	}
	return highest
}

// A timeline is the lines of a picture over time.
type timeline struct {
	lines       []line
	low, high   float64 // the shortest and the longest step, in seconds
	short, long float64 // the shortest and the longest run, in seconds, warm-up included
	merged      bool    // whether a step is more than a bucket
	marks       []experiment.Mark
}

// timelineOf makes a line over time of each strategy.
func timelineOf(r *experiment.Result, series func(*experiment.Series) []float64,
	merge func([]float64) float64) *timeline {
	t := &timeline{}
	most := stepsMost
	if t.marks = marksOf(r); t.marks != nil {
		most = stepsMostEvents
	}
	t.lines = linesOf(r, func(s *experiment.Strategy) []plotter.XY {
		values, width := series(&s.Series), s.Series.BucketSeconds
		n := bucketsPerStep(len(values), width, most)
		t.add(float64(n)*width, float64(len(values))*width)
		t.merged = t.merged || n > 1
		return steps(values, width, n, merge)
	})
	if t.relative() {
		t.scale(r)
	}
	return t
}

// add takes account of a strategy's step and length.
func (t *timeline) add(step, length float64) {
	if !(length > 0) || !finite(length) {
		return
	}
	if t.long == 0 {
		t.low, t.short = step, length
	}
	t.low, t.high = min(t.low, step), max(t.high, step)
	t.short, t.long = min(t.short, length), max(t.long, length)
}

// relative says whether runs differ so much in length that the short ones would
// vanish beside the long ones: then time is told as a share of the run.
func (t *timeline) relative() bool { return t.long > 2*t.short }

// scale turns the time of each line into percents of its run.
func (t *timeline) scale(r *experiment.Result) {
	for _, l := range t.lines {
		s := &r.Strategies[l.index].Series
		length := float64(max(len(s.Throughput), len(s.P99))) * s.BucketSeconds
		for i := range l.points {
			l.points[i].X *= 100 / length
		}
	}
}

// each says what a point stands for: "mean of each 0.2 s".
func (t *timeline) each(merge string) string {
	if t.high == 0 {
		return ""
	}
	width := micros.short(t.low * 1e6)
	if t.low != t.high {
		width += " to " + micros.short(t.high*1e6)
	}
	return fmt.Sprintf(", %s each %s", merge, width)
}
