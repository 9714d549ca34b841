package reports

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// linearTicks returns about so many round ticks from 0 to most, labelled in
// units of a power of ten, and the round end of the axis.
func linearTicks(most float64, unit, about int) ([]plot.Tick, float64) {
	if most <= 0 || !finite(most) {
		most = 1
	}
	step := roundStep(most / float64(about))
	var ticks []plot.Tick
	n := int(math.Ceil(most/step - 1e-9))
	for i := range n + 1 {
		v := float64(i) * step
		ticks = append(ticks, plot.Tick{Value: v, Label: tickLabel(v / math.Pow10(unit))})
	}
	return ticks, float64(n) * step
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is at
// least v.
func roundStep(v float64) float64 {
	decade := math.Pow10(exponent(v, 3))
	for _, factor := range []float64{1, 2, 5} {
		if factor*decade >= v*(1-1e-9) {
			return factor * decade
		}
	}
	return 10 * decade
}

func tickLabel(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// A logRange is an axis of latencies by their logarithm. The axis itself is
// linear, in powers of ten, which spares the plot the logarithm of 0.
type logRange struct{ low, high float64 } // powers of ten

// logRangeOf returns the range that holds all positive values, to whole or half
// decades: at least one.
func logRangeOf(lines []line) logRange {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for _, p := range l.points {
			if p.Y > 0 {
				low, high = min(low, p.Y), max(high, p.Y)
			}
		}
	}
	if low > high {
		return logRange{2, 4} // no values: 100 µs to 10 ms
	}
	r := logRange{math.Floor(2*math.Log10(low)) / 2, math.Ceil(2*math.Log10(high)) / 2}
	if r.high-r.low < 1 {
		r.low, r.high = r.low-0.5, r.high+0.5
	}
	return r
}

// ticks labels whole decades, with 2 and 5 between them where there is room and
// minor ticks in any case.
func (r logRange) ticks() []plot.Tick {
	var ticks []plot.Tick
	for decade := int(math.Floor(r.low)); decade <= int(math.Ceil(r.high)); decade++ {
		for digit := 1.0; digit < 10; digit++ {
			at := float64(decade) + math.Log10(digit)
			if at < r.low-1e-9 || at > r.high+1e-9 {
				continue
			}
			label := ""
			if digit == 1 || r.high-r.low <= 2 && (digit == 2 || digit == 5) {
				label = micros.short(digit * math.Pow10(decade))
			}
			ticks = append(ticks, plot.Tick{Value: at, Label: label})
		}
	}
	return ticks
}
