package reports

import (
	"fmt"

	"hotslot/experiment"
)

// moveGrid tells of each strategy what became of the slots that were moved.
func moveGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "MOVED", most: nameMost}, {head: "EVENT", most: nameMost}, {head: "TOOK"},
		{head: "SLOTS"}, {head: "KEYS"}, {head: "BYTES"}, {head: "ROUND TRIPS"}, {head: "SOURCE BUSY"},
		{head: "TARGET BUSY"}, {head: "P99 BEFORE"}, {head: "MEANWHILE"}}}
	for _, s := range r.Strategies {
		for _, m := range s.Migrations {
			g.add(s.Name, m.Event, took(m), slotsOf(m), counted(m.Keys), bytesOf.mean(m.Bytes), counted(m.Trips),
				micros.mean(m.Source), micros.mean(m.Target), orNothing(m.Before), orNothing(m.During))
		}
	}
	return g
}

// notMovedGrid tells why slots were not moved, and which nobody served in the end.
func notMovedGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "LEFT BEHIND", most: nameMost}, {}}}
	for _, s := range r.Strategies {
		for _, m := range s.Migrations {
			if m.Why != "" {
				g.add(s.Name, fmt.Sprintf("%s has not moved all its slots: %s", m.Event, m.Why))
			}
		}
		for _, u := range s.Uncovered {
			since := micros.short(roundTo(u.Since*1e6, 3))
			g.add(s.Name, fmt.Sprintf("nobody serves slots %s since %s", u.Slots, since))
		}
	}
	return g
}

// slotsOf tells how many slots were moved, of how many where that is not all.
func slotsOf(m experiment.Migration) string {
	if m.Slots.Mean < m.Wanted.Mean {
		return counted(m.Slots) + " of " + counted(m.Wanted)
	}
	return counted(m.Slots)
}

// took tells how long a migration took, and in how many seeds.
func took(m experiment.Migration) string {
	switch m.Done {
	case 0:
		return "not done"
	case m.Seeds:
		return micros.mean(m.Duration)
	}
	return fmt.Sprintf("%s (%d of %d)", micros.mean(m.Duration), m.Done, m.Seeds)
}

// orNothing tells a latency, where there is one.
func orNothing(m experiment.Mean) string {
	if m.N == 0 {
		return ""
	}
	return micros.mean(m)
}

// jsonMigration is what became of the slots that an event moved.
type jsonMigration struct {
	Event    string   `json:"event"`
	Seeds    int      `json:"seeds"` // in which it began
	Done     int      `json:"done"`  // in which all slots arrived
	Began    jsonMean `json:"began_s"`
	Duration jsonMean `json:"duration_us"`
	Slots    jsonMean `json:"slots"`
	Wanted   jsonMean `json:"slots_wanted"`
	Keys     jsonMean `json:"keys"`
	Bytes    jsonMean `json:"bytes"`
	Trips    jsonMean `json:"round_trips"`
	Source   jsonMean `json:"block_source_us"`
	Target   jsonMean `json:"block_target_us"`
	Before   jsonMean `json:"p99_before_us"`
	During   jsonMean `json:"p99_during_us"`
	Why      string   `json:"why"`
}

func migrationOf(m *experiment.Migration) jsonMigration {
	return jsonMigration{Event: m.Event, Seeds: m.Seeds, Done: m.Done, Began: meanOf(m.Began),
		Duration: meanOf(m.Duration), Slots: meanOf(m.Slots), Wanted: meanOf(m.Wanted), Keys: meanOf(m.Keys),
		Bytes: meanOf(m.Bytes), Trips: meanOf(m.Trips), Source: meanOf(m.Source), Target: meanOf(m.Target), Before: meanOf(m.Before), During: meanOf(m.During), Why: m.Why}
}

// jsonUncovered is slots that nobody served when the run of the first seed ended.
type jsonUncovered struct {
	Slots string `json:"slots"`
	Since number `json:"since_s"`
}
