package validation

import (
	"context"
	"slices"
	"testing"
)

func TestZ(t *testing.T) {
	for _, s := range Setups() {
		all, _ := Failovers(context.Background(), s, 400)
		for _, c := range all[:3] {
			q := func(x []float64) (o []int) {
				x = slices.Sorted(slices.Values(x))
				for _, p := range []float64{0, .05, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .999} {
					o = append(o, int(x[int(p*float64(len(x)))]))
				}
				return
			}
			t.Log(s.Name, c.Phase, "\n  real", q(c.Measured), "\n  sim ", q(c.Simulated))
		}
	}
}
