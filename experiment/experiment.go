package experiment

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"hotslot/scenarios"
	"hotslot/sim/cluster"
	"hotslot/workloads"
)

// Options are how a scenario is run. They do not change what comes out.
type Options struct {
	Jobs int // runs at a time; 0 is one for each core
	// Progress, where set, is told after each run how many of how many are over.
	// It is called by one goroutine at a time.
	Progress func(done, of int)
	Lines    bool           // keep the timeline of every run
	Dumps    []cluster.Dump // what nodes are asked in the run of the first seed
}

// Run runs every strategy with every seed, and compares. If the context is done
// before the end, it returns what was finished, marked as partial, and the
// context's error. Other errors are those of cluster.Run.
func Run(ctx context.Context, s *scenarios.Scenario, opts Options) (*Result, error) {
	e := &experiment{scenario: s, options: opts}
	if err := e.prepare(); err != nil {
		return nil, err
	}
	err := e.runAll(ctx)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return e.result(err != nil), err
}

// A RunError says which run went wrong. It wraps a *cluster.Violation,
// cluster.ErrOverrun or a *Panic.
type RunError struct {
	Strategy string
	Seed     uint64
	Err      error
}

// Error says what went wrong, and where.
func (e *RunError) Error() string {
	return fmt.Sprintf("strategy %s, seed %d: %v", e.Strategy, e.Seed, e.Err)
}

// Unwrap returns what went wrong.
func (e *RunError) Unwrap() error { return e.Err }

// A Panic is a fault of the simulator that ended a run.
type Panic struct {
	Value any
	Stack []byte // of the run's goroutine
}

// Error returns what the run panicked with.
func (p *Panic) Error() string { return fmt.Sprintf("internal error: %v", p.Value) }

type experiment struct {
	scenario *scenarios.Scenario
	options  Options
	plans    []*plan
	samples  [][]*sample // by strategy and seed; nil where not finished
}

// prepare builds the tables that runs share.
func (e *experiment) prepare() error {
	cache := workloads.NewCache()
	for _, s := range e.scenario.Strategies {
		p, err := newPlan(s, e.wantedOf(s.Name), cache)
		if err != nil {
			return err
		}
		e.plans = append(e.plans, p)
		e.samples = append(e.samples, make([]*sample, e.scenario.Seeds))
	}
	return nil
}

// wantedOf returns the quantities of a strategy that thresholds ask for.
func (e *experiment) wantedOf(strategy string) []scenarios.Quantity {
	var wanted []scenarios.Quantity
	add := func(name string, q scenarios.Quantity) {
		if name == strategy && indexOf(wanted, q) < 0 {
			wanted = append(wanted, q)
		}
	}
	for _, t := range e.scenario.Thresholds {
		add(t.Strategy, t.Quantity)
		if t.Reference != nil {
			add(t.Reference.Strategy, t.Reference.Quantity)
		}
	}
	return wanted
}

func indexOf(all []scenarios.Quantity, q scenarios.Quantity) int {
	return slices.IndexFunc(all, func(o scenarios.Quantity) bool { return reflect.DeepEqual(o, q) })
}

// seed returns the i-th seed.
func (e *experiment) seed(i int) uint64 { return e.scenario.Seed + uint64(i) }

// runAll hands out the runs by index to as many workers as there are cores. All
// strategies of a seed come before the next seed, so that what is finished when
// it is interrupted can be compared.
func (e *experiment) runAll(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	total := len(e.plans) * e.scenario.Seeds
	workers := e.options.Jobs
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var mu sync.Mutex
	next, done := 0, 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= total && ctx.Err() == nil
	}
	finish := func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; e.options.Progress != nil {
			e.options.Progress(done, total)
		}
	}
	var wg sync.WaitGroup
	for range min(workers, total) {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				seed, strategy := i/len(e.plans), i%len(e.plans)
				s, err := e.runOne(ctx, e.plans[strategy], e.seed(seed))
				if err != nil {
					cancel(err)
					return
				}
				e.samples[strategy][seed] = s
				finish()
			}
		})
	}
	wg.Wait()
	if done == total {
		return nil
	}
	return context.Cause(ctx)
}

// runOne runs a plan with a seed. Whatever goes wrong, it returns an error.
func (e *experiment) runOne(ctx context.Context, p *plan, seed uint64) (s *sample, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Panic{r, debug.Stack()}
		}
		if err != nil && ctx.Err() == nil {
			err = &RunError{p.strategy.Name, seed, err}
		}
	}()
	return p.run(ctx, seed, e.options, seed == e.seed(0))
}

// result puts together what is finished. A seed counts only if it was run under
// every strategy.
func (e *experiment) result(partial bool) *Result {
	s := e.scenario
	settings := &s.Strategies[0].Settings
	r := &Result{Title: s.Title, About: s.About, File: s.File, Hash: s.Hash,
		Duration: settings.Duration, Warmup: settings.Warmup, Partial: partial, Wanted: s.Seeds}
	finished := e.finished()
	for _, i := range finished {
		r.Seeds = append(r.Seeds, e.seed(i))
	}
	paired := make([][]*sample, len(e.plans))
	for i, p := range e.plans {
		for _, j := range finished {
			paired[i] = append(paired[i], e.samples[i][j])
		}
		st := combine(paired[i])
		st.Name = p.strategy.Name
		for _, c := range p.strategy.Changes {
			st.Changes = append(st.Changes, Change(c))
		}
		for _, sample := range paired[i] {
			r.Operations += sample.operations
			r.Events += sample.events
			r.Lines = append(r.Lines, sample.lines...)
			r.Dumped = append(r.Dumped, sample.dumped...)
			r.VirtualTime += (p.strategy.Settings.Warmup + p.strategy.Settings.Duration).Seconds()
		}
		r.Strategies = append(r.Strategies, st)
	}
	baseline := s.Baseline()
	for i := range r.Strategies {
		if i != baseline && len(finished) > 0 {
			r.Strategies[i].Against = compare(r.Strategies[baseline].Name, paired[i], paired[baseline])
		}
	}
	for _, t := range s.Thresholds {
		r.Thresholds = append(r.Thresholds, e.judge(t, paired))
	}
	return r
}

// finished returns the indices of the seeds that were run under every strategy.
func (e *experiment) finished() []int {
	var finished []int
	for i := range e.scenario.Seeds {
		if !slices.ContainsFunc(e.samples, func(of []*sample) bool { return of[i] == nil }) {
			finished = append(finished, i)
		}
	}
	return finished
}

// judge evaluates a threshold on the seeds that are finished.
func (e *experiment) judge(t scenarios.Threshold, paired [][]*sample) Threshold {
	values := e.values(t.Strategy, t.Quantity, paired)
	if t.Reference == nil {
		return judge(t, values, nil)
	}
	return judge(t, values, e.values(t.Reference.Strategy, t.Reference.Quantity, paired))
}

// values returns a quantity of a strategy, seed by seed.
func (e *experiment) values(strategy string, q scenarios.Quantity, paired [][]*sample) []float64 {
	i := slices.IndexFunc(e.plans, func(p *plan) bool { return p.strategy.Name == strategy })
	j := indexOf(e.plans[i].wanted, q)
	var values []float64
	for _, s := range paired[i] {
		values = append(values, s.values[j])
	}
	return values
}
