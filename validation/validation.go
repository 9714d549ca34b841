// Package validation holds the simulator against servers that were measured:
// redis-server 7.0.15 on loopback, failovers of several clusters, each repeated
// some hundred times. It compares distributions, phase by phase, and not means.
//
// The measurements stand in testdata. What was measured and how is told in
// docs/validation.md.
package validation

import (
	"context"
	"runtime"
	"sync"
)

// A Comparison is one phase of one setup.
type Comparison struct {
	Setup               string
	Phase               Phase
	Measured, Simulated []float64 // ms
	Distance, P         float64   // see KolmogorovSmirnov
}

// Level is the probability below which two distributions are said to differ.
const Level = 0.01

// Failovers compares a setup's failovers with so many simulated trials.
func Failovers(ctx context.Context, s Setup, trials int) ([]Comparison, error) {
	real, err := measured(s.Name, s.Primaries)
	if err != nil {
		return nil, err
	}
	simulated, err := s.failovers(ctx, trials)
	if err != nil {
		return nil, err
	}
	var all []Comparison
	for p := range Phases {
		c := Comparison{Setup: s.Name, Phase: p, Measured: real[p], Simulated: simulated[p]}
		if len(c.Measured) > 0 && len(c.Simulated) > 0 {
			c.Distance, c.P = KolmogorovSmirnov(c.Measured, c.Simulated)
		} else {
			c.Distance = 1
		}
		all = append(all, c)
	}
	return all, nil
}

// failovers runs trials on all cores. Trial i has seed i+1, and its results their
// place, whoever runs it.
func (s *Setup) failovers(ctx context.Context, trials int) (times [Phases][]float64, err error) {
	type outcome struct {
		times [Phases]float64
		seen  [Phases]bool
		err   error
	}
	outcomes := make([]outcome, trials)
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < trials; i += workers {
				o := &outcomes[i]
				o.times, o.seen, o.err = s.failover(ctx, uint64(i)+1)
			}
		})
	}
	wg.Wait()
	for i := range outcomes {
		if outcomes[i].err != nil {
			return times, outcomes[i].err
		}
		for p := range Phases {
			if outcomes[i].seen[p] {
				times[p] = append(times[p], outcomes[i].times[p])
			}
		}
	}
	return times, nil
}
