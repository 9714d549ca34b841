package sim

import "time"

// Quantiles is a distribution of durations, tabulated for sampling by
// inversion: one draw gives one duration, and a larger draw never gives a
// shorter one. Sampling uses integers only, so it is exact on every machine.
//
// The table has three levels. The first cuts the probabilities into 1024 equal
// cells; the last cell of a level, the tail, is cut again into 1024 by the next.
// So P99.99 lies on a grid of a millionth, not of a thousandth, and the longest
// sample is that of probability 1 - 2^-31. Between grid points samples are
// interpolated in a straight line.
type Quantiles struct {
	levels   [3][cells + 1]time.Duration
	constant bool
}

const (
	cellBits = 10
	cells    = 1 << cellBits
	// longest is the longest duration in a table, more than two hours: its
	// product with a fraction of 20 bits fits into 63.
	longest = 1<<43 - 1
)

// Tabulate fills a table from a quantile function, the inverse of a cumulative
// distribution. The function is asked for probabilities from 0 up to, and never
// as much as, 1; what it returns below 0 counts as 0, above longest as longest.
func Tabulate(quantile func(p float64) time.Duration) *Quantiles {
	q := new(Quantiles)
	from, width := 0.0, 1.0 // the probabilities that a level covers
	for l := range q.levels {
		step := width / cells
		for i := range q.levels[l] {
			p := from + float64(float64(i)*step)
			if p >= 1 { // the very end of the last level: its middle stands for it
				p = 1 - step/2
			}
			q.levels[l][i] = min(max(0, quantile(p)), longest)
		}
		from, width = from+(width-step), step
	}
	q.constant = q.levels[0][0] == q.levels[2][cells]
	return q
}

// At returns the duration at rank u of 2^64.
func (q *Quantiles) At(u uint64) time.Duration {
	level := &q.levels[0]
	i := u >> (64 - cellBits)
	if i == cells-1 {
		u <<= cellBits
		level, i = &q.levels[1], u>>(64-cellBits)
		if i == cells-1 {
			u <<= cellBits
			level, i = &q.levels[2], u>>(64-cellBits)
		}
	}
	low, high := level[i], level[i+1]
	fraction := int64(u << cellBits >> 44) // 20 bits
	return low + time.Duration(int64(high-low)*fraction>>20)
}

// Constant reports whether every sample is the same, and which.
func (q *Quantiles) Constant() (time.Duration, bool) { return q.levels[0][0], q.constant }
