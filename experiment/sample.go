package experiment

import (
	"math"
	"time"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A sample is what one run came to: a Strategy of one seed, and the values of
// the quantities that thresholds ask for.
type sample struct {
	Strategy
	values      []float64 // by plan.wanted
	fingerprint uint64
	operations  uint64
	events      uint64
	control     []float64 // by Control.figures; nil where nothing happened
	steps       []Step    // of the first seed, and of no other: there may be many
	marks       []Mark
	lines       []Line // where they are wanted
	dumped      []Dumped
}

func (m *measurement) sample() *sample {
	s := &sample{fingerprint: m.cl.Sched.Fingerprint(), events: m.cl.Sched.Events()}
	for _, r := range m.all.recorders {
		s.operations += r.Begun
	}
	n := m.all.latency.Count()
	slowest, most := m.all.latency.Slowest(0.99)
	s.Strategy = Strategy{
		Name: m.strategy.Name, Seeds: 1,
		Offered:    m.offered(&m.all),
		Throughput: one(float64(n) / m.duration()),
		Latency:    latencyOf(m.all.latency),
		Blame:      blameOf(m.all.latency.Sum(), n),
		Slowest:    blameOf(slowest, most),
		Errors:     errorsOf(&m.all),
		Redirects: Redirects{float64(m.all.Replies[wire.Moved]), float64(m.all.Replies[wire.Ask]),
			float64(m.all.Replies[wire.TryAgain])},
		Nodes:      m.nodes(),
		Slots:      m.slots(),
		Client:     Client{m.strategy.Settings.Client.Processes, m.clientUtilization(), m.poolWaits()},
		Bill:       m.bill(),
		Findings:   m.findings(),
		Series:     m.series(),
		Overloaded: m.all.overloaded(),
		Idle:       len(m.groups) == 0,
	}
	s.control, s.marks = m.controlValues(), m.marks()
	s.Migrations, s.Uncovered = m.migrations(), m.uncovered()
	for _, d := range m.cl.Dumped {
		s.dumped = append(s.dumped, Dumped{m.strategy.Name, time.Duration(d.At), d.Name, d.What, d.Text})
	}
	for i := range m.groups {
		s.Workloads = append(s.Workloads, m.workload(i))
	}
	for _, q := range m.wanted {
		s.values = append(s.values, m.value(q))
	}
	return s
}

func one(x float64) Mean { return Mean{x, x, x, 1} }

// curvePoints are the points of a latency curve: evenly spaced on an axis of
// -log10(1-q), from the shortest latency to P99.99.
const curvePoints = 61

func latencyOf(h *metrics.Histogram) Latency {
	at := func(p float64) float64 { return micros(h.Quantile(p)) }
	l := Latency{
		Mean: ratio(micros(h.Sum().Total()), float64(h.Count())),
		P50:  at(0.5), P90: at(0.9), P95: at(0.95), P99: one(at(0.99)),
		P999: at(0.999), P9999: at(0.9999), Max: micros(h.Max()),
	}
	for i := range curvePoints {
		q := 1 - sim.Exp(-float64(float64(4*i)/(curvePoints-1)*math.Ln10))
		l.Curve = append(l.Curve, CurvePoint{q, at(q)})
	}
	return l
}

func blameOf(b metrics.Blame, n uint64) Blame {
	part := func(d time.Duration) float64 { return ratio(micros(d), float64(n)) }
	return Blame{part(b.Client), part(b.Network), part(b.ServerWait), part(b.Execution), part(b.Redirect)}
}

func errorsOf(g *group) Errors {
	e := Errors{Rate: ratio(float64(g.failed()), float64(g.failed()+g.latency.Count())), Kinds: map[string]float64{}}
	for v, n := range g.Failed {
		if n > 0 {
			e.Kinds[wire.Verdict(v).String()] += float64(n)
		}
	}
	return e
}

func (m *measurement) workload(i int) Workload {
	g := &m.groups[i]
	return Workload{
		Name:             m.strategy.Settings.Workloads[i].Name,
		Offered:          m.offered(g),
		Throughput:       one(float64(g.latency.Count()) / m.duration()),
		Latency:          latencyOf(g.latency),
		Errors:           errorsOf(g),
		CommandsPerRead:  perOp(g, wire.ReadOp),
		CommandsPerWrite: perOp(g, wire.WriteOp),
	}
}

func (m *measurement) nodes() []Node {
	var nodes []Node
	for i := range m.cl.Nodes {
		l := m.load(i)
		n := Node{
			ID: m.cl.NodeName(i), Role: m.role(i), Utilization: m.utilization(i),
			Commands: m.commandsOf(i) / m.duration(), QueueMean: l.Stay.Seconds() / m.duration(),
			BytesIn: float64(l.BytesIn) / m.duration(), BytesOut: m.bytesOut(i) / m.duration(), NIC: m.nic(i),
		}
		if m.owners.primary[i] && m.nodeShare(i) > 0 {
			n.HottestKey, n.KeyShare = m.keyName(m.hot.onNode[i]), m.nodeShare(i)
		}
		for b, busy := range l.Series {
			width := min(m.cl.Span.Bucket, time.Duration(m.cl.Span.To)-time.Duration(b)*m.cl.Span.Bucket)
			n.Load = append(n.Load, float64(busy)/float64(width))
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// slotsTold is how many of the hottest slots a result names.
const slotsTold = 8

func (m *measurement) slots() []Slot {
	var told []Slot
	total := m.totals()
	for _, slot := range m.hot.slots[:min(slotsTold, len(m.hot.slots))] {
		l := &m.cl.Meter.Slots[slot]
		s := Slot{
			Slot: slot, Node: m.ownerName(slot),
			Share:    ratio(float64(l.Commands), float64(total.Commands)),
			CPUShare: ratio(float64(l.Work), float64(total.Work)),
			Keys:     m.keysIn[slot],
		}
		if m.keysIn[slot] > 0 {
			s.Key = m.keyName(m.hot.inSlot[slot])
			s.KeyShare = ratio(float64(m.commands(m.hot.inSlot[slot])), float64(l.Commands))
		}
		told = append(told, s)
	}
	return told
}

func (m *measurement) bill() Bill {
	ops := float64(m.all.latency.Count())
	return Bill{
		CommandsPerOp:   ratio(float64(m.all.Commands[wire.ReadOp]+m.all.Commands[wire.WriteOp]), ops),
		RoundTripsPerOp: ratio(float64(m.all.RoundTrips), ops),
		BytesPerOp:      ratio(m.bytes(true)+m.bytes(false), ops),
		StaleRate:       m.staleRate(), StaleAge: m.staleAge(),
		Primaries: m.shape().Primaries, Machines: m.machines(), LostWrites: float64(m.cl.Ledger.LostWrites),
		StoredKeys: float64(m.keys), CrossSlot: float64(m.all.Failed[wire.CrossSlot]),
	}
}

func (m *measurement) series() Series {
	span := m.cl.Span
	s := Series{BucketSeconds: span.Bucket.Seconds()}
	for i := range span.Buckets() {
		from := time.Duration(i) * span.Bucket
		w, _, length := m.all.window(from, from+span.Bucket)
		s.Throughput = append(s.Throughput, ratio(float64(w.Count()), length.Seconds()))
		s.P99 = append(s.P99, micros(w.Quantile(0.99)))
		s.Errors = append(s.Errors, ratio(float64(m.all.failedIn(from, from+span.Bucket, "")), length.Seconds()))
	}
	return s
}
