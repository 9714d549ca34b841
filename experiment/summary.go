package experiment

import (
	"cmp"
	"math"
	"slices"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// Control is what became of a cluster that had a bad time, as means over seeds.
// A time is a mean over the seeds in which it came: its N says of how many, and
// where N is 0 it is not a number.
type Control struct {
	// Microseconds from the first event of the scenario.
	PFAIL, Quorum, FAIL, Scheduled, Election, Won, Owner, OK Mean

	SlotSeconds, Slots          Mean // see cluster.Outage
	Longest, Recovery           Mean // microseconds
	Elections, ElectionsWon     Mean
	Promotions                  Mean
	FullResyncs, PartialResyncs Mean
	LostWrites, LostKeys, Down  Mean

	Steps []Step // of the first seed
	Marks []Mark // likewise
}

// A Mark is an event of the scenario, or of the first failover, in the run of the
// first seed.
type Mark struct {
	Name    string
	Seconds float64 // from the beginning of the run
}

// A figure is one number of a Control, by the metric that it is.
type figure struct {
	metric string
	mean   *Mean
}

func (c *Control) figures() []figure {
	return []figure{{"time.pfail", &c.PFAIL}, {"time.quorum", &c.Quorum}, {"time.fail", &c.FAIL},
		{"time.scheduled", &c.Scheduled}, {"time.election", &c.Election}, {"time.won", &c.Won},
		{"time.owner", &c.Owner}, {"time.ok", &c.OK},
		{"outage.slot_seconds", &c.SlotSeconds}, {"outage.slots", &c.Slots}, {"outage.longest", &c.Longest},
		{"recovery_time", &c.Recovery}, {"elections", &c.Elections}, {"elections.won", &c.ElectionsWon},
		{"promotions", &c.Promotions}, {"full_resyncs", &c.FullResyncs}, {"partial_resyncs", &c.PartialResyncs},
		{"lost_writes", &c.LostWrites}, {"lost_keys", &c.LostKeys}, {"primaries.down", &c.Down}}
}

// controlValues returns the figures of one run; nil where nothing happened.
func (m *measurement) controlValues() []float64 {
	if len(m.cl.Timeline.Events) == 0 {
		return nil
	}
	var values []float64
	for _, f := range new(Control).figures() {
		v, _ := m.control(nil, quantityOf(f.metric))
		values = append(values, v)
	}
	return values
}

// marks returns when the scenario's events happened, and the first node won an
// election.
func (m *measurement) marks() []Mark {
	var marks []Mark
	for i, at := range m.cl.Timeline.Scripted {
		if at != sim.Never {
			marks = append(marks, Mark{m.cl.Config.Events[i].Name, seconds(at)})
		}
	}
	if e, ok := m.cl.Timeline.First(wire.EventElectionWon, 0); ok {
		marks = append(marks, Mark{e.Kind.String(), seconds(e.At)})
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return marks
}

// control combines the runs of a strategy; nil where nothing happened in any.
func (a averager) control() *Control {
	c := &Control{Steps: a[0].steps, Marks: a[0].marks}
	any := false
	for i, f := range c.figures() {
		var values []float64
		for _, s := range a {
			if s.control != nil {
				any = true
				if v := s.control[i]; !math.IsInf(v, 0) {
					values = append(values, v)
				}
			}
		}
		if *f.mean = newMean(values); len(values) == 0 {
			*f.mean = Mean{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
		}
	}
	if !any {
		return nil
	}
	return c
}
