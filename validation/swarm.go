package validation

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// SwarmOptions say which clusters a swarm is of.
type SwarmOptions struct {
	Seed  uint64 // of the first
	Seeds int    // how many
	// Duration is for how long each runs, in virtual time; 0: as its seed has it.
	Duration time.Duration
	// Twice has each run twice, to see whether it takes the same course.
	Twice bool
}

// A SwarmError says which seed of a swarm has found a fault of the simulator. It
// wraps a *cluster.Violation, or what the run panicked with.
type SwarmError struct {
	Seed uint64
	Err  error
}

// Error says what went wrong, and with which seed.
func (e *SwarmError) Error() string { return fmt.Sprintf("seed %d: %v", e.Seed, e.Err) }

// Unwrap returns what went wrong.
func (e *SwarmError) Unwrap() error { return e.Err }

// A Crash is a run that panicked.
type Crash struct {
	Value any
	Stack []byte
}

// Error says with what.
func (c *Crash) Error() string { return fmt.Sprintf("panic: %v", c.Value) }

// A Tally is what has happened in the runs of a swarm.
type Tally struct {
	Runs   int
	Span   time.Duration // virtual
	Events uint64        // of the simulator
	Ops    uint64        // that ended well
	Failed uint64        // operations that did not
	Done   map[cluster.Do]int
	Kinds  [wire.EventKinds]int // what is on the timelines
	Agreed int                  // runs that were long enough for all nodes to agree, and held to it

	Lost map[Loss]uint64 // acknowledged writes, by what became of them
}

// Loss is a way in which acknowledged writes are lost.
type Loss string

// The ways.
const (
	LostByPromotion Loss = "a replica without them was promoted, and nobody else had them"
	LostByDemotion  Loss = "the primary that had them follows another"
	LostByRestart   Loss = "the process that had them was started again without its data"
	LostAtEnd       Loss = "at the end the key's owner does not have them"
)

// Losses returns the ways in which writes are lost.
func Losses() []Loss { return []Loss{LostByPromotion, LostByDemotion, LostByRestart, LostAtEnd} }

// add adds what has happened in other runs.
func (t *Tally) add(o *Tally) {
	t.Runs += o.Runs
	t.Span += o.Span
	t.Events += o.Events
	t.Ops += o.Ops
	t.Failed += o.Failed
	t.Agreed += o.Agreed
	for kind, n := range o.Kinds {
		t.Kinds[kind] += n
	}
	if t.Done == nil {
		t.Done, t.Lost = map[cluster.Do]int{}, map[Loss]uint64{}
	}
	for do, n := range o.Done {
		t.Done[do] += n
	}
	for loss, n := range o.Lost {
		t.Lost[loss] += n
	}
}

// Swarm runs clusters that nobody would build, each with a seed of its own, on all
// cores. It stops at the first seed that breaks an invariant, and returns a
// *SwarmError and what has happened in the runs before it. The result does not
// depend on how many cores there are.
func Swarm(ctx context.Context, o SwarmOptions) (*Tally, error) {
	tallies, errs := make([]*Tally, o.Seeds), make([]error, o.Seeds)
	var mu sync.Mutex
	next, end := 0, o.Seeds
	var wg sync.WaitGroup
	for range min(o.Seeds, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				stop := i >= end
				mu.Unlock()
				if stop {
					return
				}
				tallies[i], errs[i] = o.run(ctx, o.Seed+uint64(i))
				if errs[i] != nil {
					mu.Lock()
					end = min(end, i) // those before it are under way or over
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	all := new(Tally)
	for i := range o.Seeds {
		if errs[i] != nil {
			return all, errs[i]
		}
		all.add(tallies[i])
	}
	return all, nil
}

// run runs the cluster of a seed.
func (o *SwarmOptions) run(ctx context.Context, seed uint64) (t *Tally, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Crash{r, debug.Stack()}
		}
		if err != nil && ctx.Err() == nil {
			err = &SwarmError{seed, err}
		}
	}()
	cl := cluster.New(swarmConfig(seed, o.Duration))
	if err := cl.Run(ctx); err != nil {
		return nil, err
	}
	if o.Twice {
		again := cluster.New(swarmConfig(seed, o.Duration))
		if err := again.Run(ctx); err != nil {
			return nil, fmt.Errorf("the second time: %w", err)
		}
		if a, b := cl.Sched.Fingerprint(), again.Sched.Fingerprint(); a != b {
			return nil, fmt.Errorf("the run takes another course the second time: fingerprints %x and %x", a, b)
		}
	}
	return tally(cl), nil
}

// tally counts what has happened in a run.
func tally(cl *cluster.Cluster) *Tally {
	t := &Tally{Runs: 1, Span: time.Duration(cl.Span.To), Events: cl.Sched.Events(), Done: map[cluster.Do]int{},
		Lost: map[Loss]uint64{}}
	for _, r := range cl.Recorders {
		t.Ops += r.Done
		for _, n := range r.Failed {
			t.Failed += n
		}
	}
	for i, at := range cl.Timeline.Scripted {
		if at != sim.Never {
			t.Done[cl.Config.Events[i].Do]++
		}
	}
	for i := range cl.Timeline.Events {
		t.Kinds[cl.Timeline.Events[i].Kind]++
	}
	if cl.Settled() {
		t.Agreed++
	}
	for _, l := range cl.Ledger.Losses {
		t.Lost[lossOf(cl, &l)] += l.Writes
	}
	return t
}

// lossOf says how writes were lost: by what became of the node at that instant.
func lossOf(cl *cluster.Cluster, l *cluster.Loss) Loss {
	if l.Node == cluster.Nobody {
		return LostAtEnd
	}
	for i := range cl.Timeline.Events {
		e := &cl.Timeline.Events[i]
		if e.At != l.At || sim.ActorID(e.Node) != l.Node {
			continue
		}
		switch e.Kind {
		case wire.EventBecamePrimary, wire.EventElectionWon:
			return LostByPromotion
		case wire.EventRestart:
			return LostByRestart
		}
	}
	return LostByDemotion
}
