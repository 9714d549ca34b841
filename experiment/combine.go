package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// combine makes one Strategy of the samples of its seeds: means, with intervals
// for throughput and P99.
func combine(samples []*sample) Strategy {
	if len(samples) == 0 {
		return Strategy{}
	}
	a := averager(samples)
	s := Strategy{
		Name: samples[0].Name, Seeds: len(samples),
		Offered:    a.of(func(s *sample) float64 { return s.Offered }),
		Throughput: a.mean(func(s *sample) float64 { return s.Throughput.Mean }),
		Latency:    a.latency(func(s *sample) *Latency { return &s.Latency }),
		Blame:      a.blame(func(s *sample) *Blame { return &s.Blame }),
		Slowest:    a.blame(func(s *sample) *Blame { return &s.Slowest }),
		Errors:     a.errors(func(s *sample) *Errors { return &s.Errors }),
		Redirects: Redirects{
			Moved:    a.of(func(s *sample) float64 { return s.Redirects.Moved }),
			Ask:      a.of(func(s *sample) float64 { return s.Redirects.Ask }),
			TryAgain: a.of(func(s *sample) float64 { return s.Redirects.TryAgain }),
		},
		Nodes: a.nodes(),
		Slots: a.slots(),
		Client: Client{
			Processes:   samples[0].Client.Processes,
			Utilization: a.of(func(s *sample) float64 { return s.Client.Utilization }),
			PoolWaits:   a.of(func(s *sample) float64 { return s.Client.PoolWaits }),
		},
		Bill:       a.bill(),
		Findings:   a.findings(),
		Series:     a.series(),
		Overloaded: 2*a.of(func(s *sample) float64 { return indicator(s.Overloaded) }) > 1,
	}
	s.Idle = samples[0].Idle
	for i := range samples[0].Workloads {
		s.Workloads = append(s.Workloads, a.workload(i))
	}
	s.Control, s.Migrations, s.Uncovered = a.control(), a.migrations(), a[0].Uncovered
	s.Fingerprint = a.fingerprint()
	return s
}

// An averager averages what it is shown of each sample.
type averager []*sample

func (a averager) values(of func(*sample) float64) []float64 {
	x := make([]float64, len(a))
	for i, s := range a {
		x[i] = of(s)
	}
	return x
}

func (a averager) of(of func(*sample) float64) float64 { return mean(a.values(of)) }

func (a averager) mean(of func(*sample) float64) Mean { return newMean(a.values(of)) }

func (a averager) latency(of func(*sample) *Latency) Latency {
	part := func(f func(*Latency) float64) float64 {
		return a.of(func(s *sample) float64 { return f(of(s)) })
	}
	l := Latency{
		Mean:  part(func(l *Latency) float64 { return l.Mean }),
		P50:   part(func(l *Latency) float64 { return l.P50 }),
		P90:   part(func(l *Latency) float64 { return l.P90 }),
		P95:   part(func(l *Latency) float64 { return l.P95 }),
		P99:   a.mean(func(s *sample) float64 { return of(s).P99.Mean }),
		P999:  part(func(l *Latency) float64 { return l.P999 }),
		P9999: part(func(l *Latency) float64 { return l.P9999 }),
		Max:   part(func(l *Latency) float64 { return l.Max }),
	}
	for i, p := range of(a[0]).Curve {
		p.Micros = part(func(l *Latency) float64 { return l.Curve[i].Micros })
		l.Curve = append(l.Curve, p)
	}
	return l
}

func (a averager) blame(of func(*sample) *Blame) Blame {
	part := func(f func(*Blame) float64) float64 {
		return a.of(func(s *sample) float64 { return f(of(s)) })
	}
	return Blame{
		Client:     part(func(b *Blame) float64 { return b.Client }),
		Network:    part(func(b *Blame) float64 { return b.Network }),
		ServerWait: part(func(b *Blame) float64 { return b.ServerWait }),
		Execution:  part(func(b *Blame) float64 { return b.Execution }),
		Redirect:   part(func(b *Blame) float64 { return b.Redirect }),
	}
}

func (a averager) errors(of func(*sample) *Errors) Errors {
	e := Errors{Rate: a.of(func(s *sample) float64 { return of(s).Rate }), Kinds: map[string]float64{}}
	for _, s := range a {
		for kind := range of(s).Kinds {
			e.Kinds[kind] = a.of(func(s *sample) float64 { return of(s).Kinds[kind] })
		}
	}
	return e
}

func (a averager) workload(i int) Workload {
	part := func(f func(*Workload) float64) float64 {
		return a.of(func(s *sample) float64 { return f(&s.Workloads[i]) })
	}
	return Workload{
		Name:             a[0].Workloads[i].Name,
		Offered:          part(func(w *Workload) float64 { return w.Offered }),
		Throughput:       a.mean(func(s *sample) float64 { return s.Workloads[i].Throughput.Mean }),
		Latency:          a.latency(func(s *sample) *Latency { return &s.Workloads[i].Latency }),
		Errors:           a.errors(func(s *sample) *Errors { return &s.Workloads[i].Errors }),
		CommandsPerRead:  part(func(w *Workload) float64 { return w.CommandsPerRead }),
		CommandsPerWrite: part(func(w *Workload) float64 { return w.CommandsPerWrite }),
	}
}

func (a averager) nodes() []Node {
	nodes := slices.Clone(a[0].Nodes)
	for i := range nodes {
		part := func(f func(*Node) float64) float64 {
			return a.of(func(s *sample) float64 { return f(&s.Nodes[i]) })
		}
		n := &nodes[i]
		n.Utilization = part(func(n *Node) float64 { return n.Utilization })
		n.Commands = part(func(n *Node) float64 { return n.Commands })
		n.QueueMean = part(func(n *Node) float64 { return n.QueueMean })
		n.BytesIn = part(func(n *Node) float64 { return n.BytesIn })
		n.BytesOut = part(func(n *Node) float64 { return n.BytesOut })
		n.NIC = part(func(n *Node) float64 { return n.NIC })
		n.KeyShare = part(func(o *Node) float64 {
			if o.HottestKey != n.HottestKey {
				return 0 // another key was hotter in that run
			}
			return o.KeyShare
		})
		n.Load = make([]float64, len(n.Load))
		for b := range n.Load {
			n.Load[b] = part(func(n *Node) float64 { return n.Load[b] })
		}
	}
	return nodes
}

// slots averages over the slots that any sample names.
func (a averager) slots() []Slot {
	sums := map[int]Slot{}
	for _, s := range a {
		for _, slot := range s.Slots {
			sum, ok := sums[slot.Slot]
			if !ok {
				sum = slot
				sum.Share, sum.CPUShare, sum.KeyShare = 0, 0, 0
			}
			n := float64(len(a))
			sum.Share += slot.Share / n
			sum.CPUShare += slot.CPUShare / n
			sum.KeyShare += slot.KeyShare / n
			sums[slot.Slot] = sum
		}
	}
	var all []Slot
	for _, slot := range sums {
		all = append(all, slot)
	}
	slices.SortFunc(all, func(x, y Slot) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.Slot, y.Slot))
	})
	return all[:min(slotsTold, len(all))]
}

func (a averager) bill() Bill {
	b := a[0].Bill
	part := func(f func(*Bill) float64) float64 {
		return a.of(func(s *sample) float64 { return f(&s.Bill) })
	}
	b.CommandsPerOp = part(func(b *Bill) float64 { return b.CommandsPerOp })
	b.RoundTripsPerOp = part(func(b *Bill) float64 { return b.RoundTripsPerOp })
	b.BytesPerOp = part(func(b *Bill) float64 { return b.BytesPerOp })
	b.StaleRate = part(func(b *Bill) float64 { return b.StaleRate })
	b.StaleAge = part(func(b *Bill) float64 { return b.StaleAge })
	b.LostWrites = part(func(b *Bill) float64 { return b.LostWrites })
	b.CrossSlot = part(func(b *Bill) float64 { return b.CrossSlot })
	return b
}

// findings keeps what was found with most of the seeds, with its mean value and
// the sentence of the first.
func (a averager) findings() []Finding {
	var kept []Finding
	same := func(x, y Finding) bool { return x.Rule == y.Rule && x.Subject == y.Subject }
	for _, s := range a {
		for _, f := range s.Findings {
			if slices.ContainsFunc(kept, func(k Finding) bool { return same(k, f) }) {
				continue
			}
			var values []float64
			for _, t := range a {
				if i := slices.IndexFunc(t.Findings, func(g Finding) bool { return same(f, g) }); i >= 0 {
					values = append(values, t.Findings[i].Value)
				}
			}
			if 2*len(values) > len(a) {
				f.Value = mean(values)
				kept = append(kept, f)
			}
		}
	}
	return kept
}

func (a averager) series() Series {
	s := Series{BucketSeconds: a[0].Series.BucketSeconds}
	for i := range a[0].Series.Throughput {
		s.Throughput = append(s.Throughput, a.of(func(s *sample) float64 { return s.Series.Throughput[i] }))
		s.P99 = append(s.P99, a.of(func(s *sample) float64 { return s.Series.P99[i] }))
		s.Errors = append(s.Errors, a.of(func(s *sample) float64 { return s.Series.Errors[i] }))
	}
	return s
}

func (a averager) fingerprint() string {
	h := uint64(14695981039346656037)
	for _, s := range a {
		h = (h ^ s.fingerprint) * 1099511628211
	}
	return fmt.Sprintf("%016x", h)
}

// compare returns what a strategy gains over another, seed by seed.
func compare(with string, a, b []*sample) *Comparison {
	ratios := func(of func(*sample) float64) Mean {
		var x []float64
		for i := range min(len(a), len(b)) {
			if d := of(b[i]); d > 0 {
				x = append(x, of(a[i])/d)
			}
		}
		if len(x) == 0 {
			return Mean{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
		}
		return newMean(x)
	}
	return &Comparison{
		With:       with,
		Throughput: ratios(func(s *sample) float64 { return s.Throughput.Mean }),
		P99:        ratios(func(s *sample) float64 { return s.Latency.P99.Mean }),
	}
}
