package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hotslot/experiment"
)

// nameMost is the width at which names wrap.
const nameMost = 24

// A ratio between these is told as no change.
const (
	noChangeBelow = 0.995
	noChangeAbove = 1.005
)

// strategyGrid compares the strategies.
func strategyGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "STRATEGY", most: nameMost}, {head: "THROUGHPUT"},
		{head: against(r), most: 20}, {head: "P50"}, {head: "P99"}, {head: "P99.9"},
		{head: "ERRORS"}, {head: "BUSIEST NODE", most: 24}, {head: "BILL"}}}
	nodeWidth := 0
	for i := range r.Strategies {
		if n := busiest(&r.Strategies[i]); n != nil {
			nodeWidth = max(nodeWidth, displayWidth(n.ID))
		}
	}
	for i := range r.Strategies {
		s := &r.Strategies[i]
		if s.Seeds == 0 {
			g.add(s.Name, "not run", "", "", "", "", "", "", "")
			continue
		}
		g.add(s.Name, rates.mean(s.Throughput), comparison(s.Against),
			latency(s.Latency.P50), latency(s.Latency.P99.Mean), latency(s.Latency.P999),
			errorRate(s.Errors), busiestNode(s, nodeWidth), bill(s, &r.Strategies[0]))
	}
	if len(r.Strategies) < 2 { // nothing to compare
		g.drop(2)
	}
	return g
}

// against heads the column of comparisons.
func against(r *experiment.Result) string {
	if len(r.Strategies) == 0 {
		return ""
	}
	return "AGAINST " + clean(r.Strategies[0].Name)
}

// comparison tells a ratio of throughputs: "1.07 [1.07, 1.08]".
func comparison(c *experiment.Comparison) string {
	switch {
	case c == nil:
		return ""
	case c.Throughput.Low >= noChangeBelow && c.Throughput.High <= noChangeAbove:
		return "no change"
	}
	return strings.TrimSpace(plain.mean(c.Throughput) + " " + plain.interval(c.Throughput))
}

// latency tells microseconds; none at all means that no operation succeeded.
func latency(us float64) string {
	if us == 0 {
		return unknown
	}
	return micros.number(us)
}

func errorRate(e experiment.Errors) string {
	if e.Rate == 0 {
		return "0"
	}
	return percent(e.Rate)
}

// busiest returns the node whose thread is busiest, or nil.
func busiest(s *experiment.Strategy) *experiment.Node {
	if len(s.Nodes) == 0 {
		return nil
	}
	most := 0
	for i, n := range s.Nodes {
		if n.Utilization > s.Nodes[most].Utilization {
			most = i
		}
	}
	return &s.Nodes[most]
}

// busiestNode tells the busiest node and its utilization; names are padded so
// that the numbers stand below each other.
func busiestNode(s *experiment.Strategy, width int) string {
	n := busiest(s)
	if n == nil {
		return unknown
	}
	return fmt.Sprintf("%s%s %5s", n.ID, strings.Repeat(" ", width-displayWidth(n.ID)), percent(n.Utilization))
}

// blameGrid splits up where the time of operations goes.
func blameGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "WHERE TIME GOES", most: nameMost}, {head: "OPERATIONS"}, {head: "MEAN"}}}
	for _, p := range parts(experiment.Blame{}) {
		g.columns = append(g.columns, column{head: strings.ToUpper(p.name), right: true})
	}
	for _, s := range r.Strategies {
		name := s.Name
		for _, b := range []struct {
			of    string
			blame experiment.Blame
		}{{"all", s.Blame}, {"slowest 1 %", s.Slowest}} {
			whole := total(b.blame)
			if whole == 0 {
				continue
			}
			row := []string{name, b.of, micros.number(whole)}
			for _, p := range parts(b.blame) {
				row = append(row, wholePercent(p.micros/whole))
			}
			g.add(row...)
			name = ""
		}
	}
	return g
}

// A blamePart is one part of the time of a mean operation.
type blamePart struct {
	name   string
	micros float64
}

// parts lists the parts of a blame in the order of an operation's journey.
func parts(b experiment.Blame) []blamePart {
	return []blamePart{{"client wait", b.Client}, {"network", b.Network}, {"server wait", b.ServerWait},
		{"execution", b.Execution}, {"redirect", b.Redirect}}
}

// total returns the mean latency that a blame splits up.
func total(b experiment.Blame) float64 {
	return b.Client + b.Network + b.ServerWait + b.Execution + b.Redirect
}

// largestPart returns the largest part of a blame.
func largestPart(b experiment.Blame) blamePart {
	return slices.MaxFunc(parts(b), func(a, b blamePart) int { return cmp.Compare(a.micros, b.micros) })
}

// workloadGrid compares the strategies workload by workload. It is empty where
// there is only one workload, of which the grid of strategies says more.
func workloadGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "WORKLOAD", most: nameMost}, {head: "STRATEGY", most: nameMost},
		{head: "THROUGHPUT"}, {head: "P50"}, {head: "P99"}, {head: "ERRORS"}}}
	var names []string
	for _, s := range r.Strategies {
		for _, w := range s.Workloads {
			if !slices.Contains(names, w.Name) {
				names = append(names, w.Name)
			}
		}
	}
	if len(names) < 2 {
		return g
	}
	for _, name := range names {
		title := name
		for i := range r.Strategies {
			if w := workload(&r.Strategies[i], name); w != nil {
				g.add(title, r.Strategies[i].Name, rates.mean(w.Throughput),
					latency(w.Latency.P50), latency(w.Latency.P99.Mean), errorRate(w.Errors))
				title = ""
			}
		}
	}
	return g
}

// errorGrid counts the errors of each strategy by kind, most frequent first.
func errorGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "ERRORS", most: nameMost}, {}}}
	for _, s := range r.Strategies {
		var items []string
		for _, kind := range kinds(s.Errors) {
			items = append(items, kind+" "+plain.number(s.Errors.Kinds[kind]))
		}
		if len(items) > 0 {
			g.add(s.Name, strings.Join(items, ", "))
		}
	}
	return g
}

// kinds returns the kinds of errors that happened, the most frequent first.
func kinds(e experiment.Errors) []string {
	happened := maps.Clone(e.Kinds)
	maps.DeleteFunc(happened, func(_ string, n float64) bool { return !(n > 0) })
	return slices.SortedFunc(maps.Keys(happened), func(a, b string) int {
		return cmp.Or(cmp.Compare(happened[b], happened[a]), cmp.Compare(a, b))
	})
}
