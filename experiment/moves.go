package experiment

import (
	"math"
	"time"

	"hotslot/scenarios"
	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/node"
	"hotslot/sim/wire"
)

// A Migration is what became of the slots that an event moved, as means over the seeds
// in which it began.
type Migration struct {
	Event    string
	Seeds    int  // in which it began
	Done     int  // of those, in which all slots arrived
	Began    Mean // seconds from the beginning of the run
	Duration Mean // microseconds, over the seeds in which all arrived; its N says how many
	Slots    Mean // that were moved
	Wanted   Mean // that were to be
	Keys     Mean
	Bytes    Mean
	Trips    Mean // round trips
	Source   Mean // microseconds that a thread was busy with one MIGRATE at most
	Target   Mean // and with taking in keys in one turn
	// P99 in microseconds before, for as long as it took or up to the beginning of the
	// measured time, and meanwhile; not a number where nothing ended.
	Before, During Mean
	Why            string // it failed in the first seed in which it did
}

// Uncovered is slots that nobody serves when a run ends.
type Uncovered struct {
	Slots string  // such as "182-224"
	Since float64 // seconds from the beginning of the run
}

// uncovered returns the slots that nobody serves in the end.
func (m *measurement) uncovered() (all []Uncovered) {
	for _, b := range m.cl.Outage.Bare {
		all = append(all, Uncovered{rangeOf(b.Range), seconds(b.Since)})
	}
	return all
}

// moveValue returns what slots that move come to.
func (m *measurement) moveValue(_ *group, q scenarios.Quantity) (float64, bool) {
	switch q.Metric {
	case "migration.block.target":
		return m.longestRestore(), true
	case "restore.mean":
		var keys uint64
		var work time.Duration
		for _, n := range m.cl.Nodes {
			keys += n.Load().Restored.Keys
			work += n.Load().Restored.Work
		}
		return ratio(micros(work), float64(keys)), true
	case "slots.open":
		return float64(m.cl.OpenSlots()), true
	case "slots.uncovered":
		return float64(m.cl.Outage.Uncovered), true
	case "keys.doubled":
		return float64(m.places().Doubled), true
	case "keys.stranded":
		return float64(m.places().Stranded), true
	case "keys.missing":
		return float64(m.places().Missing), true
	case "misses":
		return m.sumOf(func(l *node.Load) float64 { return float64(l.Misses) }), true
	}
	return m.migrated(q)
}

// places returns where keys are, which is counted once.
func (m *measurement) places() cluster.Places {
	if m.where == nil {
		p := m.cl.Places()
		m.where = &p
	}
	return *m.where
}

// sumOf adds up a quantity over all nodes.
func (m *measurement) sumOf(of func(*node.Load) float64) (sum float64) {
	for _, n := range m.cl.Nodes {
		sum += of(n.Load())
	}
	return sum
}

// longestRestore returns the longest turn in which a node took in keys.
func (m *measurement) longestRestore() float64 {
	longest := time.Duration(0)
	for _, n := range m.cl.Nodes {
		longest = max(longest, n.Load().Restored.Longest)
	}
	return micros(longest)
}

// migrated returns what migrations came to: the selected one, or all.
func (m *measurement) migrated(q scenarios.Quantity) (float64, bool) {
	var sum, most float64
	count := 0
	for _, g := range m.cl.Migrations() {
		if event := q.Selector["event"]; event != "" && event != g.Event {
			continue
		}
		count++
		v := m.figureOf(g, q)
		sum, most = sum+v, max(most, v)
	}
	switch q.Metric {
	case "migration.duration":
		if count == 0 {
			return never, true
		}
		return most, true
	case "migration.block.source", "migrate.mean":
		return most, true
	case "migration.slots", "migration.keys", "migration.bytes", "migration.round_trips", "migration.failed":
		return sum, true
	}
	return 0, false
}

// figureOf returns what one migration came to.
func (m *measurement) figureOf(g *cluster.Migration, q scenarios.Quantity) float64 {
	switch q.Metric {
	case "migration.duration":
		if !succeeded(g) {
			return never
		}
		return micros(g.Ended.Sub(g.Began))
	case "migration.slots":
		return float64(g.Moved)
	case "migration.keys":
		return float64(g.Keys)
	case "migration.bytes":
		return float64(g.Bytes)
	case "migration.failed":
		return indicator(g.Ended != sim.Never && !succeeded(g))
	case "migration.block.source":
		return micros(g.Longest[wire.MIGRATE])
	case "migrate.mean":
		return ratio(micros(g.Work[wire.MIGRATE]), float64(g.Commands[wire.MIGRATE]))
	}
	command := q.Selector["command"]
	for c, sent := range g.Commands {
		if command != "" && scenarios.ToolCommand(wire.Command(c)) == command {
			return float64(sent)
		}
	}
	if command != "" {
		return 0
	}
	return float64(g.RoundTrips())
}

// succeeded reports whether all slots arrived.
func succeeded(g *cluster.Migration) bool {
	return g.Ended != sim.Never && !g.Stopped && g.Failures == 0 && len(g.Unfixed) == 0
}

// ended returns when what an event began was over.
func (m *measurement) ended(name string) (sim.Time, bool) {
	for _, g := range m.cl.Migrations() {
		if g.Event == name {
			return g.Ended, g.Ended != sim.Never
		}
	}
	for i := range m.cl.Config.Events {
		if e := &m.cl.Config.Events[i]; e.Name == name && e.For > 0 {
			at := m.cl.Timeline.Scripted[i]
			return at.Add(e.For), at != sim.Never
		}
	}
	return 0, false
}

// migrations returns what became of each migration in this run.
func (m *measurement) migrations() (all []Migration) {
	for _, g := range m.cl.Migrations() {
		end := min(g.Ended, m.cl.Span.To)
		out := Migration{Event: g.Event, Seeds: 1, Began: one(seconds(g.Began)), Duration: noMean(),
			Slots: one(float64(g.Moved)), Wanted: one(float64(g.Slots)), Keys: one(float64(g.Keys)),
			Bytes: one(float64(g.Bytes)), Trips: one(float64(g.RoundTrips())),
			Source: one(micros(g.Longest[wire.MIGRATE])), Target: one(m.longestRestore()),
			Before: m.p99(max(m.cl.Span.From, g.Began-(end-g.Began)), g.Began), During: m.p99(g.Began, end), Why: m.failure(g)}
		if succeeded(g) {
			out.Done, out.Duration = 1, one(micros(g.Ended.Sub(g.Began)))
		}
		all = append(all, out)
	}
	return all
}

// noMean is the mean of no values.
func noMean() Mean { return Mean{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()} }

// p99 returns the P99 of a part of the run.
func (m *measurement) p99(from, to sim.Time) Mean {
	w, _, _ := m.all.window(time.Duration(from), time.Duration(to))
	if w.Count() == 0 {
		return noMean()
	}
	return one(micros(w.Quantile(0.99)))
}

// migrations averages over seeds; migrations of one event belong together.
func (a averager) migrations() (all []Migration) {
	var names []string
	byName := map[string][]*Migration{}
	for _, s := range a {
		for i := range s.Migrations {
			g := &s.Migrations[i]
			if byName[g.Event] == nil {
				names = append(names, g.Event)
			}
			byName[g.Event] = append(byName[g.Event], g)
		}
	}
	for _, name := range names {
		all = append(all, averageOf(byName[name]))
	}
	return all
}

func averageOf(list []*Migration) Migration {
	out := Migration{Event: list[0].Event}
	for _, g := range list {
		out.Seeds++
		out.Done += g.Done
		if out.Why == "" {
			out.Why = g.Why
		}
	}
	for _, of := range []func(*Migration) *Mean{
		func(g *Migration) *Mean { return &g.Began }, func(g *Migration) *Mean { return &g.Duration },
		func(g *Migration) *Mean { return &g.Slots }, func(g *Migration) *Mean { return &g.Wanted },
		func(g *Migration) *Mean { return &g.Keys }, func(g *Migration) *Mean { return &g.Bytes },
		func(g *Migration) *Mean { return &g.Trips }, func(g *Migration) *Mean { return &g.Source },
		func(g *Migration) *Mean { return &g.Target }, func(g *Migration) *Mean { return &g.Before },
		func(g *Migration) *Mean { return &g.During },
	} {
		var values []float64
		for _, g := range list {
			if m := of(g); m.N > 0 {
				values = append(values, m.Mean)
			}
		}
		if *of(&out) = noMean(); len(values) > 0 {
			*of(&out) = newMean(values)
		}
	}
	return out
}
