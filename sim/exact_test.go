package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// off returns by what share of want got is off.
func off(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

func TestLn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, x := range []float64{
			rapid.Float64Range(0.5, 2).Draw(t, "near 1"),
			math.Ldexp(rapid.Float64Range(1, 1.999).Draw(t, "fraction"), rapid.IntRange(-1022, 1023).Draw(t, "exponent")),
		} {
			if got, want := Ln(x), math.Log(x); off(got, want) > 1e-15 {
				t.Errorf("Ln(%v) = %v, want %v", x, got, want)
			}
		}
	})
	if got, want := Ln(math.SmallestNonzeroFloat64), -1074*math.Ln2; off(got, want) > 1e-15 {
		t.Errorf("the smallest number's logarithm is %v, want %v", got, want)
	}
	for _, x := range []float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN()} {
		mustPanic(t, "a logarithm that there is not", func() { Ln(x) })
	}
}

func TestExp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, x := range []float64{
			rapid.Float64Range(-708, 709.78).Draw(t, "anything"),
			rapid.Float64Range(-1, 1).Draw(t, "near 0"),
		} {
			if got, want := Exp(x), math.Exp(x); off(got, want) > 1e-14 {
				t.Errorf("Exp(%v) = %v, want %v", x, got, want)
			}
		}
	})
	for x, want := range map[float64]float64{
		0: 1, 709.79: math.Inf(1), math.Inf(1): math.Inf(1), -745.2: 0, math.Inf(-1): 0,
		-745: math.SmallestNonzeroFloat64,
	} {
		if got := Exp(x); got != want {
			t.Errorf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
}

// The product in the exponent is rounded once, and that is an error of as many
// times its last bit as the exponent is large.
func TestPow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-6, 1e6).Draw(t, "x")
		y := rapid.Float64Range(-50, 50).Draw(t, "y")
		if got, want := Pow(x, y), math.Pow(x, y); off(got, want) > 2e-13 {
			t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
		}
	})
	for _, tt := range []struct{ x, y, want float64 }{{0, 0, 1}, {0, 1, 0}, {1, 1e300, 1}, {0.1, 1, 0.1}} {
		if got := Pow(tt.x, tt.y); got != tt.want {
			t.Errorf("Pow(%v, %v) = %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
}

// The same bits on every architecture.
func TestExactGolden(t *testing.T) {
	for _, tt := range []struct {
		about string
		got   float64
		bits  uint64
	}{
		{"ln 3", Ln(3), 0x3ff193ea7aad030b},
		{"ln 1e-9", Ln(1e-9), 0xc034b927f32bffb8},
		{"ln 123456.789", Ln(123456.789), 0x40277281cad8a844},
		{"ln 1.0001", Ln(1.0001), 0x3f1a368d0657fcd4},
		{"e^1", Exp(1), 0x4005bf0a8b14576a},
		{"e^-20.7", Exp(-20.7), 0x3e1195920309b9da},
		{"e^300.3", Exp(300.3), 0x5b02e9c6cabf8f3f},
		{"3^-0.99", Pow(3, -0.99), 0x3fd591a9ba622d6e},
		{"1000^1.2", Pow(1000, 1.2), 0x40af1a24b6967f47},
		{"normal 0.99", normal(0.99), 0x40029c5c463cecf2},
		{"normal 0.3", normal(0.3), 0xbfe0c7e395d14936},
	} {
		if got := math.Float64bits(tt.got); got != tt.bits {
			t.Errorf("%s is %v, %#x; want %#x", tt.about, tt.got, got, tt.bits)
		}
	}
}
