package cluster

import (
	"fmt"
	"math"

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
	for _, check := range []func() string{cl.checkOperations, cl.checkBlame, cl.checkLittle, cl.checkWork,
		cl.checkControl, cl.checkLedger} {
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
	count := func(m *wire.Message) {
		letters++
		if (m.Kind == wire.Request || m.Kind == wire.Reply) && m.Call == 0 && m.Command != wire.ClusterSlots {
			underWay++
		}
	}
	cl.Sched.Pending(func(_ sim.ActorID, _ sim.Time, m *wire.Message) { count(m) })
	for _, n := range cl.Nodes {
		n.Held(count)
	}
	letters += cl.Net.Held()
	cl.Client.Waiting(func(m *wire.Message) {
		letters++
		if m.Call == 0 {
			underWay++
		}
	})
	switch {
	case begun != over+uint64(underWay):
		return fmt.Sprintf("%d operations began, %d ended, %d are under way", begun, over, underWay)
	case cl.Client.Stuck() > 0:
		return fmt.Sprintf("%d operations are under way and nothing will end them", cl.Client.Stuck())
	case letters != cl.Sched.InUse():
		return fmt.Sprintf("%d letters are in use, %d of them are somewhere", cl.Sched.InUse(), letters)
	}
	return ""
}

// checkBlame: no part of any operation's time is negative.
func (cl *Cluster) checkBlame() string {
	for _, r := range cl.Recorders {
		if r.Latency.Min() < 0 {
			return fmt.Sprintf("load %s: an operation spent a negative time somewhere", r.Name)
		}
	}
	return ""
}

// checkLittle: Little's law. The number of operations under way, summed up over
// the measured time from when they began and ended, is the sum of the latencies
// of those that ended, but for those that were under way at either end.
func (cl *Cluster) checkLittle() string {
	span := cl.Span.To.Sub(cl.Span.From).Seconds()
	for _, r := range cl.Recorders {
		if r.Measured.Failed != [wire.Verdicts]uint64{} {
			continue // of those that fail, no latency is kept
		}
		present, latencies := r.Present()*span, r.Latency.Sum().Total().Seconds()
		most := float64(r.InFlightFirst())*r.Latency.Max().Seconds() + float64(r.InFlight())*span
		if math.Abs(present-latencies) > most+1e-6*latencies+1e-9 {
			return fmt.Sprintf("load %s: %g s under way, latencies add up to %g s", r.Name, present, latencies)
		}
	}
	return ""
}

// checkLedger: the account of writes is exact.
func (cl *Cluster) checkLedger() string {
	if l := cl.Ledger; l.Blurred+l.Unresolved > 0 {
		return fmt.Sprintf("of %d writes it is not known who had them, of %d whether they were acknowledged",
			l.Blurred, l.Unresolved)
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
