// Package scenarios reads scenario files: TOML becomes plain structs with every
// default filled in and every value checked. A strategy is a patch of the file's
// tables; a threshold is a claim about a strategy, parsed and checked against
// what there is to measure.
//
// All that is wrong with a file is told at once, with the line, the path to the
// value, and what to write instead. What a value means is the business of the
// package that its struct comes from. Left out: whether an event happens before
// the run ends, which only the run can tell.
package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Scenario is one file: a question, the strategies that answer it, and what
// is claimed of each.
type Scenario struct {
	File       string      // base name of the file
	Hash       string      // of the file's bytes, 16 hexadecimal digits
	Title      string      `toml:"title"`
	About      string      `toml:"about"`
	Seed       uint64      `toml:"seed"`
	Seeds      int         `toml:"seeds"` // replications, 1 to 10000
	Strategies []Strategy  // in the order of the file; at least one
	Thresholds []Threshold // in the order of the file, those of "*" for each strategy
}

// Baseline returns the index of the strategy that the others are compared with:
// the one of that name or else the first.
func (s *Scenario) Baseline() int {
	return max(0, slices.IndexFunc(s.Strategies, func(st Strategy) bool { return st.Name == baselineName }))
}

// A Strategy is a named patch of the scenario.
type Strategy struct {
	Name     string
	Changes  []Change // in the order of the file
	Settings Settings // of the scenario with the patch applied
}

// A Change is one value that a strategy sets.
type Change struct {
	Path  string // such as "workload.page-views.shards"
	Value any    // bool, int64, float64, string, or a list of them as []any
}

// A Threshold is a statement that holds or fails.
type Threshold struct {
	Strategy string // whose value it is about
	Expr     string // as written
	Quantity Quantity
	Op       string // "<", "<=", ">", ">=", "==", "!=", "in", "within"
	// The right side: Factor times a Reference or, where that is nil, Low (and
	// High, for "in") in the metric's unit. For "within", Tolerance is the share
	// by which the value may be off, 0 to 1.
	Low, High float64
	Factor    float64
	Reference *Reference
	Tolerance float64
	// EachSeed says that the statement is about each seed by itself: it holds if
	// it is true in a share of them from SeedsLow to SeedsHigh, 0 to 1. Else it is
	// about the mean.
	EachSeed            bool
	SeedsLow, SeedsHigh float64
}

// A Quantity is what can be measured of a run: a metric, of all or of a part of
// it, over the whole run or a window.
type Quantity struct {
	Metric   string
	Selector map[string]string // such as workload: page-views, node: primary 0
	Window   Window
}

// String returns the quantity as a threshold writes it.
func (q Quantity) String() string {
	var b strings.Builder
	b.WriteString(q.Metric)
	separator := "{"
	for _, key := range slices.Sorted(maps.Keys(q.Selector)) {
		b.WriteString(separator + key + ":" + q.Selector[key])
		separator = ", "
	}
	if len(q.Selector) > 0 {
		b.WriteString("}")
	}
	if w := q.Window; w != (Window{}) {
		fmt.Fprintf(&b, " from %s to %s", edge(w.FromEvent, w.From), edge(w.ToEvent, w.To))
	}
	return b.String()
}

// edge tells where a window begins or ends.
func edge(event string, d time.Duration) string {
	switch {
	case event == "":
		return d.String()
	case d == 0:
		return event
	}
	return fmt.Sprintf("%s%+v", event, d)
}

// A Window is a part of a run, in time from the beginning of the run, warm-up
// included, or from an event: one of the scenario, or the first of a kind of the
// timeline. The zero Window is the measured part of the run.
type Window struct {
	From, To           time.Duration
	FromEvent, ToEvent string
	ToEnd              bool // until what ToEvent began is over
}

// A Reference is the value of a strategy: of another one or, for another
// quantity, of the threshold's own.
type Reference struct {
	Strategy string
	Quantity Quantity
}
