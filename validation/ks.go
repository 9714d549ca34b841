package validation

import (
	"math"
	"slices"
)

// KolmogorovSmirnov compares two samples: d is the largest distance between their
// empirical distributions, and p the probability that two samples of these sizes
// from one and the same continuous distribution are at least as far apart. Where
// values are equal, p is an upper bound.
func KolmogorovSmirnov(a, b []float64) (d, p float64) {
	if len(a) == 0 || len(b) == 0 {
		return 0, 1
	}
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	n, m := len(a), len(b)
	// The distance is a whole number of parts 1/(n·m), so it is kept as one.
	most, i, j := 0, 0, 0
	for i < n && j < m {
		x := min(a[i], b[j])
		for i < n && a[i] == x {
			i++
		}
		for j < m && b[j] == x {
			j++
		}
		most = max(most, abs(i*m-j*n))
	}
	d = float64(most) / float64(n*m)
	if n*m <= exactMost {
		return d, exact(n, m, most)
	}
	return d, asymptotic(d * math.Sqrt(float64(n)*float64(m)/float64(n+m)))
}

// exactMost is the largest product of two sample sizes for which paths are
// counted.
const exactMost = 4_000_000

// exact returns the probability that the distance is at least most/(n·m): one less
// the share of the paths from (0, 0) to (n, m), by steps of one, that stay closer
// to the diagonal (Hodges, "The significance probability of the Smirnov two-sample
// test", Arkiv för Matematik 3, 1958). Counts are kept as shares, so that they do
// not overflow: share[j] is that of all paths to (i, j).
func exact(n, m, most int) float64 {
	share := make([]float64, m+1)
	for i := range n + 1 {
		for j := range m + 1 {
			switch {
			case abs(i*m-j*n) >= most:
				share[j] = 0
			case i == 0 && j == 0:
				share[j] = 1
			default:
				// The last step to (i, j) was one of i with probability i/(i+j).
				x := float64(i) / float64(i+j) * share[j]
				if j > 0 {
					x += float64(j) / float64(i+j) * share[j-1]
				}
				share[j] = x
			}
		}
	}
	return min(1, max(0, 1-share[m]))
}

// asymptotic returns the probability that Kolmogorov's distribution exceeds x.
func asymptotic(x float64) float64 {
	if x < 0.2 {
		return 1 // less than 1e-12 is missing
	}
	p, sign := 0.0, 1.0
	for k := 1.0; k <= 100; k++ {
		term := math.Exp(-2 * k * k * x * x)
		p += sign * term
		if term < 1e-16 {
			break
		}
		sign = -sign
	}
	return min(1, max(0, 2*p))
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// median returns the median of a sample, not a number if it is empty.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}
