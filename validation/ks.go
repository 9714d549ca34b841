package validation

import (
	"math"
	"slices"
)

// KolmogorovSmirnov compares two samples. It returns the largest distance between
// their distributions, and how probable a distance as large is if both are of the
// same distribution: the asymptotic one, with Stephens's correction for small
// samples (Press et al., "Numerical Recipes", section 14.3). Neither sample may be
// empty.
func KolmogorovSmirnov(a, b []float64) (distance, p float64) {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	n := math.Sqrt(float64(len(a)) * float64(len(b)) / float64(len(a)+len(b)))
	return distance, kolmogorov((n + 0.12 + 0.11/n) * distance)
}

// kolmogorov returns the probability that Kolmogorov's statistic exceeds x.
func kolmogorov(x float64) float64 {
	if x < 0.2 {
		return 1
	}
	sum, sign := 0.0, 1.0
	for k := 1.0; k < 101; k++ {
		term := math.Exp(-2 * k * k * x * x)
		sum += sign * term
		if term < 1e-12 {
			break
		}
		sign = -sign
	}
	return min(1, max(0, 2*sum))
}
