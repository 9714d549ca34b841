package experiment

import (
	"fmt"
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Rules of what became of a cluster in trouble.
const (
	ruleFailover      = "failover"        // a replica took the place of a primary that was gone
	ruleFalseFailover = "false-failover"  // the primary was alive
	ruleManual        = "manual-failover" // an operator asked for it
	ruleDown          = "cluster-down"    // slots are not served when the run ends
	ruleLost          = "lost-writes"     // acknowledged writes are gone
	ruleSnapshots     = "resync-loop"     // a replica gets snapshot after snapshot
)

// troublesMost is how many findings of a rule are told of one run.
const troublesMost = 4

// A health is what is known of a node's process while a timeline is read.
type health struct {
	since sim.Time // of its present state
	what  wire.EventKind
	down  bool     // no process, or one that is frozen
	busy  sim.Time // until when it does not look at its connections
	order bool     // a manual failover is under way
}

// troubles tells what became of the cluster, in the order of the timeline.
func (m *measurement) troubles() []Finding {
	var found []Finding
	nodes := make([]health, len(m.cl.Nodes))
	snapshots := make([]int, len(m.cl.Nodes))
	cuts := 0
	for i, e := range m.cl.Timeline.Events {
		switch e.Kind {
		case wire.EventPartition:
			cuts++
		case wire.EventHeal:
			cuts--
		case wire.EventBecamePrimary:
			if f, ok := m.takeover(i, e, nodes, cuts > 0); ok {
				found = append(found, f)
			}
		case wire.EventFullResync:
			snapshots[e.Node]++
		}
		if e.Node != slots.None {
			nodes[e.Node].note(e)
		}
	}
	found = fewOfEach(found)
	found = append(found, m.unserved(nodes)...)
	if lost := m.cl.Ledger.LostWrites; lost > 0 {
		found = append(found, Finding{ruleLost, "cluster", float64(lost),
			fmt.Sprintf("acknowledged writes are gone: %d, to %d keys", lost, m.cl.Ledger.LostKeys)})
	}
	const loop = 3
	for i, n := range snapshots {
		if n >= loop {
			found = append(found, Finding{ruleSnapshots, m.cl.NodeName(i), float64(n),
				fmt.Sprintf("%s was sent a snapshot %d times", m.cl.NodeName(i), n)})
		}
	}
	return found
}

// note takes account of what happens to a node.
func (h *health) note(e wire.Event) {
	switch e.Kind {
	case wire.EventKill, wire.EventLose, wire.EventPause:
		h.since, h.what, h.down = e.At, e.Kind, true
	case wire.EventRestart, wire.EventResume:
		h.since, h.what, h.down = e.At, e.Kind, false
	case wire.EventBlock, wire.EventFork:
		h.since, h.what, h.busy = e.At, e.Kind, e.At.Add(time.Duration(e.A))
	case wire.EventManualFailover:
		h.order = true
	case wire.EventManualFailoverEnd, wire.EventBecamePrimary:
		h.order = false
	}
}

// takeover tells of a replica that became a primary in the place of another node.
func (m *measurement) takeover(i int, e wire.Event, nodes []health, cut bool) (Finding, bool) {
	if e.About == slots.None || e.About == e.Node {
		return Finding{}, false
	}
	old, heir, was := m.nameOf(e.About), m.nameOf(e.Node), &nodes[e.About]
	at := seconds(e.At)
	if nodes[e.Node].order {
		return Finding{ruleManual, old, at, fmt.Sprintf("%s took the place of %s by order, at %s", heir, old,
			clock(e.At))}, true
	}
	if was.down {
		done := map[wire.EventKind]string{wire.EventKill: "was killed", wire.EventLose: "was lost with its host",
			wire.EventPause: "was frozen"}[was.what]
		took := m.serves(i, e).Sub(was.since)
		return Finding{ruleFailover, old, took.Seconds(), fmt.Sprintf("%s %s at %s; %s served its slots %s later", old,
			done, clock(was.since), heir, length(took))}, true
	}
	why := ""
	switch {
	case was.busy > was.since && was.busy.Add(m.strategy.Settings.Cluster.NodeTimeout) > e.At:
		why = fmt.Sprintf(": its thread stood still from %s to %s", clock(was.since), clock(was.busy))
	case cut:
		why = ": it was cut off"
	}
	return Finding{ruleFalseFailover, old, at, fmt.Sprintf(
		"%s took the place of %s at %s, though its process was alive%s", heir, old, clock(e.At), why)}, true
}

// serves returns when a node that has become a primary takes the cluster to be
// up, and so serves its slots.
func (m *measurement) serves(i int, promoted wire.Event) sim.Time {
	up := true
	for _, e := range m.cl.Timeline.Events[:i] {
		if e.Node == promoted.Node && (e.Kind == wire.EventStateFail || e.Kind == wire.EventStateOK) {
			up = e.Kind == wire.EventStateOK
		}
	}
	if up {
		return promoted.At
	}
	for _, e := range m.cl.Timeline.Events[i:] {
		if e.Node == promoted.Node && e.Kind == wire.EventStateOK {
			return e.At
		}
	}
	return promoted.At
}

// fewOfEach keeps the first findings of each rule.
func fewOfEach(all []Finding) []Finding {
	n := map[string]int{}
	return slices.DeleteFunc(all, func(f Finding) bool {
		n[f.Rule]++
		return n[f.Rule] > troublesMost
	})
}

// unserved says, where slots are not served when the run ends, whose they are and
// what keeps replicas from taking them.
func (m *measurement) unserved(nodes []health) []Finding {
	if m.cl.Outage.First == sim.Never || m.cl.Outage.Restored != sim.Never {
		return nil
	}
	var found []Finding
	owned := make([]int, len(m.cl.Nodes))
	for _, owner := range m.owners.last {
		if owner != slots.None {
			owned[owner]++
		}
	}
	for i, n := range owned {
		if n > 0 && nodes[i].down && len(found) < troublesMost {
			found = append(found, Finding{ruleDown, m.cl.NodeName(i), float64(n), fmt.Sprintf(
				"%s is down, and nobody serves its %d slots when the run ends: %s", m.cl.NodeName(i), n, m.why(i, nodes, owned))})
		}
	}
	if len(found) > 0 {
		return found
	}
	states, _ := m.outage(quantityOf("states.down"))
	return []Finding{{ruleDown, "cluster", states, fmt.Sprintf(
		"slots are not served when the run ends, though no owner is down: %.0f nodes take the cluster to be down", states)}}
}

// why says why no replica has taken the place of a node, by what would have kept
// it from that first.
func (m *measurement) why(node int, nodes []health, owned []int) string {
	voters, present, failed := 0, 0, false
	var refused wire.Reason
	for i := range m.cl.Nodes {
		if owned[i] > 0 {
			voters++
			if !nodes[i].down {
				present++
			}
		}
	}
	for _, e := range m.cl.Timeline.Events {
		switch {
		case e.Kind == wire.EventFAIL && int(e.About) == node:
			failed = true
		case e.Kind == wire.EventNoElection && m.isReplicaOf(int(e.Node), node):
			refused = e.Reason
		}
	}
	replica := false
	for i := range m.cl.Nodes {
		replica = replica || !nodes[i].down && m.isReplicaOf(i, node)
	}
	switch {
	case !replica:
		return "it has no replica that is up"
	case 2*present <= voters:
		return fmt.Sprintf("there is no quorum, with %d of %d primaries up", present, voters)
	case refused == wire.DataAge:
		return "its replica's data is too old"
	case refused == wire.NoFailover:
		return "its replica is told not to"
	case !failed:
		return "no majority has agreed that it has failed"
	}
	return "no replica has won an election yet"
}

// isReplicaOf reports whether a node is the replica of another one, as it
// believes when the run is over.
func (m *measurement) isReplicaOf(i, primary int) bool {
	return i != primary && m.cl.Nodes[i].PrimaryOf() == slots.Owner(primary)
}

// clock tells an instant in seconds, and length a time.
func clock(at sim.Time) string { return fmt.Sprintf("%.2f s", seconds(at)) }

func length(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
