package sim

import (
	"hash/fnv"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// some distributions of each shape.
func some() []Distribution {
	const us, ms = time.Microsecond, time.Millisecond
	return []Distribution{
		{}, Constant(3), Constant(100 * us), Exponential(100 * us), Exponential(7 * time.Second),
		{ShapeUniform, 50 * us, 150 * us}, {ShapeLognormal, 100 * us, 300 * us},
		{ShapeLognormal, 100 * us, 2 * ms}, {ShapeLognormal, 100 * us, 100 * us}, {ShapeShifted, 50 * us, 60 * us},
	}
}

// quantile is the closed form, by the functions of package math.
func quantile(d Distribution, p float64) float64 {
	a, b := float64(d.A), float64(d.B)
	z := func(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
	switch d.Shape {
	case ShapeExponential:
		return -math.Log1p(-p) * a
	case ShapeUniform:
		return a + p*(b-a)
	case ShapeLognormal:
		return a * math.Exp(math.Log(b/a)/z(0.99)*z(p))
	case ShapeShifted:
		return a - math.Log1p(-p)*b
	}
	return a
}

// P99.9 lies in the last cell before a tail, where the density
// falls to half of itself: there the straight line is furthest from the curve.
func TestQuantilesAgainstClosedForm(t *testing.T) {
	for _, d := range some() {
		q := d.Quantiles()
		for _, p := range []float64{0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999} {
			got, want := float64(q.At(uint64(p*(1<<64)))), quantile(d, p)
			bound := 0.001
			if p == 0.999 {
				bound = 0.004
			}
			if math.Abs(got-want) > 1+bound*want {
				t.Errorf("%v: P%v is %v, want %v, off by %.3f %%", d, 100*p, got, want, 100*off(got, want))
			}
		}
	}
}

func TestQuantilesNeverFall(t *testing.T) {
	for _, d := range some() {
		q := d.Quantiles()
		before := time.Duration(0)
		for _, u := range borders() {
			if got := q.At(u); got < before {
				t.Fatalf("%v: %v at %#x, %v before", d, got, u, before)
			}
			before = q.At(u)
		}
		rapid.Check(t, func(t *rapid.T) {
			a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
			if q.At(min(a, b)) > q.At(max(a, b)) {
				t.Fatalf("%v at %#x, %v at %#x", q.At(a), a, q.At(b), b)
			}
		})
	}
}

// borders returns, in order, the first and the last draw of each cell.
func borders() []uint64 {
	var borders []uint64
	for level := range 3 {
		top := ^(^uint64(0) >> (level * cellBits))
		for i := range uint64(cells) {
			first := top | i<<(64-cellBits)>>(level*cellBits)
			borders = append(borders, first, first-1) // the draw before 0 is the last
		}
	}
	slices.Sort(borders)
	return borders
}

func TestQuantilesConstant(t *testing.T) {
	for _, d := range some() {
		q := d.Quantiles()
		want := d.Shape == ShapeConstant || d.A == d.B
		if got, ok := q.Constant(); ok != want || ok && (got != d.A || q.At(0) != d.A || q.At(math.MaxUint64) != d.A) {
			t.Errorf("%v: constant %v, %v", d, got, ok)
		}
	}
}

func TestTabulateKeepsToTime(t *testing.T) {
	q := Tabulate(func(p float64) time.Duration {
		if p < 0 || p >= 1 {
			t.Errorf("asked for the quantile of %v", p)
		}
		return time.Duration((p - 0.5) * 1000)
	})
	if got := q.At(0); got != 0 {
		t.Errorf("a duration below 0 counts as %v", got)
	}
	if got, want := q.At(3<<62), 250*time.Nanosecond; got != want {
		t.Errorf("P75 is %v, want %v", got, want)
	}
	if got := Constant(longest + 1).Quantiles().At(0); got != longest {
		t.Errorf("a duration above the longest counts as %v", got)
	}
}

// The mean of draws at equal distances.
func TestQuantilesMean(t *testing.T) {
	const n = 1 << 20
	for _, d := range some() {
		q := d.Quantiles()
		sum := 0.0
		for i := range uint64(n) {
			sum += float64(q.At(i<<44 + 1<<43))
		}
		if got, want := sum/n, float64(d.Mean()); math.Abs(got-want) > 1+0.001*want {
			t.Errorf("%v: mean %v, want %v", d, got, want)
		}
	}
}

// The same tables on every architecture.
func TestQuantilesGolden(t *testing.T) {
	h := fnv.New64a()
	for _, d := range some() {
		for _, level := range d.Quantiles().levels {
			for _, v := range level {
				var b [8]byte
				for i := range b {
					b[i] = byte(v >> (8 * i))
				}
				h.Write(b[:])
			}
		}
	}
	if got, want := h.Sum64(), uint64(0x9ca1625a3f47f0df); got != want {
		t.Errorf("hash %#x, want %#x", got, want)
	}
}

func TestDistributionMeanAndString(t *testing.T) {
	const us = time.Microsecond
	for _, tt := range []struct {
		d    Distribution
		mean time.Duration
		text string
	}{
		{Distribution{}, 0, "0s"},
		{Constant(2 * us), 2 * us, "2µs"},
		{Exponential(100 * us), 100 * us, "exponential(100µs)"},
		{Distribution{ShapeUniform, us, 3 * us}, 2 * us, "uniform(1µs, 3µs)"},
		{Distribution{ShapeShifted, us, 3 * us}, 4 * us, "shifted(1µs, 3µs)"},
		// 100 µs times e to half the square of ln(3)/2.326348.
		{Distribution{ShapeLognormal, 100 * us, 300 * us}, 111796, "lognormal(100µs, 300µs)"},
	} {
		if got := tt.d.Mean(); got != tt.mean {
			t.Errorf("%v: mean %v, want %v", tt.d, got, tt.mean)
		}
		if got := tt.d.String(); got != tt.text {
			t.Errorf("%q, want %q", got, tt.text)
		}
	}
}
