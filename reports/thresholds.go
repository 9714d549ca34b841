package reports

import (
	"fmt"
	"math"
	"strings"

	"hotslot/experiment"
)

// The marks of a verdict.
const (
	markPass         = "✓"
	markFail         = "✗"
	markInconclusive = "?"
)

// mark returns the mark of a verdict.
func mark(v experiment.Verdict) string {
	switch v {
	case experiment.Pass:
		return markPass
	case experiment.Fail:
		return markFail
	}
	return markInconclusive
}

// tally says how many thresholds hold and how many do not.
func tally(r *experiment.Result) string {
	n := verdicts(r)
	return fmt.Sprintf("%d %s, %d %s, %d inconclusive",
		n[experiment.Pass], verb(n[experiment.Pass], "holds", "hold"),
		n[experiment.Fail], verb(n[experiment.Fail], "fails", "fail"),
		n[experiment.Inconclusive])
}

// everyMost is how many strategies a threshold has to hold for to be told in one
// row.
const everyMost = 3

// thresholdGrid lists what the scenario states and what was measured. What holds
// for every strategy takes one row, where the first of them would stand.
func thresholdGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{paint: paintMark}, {most: nameMost}, {most: 40}, {}, {}, {}}}
	common := heldByAll(r)
	told := make(map[string]bool)
	for _, t := range byUrgency(r.Thresholds) {
		all := common[t.Expr]
		switch {
		case all == nil:
			value, interval := quantity(t)
			g.add(mark(t.Verdict), t.Strategy, t.Expr, value, interval, t.Why)
		case !told[t.Expr]:
			told[t.Expr] = true
			value, interval := span(all)
			g.add(mark(t.Verdict), "every strategy", t.Expr, value, interval, "")
		}
	}
	return g
}

// heldByAll returns by expression those thresholds that hold, and are stated of
// every strategy.
func heldByAll(r *experiment.Result) map[string][]experiment.Threshold {
	stated := make(map[string][]experiment.Threshold)
	holders := make(map[string]map[string]bool) // strategies by expression; nil where it does not hold for one
	for _, t := range r.Thresholds {
		if _, known := holders[t.Expr]; !known {
			holders[t.Expr] = make(map[string]bool)
		}
		stated[t.Expr] = append(stated[t.Expr], t)
		if t.Verdict != experiment.Pass {
			holders[t.Expr] = nil
		} else if of := holders[t.Expr]; of != nil {
			of[t.Strategy] = true
		}
	}
	for expr, of := range holders {
		if len(r.Strategies) < everyMost || len(of) < len(r.Strategies) {
			delete(stated, expr)
		}
	}
	return stated
}

// span tells the value that thresholds have in common, or from where to where
// their means reach.
func span(all []experiment.Threshold) (value, interval string) {
	value, interval = quantity(all[0])
	low, high, alike := all[0], all[0], true
	for _, t := range all[1:] {
		v, i := quantity(t)
		alike = alike && v == value && i == interval
		if t.Value.Mean < low.Value.Mean {
			low = t
		}
		if t.Value.Mean > high.Value.Mean {
			high = t
		}
	}
	if alike {
		return value, interval
	}
	from, _ := quantity(low)
	to, _ := quantity(high)
	if from == to {
		return from, ""
	}
	number, symbol, _ := strings.Cut(from, " ")
	if _, other, _ := strings.Cut(to, " "); symbol == other {
		from = number // 1 to 3 ms
	}
	return from + " to " + to, ""
}

// quantity tells the value of a threshold and its interval. A number without a
// unit that is whole with every seed is a count or a flag, known to the last
// digit.
func quantity(t experiment.Threshold) (value, interval string) {
	m, sc := t.Value, scaleOf(t.Unit)
	if math.IsInf(m.Mean, 1) {
		return "never", ""
	}
	if t.Unit == "" && isCount(m) {
		value = decimal(m.Mean, 0, 0)
		if m.N > 1 {
			interval = "[" + value + ", " + value + "]"
		}
		return value, interval
	}
	return sc.mean(m), sc.interval(m)
}

// isCount says whether a mean is of one and the same whole number, of which a
// float64 knows every digit that is told.
func isCount(m experiment.Mean) bool {
	whole := m.Mean == float64(int64(m.Mean)) && m.Mean > -1e9 && m.Mean < 1e9
	return whole && m.Low == m.Mean && m.High == m.Mean
}
