package validation

import (
	"context"
	"slices"
	"testing"
)

func TestFailovers(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 40
	}
	for _, s := range Setups() {
		t.Run(s.Name, func(t *testing.T) {
			all, err := Failovers(context.Background(), s, trials)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				t.Logf("%-14s %-16v n=%d/%d  median %.0f / %.0f  D=%.3f p=%.4f", c.Setup, c.Phase,
					len(c.Measured), len(c.Simulated), median(c.Measured), median(c.Simulated), c.Distance, c.P)
				if c.P < Level {
					t.Errorf("%v: rejected", c.Phase)
				}
			}
		})
	}
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if len(x) == 0 {
		return 0
	}
	return x[len(x)/2]
}
