package scenarios

import (
	"reflect"
	"testing"
	"time"
)

func TestParseThreshold(t *testing.T) {
	strategies := []string{"a", "b", "6-primaries", "10ms"}
	p99 := Quantity{Metric: "p99"}
	maximum := Quantity{Metric: "max"}
	window := Window{From: 5 * time.Second, To: 10 * time.Second}
	tests := []struct {
		expr string
		want Threshold
	}{
		{"p99 < 10ms", Threshold{Quantity: p99, Op: "<", Low: 10_000, Factor: 1}},
		{"p99<=1.5s", Threshold{Quantity: p99, Op: "<=", Low: 1_500_000, Factor: 1}},
		{"p99 != 0", Threshold{Quantity: p99, Op: "!=", Factor: 1}},
		{"p99.9 from 5s to 10s > 250us",
			Threshold{Quantity: Quantity{Metric: "p99.9", Window: window}, Op: ">", Low: 250, Factor: 1}},
		{"throughput >= 120k/s", Threshold{Quantity: Quantity{Metric: "throughput"}, Op: ">=", Low: 120_000, Factor: 1}},
		{"moved.count == 2k", Threshold{Quantity: Quantity{Metric: "moved.count"}, Op: "==", Low: 2000, Factor: 1}},
		{"errors.rate < 90%", Threshold{Quantity: Quantity{Metric: "errors.rate"}, Op: "<", Low: 0.9, Factor: 1}},
		{"bytes_per_op < 2KiB", Threshold{Quantity: Quantity{Metric: "bytes_per_op"}, Op: "<", Low: 2048, Factor: 1}},
		{"bytes.out < 8Mbit/s", Threshold{Quantity: Quantity{Metric: "bytes.out"}, Op: "<", Low: 1e6, Factor: 1}},
		{"p99 in [1ms, 2ms]", Threshold{Quantity: p99, Op: "in", Low: 1000, High: 2000}},
		{"p99 within 5% of 2ms", Threshold{Quantity: p99, Op: "within", Low: 2000, Factor: 1, Tolerance: 0.05}},
		{"p99 within 5% of 2 * b",
			Threshold{Quantity: p99, Op: "within", Factor: 2, Tolerance: 0.05, Reference: &Reference{"b", p99}}},
		{"p99 < b", Threshold{Quantity: p99, Op: "<", Factor: 1, Reference: &Reference{"b", p99}}},
		{"p99 < 1.2*6-primaries",
			Threshold{Quantity: p99, Op: "<", Factor: 1.2, Reference: &Reference{"6-primaries", p99}}},
		{"p99 < 10ms.max",
			Threshold{Quantity: p99, Op: "<", Factor: 1, Reference: &Reference{"10ms", maximum}}},
		{"p99{workload: w} < 2 * self.p99.9 from 5s to 10s", Threshold{
			Quantity: Quantity{Metric: "p99", Selector: map[string]string{"workload": "w"}}, Op: "<", Factor: 2,
			Reference: &Reference{"a", Quantity{Metric: "p99.9", Window: window}}}},
		{"errors.count{kind:MOVED, workload:w} == 0", Threshold{
			Quantity: Quantity{Metric: "errors.count", Selector: map[string]string{"kind": "MOVED", "workload": "w"}},
			Op:       "==", Factor: 1}},
	}
	for _, test := range tests {
		names := strategies
		if test.expr == "p99 < 10ms" {
			names = strategies[:3] // or else it would be the strategy
		}
		test.want.Strategy, test.want.Expr = "a", test.expr
		got, err := parseThreshold(test.expr, "a", names)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", test.expr, got, err, test.want)
		}
	}
}

// What is wrong with thresholds stands in testdata/bad/thresholds.toml; here is
// what that file has no room for.
func TestParseBadThreshold(t *testing.T) {
	for _, expr := range []string{
		"{", "p99{", "p99{}", "p99{workload}", "p99{workload:}", "p99 from", "p99 from 5s", "p99 from 5s until 6s",
		"p99 in", "p99 in [", "p99 in [1ms", "p99 in [1ms,", "p99 in [1ms, 2ms", "p99 within", "p99 within 5%",
		"p99 within 200% of b", "p99 < *", "p99 < 2 *", "p99 < 0 * b", "p99 < NaN * b", "p99 < b.", "p99 < b.p98",
		"p99 < self.p99{node:x}", "p99 < 1e9ms", "p99 < -", "p99 = 1ms", "p99 ! 1ms", "p99 < [", "throughput < 5%",
	} {
		if _, err := parseThreshold(expr, "a", []string{"a", "b"}); err == nil {
			t.Errorf("%q is accepted", expr)
		}
	}
}

// A quantity prints as a threshold writes it.
func TestQuantityReadsWhatItPrints(t *testing.T) {
	for _, text := range []string{"p99", "p99{workload:w}", "errors.count{kind:ASK, workload:w}", "p99 from 5s to 9s"} {
		th, err := parseThreshold(text+" == 0", "a", []string{"a"})
		if got := th.Quantity.String(); err != nil || got != text {
			t.Errorf("got %q, %v; want %q", got, err, text)
		}
	}
}

// Thresholds of all strategies skip the one that the others are compared with.
func TestThresholdsOfAll(t *testing.T) {
	s := load(t, Options{})
	var compared []string
	for _, th := range s.Thresholds {
		if th.Expr == "throughput >= 0.9 * baseline" {
			compared = append(compared, th.Strategy)
		}
	}
	if want := []string{"suffix-x16", "six-primaries", "closed"}; !reflect.DeepEqual(compared, want) {
		t.Errorf("got %v, want %v", compared, want)
	}
}

func TestMetrics(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.Name] || m.Meaning == "" {
			t.Errorf("%q stands twice or means nothing", m.Name)
		}
		seen[m.Name] = true
		if got, ok := FindMetric(m.Name); !ok || got.Name != m.Name {
			t.Errorf("%q is not found", m.Name)
		}
	}
}
