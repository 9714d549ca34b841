package reports

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

func labels(ticks []plot.Tick) string {
	var said []string
	for _, t := range ticks {
		if t.Label != "" {
			said = append(said, t.Label)
		}
	}
	return strings.Join(said, " | ")
}

func TestLinearTicks(t *testing.T) {
	for _, test := range []struct {
		most float64
		unit int
		want string
		end  float64
	}{
		{180_000, 3, "0 | 50 | 100 | 150 | 200", 200_000},
		{1, -2, "0 | 20 | 40 | 60 | 80 | 100", 1},
		{0.7, 0, "0 | 0.2 | 0.4 | 0.6 | 0.8", 0.8},
		{0, 0, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1", 1},
		{math.Inf(1), 0, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1", 1},
	} {
		ticks, end := linearTicks(test.most, test.unit, 5)
		if got := labels(ticks); got != test.want || math.Abs(end-test.end) > 1e-9 {
			t.Errorf("up to %v: %s, end %v; want %s, end %v", test.most, got, end, test.want, test.end)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		want      string
	}{
		{210, 340, "100 µs | 200 µs | 500 µs | 1 ms"},
		{1000, 1000, "500 µs | 1 ms | 2 ms"},
		{400, 2_000_000, "1 ms | 10 ms | 100 ms | 1 s"},
		{0, 0, "100 µs | 200 µs | 500 µs | 1 ms | 2 ms | 5 ms | 10 ms"},
	} {
		r := logRangeOf([]line{{points: []plotter.XY{{Y: test.low}, {Y: test.high}, {Y: 0}}}})
		if got := labels(r.ticks()); got != test.want {
			t.Errorf("from %v to %v: %s, want %s", test.low, test.high, got, test.want)
		}
	}
}

func TestNodesThatFit(t *testing.T) {
	nodes := manyNodes().Strategies[0].Nodes
	shown := shownNodes(nodes)
	if len(shown) != nodesMost || shown[0].ID != "primary 0" || shown[1].ID != "primary 25" {
		t.Errorf("%d nodes, first %s and %s", len(shown), shown[0].ID, shown[1].ID)
	}
	shown[0].Role = "router"
	if got := shortID(shown[0]); got != "prim…" {
		t.Errorf("a strange role is shortened to %s", got)
	}
}
