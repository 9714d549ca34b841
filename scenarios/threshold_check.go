package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// thresholdsMax is how many thresholds one key may list.
const thresholdsMax = 200

// thresholds reads what is claimed of the strategies.
func (l *loader) thresholds() {
	all := l.root.get("thresholds")
	c := thresholdChecker{loader: l, refers: map[string][]string{}}
	for _, st := range l.scenario.Strategies {
		c.names = append(c.names, st.Name)
	}
	for _, key := range all.table().keys {
		c.list(key, all.get(key))
	}
}

// A thresholdChecker reads thresholds and checks that what they name is there.
type thresholdChecker struct {
	*loader
	names  []string            // of the strategies
	refers map[string][]string // of a quantity of a strategy: the strategies that it is compared with
}

// list reads the thresholds of one strategy, or of all.
func (c *thresholdChecker) list(key string, v *value) {
	if key != "*" && !slices.Contains(c.names, key) {
		c.fail(v, `there is no such strategy; write "*" for all of them or a name%s`, didYouMean(key, c.names))
		return
	}
	var exprs []string
	before := len(c.errs)
	c.bind(v, &exprs)
	switch {
	case len(c.errs) > before:
		return
	case len(exprs) > thresholdsMax:
		c.fail(v, "%d thresholds are too many; write at most %d", len(exprs), thresholdsMax)
		return
	}
	for i, expr := range exprs {
		at := v.data.([]*value)[i]
		for s := range c.names {
			if key == "*" || key == c.names[s] {
				c.threshold(at, expr, s, key == "*")
			}
		}
	}
}

// threshold reads one threshold of strategy number s. One that is written for
// all strategies is not for the strategy that it compares the others with.
func (c *thresholdChecker) threshold(at *value, expr string, s int, forAll bool) {
	t, err := parseThreshold(expr, c.names[s], c.names)
	if err != nil {
		c.fail(at, "%v", err)
		return
	}
	if ref := t.Reference; ref != nil {
		itself := ref.Strategy == t.Strategy && ref.Quantity.String() == t.Quantity.String()
		if itself && forAll && !strings.Contains(expr, ownName) {
			return
		}
		other := slices.Index(c.names, ref.Strategy)
		c.quantity(at, ref.Quantity, &c.scenario.Strategies[other])
		c.acyclic(at, t)
	}
	c.quantity(at, t.Quantity, &c.scenario.Strategies[s])
	c.scenario.Thresholds = append(c.scenario.Thresholds, t)
}

// quantity notes what a quantity names that the strategy does not have.
func (c *thresholdChecker) quantity(at *value, q Quantity, st *Strategy) {
	for _, selector := range []struct {
		key   string
		known func(*Settings) []string
	}{
		{"workload", workloadNames},
		{"node", func(s *Settings) []string { return nodesOf(q.Metric, s) }},
		{"kind", func(*Settings) []string { return kindsOf(q.Metric) }},
		{"reason", func(*Settings) []string { return Reasons() }},
	} {
		name, used := q.Selector[selector.key]
		if !used {
			continue
		}
		if known := selector.known(&st.Settings); !slices.Contains(known, name) {
			c.fail(at, "there is no %s %q under strategy %s%s", selector.key, name, st.Name, didYouMean(name, known))
		}
	}
	for _, event := range []string{q.Selector["event"], q.Window.FromEvent, q.Window.ToEvent} {
		if known := append(eventNames(&st.Settings), EventKinds()...); event != "" && !slices.Contains(known, event) {
			c.fail(at, "there is no event %q under strategy %s, nor such a kind of the timeline%s", event, st.Name,
				didYouMean(event, known))
		}
	}
	if known := eventNames(&st.Settings); q.Window.ToEnd && !slices.Contains(known, q.Window.ToEvent) {
		c.fail(at, "%q is no event of the scenario, which alone can have an end%s", q.Window.ToEvent,
			didYouMean(q.Window.ToEvent, known))
	}
	if command := q.Selector["command"]; command != "" && !slices.Contains(toolCommands(), command) {
		c.fail(at, "no tool sends a command %q%s", command, suggest(command, toolCommands()))
	}
	if end := st.Settings.Warmup + st.Settings.Duration; q.Window.ToEvent == "" && q.Window.To > end {
		c.fail(at, "the window ends after the run of %v under strategy %s; write an earlier end", end, st.Name)
	}
}

// toolCommands returns the commands of tools, as thresholds name them: the last word of
// each, in lower case.
func toolCommands() (names []string) {
	for c := range wire.Commands {
		if c.Tool() {
			names = append(names, ToolCommand(c))
		}
	}
	return names
}

// ToolCommand returns how thresholds name a command of a tool.
func ToolCommand(c wire.Command) string {
	name := strings.ToLower(c.String())
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// kindsOf returns what a metric counts the kinds of: of errors, or of what is on
// the timeline.
func kindsOf(metric string) []string {
	if metric == "errors.count" || metric == "errors.rate" {
		return errorKinds()
	}
	return EventKinds()
}

func eventNames(s *Settings) []string {
	var names []string
	for i := range s.Events {
		names = append(names, s.Events[i].Name)
	}
	return names
}

func workloadNames(s *Settings) []string {
	var names []string
	for i := range s.Workloads {
		names = append(names, s.Workloads[i].Name)
	}
	return names
}

// The nodes that were primaries, or replicas, at the beginning: what is on the
// timeline can be restricted to all of them.
const (
	AllPrimaries = "primaries"
	AllReplicas  = "replicas"
)

// nodesOf returns the nodes that a metric can be restricted to.
func nodesOf(metric string, s *Settings) []string {
	names := nodeNames(s)
	if m, _ := FindMetric(metric); slices.Contains(m.Selectors, "kind") {
		names = append(names, AllPrimaries, AllReplicas)
	}
	return names
}

// nodeNames returns the names of a cluster's nodes, such as "primary 0" and, its
// first replica, "replica 0.0".
func nodeNames(s *Settings) []string {
	var names []string
	for p := range min(s.Cluster.Primaries, primariesMax) {
		names = append(names, fmt.Sprintf("primary %d", p))
		for r := range min(s.Cluster.Replicas, replicasMax) {
			names = append(names, fmt.Sprintf("replica %d.%d", p, r))
		}
	}
	for i := range cluster.Added(s.Events) {
		names = append(names, fmt.Sprintf("added %d", i))
	}
	return names
}

// acyclic notes a threshold that closes a circle of strategies which are
// compared with each other by the same quantity: nothing would be claimed of any
// of them.
func (c *thresholdChecker) acyclic(at *value, t Threshold) {
	quantity := t.Quantity.String()
	if quantity != t.Reference.Quantity.String() {
		return
	}
	from := t.Strategy + " " + quantity
	if slices.Contains(c.refers[from], t.Reference.Strategy) {
		return
	}
	if way := c.way(t.Reference.Strategy, t.Strategy, quantity, map[string]bool{}); way != nil {
		c.fail(at, "a cyclic reference: %s -> %s", t.Strategy, strings.Join(way, " -> "))
		return
	}
	c.refers[from] = append(c.refers[from], t.Reference.Strategy)
}

// way returns the strategies from one to another along references by a quantity,
// nil where there is no way. It goes nowhere twice.
func (c *thresholdChecker) way(from, to, quantity string, been map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	been[from] = true
	for _, next := range c.refers[from+" "+quantity] {
		if been[next] {
			continue
		}
		if way := c.way(next, to, quantity, been); way != nil {
			return append([]string{from}, way...)
		}
	}
	return nil
}
