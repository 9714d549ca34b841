package validation

import (
	"context"
	"runtime"
	"sync"
)

// Level is the probability below which two samples are said to be of different
// distributions.
const Level = 0.01

// A Comparison is one quantity of one experiment, as it was measured and as it was
// simulated.
type Comparison struct {
	Set  string // the experiment: its file's name, without the beginning
	What string // the quantity
	Unit string // "ms", or "" for a count

	Measured, Simulated []float64
	D, P                float64 // see KolmogorovSmirnov
}

// compare compares two samples. A simulated sample that is empty where something
// was measured is as far off as can be.
func compare(set, what, unit string, measured, simulated []float64) Comparison {
	c := Comparison{Set: set, What: what, Unit: unit, Measured: measured, Simulated: simulated}
	c.D, c.P = KolmogorovSmirnov(measured, simulated)
	if len(measured) > 0 && len(simulated) == 0 {
		c.D, c.P = 1, 0
	}
	return c
}

// Rejected reports whether the two samples are of different distributions.
func (c *Comparison) Rejected() bool { return c.P < Level }

// A Check is a number that was measured once, and what the simulator has for it.
type Check struct {
	Set, What           string
	Measured, Simulated float64
	Tolerance           float64 // that is granted, as a share of what was measured
}

// Rejected reports whether the numbers are further apart than they may be.
func (c *Check) Rejected() bool {
	off := c.Simulated - c.Measured
	return off > c.Tolerance*c.Measured || -off > c.Tolerance*c.Measured
}

// A Report is all that was compared.
type Report struct {
	Comparisons []Comparison
	Checks      []Check
}

// Rejected returns how many comparisons and checks have failed.
func (r *Report) Rejected() (n int) {
	for i := range r.Comparisons {
		if r.Comparisons[i].Rejected() {
			n++
		}
	}
	for i := range r.Checks {
		if r.Checks[i].Rejected() {
			n++
		}
	}
	return n
}

// Options are how much is simulated. More trials make the simulated distributions
// smoother, and the test stricter.
type Options struct {
	Trials int // of each experiment, at least
	// Only, where it is not empty, is the set that is compared.
	Only string
	// Progress, where set, is told what is being simulated.
	Progress func(what string)
}

// An experiment is something that was done to real servers and is done again.
type experiment struct {
	name string
	run  func(ctx context.Context, trials int, r *Report) error
}

// experiments returns all of them.
func experiments() []experiment {
	var all []experiment
	for _, d := range Designs() {
		all = append(all, experiment{d.Name(), d.compare})
	}
	return append(all, experiment{partitionSet, comparePartitions}, experiment{migrationSet, compareMigrations},
		experiment{rateSet, compareRates})
}

// Sets returns the names of the experiments.
func Sets() []string {
	var names []string
	for _, e := range experiments() {
		names = append(names, e.name)
	}
	return names
}

// Run simulates what was measured, and compares. Results depend on the options
// alone.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := new(Report)
	for _, e := range experiments() {
		if o.Only != "" && o.Only != e.name {
			continue
		}
		if o.Progress != nil {
			o.Progress(e.name)
		}
		if err := e.run(ctx, o.Trials, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// onAllCores returns what f returns for 0 to n-1, in that order, or the first
// error in it.
func onAllCores[T any](n int, f func(i int) (T, error)) ([]T, error) {
	results, errs := make([]T, n), make([]error, n)
	var wg sync.WaitGroup
	workers := min(n, runtime.GOMAXPROCS(0))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				results[i], errs[i] = f(i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}
