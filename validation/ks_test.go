package validation

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestExactAgainstTables checks exact probabilities against those that tables of
// the two-sample test give (Massey, Annals of Mathematical Statistics 23, 1952),
// and against two that can be reckoned by hand: of the 252 orders of two samples
// of five, two separate them, and of the 6 orders of two samples of two, all but
// two have a distance of a half.
func TestExactAgainstTables(t *testing.T) {
	for _, c := range []struct {
		n, m, most int
		p          float64
	}{
		{10, 10, 60, 0.05245},
		{10, 10, 70, 0.01234},
		{5, 5, 20, 0.07937},
		{5, 5, 25, 2.0 / 252},
		{2, 2, 4, 2.0 / 6},
		{2, 2, 2, 1},
		{1, 3, 3, 0.5},
	} {
		if p := exact(c.n, c.m, c.most); math.Abs(p-c.p) > 1e-5 {
			t.Errorf("%d and %d, distance %d/%d: p %.6f, want %.6f", c.n, c.m, c.most, c.n*c.m, p, c.p)
		}
	}
}

// TestAsymptoticAgainstTables checks the critical values of Kolmogorov's
// distribution.
func TestAsymptoticAgainstTables(t *testing.T) {
	for _, c := range []struct{ x, p float64 }{{1.2238, 0.1}, {1.3581, 0.05}, {1.6276, 0.01}, {1.9495, 0.001}} {
		if p := asymptotic(c.x); math.Abs(p/c.p-1) > 1e-3 {
			t.Errorf("at %v: %v, want %v", c.x, p, c.p)
		}
	}
	if p, q := exact(400, 400, 400*400*9/100), asymptotic(0.09*math.Sqrt(200)); math.Abs(p-q) > 0.01 {
		t.Errorf("of samples of 400, exact %v and asymptotic %v", p, q)
	}
}

// TestDistance compares the distance with the largest difference between both
// distribution functions at any value, and checks what must be true of any two
// samples.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 20), func(i int) float64 { return float64(i) }), 1, 30)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		d, p := KolmogorovSmirnov(a, b)
		want := 0.0
		for x := range 21 {
			want = max(want, math.Abs(share(a, x)-share(b, x)))
		}
		if math.Abs(d-want) > 1e-12 {
			t.Fatalf("distance %v, want %v", d, want)
		}
		if d2, p2 := KolmogorovSmirnov(b, a); d2 != d || math.Abs(p2-p) > 1e-9 {
			t.Fatalf("the other way round %v, %v instead of %v, %v", d2, p2, d, p)
		}
		if p < 0 || p > 1 || d == 0 && p < 1-1e-9 {
			t.Fatalf("distance %v has p %v", d, p)
		}
	})
}

// share returns which share of a sample is at most x.
func share(xs []float64, x int) float64 {
	n := 0
	for _, v := range xs {
		if v <= float64(x) {
			n++
		}
	}
	return float64(n) / float64(len(xs))
}

// A shift by a third of the spread is found in samples as large as ours, and none
// is found where there is none.
func TestPower(t *testing.T) {
	var a, b, shifted []float64
	for i := range 100 {
		a = append(a, float64(i))
	}
	for i := range 500 {
		b, shifted = append(b, float64(i)/5), append(shifted, float64(i)/5+33)
	}
	if _, p := KolmogorovSmirnov(a, b); p < 0.9 {
		t.Errorf("equal distributions have p %v", p)
	}
	if _, p := KolmogorovSmirnov(a, shifted); p > 1e-6 {
		t.Errorf("shifted by a third, p is %v", p)
	}
}
