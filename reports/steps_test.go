package reports

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/plotter"

	"hotslot/experiment"
)

func TestBucketsPerStep(t *testing.T) {
	tests := []struct {
		buckets int
		width   float64
		want    int
	}{
		{30, 0.1, 1}, {60, 0.1, 2}, {61, 0.1, 5}, {80, 0.001, 5}, {100, 0.05, 4}, {55, 0.02, 5},
		{100, 0.3, 4}, // to no round step
		{0, 0, 1},
	}
	for _, test := range tests {
		if got := bucketsPerStep(test.buckets, test.width, stepsMost); got != test.want {
			t.Errorf("%d buckets of %v s: %d to a step, want %d", test.buckets, test.width, got, test.want)
		}
	}
}

func TestSteps(t *testing.T) {
	values := []float64{1, 3, 0, 8, 5}
	want := []plotter.XY{{X: 1, Y: 2}, {X: 3, Y: 4}, {X: 4.5, Y: 5}}
	if got := steps(values, 1, 2, meanOfStep); !slices.Equal(got, want) {
		t.Errorf("means are %v, want %v", got, want)
	}
	want = []plotter.XY{{X: 1, Y: 3}, {X: 3, Y: 8}, {X: 4.5, Y: 5}}
	if got := steps(values, 1, 2, highestOfStep); !slices.Equal(got, want) {
		t.Errorf("highest are %v, want %v", got, want)
	}
}

func TestRunsOfVeryDifferentLengthsLieOverEachOther(t *testing.T) {
	r := &experiment.Result{Strategies: []experiment.Strategy{{Name: "short", Seeds: 1}, {Name: "long", Seeds: 1}}}
	r.Strategies[0].Series = experiment.Series{BucketSeconds: 0.001, Throughput: []float64{1, 1}}
	r.Strategies[1].Series = experiment.Series{BucketSeconds: 0.1, Throughput: []float64{1, 1}}
	tl := timelineOf(r, func(s *experiment.Series) []float64 { return s.Throughput }, meanOfStep)
	for _, l := range tl.lines {
		if math.Round(l.points[0].X) != 25 || math.Round(l.points[1].X) != 75 {
			t.Errorf("%s is at %v", l.name, l.points)
		}
	}
	if got, want := tl.each("mean of"), ", mean of each 1 ms to 100 ms"; got != want {
		t.Errorf("says %q, want %q", got, want)
	}
}

func TestHeight(t *testing.T) {
	l := line{points: []plotter.XY{{X: 0, Y: 1}, {X: 2, Y: 3}, {X: 4, Y: math.NaN()}, {X: 6, Y: 5}}}
	none := math.NaN()
	for x, want := range map[float64]float64{-1: none, 0: 1, 1: 2, 2: 3, 3: none, 5: none, 7: none} {
		if got := l.height(x); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("at %v the line is at %v, want %v", x, got, want)
		}
	}
}
