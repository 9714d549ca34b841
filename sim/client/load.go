package client

import (
	"time"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Source says what the operations of a load are. Both methods are pure
// functions, so that every strategy faces the same demand.
type Source interface {
	// Op fills in operation n.
	Op(n uint64, op *wire.Op)
	// Keys appends the keys of an operation to buf and returns it.
	Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef
}

// Arrivals says when the operations of an open load are due: each call returns
// the next instant, or sim.Never.
type Arrivals interface {
	Next() sim.Time
}

// Demand is one load as the client is given it: open where it has Arrivals, else
// closed.
type Demand struct {
	Name   string
	Number int // the load of its operations' OpIDs, below 62
	Source Source

	Arrivals Arrivals

	Workers  int              // of a closed load: each does one thing after another
	Think    sim.Distribution // pause of a worker between two of them
	Pipeline int              // commands that a worker sends at once; above 1 it has a connection of its own

	Batch Batching

	Acks  uint8 // replicas that a write waits for (WAIT); 0: none
	Zoned bool  // only processes in Zone carry the load
	Zone  int
}

// A load is a demand on its way through a run. It is an actor of its own: its
// alarm rings when the next operation of an open load is due, and letters to it
// are workers of a closed load that have thought.
type load struct {
	Demand
	*metrics.Recorder
	id      sim.ActorID
	client  *Client
	begun   uint64 // operations of an open load
	next    sim.Time
	workers []worker
	conns   uint32 // number of the first worker's own connection; 0 where they have none
	think   *sim.Quantiles
	draws   struct{ process, think sim.Stream }

	processes []int // that carry it; nil: all
}

// A worker of a closed load.
type worker struct {
	rounds  uint64   // pipelines sent
	waiting int      // operations of the pipeline that have not ended
	last    sim.Time // when the last of those that have ended did
}

// processOf draws the process that an operation happens in.
func (l *load) processOf(n uint64) int {
	if l.processes != nil {
		return l.processes[sim.Below(l.draws.process.At(n), len(l.processes))]
	}
	return sim.Below(l.draws.process.At(n), len(l.client.processes))
}

// workerProcess returns the process that a worker is in.
func (l *load) workerProcess(w int) int {
	if l.processes != nil {
		return l.processes[w%len(l.processes)]
	}
	return w % len(l.client.processes)
}

// processesOf returns the processes that carry a demand, nil for all of them or
// if there are none where it wants them.
func (c *Client) processesOf(d *Demand) (processes []int) {
	for p := 0; d.Zoned && p < len(c.processes); p++ {
		if c.Config.Zone(p) == d.Zone {
			processes = append(processes, p)
		}
	}
	return processes
}

// Wake begins what is due.
func (l *load) Wake(now sim.Time) {
	sched := l.client.sched
	for l.next <= now {
		n := l.begun
		l.begun++
		l.client.begin(now, l, n, l.processOf(n))
		l.next = l.Arrivals.Next()
		if l.next > now && sched.Ahead(l.next) {
			now = l.next
		}
	}
	if l.next != sim.Never {
		sched.SetAlarm(l.id, l.next)
	}
	if l.Arrivals != nil {
		return
	}
	for {
		ref, m, _ := sched.Take(l.id)
		if m == nil {
			return
		}
		w := int(m.Call)
		sched.Free(ref)
		l.round(now, w)
	}
}

// round has a worker send its next pipeline.
func (l *load) round(now sim.Time, w int) {
	k := l.workers[w].rounds
	l.workers[w].rounds++
	l.workers[w].waiting = l.Pipeline
	for i := range uint64(l.Pipeline) {
		n := (k*uint64(l.Pipeline)+i)*uint64(len(l.workers)) + uint64(w)
		l.client.begin(now, l, n, l.workerProcess(w))
	}
}

// conn returns the connection that operation n travels on, or 0 where it is the
// client's business.
func (l *load) conn(n uint64) uint32 {
	if l.conns == 0 {
		return 0
	}
	return l.conns + uint32(n%uint64(len(l.workers)))
}

// ended tells that operation n ends at an instant, now or later.
func (l *load) ended(at sim.Time, n uint64) {
	if len(l.workers) == 0 {
		return
	}
	w := &l.workers[n%uint64(len(l.workers))]
	w.last = max(w.last, at)
	if w.waiting--; w.waiting > 0 {
		return
	}
	pause := l.think.At(l.draws.think.At(n))
	l.post(w.last.Add(pause), int(n%uint64(len(l.workers))))
}

// post wakes a worker at an instant.
func (l *load) post(at sim.Time, w int) {
	ref, m := l.client.sched.New()
	*m = wire.Message{Kind: wire.Next, Call: uint32(w)}
	l.client.sched.Post(at, l.id, ref)
}

// start sets a load going. The workers of a closed load begin spread over a
// millisecond, in an order of their own.
func (l *load) start() {
	if l.Arrivals != nil {
		if l.next = l.Arrivals.Next(); l.next != sim.Never {
			l.client.sched.SetAlarm(l.id, l.next)
		}
		return
	}
	l.next = sim.Never
	spread := sim.NewStream(l.client.seed, "load/start").Sub(l.Number)
	for w := range l.workers {
		l.post(sim.Time(sim.Below(spread.At(uint64(w)), int(time.Millisecond))), w)
	}
}
