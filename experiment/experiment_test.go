package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"hotslot/scenarios"
)

// small is a counter that one node cannot carry, with strategies that change the
// cluster, the client and the workload.
const small = `
title    = "small"
seeds    = 3
duration = "500ms"
warmup   = "50ms"
[cluster]
primaries = 3
replicas  = 1
[node]
costs = "round-100k"
[workload.page-views]
kind  = "counter"
key   = "page:view:count"
rate  = "120k/s"
reads = "200/s"
[workload.catalogue]
kind       = "keys"
keys       = "product:%d"
count      = 10_000
popularity = "zipf(0.99)"
rate       = "40k/s"
mix        = { get = 0.9, set = 0.1 }
[strategy.baseline]
[strategy.same]
[strategy.split.workload.page-views]
shards = 16
[strategy.any.client]
read_from = "any"
[thresholds]
"*"   = ["errors.rate == 0", "counter.lost == 0", "p99{workload:catalogue} from 100ms to 200ms > 0"]
split = ["throughput > 1.05 * baseline", "commands_per_read{workload:page-views} == 16"]
same  = ["throughput within 0% of baseline", "p99.9 == baseline"]
any   = ["stale.rate > 0", "throughput > 100 * baseline"]
`

func parse(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("small.toml", []byte(text), scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, s *scenarios.Scenario, opts Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun(t *testing.T) {
	r := run(t, parse(t, small), Options{})
	for _, th := range r.Thresholds {
		want := Pass
		if th.Expr == "throughput > 100 * baseline" {
			want = Fail
		}
		if th.Verdict != want {
			t.Errorf("%s: %s is %v: %+v, %s", th.Strategy, th.Expr, th.Verdict, th.Value, th.Why)
		}
	}
	baseline, same, split := &r.Strategies[0], &r.Strategies[1], &r.Strategies[2]
	if baseline.Fingerprint != same.Fingerprint {
		t.Error("a strategy that changes nothing took another course")
	}
	if !reflect.DeepEqual(baseline.Latency, same.Latency) || same.Against.Throughput.Mean != 1 {
		t.Error("a strategy that changes nothing came out differently")
	}
	if !baseline.Overloaded || split.Overloaded {
		t.Errorf("overloaded: baseline %v, split %v", baseline.Overloaded, split.Overloaded)
	}
	if hot := baseline.Slots[0]; hot.Slot != 12699 || hot.Key != "page:view:count" || hot.Node != "primary 2" {
		t.Errorf("hottest slot: %+v", hot)
	}
	if len(r.Seeds) != 3 || r.Partial || baseline.Throughput.N != 3 {
		t.Errorf("seeds %v, partial %v, n %d", r.Seeds, r.Partial, baseline.Throughput.N)
	}
}

// TestBlame: the parts of the blame add up to the mean latency.
func TestBlame(t *testing.T) {
	for _, s := range run(t, parse(t, small), Options{}).Strategies {
		sum := s.Blame.Client + s.Blame.Network + s.Blame.ServerWait + s.Blame.Execution + s.Blame.Redirect
		if math.Abs(sum/s.Latency.Mean-1) > 1e-9 {
			t.Errorf("%s: blame adds up to %g of %g µs", s.Name, sum, s.Latency.Mean)
		}
	}
}

// TestDeterminism: the result does not depend on how many runs go on at a time,
// nor on how many cores there are.
func TestDeterminism(t *testing.T) {
	bytes := func(jobs, cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		data, err := json.Marshal(run(t, parse(t, small), Options{Jobs: jobs}))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	want := bytes(1, 1)
	for _, n := range []int{1, 2, 8} {
		if bytes(n, n) != want {
			t.Errorf("%d runs at a time on %d cores give another result", n, n)
		}
	}
}

// TestInterrupted: what is finished is kept, marked, and only whole seeds count.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const strategies = 4
	r, err := Run(ctx, parse(t, small), Options{Jobs: 1, Progress: func(done, of int) {
		if of != 3*strategies {
			t.Errorf("%d runs in all", of)
		}
		if done == 2*strategies+1 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || !r.Partial || len(r.Seeds) != 2 {
		t.Fatalf("error %v, partial %v, seeds %v", err, r.Partial, r.Seeds)
	}
	for _, s := range r.Strategies {
		if s.Seeds != 2 {
			t.Errorf("%s has %d seeds", s.Name, s.Seeds)
		}
	}
}

// TestInterruptedAtOnce: a result without any run can still be reported.
func TestInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Run(ctx, parse(t, small), Options{})
	if !errors.Is(err, context.Canceled) || !r.Partial || len(r.Seeds) != 0 {
		t.Fatalf("error %v, result %+v", err, r)
	}
	for _, th := range r.Thresholds {
		if th.Verdict != Inconclusive {
			t.Errorf("%s is %s without a run", th.Expr, th.Verdict)
		}
	}
}

func TestNewMean(t *testing.T) {
	// Student's t for 4 degrees of freedom is 2.776; the deviation of 1…5 is 1.5811.
	m := newMean([]float64{1, 2, 3, 4, 5})
	half := 2.776445 * 1.5811388 / math.Sqrt(5)
	if m.Mean != 3 || m.N != 5 || math.Abs(m.High-3-half) > 1e-5 || math.Abs(3-m.Low-half) > 1e-5 {
		t.Errorf("%+v", m)
	}
	if m := newMean([]float64{7}); m != (Mean{7, 7, 7, 1}) {
		t.Errorf("one value: %+v", m)
	}
}

func TestJudge(t *testing.T) {
	quantity := scenarios.Quantity{Metric: "throughput"}
	reference := &scenarios.Reference{Strategy: "other", Quantity: quantity}
	for _, tt := range []struct {
		name      string
		threshold scenarios.Threshold
		values    []float64
		reference []float64
		want      Verdict
	}{
		{"below", scenarios.Threshold{Op: "<", Low: 10}, []float64{8, 9, 8.5}, nil, Pass},
		{"above", scenarios.Threshold{Op: "<", Low: 10}, []float64{11, 11.1, 11}, nil, Fail},
		{"astride", scenarios.Threshold{Op: "<", Low: 10}, []float64{8, 11, 9}, nil, Inconclusive},
		{"one seed is a verdict", scenarios.Threshold{Op: "<", Low: 10}, []float64{9.99}, nil, Pass},
		{"equal", scenarios.Threshold{Op: "==", Low: 0}, []float64{0, 0}, nil, Pass},
		{"one is not equal", scenarios.Threshold{Op: "==", Low: 0}, []float64{0, 1}, nil, Fail},
		{"not equal", scenarios.Threshold{Op: "!=", Low: 0}, []float64{1, 2}, nil, Pass},
		{"in", scenarios.Threshold{Op: "in", Low: 1, High: 2}, []float64{1.4, 1.5}, nil, Inconclusive},
		{"well in", scenarios.Threshold{Op: "in", Low: 1, High: 2}, []float64{1.49, 1.5}, nil, Pass},
		{"out", scenarios.Threshold{Op: "in", Low: 1, High: 2}, []float64{3, 3.1}, nil, Fail},
		{"within", scenarios.Threshold{Op: "within", Low: 100, Tolerance: 0.05}, []float64{104, 104.1}, nil, Pass},
		{"not within", scenarios.Threshold{Op: "within", Low: 100, Tolerance: 0.05}, []float64{106, 106.1}, nil, Fail},
		// The differences are small and sure, however far the seeds lie apart.
		{"paired", scenarios.Threshold{Op: ">", Factor: 1, Reference: reference},
			[]float64{11, 101, 1001}, []float64{10, 100, 1000}, Pass},
		{"within of another", scenarios.Threshold{Op: "within", Factor: 2, Tolerance: 0.01, Reference: reference},
			[]float64{20.1, 200.1}, []float64{10, 100}, Inconclusive},
		{"nothing ended", scenarios.Threshold{Op: "<", Low: 1}, []float64{0.5, math.NaN()}, nil, Inconclusive},
		{"nothing finished", scenarios.Threshold{Op: "<", Low: 1}, nil, nil, Inconclusive},
	} {
		tt.threshold.Quantity = quantity
		if got := judge(tt.threshold, tt.values, tt.reference); got.Verdict != tt.want {
			t.Errorf("%s: %s (%s)", tt.name, got.Verdict, got.Why)
		}
	}
}

// TestNever: what never happened fails a threshold and says so, unless that is
// what the threshold is about.
func TestNever(t *testing.T) {
	window := scenarios.Window{FromEvent: "kill-a", ToEvent: "kill-a", To: time.Second}
	at := scenarios.Quantity{Metric: "time.fail"}
	around := scenarios.Quantity{Metric: "p99", Window: window}
	const inSome, inAll = "never in 1 of 3 seeds", "never: there is no time around kill-a"
	reference := &scenarios.Reference{Strategy: "other", Quantity: at}
	for _, tt := range []struct {
		threshold scenarios.Threshold
		values    []float64
		reference []float64
		want      Verdict
		why       string
		value     float64
	}{
		{scenarios.Threshold{Quantity: at, Op: "<", Low: 10}, []float64{5, never, 7}, nil, Fail, inSome, 6},
		{scenarios.Threshold{Quantity: at, Op: "<", Low: 10}, []float64{never, never}, nil, Fail, "", never},
		{scenarios.Threshold{Quantity: at, Op: ">", Low: 10}, []float64{never, 11, 12}, nil, Pass, inSome, 11.5},
		{scenarios.Threshold{Quantity: at, Op: "==", Low: never}, []float64{never, never}, nil, Pass, "", never},
		{scenarios.Threshold{Quantity: at, Op: "==", Low: never}, []float64{never, 5, never}, nil, Fail,
			"never in 2 of 3 seeds", 5},
		{scenarios.Threshold{Quantity: at, Op: "!=", Low: never}, []float64{5, 6}, nil, Pass, "", 5.5},
		{scenarios.Threshold{Quantity: at, Op: "!=", Low: never}, []float64{5, never, 7}, nil, Fail, inSome, 6},
		{scenarios.Threshold{Quantity: at, Op: "<", Low: 10, EachSeed: true, SeedsLow: 0.6, SeedsHigh: 1},
			[]float64{5, never, 7}, nil, Pass, inSome, 6},
		{scenarios.Threshold{Quantity: around, Op: "<", Low: 10}, []float64{unknowable, unknowable}, nil, Fail, inAll, never},
		{scenarios.Threshold{Quantity: around, Op: ">", Low: 10}, []float64{unknowable, unknowable}, nil, Fail, inAll, never},
		{scenarios.Threshold{Quantity: around, Op: "==", Low: never}, []float64{unknowable, unknowable}, nil, Pass,
			inAll, never},
		{scenarios.Threshold{Quantity: around, Op: "!=", Low: never}, []float64{unknowable, unknowable}, nil, Fail,
			inAll, never},
		{scenarios.Threshold{Quantity: at, Op: "<", Factor: 1, Reference: reference}, []float64{5, 6, 7},
			[]float64{never, never, never}, Pass, "", 6},
		{scenarios.Threshold{Quantity: at, Op: "<", Factor: 1, Reference: reference}, []float64{never, 6, 7},
			[]float64{5, 7, 8}, Fail, inSome, 6.5},
		{scenarios.Threshold{Quantity: at, Op: "==", Factor: 1, Reference: reference}, []float64{never, never},
			[]float64{never, never}, Pass, "", never},
	} {
		got := judge(tt.threshold, tt.values, tt.reference)
		if got.Verdict != tt.want || got.Why != tt.why || got.Value.Mean != tt.value {
			t.Errorf("%s %s of %v against %v: %s, %v (%q)", tt.threshold.Quantity, tt.threshold.Op, tt.values,
				tt.reference, got.Verdict, got.Value.Mean, got.Why)
		}
	}
}

// TestValues: every metric that a threshold may name can be had, of a run with
// nothing in it too.
func TestValues(t *testing.T) {
	for _, text := range []string{small, `
duration = "1ms"
warmup   = "0s"
[workload.w]
kind = "keys"
keys = "k"
rate = "1/s"
`} {
		s := parse(t, text)
		var wanted []scenarios.Quantity
		for _, m := range scenarios.Metrics() {
			q := scenarios.Quantity{Metric: m.Name, Selector: map[string]string{}}
			if m.Needs == "node" {
				q.Selector["node"] = "primary 0"
			}
			wanted = append(wanted, q)
			if m.Window {
				q.Window = scenarios.Window{From: 0, To: time.Millisecond}
				wanted = append(wanted, q)
			}
		}
		e := &experiment{scenario: s}
		if err := e.prepare(); err != nil {
			t.Fatal(err)
		}
		e.plans[0].wanted = wanted
		sample, err := e.plans[0].run(context.Background(), 1, Options{}, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range sample.values {
			_, quantile := percentiles[wanted[i].Metric]
			ofOperations := quantile || slices.Contains([]string{"mean", "max", "errors.rate"}, wanted[i].Metric)
			if math.IsInf(v, 0) && !unlimited(wanted[i].Metric) || v < 0 || math.IsNaN(v) && !ofOperations {
				t.Errorf("%v is %g", wanted[i], v)
			}
		}
	}
}

// unlimited reports whether a metric is a time that what never happens takes.
func unlimited(metric string) bool {
	return strings.HasPrefix(metric, "time.") || metric == "migration.duration" ||
		slices.Contains([]string{"first", "last", "gap.max", "recovery_time"}, metric)
}

// TestPanic: a fault of the simulator in one run ends the experiment with an
// error that says which run it was.
func TestPanic(t *testing.T) {
	e := &experiment{scenario: parse(t, small)}
	if err := e.prepare(); err != nil {
		t.Fatal(err)
	}
	e.plans[2].wanted = []scenarios.Quantity{{Metric: "no such metric"}}
	var run *RunError
	var fault *Panic
	err := e.runAll(context.Background())
	if !errors.As(err, &run) || run.Strategy != "split" || !errors.As(err, &fault) || len(fault.Stack) == 0 {
		t.Errorf("error %v", err)
	}
}

// TestSharedKeys: two workloads on keys of the same names are on the same keys,
// so that one reads from replicas what the other has just written.
func TestSharedKeys(t *testing.T) {
	r := run(t, parse(t, `
duration = "100ms"
[cluster]
replicas = 1
[node]
replication_lag = "10ms"
[client]
read_from = "replica"
[workload.writer]
kind  = "keys"
keys  = "item:{%d}"
count = 10
mix   = { set = 1 }
rate  = "10k/s"
[workload.reader]
kind  = "keys"
keys  = "item:{%d}"
count = 10
rate  = "10k/s"
[thresholds]
baseline = ["stored_keys == 10", "stale.rate > 90%", "findings{rule:key-above-20-percent, subject:key item:{3}} >= 0"]
`), Options{})
	for _, th := range r.Thresholds {
		if th.Verdict != Pass {
			t.Errorf("%s: %+v", th.Expr, th.Value)
		}
	}
}

// TestCardIsNeverBusierThanBusy: what a thread has written and a card has not
// sent does not count as bandwidth in use.
func TestCardIsNeverBusierThanBusy(t *testing.T) {
	r := run(t, parse(t, `
duration = "200ms"
[cluster]
primaries = 1
[network]
node_bandwidth = "125MB/s"
[workload.big]
kind       = "keys"
keys       = "page:%d"
count      = 100
value_size = "100KB"
rate       = "3k/s"
[thresholds]
baseline = ["nic.utilization.max in [99%, 100%]", "bytes.out within 1% of 125MB/s", "overloaded == 1"]
`), Options{})
	for _, th := range r.Thresholds {
		if th.Verdict != Pass {
			t.Errorf("%s: %+v", th.Expr, th.Value)
		}
	}
}
