package sim

import (
	"fmt"
	"math"
	"time"
)

// Shape names a family of distributions of durations.
type Shape uint8

// The shapes, each with the meaning of a Distribution's A and B.
const (
	ShapeConstant    Shape = iota // always A
	ShapeExponential              // mean A
	ShapeUniform                  // from A to B
	ShapeLognormal                // median A, 99th percentile B (B >= A > 0)
	ShapeShifted                  // A plus an exponential of mean B
)

// A Distribution of durations, as plain data that can be compared and printed.
// The zero value is the constant 0.
type Distribution struct {
	Shape Shape
	A, B  time.Duration
}

// Constant returns the distribution that is always d.
func Constant(d time.Duration) Distribution { return Distribution{A: d} }

// Exponential returns the exponential distribution of the given mean.
func Exponential(mean time.Duration) Distribution {
	return Distribution{Shape: ShapeExponential, A: mean}
}

// Quantiles tabulates d.
func (d Distribution) Quantiles() *Quantiles {
	return Tabulate(func(p float64) time.Duration {
		return time.Duration(int64(d.at(p) + 0.5))
	})
}

// Mean returns the mean of d.
func (d Distribution) Mean() time.Duration {
	switch d.Shape {
	case ShapeUniform:
		return (d.A + d.B) / 2
	case ShapeLognormal:
		sigma := d.sigma()
		return time.Duration(float64(d.A) * Exp(float64(sigma*sigma)/2))
	case ShapeShifted:
		return d.A + d.B
	}
	return d.A
}

// String writes d as a scenario file does, such as "exponential(100µs)".
func (d Distribution) String() string {
	switch d.Shape {
	case ShapeExponential:
		return fmt.Sprintf("exponential(%v)", d.A)
	case ShapeUniform:
		return fmt.Sprintf("uniform(%v, %v)", d.A, d.B)
	case ShapeLognormal:
		return fmt.Sprintf("lognormal(%v, %v)", d.A, d.B)
	case ShapeShifted:
		return fmt.Sprintf("shifted(%v, %v)", d.A, d.B)
	}
	return d.A.String()
}

// at returns the quantile of p, in nanoseconds.
func (d Distribution) at(p float64) float64 {
	a, b := float64(d.A), float64(d.B)
	switch d.Shape {
	case ShapeExponential:
		return float64(-Ln(1-p) * a)
	case ShapeUniform:
		return a + float64(p*(b-a))
	case ShapeLognormal:
		return float64(a * Exp(float64(d.sigma()*normal(p))))
	case ShapeShifted:
		return a + float64(-Ln(1-p)*b)
	}
	return a
}

// sigma returns the standard deviation of the logarithm of a lognormal.
func (d Distribution) sigma() float64 {
	if d.A <= 0 || d.B <= d.A {
		return 0
	}
	return Ln(float64(d.B)/float64(d.A)) / normal(0.99)
}

// normal returns the quantile of p of the standard normal distribution by
// P. J. Acklam's rational approximation (relative error below 1.2e-9). A p of 0
// counts as the smallest probability that a table can tell from it.
func normal(p float64) float64 {
	const low = 0.02425
	p = max(p, 1.0/(1<<31))
	switch {
	case p < low:
		return normalTail(math.Sqrt(-2 * Ln(p)))
	case p > 1-low:
		return -normalTail(math.Sqrt(-2 * Ln(1-p)))
	}
	a := [...]float64{-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
		1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00}
	b := [...]float64{-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
		6.680131188771972e+01, -1.328068155288572e+01, 1}
	q := p - 0.5
	r := float64(q * q)
	return float64(horner(a[:], r)*q) / horner(b[:], r)
}

func normalTail(q float64) float64 {
	c := [...]float64{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
		-2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00}
	d := [...]float64{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
		3.754408661907416e+00, 1}
	return horner(c[:], q) / horner(d[:], q)
}

// horner evaluates a polynomial, the highest power's coefficient first.
func horner(c []float64, x float64) float64 {
	sum := c[0]
	for _, k := range c[1:] {
		sum = float64(sum*x) + k
	}
	return sum
}
