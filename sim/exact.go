package sim

import "math"

// The functions of this file give the same bits on every machine. Those of
// package math do not: some are written in assembly for some architectures, and
// a compiler may fuse a product and a sum into one rounding. Here every product
// is rounded by an explicit conversion, which forbids fusing.

// Ln returns the natural logarithm of x, for x > 0, with a relative error
// below 1e-15. It reduces x to m·2^k with m near 1 and sums the series of
// 2·artanh((m-1)/(m+1)).
func Ln(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		panic("sim: logarithm of a number that is not positive and finite")
	}
	m, k := math.Frexp(x) // m in [0.5, 1)
	if m < math.Sqrt2/2 {
		m, k = m*2, k-1
	}
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	sum := 0.0
	for n := 25; n >= 1; n -= 2 {
		sum = float64(sum*s2) + 1/float64(n)
	}
	return float64(float64(k)*ln2Hi) + (float64(float64(2*s)*sum) + float64(float64(k)*ln2Lo))
}

// Exp returns e to the power of x with a relative error below 1e-14, 0 where
// that is smaller than the smallest number and +Inf where it is too large.
func Exp(x float64) float64 {
	switch {
	case x < -745:
		return 0
	case x > 710:
		return math.Inf(1)
	}
	k := math.Round(x / math.Ln2)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo) // |r| <= ln2/2
	sum := 1.0
	for n := 18; n >= 1; n-- {
		sum = 1 + float64(float64(r*sum)/float64(n))
	}
	return math.Ldexp(sum, int(k))
}

// Pow returns x to the power of y, for x > 0.
func Pow(x, y float64) float64 {
	switch y {
	case 0:
		return 1
	case 1:
		return x
	}
	return Exp(float64(y * Ln(x)))
}

// ln 2 in two parts: the first has its low bits clear, so that a small integer
// times it is exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)
