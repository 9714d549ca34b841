package reports

import "hotslot/experiment"

// jsonOf converts a result to the schema.
func jsonOf(r *experiment.Result) jsonResult {
	return jsonResult{
		Schema:     schema,
		Scenario:   jsonScenario{r.Title, r.File, r.Hash, r.About},
		Seeds:      append([]uint64{}, r.Seeds...), // never null
		Strategies: each(r.Strategies, strategyOf),
		Thresholds: each(r.Thresholds, thresholdOf),
		Simulated:  jsonSimulated{r.Operations, r.Events, number(r.VirtualTime)},
		Partial:    r.Partial,
		DurationS:  number(r.Duration.Seconds()),
		WarmupS:    number(r.Warmup.Seconds()),
		Dumped: each(r.Dumped, func(d *experiment.Dumped) jsonDumped {
			return jsonDumped{d.Strategy, number(d.At.Seconds()), d.Node, d.What, d.Text}
		}),
	}
}

// each converts a list; one of nothing is empty and not null.
func each[A, B any](as []A, convert func(*A) B) []B {
	bs := make([]B, len(as))
	for i := range as {
		bs[i] = convert(&as[i])
	}
	return bs
}

func strategyOf(s *experiment.Strategy) jsonStrategy {
	return jsonStrategy{
		Name:       s.Name,
		Changes:    changesOf(s.Changes),
		Throughput: meanOf(s.Throughput),
		Latency:    latencyOf(&s.Latency),
		Blame:      jsonBlames{blameOf(s.Blame), blameOf(s.Slowest)},
		Errors:     errorsOf(s.Errors),
		Redirects:  jsonRedirects{number(s.Redirects.Moved), number(s.Redirects.Ask), number(s.Redirects.TryAgain)},
		Workloads:  each(s.Workloads, workloadOf),
		Nodes:      each(s.Nodes, nodeOf),
		Slots:      jsonSlots{each(s.Slots, slotOf)},
		Bill:       billOf(&s.Bill),
		Findings:   each(s.Findings, findingOf),
		Series: jsonSeries{number(s.Series.BucketSeconds), numbers(s.Series.Throughput), numbers(s.Series.P99),
			numbers(s.Series.Errors)},
		Fingerprint: s.Fingerprint,
		Seeds:       s.Seeds,
		Offered:     number(s.Offered),
		Overloaded:  s.Overloaded,
		Against:     comparisonOf(s.Against),
		Client:      jsonClient{s.Client.Processes, number(s.Client.Utilization), number(s.Client.PoolWaits)},
		Control:     controlOf(s.Control),
		Timeline:    timelineSteps(s.Control),
		Migrations:  each(s.Migrations, migrationOf),
		Uncovered: each(s.Uncovered, func(u *experiment.Uncovered) jsonUncovered {
			return jsonUncovered{u.Slots, number(u.Since)}
		}),
	}
}

func changesOf(changes []experiment.Change) map[string]any {
	m := make(map[string]any, len(changes))
	for _, c := range changes {
		m[c.Path] = valueOf(c.Value)
	}
	return m
}

// valueOf protects JSON from the infinities and NaN that TOML knows.
func valueOf(v any) any {
	switch v := v.(type) {
	case float64:
		return number(v)
	case []any:
		return each(v, func(item *any) any { return valueOf(*item) })
	}
	return v
}

func meanOf(m experiment.Mean) jsonMean {
	return jsonMean{number(m.Mean), [2]number{number(m.Low), number(m.High)}, m.N}
}

func latencyOf(l *experiment.Latency) jsonLatency {
	return jsonLatency{
		Mean: number(l.Mean), P50: number(l.P50), P90: number(l.P90), P95: number(l.P95),
		P99: meanOf(l.P99), P999: number(l.P999), Max: number(l.Max), P9999: number(l.P9999),
		Curve: each(l.Curve, func(p *experiment.CurvePoint) jsonPoint {
			return jsonPoint{number(p.Quantile), number(p.Micros)}
		}),
	}
}

func blameOf(b experiment.Blame) jsonBlame {
	return jsonBlame{number(b.Client), number(b.Network), number(b.ServerWait), number(b.Execution), number(b.Redirect)}
}

func errorsOf(e experiment.Errors) jsonErrors {
	kinds := make(map[string]number, len(e.Kinds))
	for kind, n := range e.Kinds {
		kinds[kind] = number(n)
	}
	return jsonErrors{number(e.Rate), kinds}
}

func workloadOf(w *experiment.Workload) jsonWorkload {
	return jsonWorkload{
		Name: w.Name, Throughput: number(w.Throughput.Mean), Latency: latencyOf(&w.Latency), Errors: errorsOf(w.Errors),
		Offered: number(w.Offered), CommandsPerRead: number(w.CommandsPerRead), CommandsPerWrite: number(w.CommandsPerWrite),
	}
}

func nodeOf(n *experiment.Node) jsonNode {
	return jsonNode{
		ID: n.ID, Role: n.Role, Utilization: number(n.Utilization), Commands: number(n.Commands),
		QueueMean: number(n.QueueMean), BytesIn: number(n.BytesIn), BytesOut: number(n.BytesOut), NIC: number(n.NIC),
		HottestKey: n.HottestKey, KeyShare: number(n.KeyShare), Load: numbers(n.Load),
	}
}

func slotOf(s *experiment.Slot) jsonSlot {
	return jsonSlot{
		Slot: s.Slot, Share: number(s.Share), Node: s.Node, CPUShare: number(s.CPUShare), Keys: s.Keys, Key: s.Key,
	}
}

func billOf(b *experiment.Bill) jsonBill {
	return jsonBill{
		CommandsPerOp: number(b.CommandsPerOp), RoundTripsPerOp: number(b.RoundTripsPerOp),
		StaleRate: number(b.StaleRate), LostWrites: number(b.LostWrites), BytesPerOp: number(b.BytesPerOp),
		StaleAge: number(b.StaleAge), Primaries: b.Primaries, Machines: b.Machines,
		StoredKeys: number(b.StoredKeys), CrossSlot: number(b.CrossSlot),
	}
}

func findingOf(f *experiment.Finding) jsonFinding {
	return jsonFinding{f.Rule, f.Subject, number(f.Value), f.Text}
}

func comparisonOf(c *experiment.Comparison) *jsonComparison {
	if c == nil {
		return nil
	}
	return &jsonComparison{c.With, meanOf(c.Throughput), meanOf(c.P99)}
}

func thresholdOf(t *experiment.Threshold) jsonThreshold {
	return jsonThreshold{
		Strategy: t.Strategy, Expr: t.Expr, Value: number(t.Value.Mean), Verdict: t.Verdict,
		CI95: [2]number{number(t.Value.Low), number(t.Value.High)}, Unit: t.Unit, Why: t.Why,
	}
}
