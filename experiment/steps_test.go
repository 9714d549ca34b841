package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"hotslot/metrics"
	"hotslot/scenarios"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// played returns a measurement of a run in which some events happened, in a
// cluster of three primaries with a replica each.
func played(events ...wire.Event) *measurement {
	m := &measurement{plan: &plan{}, cl: &cluster.Cluster{}}
	m.strategy.Settings.Cluster.NodeTimeout = 2 * time.Second
	m.strategy.Settings.Cluster.Primaries, m.strategy.Settings.Cluster.Replicas = 3, 1
	m.cl.Shape = client.Shape{Primaries: 3, Replicas: 1}
	m.cl.Config.Events = []cluster.Event{{Name: "kill-a"}, {Name: "late"}}
	m.cl.Timeline = cluster.Timeline{Events: events, Scripted: []sim.Time{at(5), sim.Never}}
	m.cl.Span.To = at(100)
	m.all.latency = metrics.NewHistogram()
	return m
}

func at(seconds float64) sim.Time { return sim.Time(seconds * 1e9) }

// happened makes an event; numbers are A, B and C.
func happened(seconds float64, kind wire.EventKind, node, about slots.Owner, numbers ...int64) wire.Event {
	e := wire.Event{At: at(seconds), Kind: kind, Node: node, About: about}
	for i, n := range numbers {
		*[]*int64{&e.A, &e.B, &e.C}[i] = n
	}
	return e
}

const none = slots.None

// killed is what happens when primary 0 is killed.
func killed() []wire.Event {
	return []wire.Event{
		happened(5, wire.EventKill, 0, none),
		happened(7.1, wire.EventPFAIL, 1, 0), happened(7.2, wire.EventPFAIL, 4, 0), happened(7.4, wire.EventPFAIL, 2, 0),
		happened(7.5, wire.EventFAIL, 2, 0, 2), happened(7.501, wire.EventFAIL, 1, 0),
		happened(7.501, wire.EventStateFail, 1, none), happened(7.502, wire.EventStateFail, 3, none),
		happened(7.6, wire.EventElectionScheduled, 3, 0, 612, 0, 7308), happened(8.3, wire.EventElectionStarted, 3, 0, 4),
		happened(8.301, wire.EventVoteGranted, 1, 3, 4), happened(8.301, wire.EventVoteGranted, 2, 3, 4),
		happened(8.302, wire.EventElectionWon, 3, 0, 4), happened(8.302, wire.EventBecamePrimary, 3, 0, 4),
		happened(8.302, wire.EventSlotOwner, 3, 3, 0, 99, 4), happened(8.302, wire.EventSlotOwner, 3, 3, 100, 5460, 4),
		happened(8.302, wire.EventStateOK, 3, none),
		happened(8.303, wire.EventSlotOwner, 1, 3, 0, 5460, 4), happened(8.303, wire.EventSlotOwner, 2, 3, 0, 5460, 4),
		happened(8.304, wire.EventSlotOwner, 4, 3, 0, 5460, 4), happened(8.305, wire.EventSlotOwner, 5, 3, 0, 5460, 4),
		happened(8.305, wire.EventStateOK, 1, none),
	}
}

func TestSteps(t *testing.T) {
	events := append(killed(),
		happened(9, wire.EventPFAIL, 1, 2), happened(9.1, wire.EventPFAILCleared, 1, 2),
		happened(9.2, wire.EventPFAIL, 1, 2), happened(9.3, wire.EventPFAIL, 4, 2),
		happened(10, wire.EventSlotOwner, 1, none, 7, 7), happened(10, wire.EventSlotOwner, 1, none, 9, 10),
		happened(10, wire.EventSlotOwner, 1, none, 12, 13), happened(10, wire.EventSlotOwner, 1, none, 20, 20),
		happened(10, wire.EventSlotOwner, 1, none, 30, 30),
		happened(20, wire.EventKill, 1, none), happened(20, wire.EventKill, 4, none),
		happened(21, wire.EventKill, 2, none))
	var got []string
	for _, s := range played(events...).steps() {
		got = append(got, fmt.Sprintf("%.3f-%.3f %+.3f %d %d %s|%s", s.Seconds, s.Until, s.Since, s.Nodes, s.Times,
			s.Node, s.Text))
	}
	want := []string{
		"5.000-5.000 +0.000 1 1 primary 0|is killed",
		"7.100-7.400 +2.100 3 3 |*** NODE primary 0 possibly failing",
		"7.500-7.500 +2.500 1 1 primary 2|Marking node primary 0 as failing (quorum reached).",
		"7.501-7.501 +2.501 1 1 primary 1|FAIL message received about primary 0",
		"7.501-7.502 +2.501 2 2 |Cluster state changed: fail",
		"7.600-7.600 +2.600 1 1 replica 0.0|Start of election delayed for 612 milliseconds (rank #0, offset 7308).",
		"8.300-8.300 +3.300 1 1 replica 0.0|Starting a failover election for epoch 4.",
		"8.301-8.301 +3.301 2 2 |Failover auth granted to replica 0.0 for epoch 4",
		"8.302-8.302 +3.302 1 1 replica 0.0|Failover election won: I'm the new master.",
		"8.302-8.302 +3.302 1 1 replica 0.0|configEpoch set to 4; serves the slots of primary 0",
		"8.302-8.305 +3.302 5 6 |slots 0-5460 belong to replica 0.0, configEpoch 4",
		"8.302-8.305 +3.302 2 2 |Cluster state changed: ok",
		"9.000-9.000 +4.000 1 1 primary 1|*** NODE primary 2 possibly failing",
		"9.100-9.100 +4.100 1 1 primary 1|primary 2 answers again",
		"9.200-9.300 +4.200 2 2 |*** NODE primary 2 possibly failing",
		"10.000-10.000 +5.000 1 5 primary 1|slots 7, 9-10, 12-13 and 2 more ranges have no owner",
		"20.000-20.000 +0.000 2 2 primary 1, replica 1.0|is killed",
		"21.000-21.000 +0.000 1 1 primary 2|is killed",
	}
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("step %d is\n%s, want\n%s", i, g, w)
		}
	}
}

// What happens to many at once is told once; to a few, or one after another, one
// by one.
func TestCrowds(t *testing.T) {
	var events []wire.Event
	for i := range few {
		events = append(events, happened(float64(i), wire.EventPFAIL, 1, slots.Owner(i+2)))
	}
	if got := played(events...).steps(); len(got) != few {
		t.Errorf("%d steps of %d", len(got), few)
	}
	events = append(events, happened(3, wire.EventPFAIL, 2, 1), happened(30, wire.EventPFAIL, 2, 3))
	got := played(events...).steps()
	if len(got) != 2 || got[0].Alike != few || got[0].Nodes != 2 || got[0].Times != few+1 || got[0].Until != 3 {
		t.Errorf("a crowd is told as %+v", got)
	}
}

// Every kind of the timeline has words, and those of Redis name the node.
func TestWords(t *testing.T) {
	seen := map[string]wire.EventKind{}
	for kind := range wire.EventKinds {
		m := played()
		text := m.words(happened(1, kind, 1, 3, 1, 1, 1))
		if other, is := seen[text]; is || text == "" || strings.Contains(text, "%!") {
			t.Errorf("%v is told as %q, as is %v", kind, text, other)
		}
		seen[text] = kind
	}
	m := played()
	for reason := wire.NotVoting; reason <= wire.StaleSlots; reason++ {
		e := happened(1, wire.EventVoteRefused, 1, 3, 7)
		e.Reason = reason
		if text := m.words(e); !strings.HasPrefix(text, "Failover auth denied to replica 0.0: ") || len(text) < 40 {
			t.Errorf("a vote that is refused for %v is told as %q", reason, text)
		}
	}
}

// The times of a failover count from the event that is named, or the first one.
func TestTimes(t *testing.T) {
	m := played(killed()...)
	for name, want := range map[string]float64{"time.pfail": 2.1, "time.quorum": 2.4, "time.fail": 2.5,
		"time.scheduled": 2.6, "time.election": 3.3, "time.won": 3.302, "time.owner": 3.305, "time.ok": 3.305} {
		for _, selector := range []map[string]string{nil, {"event": "kill-a"}} {
			got, ok := m.control(nil, scenarios.Quantity{Metric: name, Selector: selector})
			if !ok || math.Abs(got-want*1e6) > 0.5 {
				t.Errorf("%s%v is %v µs, want %v s", name, selector, got, want)
			}
		}
		got, _ := m.control(nil, scenarios.Quantity{Metric: name, Selector: map[string]string{"event": "late"}})
		if got != never {
			t.Errorf("%s of what never happens is %v", name, got)
		}
	}
}

// A node that does not learn of the new owner, and is there, keeps time.owner from
// coming; one that dies or was dead does not.
func TestAllKnowOwner(t *testing.T) {
	ignorant := slices.DeleteFunc(killed(), func(e wire.Event) bool {
		return e.Kind == wire.EventSlotOwner && e.Node == 5
	})
	owner := func(events []wire.Event) float64 {
		got, _ := played(events...).control(nil, quantityOf("time.owner"))
		return got / 1e6
	}
	if got := owner(ignorant); !math.IsInf(got, 1) {
		t.Errorf("replica 2.0 never learns, and all know after %v s", got)
	}
	if got := owner(append(ignorant, happened(9, wire.EventKill, 5, none))); got != 4 {
		t.Errorf("replica 2.0 dies after 4 s, and all know after %v s", got)
	}
	dead := slices.Insert(slices.Clone(ignorant), 1, happened(6, wire.EventLose, 5, none))
	if got := owner(dead); math.Abs(got-3.304) > 1e-9 {
		t.Errorf("replica 2.0 was lost before, and all know after %v s", got)
	}
	back := slices.Insert(slices.Clone(dead), 2, happened(6.5, wire.EventRestart, 5, none))
	if got := owner(back); !math.IsInf(got, 1) {
		t.Errorf("replica 2.0 came back before, and all know after %v s", got)
	}
}

// Lines of the timeline are counted by kind, node, reason, and time.
func TestCounted(t *testing.T) {
	m := played(killed()...)
	for _, test := range []struct {
		expr string
		want float64
	}{
		{"events > 0", 22}, {"events{kind:pfail} > 0", 3}, {"events{kind:pfail, node:primary 2} > 0", 1},
		{"events{kind:pfail, node:replica 2.0} > 0", 0}, {"events{kind:pfail} from 7.15s to 7.3s > 0", 1},
		{"events{kind:pfail} after kill-a for 2.15s > 0", 1}, {"events before kill-a for 5s > 0", 0},
		{"events from kill-a to election-won > 0", 12}, {"events{kind:pfail} after late for 1s > 0", unknowable},
		{"first{kind:vote-granted} > 0", 3.301e6}, {"last{kind:state-ok} > 0", 3.305e6},
		{"first{kind:epoch-collision} > 0", never}, {"gap.max{kind:slot-owner} > 0", never},
		{"elections > 0", 1}, {"elections.won > 0", 1}, {"promotions > 0", 1}, {"votes.refused > 0", 0},
	} {
		text := shard + `
[event.kill-a]
at = "5s"
do = "kill"
node = "primary 0"
[event.late]
at = "never"
do = "thaw"
node = "primary 0"
[thresholds]
"*" = ["` + test.expr + `"]
`
		got := m.value(parse(t, text).Thresholds[0].Quantity)
		if got != test.want && math.Abs(got-test.want) > 0.5 {
			t.Errorf("%s: %v, want %v", test.expr, got, test.want)
		}
	}
}
