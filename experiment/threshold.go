package experiment

import (
	"fmt"
	"math"
	"slices"

	"hotslot/scenarios"
)

// judge says what became of a threshold, from the values of its quantity and of
// what it refers to, seed by seed.
//
// It holds if the whole 95 % interval over seeds is on the right side of the
// limit, fails if it is on the wrong side, and is inconclusive if the limit lies
// within. Where the limit is another strategy's value, the interval is that of
// the difference, seed by seed. Where something never happened in a seed there is
// no mean, and it has to hold in each; the value told is that of the others.
func judge(t scenarios.Threshold, values, reference []float64) Threshold {
	metric, _ := scenarios.FindMetric(t.Quantity.Metric)
	out := Threshold{Strategy: t.Strategy, Expr: t.Expr, Unit: string(metric.Unit), Value: newMean(values)}
	n := len(values)
	if t.Reference != nil {
		n = min(n, len(reference))
	}
	if n == 0 {
		out.Verdict, out.Why = Inconclusive, "no run was finished"
		return out
	}
	values = values[:n]
	if slices.ContainsFunc(values, math.IsNaN) || slices.ContainsFunc(reference, math.IsNaN) {
		out.Verdict, out.Why = Inconclusive, "no operation ended in the time that it is about"
		return out
	}
	low, high := t.Low, t.High
	nevers := count(values, isNever)
	if nevers > 0 {
		out.Value, out.Why = known(values), neverIn(t, nevers, n)
	}
	if t.Reference != nil {
		nevers += count(reference, isNever)
		values = differences(t, values, reference[:n])
		low, high = 0, 0
	}
	if t.EachSeed || nevers > 0 {
		out.Verdict = compareEach(t, values, low, high)
	} else {
		out.Verdict = compareWith(t, values, low, high)
	}
	if out.Verdict != Pass && out.Why == "" {
		out.Why = why(t, out, reference)
	}
	return out
}

// isNever reports whether a value is that of something that never happened, or
// is about the time around it.
func isNever(v float64) bool { return math.IsInf(v, 0) }

func count(values []float64, is func(float64) bool) (n int) {
	for _, v := range values {
		if is(v) {
			n++
		}
	}
	return n
}

// known returns the mean of the values that there are; where there are none it
// is never.
func known(values []float64) Mean {
	values = slices.DeleteFunc(slices.Clone(values), isNever)
	if len(values) == 0 {
		return Mean{never, never, never, 0}
	}
	return newMean(values)
}

// neverIn says in how many of the seeds something never happened, where the value
// does not.
func neverIn(t scenarios.Threshold, nevers, seeds int) string {
	what := ""
	for _, event := range []string{t.Quantity.Window.FromEvent, t.Quantity.Window.ToEvent} {
		if event != "" {
			what = ": there is no time around " + event
		}
	}
	switch {
	case nevers == seeds && what == "":
		return "" // the value says so
	case nevers == seeds:
		return "never" + what
	}
	return fmt.Sprintf("never in %d of %d seeds%s", nevers, seeds, what)
}

// differences returns what is compared with 0 where the limit is a value.
func differences(t scenarios.Threshold, values, reference []float64) []float64 {
	d := make([]float64, len(values))
	for i := range d {
		d[i] = difference(values[i], t.Factor*reference[i])
		if t.Op == "within" { // relative, so that the tolerance is the limit
			d[i] = ratio(d[i], math.Abs(t.Factor*reference[i]))
		}
	}
	return d
}

// difference returns a less b. What never happened comes after all that did.
func difference(a, b float64) float64 {
	switch {
	case a == unknowable || b == unknowable:
		return unknowable
	case a == never && b == never:
		return 0
	case b == never:
		return -math.MaxFloat64
	}
	return a - b
}

func compareWith(t scenarios.Threshold, values []float64, low, high float64) Verdict {
	m := newMean(values)
	switch t.Op {
	case "<":
		return side(m.High < low, m.Low >= low)
	case "<=":
		return side(m.High <= low, m.Low > low)
	case ">":
		return side(m.Low > low, m.High <= low)
	case ">=":
		return side(m.Low >= low, m.High < low)
	case "in":
		return side(m.Low >= low && m.High <= high, m.High < low || m.Low > high)
	case "within":
		tolerance := t.Tolerance
		if t.Reference == nil {
			tolerance *= math.Abs(low)
		}
		return side(m.Low >= low-tolerance && m.High <= low+tolerance, m.High < low-tolerance || m.Low > low+tolerance)
	}
	equal := true
	for _, v := range values {
		equal = equal && (v == low || !isNever(low) && math.Abs(v-low) <= 1e-9*max(1, math.Abs(low)))
	}
	return side(equal == (t.Op == "=="), equal != (t.Op == "=="))
}

// compareEach judges seed by seed: the share of those in which the threshold is
// true has to be what it says, or all of them where it says nothing.
func compareEach(t scenarios.Threshold, values []float64, low, high float64) Verdict {
	holds := 0
	for i, v := range values {
		if v == unknowable { // which is never, and nothing else can be said of it
			if math.IsInf(low, 1) && (t.Op == "==" || t.Op == ">=") {
				holds++
			}
			continue
		}
		if compareWith(t, values[i:i+1], low, high) == Pass {
			holds++
		}
	}
	from, to := 1.0, 1.0
	if t.EachSeed {
		from, to = t.SeedsLow, t.SeedsHigh
	}
	share := float64(holds) / float64(len(values))
	return side(share >= from-1e-9 && share <= to+1e-9, share < from-1e-9 || share > to+1e-9)
}

func side(right, wrong bool) Verdict {
	switch {
	case right:
		return Pass
	case wrong:
		return Fail
	}
	return Inconclusive
}

// why says what a threshold that does not hold was compared with.
func why(t scenarios.Threshold, out Threshold, reference []float64) string {
	text := ""
	if t.Reference != nil {
		text = fmt.Sprintf("compared with %.4g", t.Factor*mean(reference))
		if slices.ContainsFunc(reference, isNever) {
			text = "compared with what never happened"
		}
	}
	if out.Verdict == Inconclusive {
		if text != "" {
			text += "; "
		}
		text += "the interval straddles the limit: more seeds or a longer run would tell"
	}
	return text
}
