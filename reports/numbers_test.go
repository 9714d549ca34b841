package reports

import (
	"math"
	"testing"

	"hotslot/experiment"
)

func TestNoMoreDigitsThanKnown(t *testing.T) {
	tests := []struct {
		name     string
		scale    scale
		mean     experiment.Mean
		want     string
		interval string
	}{
		{"one seed: three digits", micros, exactly(3141.59), "3.14 ms", ""},
		{"the unit follows the rounded value", micros, exactly(999.96), "1.00 ms", ""},
		{"nanoseconds", micros, exactly(0.25), "250 ns", ""},
		{"seconds are the largest unit", micros, exactly(123_456_789), "123 s", ""},
		{"whole numbers are counts", plain, exactly(16), "16", ""},
		{"zero", micros, exactly(0), "0", ""},
		{"a large number", plain, exactly(1_234_567), "1,230,000", ""},
		{"a negative number", plain, exactly(-12_345.678), "-12,300", ""},
		{"a small number", plain, exactly(0.0123456), "0.0123", ""},
		{"the interval sets the digits", micros, mean(3141.59, 3041.59, 3241.59), "3.14 ms", "[3.04, 3.24]"},
		{"a wide interval leaves fewer", micros, mean(3141.59, 1041.59, 5241.59), "3.1 ms", "[1.0, 5.2]"},
		{"a narrow one leaves three", rates, mean(140_123, 140_120, 140_126), "140 k/s", "[140, 140]"},
		{"about zero", micros, mean(0, -2_000, 2_000), "0 ms", "[-2.0, 2.0]"},
		{"not a number", micros, exactly(math.NaN()), "-", ""},
		{"infinite", rates, mean(math.Inf(1), 0, math.Inf(1)), "-", ""},
		{"an interval that is not a number", rates, mean(5, math.NaN(), math.NaN()), "5.00 /s", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.scale.mean(test.mean); got != test.want {
				t.Errorf("mean is %q, want %q", got, test.want)
			}
			if got := test.scale.interval(test.mean); got != test.interval {
				t.Errorf("interval is %q, want %q", got, test.interval)
			}
		})
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0 %", 1: "100 %", 0.645: "65 %", 0.0995: "10 %", 0.042: "4.2 %",
		0.00034: "0.034 %", 0.000000001: "0 %", 2.5: "250 %",
	} {
		if got := percent(share); got != want {
			t.Errorf("percent(%v) is %q, want %q", share, got, want)
		}
	}
	if got := percent(math.NaN()); got != unknown {
		t.Errorf("percent(NaN) is %q, want %q", got, unknown)
	}
}

func TestWording(t *testing.T) {
	for got, want := range map[string]string{
		micros.short(1e7):             "10 s",
		micros.short(0):               "0",
		wholePercent(0.004):           "<1 %",
		wholePercent(0.146):           "15 %",
		wholePercent(0):               "0 %",
		list(nil):                     "",
		list([]string{"a"}):           "a",
		list([]string{"a", "b", "c"}): "a, b and c",
		plural(1, "machine"):          "1 machine",
		plural(1.5, "machine"):        "1.5 machines",
		plain.short(16.04):            "16",
		plain.short(100):              "100",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// exactly is a number from one seed.
func exactly(v float64) experiment.Mean {
	return experiment.Mean{Mean: v, Low: v, High: v, N: 1}
}

// mean is a number from ten seeds.
func mean(v, low, high float64) experiment.Mean {
	return experiment.Mean{Mean: v, Low: low, High: high, N: 10}
}
