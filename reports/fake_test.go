package reports

import (
	"fmt"
	"math"
	"time"

	"hotslot/experiment"
)

// hotCounter returns a made-up result that looks like a real one: a hot counter
// beside a catalogue under six strategies, ten seeds each.
func hotCounter() *experiment.Result {
	r := &experiment.Result{
		Title:    "A page-view counter takes 120,000 INCR a second",
		About:    "One key, one slot, one thread: what helps, and what it costs.",
		File:     "hot-counter.toml",
		Hash:     "5f1c0a94be1d2f37",
		Duration: 10 * time.Second, Warmup: 2 * time.Second,
		Seeds:      []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		Operations: 98_765_432, Events: 301_234_567, VirtualTime: 720,
	}
	baseline := fakeStrategy{name: "baseline", rate: 140_200, p99: 1_903_000, hot: 1, overloaded: true}.make()
	six := fakeStrategy{name: "six-primaries", rate: 150_100, p99: 1_804_000, hot: 2, primaries: 6,
		overloaded: true}.make()
	six.Changes = []experiment.Change{{Path: "cluster.primaries", Value: int64(6)}}
	suffix := fakeStrategy{name: "suffix-x16", rate: 180_000, p99: 3_120, load: 0.64}.make()
	suffix.Changes = []experiment.Change{{Path: "workload.page-views.shards", Value: int64(16)}}
	suffix.Workloads[0].CommandsPerRead = 16
	suffix.Bill.StoredKeys += 15
	tag := fakeStrategy{name: "suffix-x16-tag", rate: 140_250, p99: 1_899_000, hot: 1, overloaded: true}.make()
	tag.Changes = []experiment.Change{{Path: "workload.page-views.shards", Value: int64(16)},
		{Path: "workload.page-views.key", Value: "{page:view}:count"}}
	tag.Workloads[0].CommandsPerRead = 16
	tag.Nodes[1].HottestKey, tag.Nodes[1].KeyShare = "{page:view}:count:7", 0.055
	tag.Slots[0].Slot, tag.Slots[0].Keys, tag.Slots[0].Key = 9511, 16, "{page:view}:count:7"
	replicas := fakeStrategy{name: "read-from-replicas", rate: 141_000, p99: 1_870_000, hot: 1, overloaded: true}.make()
	replicas.Changes = []experiment.Change{{Path: "client.read_from", Value: "any"}}
	replicas.Bill.StaleRate, replicas.Bill.StaleAge = 0.0031, 212
	batching := fakeStrategy{name: "local-batching-10ms", rate: 180_000, p99: 412, load: 0.21}.make()
	batching.Changes = []experiment.Change{{Path: "workload.page-views.batch", Value: "10ms"}}
	batching.Bill.LostWrites = 37.4
	r.Strategies = []experiment.Strategy{baseline, six, suffix, tag, replicas, batching}
	for i := range r.Strategies {
		compare(&r.Strategies[i], &baseline, i == 0)
	}
	r.Thresholds = []experiment.Threshold{
		{Strategy: "baseline", Expr: "overloaded == 1", Value: around(1, 0), Verdict: experiment.Pass},
		{Strategy: "baseline", Expr: "p99 > 10ms", Unit: "us", Value: around(1_903_000, 95_000), Verdict: experiment.Pass},
		{Strategy: "suffix-x16", Expr: "p99 < 2ms", Unit: "us", Value: around(3_120, 110), Verdict: experiment.Fail,
			Why: "the whole interval is above 2 ms"},
		{Strategy: "suffix-x16", Expr: "throughput > 1.2 * baseline", Unit: "/s", Value: around(180_000, 320), Verdict: experiment.Pass},
		{Strategy: "suffix-x16", Expr: "node.utilization.max < 65%", Unit: "%", Value: around(0.64, 0.02), Verdict: experiment.Inconclusive,
			Why: "the interval straddles 65 %; more seeds would decide it"},
		{Strategy: "local-batching-10ms", Expr: "p99 < 2ms", Unit: "us", Value: around(412, 6), Verdict: experiment.Pass},
	}
	for _, s := range r.Strategies {
		r.Thresholds = append(r.Thresholds,
			experiment.Threshold{Strategy: s.Name, Expr: "errors.rate == 0", Unit: "%", Value: around(0, 0),
				Verdict: experiment.Pass},
			experiment.Threshold{Strategy: s.Name, Expr: "throughput > 100k/s", Unit: "/s", Value: s.Throughput,
				Verdict: experiment.Pass})
	}
	return r
}

// excerpt returns a shorter hotCounter, for formats that write everything.
func excerpt() *experiment.Result {
	r := hotCounter()
	r.Strategies = r.Strategies[:2]
	for i := range r.Strategies {
		s := &r.Strategies[i]
		s.Latency.Curve = s.Latency.Curve[:2]
		s.Series.Throughput, s.Series.P99 = s.Series.Throughput[:3], s.Series.P99[:3]
		for j := range s.Workloads {
			s.Workloads[j].Latency.Curve = nil
		}
	}
	return r
}

// A fakeStrategy says what a made-up strategy looks like.
type fakeStrategy struct {
	name       string
	rate, p99  float64
	hot        int     // the primary that is full, where overloaded
	load       float64 // of primary 0, where not
	primaries  int     // 3 where 0
	overloaded bool
}

func (f fakeStrategy) make() experiment.Strategy {
	primaries := max(f.primaries, 3)
	s := experiment.Strategy{
		Name: f.name, Seeds: 10, Offered: 180_010,
		Throughput: around(f.rate, f.rate*0.0018), Latency: f.latency(), Overloaded: f.overloaded,
		Redirects: experiment.Redirects{Moved: 12, Ask: 0, TryAgain: 0},
		Client:    experiment.Client{Processes: 20, Utilization: 0.31, PoolWaits: 0.002},
		Bill: experiment.Bill{CommandsPerOp: 1.01, RoundTripsPerOp: 1, BytesPerOp: 131,
			Primaries: primaries, Machines: primaries * 2, StoredKeys: 1},
		Fingerprint: fmt.Sprintf("%016x", uint64(f.rate*1e9+f.p99)),
	}
	s.Blame = experiment.Blame{Client: 4, Network: 200, ServerWait: s.Latency.Mean - 214, Execution: 9, Redirect: 1}
	s.Slowest = experiment.Blame{Client: 9, Network: 220, ServerWait: f.p99 * 1.1, Execution: 10, Redirect: 3}
	s.Workloads = []experiment.Workload{
		{Name: "page-views", Offered: 120_010, Throughput: around(f.rate-60_000, f.rate*0.0018), Latency: s.Latency,
			CommandsPerRead: 1, CommandsPerWrite: 1},
		{Name: "catalogue", Offered: 60_000, Throughput: around(60_000, 110), Latency: s.Latency,
			CommandsPerRead: 1, CommandsPerWrite: 1},
	}
	f.fillNodes(&s, primaries)
	f.fillSeries(&s)
	return s
}

// fillNodes makes the nodes and hottest slots.
func (f fakeStrategy) fillNodes(s *experiment.Strategy, primaries int) {
	var commands float64
	for i := range primaries {
		n := experiment.Node{ID: fmt.Sprintf("primary %d", i), Role: "primary",
			Utilization: 0.2 + 0.01*float64(i), QueueMean: 0.3, NIC: 0.02}
		switch {
		case f.overloaded && i == f.hot:
			n.Utilization, n.QueueMean, n.HottestKey, n.KeyShare = 1, 91_000, "page:view:count", 0.86
		case !f.overloaded && i == 0:
			n.Utilization = f.load
		}
		n.Commands = 100_000 * n.Utilization
		n.BytesIn, n.BytesOut = n.Commands*90, n.Commands*41
		commands += n.Commands
		s.Nodes = append(s.Nodes, n)
	}
	for i := range primaries {
		s.Nodes = append(s.Nodes, experiment.Node{
			ID: fmt.Sprintf("replica %d.0", i), Role: "replica", Utilization: 0.08})
	}
	if f.overloaded {
		s.Slots = []experiment.Slot{{Slot: 3219, Node: s.Nodes[f.hot].ID, Share: 86_000 / commands, CPUShare: 0.6,
			Keys: 1, Key: "page:view:count"}}
		s.Findings = []experiment.Finding{{Rule: "node-above-3x-mean", Subject: s.Nodes[f.hot].ID, Value: 3.4,
			Text: fmt.Sprintf("%s is 3.4 times as busy as the mean primary.", s.Nodes[f.hot].ID)}}
	}
}

// fillSeries makes twelve seconds in buckets of 100 ms, the first of them empty.
func (f fakeStrategy) fillSeries(s *experiment.Strategy) {
	s.Series.BucketSeconds = 0.1
	for i := range 120 {
		t := float64(i) / 10
		ripple := math.Round(1e6*math.Sin(t*7+f.rate)) / 1e6
		throughput, p99 := f.rate*(1+0.01*ripple), f.p99*(1+0.1*ripple)
		if f.overloaded {
			p99 = f.p99 * (t + 0.1) / 12
		}
		if i == 0 {
			throughput, p99 = 0, 0
		}
		s.Series.Throughput = append(s.Series.Throughput, throughput)
		s.Series.P99 = append(s.Series.P99, p99)
	}
	for i := range s.Nodes[:2] {
		s.Nodes[i].Load = []float64{0, s.Nodes[i].Utilization, s.Nodes[i].Utilization}
	}
}

// latency makes a distribution whose P99 is that of the strategy.
func (f fakeStrategy) latency() experiment.Latency {
	at := func(quantile float64) float64 {
		return math.Round(210 + (f.p99-210)*math.Sqrt(nines(quantile)/2))
	}
	l := experiment.Latency{Mean: at(0.4), P50: at(0.5), P90: at(0.9), P95: at(0.95),
		P99: around(f.p99, f.p99*0.05), P999: at(0.999), P9999: at(0.9999), Max: at(0.99999)}
	for i := range 41 {
		x := float64(i) / 10
		quantile := 1 - math.Pow(10, -x)
		l.Curve = append(l.Curve, experiment.CurvePoint{Quantile: math.Round(1e6*quantile) / 1e6, Micros: at(quantile)})
	}
	return l
}

// around is a mean of ten seeds.
func around(v, half float64) experiment.Mean {
	return experiment.Mean{Mean: v, Low: v - half, High: v + half, N: 10}
}

// compare fills in the comparison with the first strategy.
func compare(s, first *experiment.Strategy, isFirst bool) {
	if isFirst {
		return
	}
	ratio := s.Throughput.Mean / first.Throughput.Mean
	p99 := s.Latency.P99.Mean / first.Latency.P99.Mean
	s.Against = &experiment.Comparison{With: first.Name, Throughput: around(ratio, 0.003), P99: around(p99, p99*0.04)}
}

// single returns a result of one strategy and one seed, without thresholds,
// that nothing limits.
func single() *experiment.Result {
	r := hotCounter()
	s := fakeStrategy{name: "baseline", rate: 1_000, p99: 300, load: 0.012}.make()
	s.Workloads = s.Workloads[:1]
	s.Seeds, s.Throughput, s.Latency.P99 = 1, exactly(1_000.4), exactly(300.26)
	s.Slowest.ServerWait = 40
	r.Title, r.Seeds, r.Strategies, r.Thresholds = "A quiet cluster", r.Seeds[:1], []experiment.Strategy{s}, nil
	return r
}

// odd returns a result with names that each format has to protect itself from,
// numbers that are none, and a strategy that finished no operation.
func odd() *experiment.Result {
	nan, inf := math.NaN(), math.Inf(1)
	idle := experiment.Strategy{Name: "idle | <b>\x1b[2J", Seeds: 2, Fingerprint: "0000000000000000"}
	broken := experiment.Strategy{
		Name: "名前-of-a-strategy-that-goes-on-for-ever-and-a-day", Seeds: 2, Throughput: experiment.Mean{Mean: nan, Low: nan, High: inf, N: 2},
		Changes: []experiment.Change{{Path: "a.b", Value: []any{inf, "x_y", int64(1)}}, {Path: "c", Value: nan}},
		Latency: experiment.Latency{Mean: nan, P50: inf, P99: experiment.Mean{Mean: nan, Low: nan, High: nan, N: 2}},
		Errors:  experiment.Errors{Rate: 0.125, Kinds: map[string]float64{"TIMEOUT": 3, "CLUSTERDOWN": 12_345, "CROSSSLOT": 3, "NONE": 0}},
		Nodes:   []experiment.Node{{ID: "primary 0", Role: "primary", Utilization: nan, Load: []float64{nan, 0.5}}},
		Bill:    experiment.Bill{CrossSlot: 1, LostWrites: 2},
		Series:  experiment.Series{BucketSeconds: 0.1, Throughput: []float64{nan, 1}, P99: []float64{inf, 0}},
		Against: &experiment.Comparison{With: idle.Name, Throughput: experiment.Mean{Mean: inf, Low: nan, High: inf, N: 2}},
		Findings: []experiment.Finding{{Rule: "made-up", Subject: "key a,\"b\"", Value: 2},
			{Rule: "made-up", Subject: "key a,\"b\"", Value: 2}},
	}
	return &experiment.Result{
		Title: "Odd\tnames *and* \"quotes\" @all", File: "odd,file.toml", Seeds: []uint64{1, 2},
		Partial: true, Wanted: 40, Duration: 1500 * time.Millisecond,
		Strategies: []experiment.Strategy{idle, broken},
		Thresholds: []experiment.Threshold{
			{Strategy: idle.Name, Expr: "p99 < 2ms & max > 1", Unit: "us", Value: experiment.Mean{Mean: nan, Low: nan, High: nan, N: 2},
				Verdict: experiment.Inconclusive, Why: "nothing was measured"},
			{Strategy: broken.Name, Expr: "errors.count{kind:CLUSTERDOWN} < 10", Value: experiment.Mean{Mean: 12_345, Low: 12_345, High: 12_345, N: 1}, Verdict: experiment.Fail},
		},
	}
}
