package cluster

import (
	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/wire"
)

// giveUp has a lane wait no longer for an answer, which ends the job.
func (o *operator) giveUp(now sim.Time, l *lane) {
	j := l.job
	if j.Failures++; j.Failures == 1 {
		j.Failed = migration.Answer{Verdict: wire.Timeout}
	}
	if l.work == &l.mover {
		j.At = migration.Move{First: l.mover.Slot, Last: l.mover.Slot, Source: l.mover.Source, Target: l.mover.Target}
	}
	j.Stopped, j.moves = true, nil
	o.desert(now, l)
}

// interrupt ends the job of an event, wherever it stands.
func (o *operator) interrupt(now sim.Time, event string) {
	for _, l := range o.lanes {
		if l.job != nil && l.job.Event == event {
			l.job.Stopped, l.job.Refused, l.job.moves = true, "it was interrupted", nil
			o.desert(now, l)
		}
	}
}

// desert has a lane leave its job. If it has sent a command it is of no use until the
// answer has come.
func (o *operator) desert(now sim.Time, l *lane) {
	if l.paused = 0; l.sent != 0 {
		l.deserted = l.job
	}
	o.leave(now, l)
}

// progress is what a worker has moved.
type progress struct {
	keys  int
	bytes int64
}
