package cluster

import (
	"time"

	"hotslot/sim"
)

// A Rule is what monitoring is told to look for.
type Rule struct {
	Terms []Term        // all of which have to hold
	For   time.Duration // without a break
}

// A Term compares what is seen with a limit.
type Term struct {
	Metric string // one of RuleMetrics
	Above  bool   // else below
	Limit  float64
}

// ruleMetrics are what rules can be about. Times are in microseconds, shares from 0 to
// 1, and throughput is in operations a second, as in thresholds.
var ruleMetrics = []struct {
	name string
	of   func(*Sight) float64
}{
	{"throughput", func(s *Sight) float64 { return s.Throughput }},
	{"errors.rate", func(s *Sight) float64 { return s.ErrorRate }},
	{"p99", func(s *Sight) float64 { return float64(s.P99) / float64(time.Microsecond) }},
	{"node.utilization.max", func(s *Sight) float64 { return s.UtilizationMax }},
	{"node.utilization.mean", func(s *Sight) float64 { return s.UtilizationMean }},
	{"slot.share.max", func(s *Sight) float64 { return s.SlotShareMax }},
}

// RuleMetrics returns the names of what rules can be about.
func RuleMetrics() (names []string) {
	for _, m := range ruleMetrics {
		names = append(names, m.name)
	}
	return names
}

// holds reports whether all terms hold of what is seen.
func (r *Rule) holds(s *Sight) bool {
	for _, t := range r.Terms {
		for _, m := range ruleMetrics {
			if x := m.of(s); m.name == t.Metric && (t.Above && x <= t.Limit || !t.Above && x >= t.Limit) {
				return false
			}
		}
	}
	return true
}

// A vigil is an event that waits for its rule.
type vigil struct {
	event int
	since sim.Time // the rule has held; sim.Never where it does not
}

// keepVigil looks whether rules hold, and has the events happen whose rule has held for
// long enough: each once.
func (s *script) keepVigil(now sim.Time) {
	for i := 0; i < len(s.vigils); i++ {
		v := &s.vigils[i]
		rule := s.Events[v.event].When.Rule
		switch {
		case !rule.holds(s.monitor.look(now)):
			v.since = sim.Never
			continue
		case v.since == sim.Never:
			v.since = now
		}
		if now.Sub(v.since) >= rule.For {
			s.plan(now.Add(time.Duration(s.Events[v.event].When.At)), v.event)
			s.vigils = append(s.vigils[:i], s.vigils[i+1:]...)
			i--
		}
	}
	if len(s.vigils) > 0 {
		s.add(item{now.Add(lookEvery), -1, look})
	}
}
