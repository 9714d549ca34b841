package experiment

import (
	"math"
	"slices"
	"time"

	"hotslot/scenarios"
	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// never is the time of what did not happen. Whatever else is asked of the time
// around it is unknowable.
var never, unknowable = math.Inf(1), math.Inf(-1)

// instant returns when something happened first: an event of the scenario, or a
// kind of the timeline.
func (m *measurement) instant(name string) (sim.Time, bool) {
	for i := range m.cl.Config.Events {
		if m.cl.Config.Events[i].Name == name {
			at := m.cl.Timeline.Scripted[i]
			return at, at != sim.Never
		}
	}
	if kind, is := wire.ParseEventKind(name); is {
		if e, ok := m.cl.Timeline.First(kind, 0); ok {
			return e.At, true
		}
	}
	return 0, false
}

// bounds returns from when to when a window reaches in this run, which may be
// nothing at all. It is false if an event that it counts from has not happened.
func (m *measurement) bounds(w scenarios.Window) (from, to time.Duration, ok bool) {
	edge := func(event string, d time.Duration) (time.Duration, bool) {
		if event == "" {
			return d, true
		}
		at, happened := m.instant(event)
		return time.Duration(at) + d, happened
	}
	from, ok1 := edge(w.FromEvent, w.From)
	to, ok2 := edge(w.ToEvent, w.To)
	if w.ToEnd {
		at, over := m.ended(w.ToEvent)
		if to = time.Duration(m.cl.Span.To); over {
			to = time.Duration(at)
		}
	}
	return max(0, from), min(to, time.Duration(m.cl.Span.To)), ok1 && ok2
}

// origin returns the event that a time counts from: the selected one, or the
// scenario's first.
func (m *measurement) origin(q scenarios.Quantity) (sim.Time, bool) {
	if name := q.Selector["event"]; name != "" {
		return m.instant(name)
	}
	first := sim.Never
	for _, at := range m.cl.Timeline.Scripted {
		first = min(first, at)
	}
	return first, first != sim.Never
}

// since returns a time from an event in microseconds.
func since(from, at sim.Time, happened bool) float64 {
	if !happened {
		return never
	}
	return micros(at.Sub(from))
}

// control returns what the control plane has done.
func (m *measurement) control(_ *group, q scenarios.Quantity) (float64, bool) {
	for _, of := range []func(scenarios.Quantity) (float64, bool){m.reached, m.counted, m.outage, m.bus} {
		if v, ok := of(q); ok {
			return v, true
		}
	}
	return 0, false
}

// reached returns when the steps of a failover were taken.
func (m *measurement) reached(q scenarios.Quantity) (float64, bool) {
	kinds := map[string]wire.EventKind{"time.pfail": wire.EventPFAIL, "time.fail": wire.EventFAIL,
		"time.scheduled": wire.EventElectionScheduled, "time.election": wire.EventElectionStarted,
		"time.won": wire.EventElectionWon}
	kind, plain := kinds[q.Metric]
	switch {
	case plain, q.Metric == "time.quorum", q.Metric == "time.owner", q.Metric == "time.ok":
	default:
		return 0, false
	}
	from, ok := m.origin(q)
	if !ok {
		return never, true
	}
	switch q.Metric {
	case "time.quorum":
		at, ok := quorumSuspects(&m.cl.Timeline, from, m.shape().Primaries)
		return since(from, at, ok), true
	case "time.owner":
		at, ok := allKnowOwner(&m.cl.Timeline, m.shape().Nodes(), from)
		return since(from, at, ok), true
	case "time.ok":
		at, ok := allOK(&m.cl.Timeline, from)
		return since(from, at, ok), true
	}
	e, ok := m.cl.Timeline.First(kind, from)
	return since(from, e.At, ok), true
}

// quorumSuspects returns when a majority of the nodes that were primaries at the
// beginning had suspected the node that was suspected first.
func quorumSuspects(t *cluster.Timeline, from sim.Time, primaries int) (sim.Time, bool) {
	first, ok := t.First(wire.EventPFAIL, from)
	if !ok {
		return 0, false
	}
	suspecting := 0
	for _, e := range t.Events {
		if e.At >= from && e.Kind == wire.EventPFAIL && e.About == first.About && int(e.Node) < primaries {
			if suspecting++; suspecting == primaries/2+1 {
				return e.At, true
			}
		}
	}
	return 0, false
}

// allKnowOwner returns when the last of the other nodes learnt of the slots of the
// first node that was promoted. Nodes that were not there then do not count, nor
// do those that die before they learn.
func allKnowOwner(t *cluster.Timeline, nodes int, from sim.Time) (at sim.Time, ok bool) {
	won, promoted := t.First(wire.EventBecamePrimary, from)
	if !promoted {
		return 0, false
	}
	waiting := make([]bool, nodes)
	left := nodes
	for i := range waiting {
		waiting[i] = true
	}
	done := func(node slots.Owner) {
		if int(node) < nodes && waiting[node] {
			waiting[node] = false
			left--
		}
	}
	done(won.Node)
	for _, e := range t.Events {
		switch e.Kind {
		case wire.EventKill, wire.EventLose, wire.EventPause:
			done(e.Node)
		case wire.EventRestart, wire.EventResume:
			if int(e.Node) < nodes && e.At <= won.At && e.Node != won.Node && !waiting[e.Node] {
				waiting[e.Node] = true
				left++
			}
		case wire.EventSlotOwner:
			if e.About == won.Node && e.At >= from {
				done(e.Node)
			}
		}
		if left == 0 && e.At >= won.At {
			return e.At, true
		}
	}
	return 0, false
}

// allOK returns when no node that is there takes the cluster to be down any more,
// after at least one has done so since an instant; that instant if none has.
func allOK(t *cluster.Timeline, from sim.Time) (sim.Time, bool) {
	down := map[slots.Owner]bool{}
	began := false
	for _, e := range t.Events {
		if e.At >= from && !began && len(down) > 0 {
			began = true
		}
		switch e.Kind {
		case wire.EventStateFail:
			down[e.Node] = true
			began = began || e.At >= from
		case wire.EventStateOK, wire.EventKill, wire.EventLose:
			delete(down, e.Node)
		}
		if began && e.At >= from && len(down) == 0 {
			return e.At, true
		}
	}
	return from, !began && len(down) == 0
}

// selected calls f with the lines of the timeline that a quantity is about.
func (m *measurement) selected(q scenarios.Quantity, f func(wire.Event)) {
	from, to := sim.Time(0), sim.Never
	if q.Selector["event"] != "" {
		at, ok := m.origin(q)
		if !ok {
			return
		}
		from = at
	}
	if q.Window != (scenarios.Window{}) {
		a, z, ok := m.bounds(q.Window)
		if !ok {
			return
		}
		from, to = max(from, sim.Time(a)), sim.Time(z)
	}
	kind, anyKind := wire.ParseEventKind(q.Selector["kind"])
	among := m.among(q.Selector["node"])
	reason := q.Selector["reason"]
	for _, e := range m.cl.Timeline.Events {
		if e.At < from || e.At >= to || anyKind && e.Kind != kind || !among(e.Node) ||
			reason != "" && e.Reason.String() != reason {
			continue
		}
		f(e)
	}
}

// among returns whether a node is one of those that a selector names: one of
// them, all that were primaries or replicas at the beginning, or any.
func (m *measurement) among(name string) func(slots.Owner) bool {
	shape := m.shape()
	primaries, original := slots.Owner(shape.Primaries), slots.Owner(shape.Nodes()-shape.Added)
	switch name {
	case "":
		return func(slots.Owner) bool { return true }
	case scenarios.AllPrimaries:
		return func(node slots.Owner) bool { return node < primaries }
	case scenarios.AllReplicas:
		return func(node slots.Owner) bool { return node >= primaries && node < original }
	}
	one, known := m.node(name)
	return func(node slots.Owner) bool { return known && int(node) == one }
}

// counted returns how often something happened, or when.
func (m *measurement) counted(q scenarios.Quantity) (float64, bool) {
	kinds := map[string]wire.EventKind{"elections": wire.EventElectionStarted, "elections.won": wire.EventElectionWon,
		"promotions": wire.EventBecamePrimary, "votes.refused": wire.EventVoteRefused,
		"full_resyncs": wire.EventFullResync, "partial_resyncs": wire.EventPartialResync}
	if kind, is := kinds[q.Metric]; is {
		q.Selector = map[string]string{"kind": kind.String(), "reason": q.Selector["reason"]}
	}
	n, first, last, gap := 0, sim.Never, sim.Time(0), time.Duration(0)
	before := map[slots.Owner]sim.Time{}
	count := func() {
		m.selected(q, func(e wire.Event) {
			n++
			first, last = min(first, e.At), e.At
			if at, known := before[e.Node]; known {
				gap = max(gap, e.At.Sub(at))
			}
			before[e.Node] = e.At
		})
	}
	_, counts := kinds[q.Metric]
	switch q.Metric {
	case "first", "last", "gap.max":
		from, ok := m.origin(q)
		if count(); n == 0 || !ok || q.Metric == "gap.max" && gap == 0 {
			return never, true
		}
		return map[string]float64{"first": since(from, first, true), "last": since(from, last, true),
			"gap.max": micros(gap)}[q.Metric], true
	case "events":
		counts = true
	}
	if counts {
		count()
	}
	return float64(n), counts
}

// quantityOf returns a metric of a whole run.
func quantityOf(metric string) scenarios.Quantity { return scenarios.Quantity{Metric: metric} }

// outage returns what clients could not have, and what was lost.
func (m *measurement) outage(q scenarios.Quantity) (float64, bool) {
	o := &m.cl.Outage
	switch q.Metric {
	case "outage.slot_seconds":
		return o.SlotTime.Seconds(), true
	case "outage.slots":
		return float64(o.Slots), true
	case "outage.longest":
		return micros(o.Longest), true
	case "recovery_time":
		switch {
		case o.First == sim.Never:
			return 0, true
		case o.Restored == sim.Never:
			return never, true
		}
		return micros(o.Restored.Sub(o.First)), true
	case "lost_writes":
		return float64(m.cl.Ledger.LostWrites), true
	case "lost_keys":
		return float64(m.cl.Ledger.LostKeys), true
	case "primaries.down":
		return float64(m.deadOwners()), true
	case "states.down":
		n := 0
		for _, node := range m.cl.Nodes {
			if s := node.State(); s != nil && node.Up() && !s.OK() {
				n++
			}
		}
		return float64(n), true
	case "replication.lag.max":
		return float64(m.cl.LagMax), true
	case "retries":
		return float64(m.all.Retries), true
	case "unreplicated":
		return float64(m.all.Unreplicated), true
	}
	return 0, false
}

// deadOwners returns how many nodes own slots, as most of those that are up
// believe, and are not up.
func (m *measurement) deadOwners() (n int) {
	var owners []slots.Owner
	for _, owner := range m.owners.last {
		if owner != slots.None && !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	for _, owner := range owners {
		if !m.cl.Nodes[owner].Up() {
			n++
		}
	}
	return n
}

// bus returns what the cluster bus takes.
func (m *measurement) bus(q scenarios.Quantity) (float64, bool) {
	var sum node.Bus
	most := time.Duration(0)
	nodes := 0
	number, one := m.node(q.Selector["node"])
	for i, n := range m.cl.Nodes {
		if b := &n.Load().Bus; !one || i == number {
			nodes++
			sum.Sent += b.Sent
			sum.BytesOut += b.BytesOut
			sum.Work += b.Work
			sum.Connects += b.Connects
			most = max(most, b.Work)
		}
	}
	each := m.duration() * float64(nodes)
	switch q.Metric {
	case "bus.bytes", "bus.bytes.mean":
		return ratio(float64(sum.BytesOut), each), true
	case "bus.messages":
		return ratio(float64(sum.Sent), each), true
	case "bus.message_bytes":
		return ratio(float64(sum.BytesOut), float64(sum.Sent)), true
	case "bus.connects":
		return ratio(float64(sum.Connects), m.duration()), true
	case "bus.utilization.max":
		return ratio(most.Seconds(), m.duration()), true
	case "bus.utilization.mean":
		return ratio(sum.Work.Seconds(), each), true
	}
	return 0, false
}
