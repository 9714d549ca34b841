package validation

import (
	"context"
	"fmt"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A session is one cluster of a design on which trial follows trial, as on the
// servers that were measured: a primary is killed or frozen, another takes its
// place, the first is started again or thawed, and after a pause the next is
// killed. So a session has a history, which a single trial on a new cluster has
// not: once ticks of two nodes coincide they tend to stay together, and nodes
// that tick together learn less of each other's pongs.
type session struct {
	Design
	trials int
}

// The times of a session, from the instant of a trial on.
const (
	settling   = 20 * time.Second        // before the first trial
	electing   = 3200 * time.Millisecond // and one and a half node timeouts: until the victim is back
	pauseLeast = 2500 * time.Millisecond
	pauseMost  = 3500 * time.Millisecond // from then to the next trial
)

// down returns for how long a victim is gone.
func (s *session) down() time.Duration { return s.Timeout + s.Timeout/2 + electing }

// config returns the run of a session.
func (s *session) config(seed uint64) cluster.Config {
	length := s.down() + pauseMost
	c := loopback(seed, client.Shape{Primaries: s.Primaries, Replicas: s.Replicas}, s.Timeout,
		settling+time.Duration(s.trials)*length)
	draws := sim.NewStream(seed, "validation/victim")
	at := sim.Time(settling)
	for i := range s.trials {
		event := cluster.Event{Name: fmt.Sprint("trial ", i), Do: cluster.DoKill, For: s.down(),
			When:  cluster.When{At: at, Until: at.Add(pauseMost - pauseLeast)},
			Nodes: []cluster.Place{{Kind: cluster.AtPrimaryOfSlot, I: sim.Below(draws.At(uint64(i)), slots.Count)}}}
		if s.Freeze {
			event.Do = cluster.DoFreeze
		}
		c.Events = append(c.Events, event)
		at = at.Add(length)
	}
	return c
}

// run returns the trials of a session.
func (s *session) run(ctx context.Context, seed uint64) ([]Trial, error) {
	cl := cluster.New(s.config(seed))
	newPoller(cl)
	if err := cl.Run(ctx); err != nil {
		return nil, err
	}
	w := watch{Design: s.Design, primary: make([]bool, len(cl.Nodes))}
	for i := range s.Primaries {
		w.primary[i] = true
	}
	var trials []Trial
	events := cl.Timeline.Events
	for _, at := range cl.Timeline.Scripted {
		n := 0
		for n < len(events) && events[n].At < at.Add(s.down()) {
			n++
		}
		trials = append(trials, w.observe(at, events[:n]))
		events = events[n:]
	}
	return trials, nil
}

// A watch reads trials off a timeline.
type watch struct {
	Design
	Trial              // that is being read
	began     sim.Time // when it did
	primary   []bool   // by node: it is a primary
	victim    slots.Owner
	winner    slots.Owner // of the election that is to come
	suspicion int         // primaries that suspect the victim
	down      int         // nodes that take the cluster to be down
}

// observe returns the trial that began at an instant. Of the events, those before
// it only tell who is what.
func (w *watch) observe(at sim.Time, events []wire.Event) Trial {
	w.began, w.winner, w.victim, w.suspicion, w.down = at, slots.None, slots.None, 0, 0
	for p := range w.Trial {
		w.Trial[p] = none
	}
	for i := range events {
		if events[i].At >= at && events[i].Kind == wire.EventElectionWon {
			w.winner = events[i].Node
			break
		}
	}
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case wire.EventBecamePrimary, wire.EventBecameReplica:
			w.primary[e.Node] = e.Kind == wire.EventBecamePrimary
		}
		if e.At >= at {
			w.see(e)
		}
	}
	w.between()
	return w.Trial
}

// see takes an event into account.
func (w *watch) see(e *wire.Event) {
	switch e.Kind {
	case wire.EventKill, wire.EventPause:
		w.victim = e.Node
	case wire.EventPFAIL:
		w.suspected(e)
	case wire.EventFAIL:
		w.first(Failed, e)
	case wire.EventElectionScheduled:
		if e.Node == w.winner && w.Trial[Won] < 0 {
			w.Trial[Scheduled], w.Trial[Delay] = w.since(e), float64(e.A)
		}
	case wire.EventElectionStarted:
		if e.Node == w.winner && w.Trial[Won] < 0 {
			w.Trial[Started] = w.since(e)
		}
	case wire.EventElectionWon:
		w.first(Won, e)
	case wire.EventStateFail:
		w.down++
	case wire.EventStateOK:
		if w.down--; w.down == 0 && w.Trial[Won] >= 0 {
			w.first(AllOK, e)
		}
	}
}

// suspected takes into account that a node suspects another.
func (w *watch) suspected(e *wire.Event) {
	if e.About != w.victim {
		return
	}
	w.first(FirstPFAIL, e)
	if w.primary[e.Node] {
		if w.suspicion++; w.suspicion == w.quorum() {
			w.first(QuorumPFAIL, e)
		}
	}
}

// first notes a phase, if it is the first time that it is there.
func (w *watch) first(p Phase, e *wire.Event) {
	if w.Trial[p] < 0 {
		w.Trial[p] = w.since(e)
	}
}

// since returns the milliseconds from the beginning of the trial to an event.
func (w *watch) since(e *wire.Event) float64 { return float64(e.At.Sub(w.began)) / 1e6 }
