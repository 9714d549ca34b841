package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Step is what one node, or several, did or came to believe, told in Redis's
// words.
type Step struct {
	Seconds float64 // from the beginning of the run, of the first node
	Until   float64 // of the last
	Since   float64 // seconds after what was done to the cluster last; negative before anything was
	Kind    string
	Node    string // where it is one; the names of up to three to which something is done
	Nodes   int    // how many different ones; 0: it is nowhere in particular
	Times   int    // how often, at all nodes together
	Alike   int    // steps of this kind that come with it, about other nodes, and are not told
	Text    string
}

// A step is a Step that may go on.
type step struct {
	first wire.Event
	last  sim.Time
	fault sim.Time // the latest one before it; negative where there was none
	nodes []slots.Owner
	there map[slots.Owner]bool // the same; looked up, never walked
	times int
	alike int
	owned []slots.Range // of slot-owner, and of slots that are opened or closed
	keys  int64         // of keys-moved
}

// A folder folds the events of a timeline into steps: what several nodes tell of
// the same thing, one soon after the other.
type folder struct {
	steps []*step
	open  map[wire.Event]*step // by what the events of a step have in common; looked up, never walked
	fault sim.Time
	soon  time.Duration // within which the next node follows
}

// steps tells the timeline of the run. Nodes suspect one another within half the
// node timeout, so what is one thing may take that long.
func (m *measurement) steps() []Step {
	f := folder{open: map[wire.Event]*step{}, fault: -1,
		soon: m.strategy.Settings.Cluster.NodeTimeout/2 + time.Second}
	for _, e := range m.cl.Timeline.Events {
		f.add(e)
	}
	f.crowd()
	told := make([]Step, len(f.steps))
	for i, s := range f.steps {
		told[i] = m.step(s)
	}
	return told
}

// few is how many steps of a kind are told one by one where they come together,
// as when a machine with many nodes fails.
const few = 4

// crowd keeps the first step of each crowd: of more than a few that are of one
// kind, each beginning soon after the one before.
func (f *folder) crowd() {
	var crowds [wire.EventKinds][]*step
	disperse := func(kind wire.EventKind) {
		if all := crowds[kind]; len(all) > few {
			for _, s := range all[1:] {
				all[0].join(s)
			}
		}
		crowds[kind] = nil
	}
	for _, s := range f.steps {
		kind := s.first.Kind
		if all := crowds[kind]; len(all) > 0 && s.first.At.Sub(all[len(all)-1].first.At) > f.soon {
			disperse(kind)
		}
		crowds[kind] = append(crowds[kind], s)
	}
	for kind := range wire.EventKinds {
		disperse(kind)
	}
	f.steps = slices.DeleteFunc(f.steps, func(s *step) bool { return s.times == 0 })
}

// join takes another step in, of which nothing is left.
func (s *step) join(other *step) {
	s.alike++
	s.times += other.times
	s.last = max(s.last, other.last)
	for _, node := range other.nodes {
		s.at(node)
	}
	other.times = 0
}

// at adds a node.
func (s *step) at(node slots.Owner) {
	if node != slots.None && !s.there[node] {
		s.there[node] = true
		s.nodes = append(s.nodes, node)
	}
}

// add adds an event to the step that it belongs to, or begins one.
func (f *folder) add(e wire.Event) {
	if isFault(e.Kind) {
		f.fault = e.At
	}
	key := commonOf(e)
	s := f.open[key]
	switch {
	case s == nil, isFault(e.Kind) && e.At != s.last, e.At.Sub(s.last) > f.soon,
		isTurn(e.Kind) && s.there[e.Node]: // it has gone the other way meanwhile
		s = &step{first: e, fault: f.fault, there: map[slots.Owner]bool{}}
		f.open[key] = s
		f.steps = append(f.steps, s)
	}
	s.last = e.At
	s.times++
	s.at(e.Node)
	switch e.Kind {
	case wire.EventKeysMoved:
		s.keys += e.A
	case wire.EventSlotOwner, wire.EventSlotMigrating, wire.EventSlotImporting, wire.EventSlotStable:
		s.owned = append(s.owned, slots.Range{First: slots.Slot(e.A), Last: slots.Slot(e.B)})
	}
}

// commonOf returns what the events of a step have in common.
func commonOf(e wire.Event) wire.Event {
	key := wire.Event{Kind: e.Kind, About: e.About, Reason: e.Reason}
	switch e.Kind {
	case wire.EventFAIL:
		key.A = min(e.A, 1) // whether it was decided or told
	case wire.EventSlotOwner:
		key.A = e.C
	case wire.EventVoteGranted, wire.EventVoteRefused, wire.EventPartition, wire.EventHeal, wire.EventLinkChange,
		wire.EventBlock, wire.EventFork, wire.EventRestart:
		key.A = e.A
	case wire.EventElectionScheduled, wire.EventElectionDelayed, wire.EventElectionStarted, wire.EventElectionExpired,
		wire.EventElectionWon, wire.EventBecamePrimary, wire.EventFullResync, wire.EventPartialResync,
		wire.EventAtomicStarted, wire.EventAtomicSnapshot, wire.EventAtomicStreaming, wire.EventAtomicPaused,
		wire.EventAtomicDone, wire.EventAtomicFailed,
		wire.EventMigrationStarted, wire.EventMigrationDone, wire.EventMigrationFailed,
		wire.EventSynced, wire.EventEpochCollision, wire.EventWriteLost, wire.EventKeysDropped:
		key.Node, key.A = e.Node, e.A
	case wire.EventSlotMigrating, wire.EventSlotImporting, wire.EventSlotStable, wire.EventKeysMoved:
		key.Node = e.Node
	}
	return key
}

// isFault reports whether something is done to the cluster.
func isFault(k wire.EventKind) bool { return k <= wire.EventFork }

// isTurn reports whether a node has to go the other way before it can do this
// again.
func isTurn(k wire.EventKind) bool {
	switch k {
	case wire.EventPFAIL, wire.EventPFAILCleared, wire.EventFAIL, wire.EventFAILCleared, wire.EventStateFail,
		wire.EventStateOK, wire.EventBecamePrimary, wire.EventBecameReplica:
		return true
	}
	return false
}

// step tells a step that is over.
func (m *measurement) step(s *step) Step {
	out := Step{Seconds: seconds(s.first.At), Until: seconds(s.last), Since: -1, Kind: s.first.Kind.String(),
		Nodes: len(s.nodes), Times: s.times, Alike: s.alike, Text: m.words(s.first)}
	if s.fault >= 0 {
		out.Since = s.first.At.Sub(s.fault).Seconds()
	}
	if n := len(s.nodes); n == 1 || isFault(s.first.Kind) && n <= namesMost {
		var names []string
		for _, node := range s.nodes {
			names = append(names, m.nameOf(node))
		}
		out.Node = strings.Join(names, ", ")
	}
	switch s.first.Kind {
	case wire.EventSlotOwner:
		out.Text = m.ownership(s)
	case wire.EventSlotMigrating, wire.EventSlotImporting, wire.EventSlotStable, wire.EventKeysMoved:
		out.Text, out.Times = m.slotsMoved(s), 1
	}
	return out
}

// seconds returns an instant in seconds from the beginning of the run.
func seconds(at sim.Time) float64 { return at.Sub(0).Seconds() }

// rangesMost is how many ranges of slots a step names, and namesMost how many
// nodes.
const rangesMost, namesMost = 3, 3

// rangesOf tells slots as ranges.
func rangesOf(list []slots.Range) string {
	var words []string
	ranges := joined(list)
	for _, r := range ranges[:min(rangesMost, len(ranges))] {
		words = append(words, rangeOf(r))
	}
	text := strings.Join(words, ", ")
	if more := len(ranges) - len(words); more > 0 {
		text += fmt.Sprintf(" and %d more ranges", more)
	}
	return text
}

// ownership tells whose slots are.
func (m *measurement) ownership(s *step) string {
	text := rangesOf(s.owned)
	if s.first.About == slots.None {
		return fmt.Sprintf("slots %s have no owner", text)
	}
	return fmt.Sprintf("slots %s belong to %s, configEpoch %d", text, m.nameOf(s.first.About), s.first.C)
}

func rangeOf(r slots.Range) string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

// joined returns ranges in ascending order, those that touch as one.
func joined(ranges []slots.Range) []slots.Range {
	slices.SortFunc(ranges, func(a, b slots.Range) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last))
	})
	var out []slots.Range
	for _, r := range ranges {
		if last := len(out) - 1; last >= 0 && int(r.First) <= int(out[last].Last)+1 {
			out[last].Last = max(out[last].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}
