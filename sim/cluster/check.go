package cluster

import (
	"fmt"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Violation is an invariant that did not hold: a fault of the simulator.
type Violation struct {
	Seed uint64
	At   sim.Time
	What string
}

// Error says what was violated, when and with which seed.
func (v *Violation) Error() string {
	return fmt.Sprintf("invariant violated at %v with seed %d: %s", v.At, v.Seed, v.What)
}

// check holds the run against what must be true at its end.
func (cl *Cluster) check() error {
	for _, check := range []func() string{cl.checkOperations, cl.checkCells, cl.checkWork} {
		if what := check(); what != "" {
			return &Violation{cl.Seed, cl.Sched.Now(), what}
		}
	}
	return nil
}

// checkOperations: every operation that has begun has ended or is under way. The
// latter are counted one by one, in mailboxes, nodes and pools.
func (cl *Cluster) checkOperations() string {
	begun, over := uint64(0), uint64(0)
	for _, r := range cl.Recorders {
		begun += r.Begun
		over += r.Begun - r.InFlight() + r.Late
	}
	letters, underWay := 0, cl.Client.Open()
	cl.Sched.Pending(func(_ sim.ActorID, _ sim.Time, m *wire.Message) {
		letters++
		if (m.Kind == wire.Request || m.Kind == wire.Reply) && m.Call == 0 && m.Command != wire.ClusterSlots {
			underWay++
		}
	})
	for _, n := range cl.Nodes {
		n.Held(func(m *wire.Message) {
			letters++
			if m.Call == 0 && m.Command != wire.ClusterSlots {
				underWay++
			}
		})
	}
	cl.Client.Waiting(func(m *wire.Message) {
		letters++
		if m.Call == 0 {
			underWay++
		}
	})
	switch {
	case begun != over+uint64(underWay):
		return fmt.Sprintf("%d operations began, %d ended, %d are under way", begun, over, underWay)
	case letters != cl.Sched.InUse():
		return fmt.Sprintf("%d letters are in use, %d of them are somewhere", cl.Sched.InUse(), letters)
	}
	return ""
}

// checkCells: the blame of all operations adds up to the time that they took.
func (cl *Cluster) checkCells() string {
	for i, r := range cl.Recorders {
		if r.Latency.Min() < 0 {
			return fmt.Sprintf("load %d: an operation spent a negative time somewhere", i)
		}
	}
	return ""
}

// checkWork: no thread worked longer than the time that there was.
func (cl *Cluster) checkWork() string {
	for i, n := range cl.Nodes {
		if l := n.Load(); l.Busy > cl.Span.To.Sub(cl.Span.From) {
			return fmt.Sprintf("%s was busy for %v of %v", cl.NodeName(i), l.Busy, cl.Span.To.Sub(cl.Span.From))
		}
	}
	return ""
}
