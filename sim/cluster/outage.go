package cluster

import (
	"math/bits"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Outage is what clients could not have, by slot, as the truth has it. A slot is
// unavailable while no node serves it: none whose process runs, that takes the
// cluster to be up, and that is a primary and owns the slot as it believes. A
// thread that is busy for long serves all the same, only late.
type Outage struct {
	SlotTime time.Duration // for how long slots were unavailable, summed up over slots
	Slots    int           // slots that were unavailable at any time
	// Uncovered is how many slots are unavailable when the run ends, and Bare which, and
	// since when.
	Uncovered int
	Bare      []Bare
	Longest   time.Duration // the longest time that any one slot was, at one go
	First     sim.Time      // when the first slot became so; sim.Never if none did
	Restored  sim.Time      // since when all have been available; sim.Never if they are not
}

// A Bare is slots that nobody serves.
type Bare struct {
	slots.Range
	Since sim.Time
}

// An outageMeter keeps count of who serves each slot.
type outageMeter struct {
	Outage
	servers [slots.Count]uint16   // nodes that serve the slot
	since   [slots.Count]sim.Time // when it became unavailable
	hit     slotSet               // slots that were unavailable at any time
	served  []slotSet             // by node: the slots that it serves
	down    int                   // slots that nobody serves
	at      sim.Time              // of the last change
}

// A slotSet is a set of slots.
type slotSet [slots.Count / 64]uint64

func newOutageMeter(nodes int) *outageMeter {
	m := &outageMeter{served: make([]slotSet, nodes), down: slots.Count}
	m.First, m.Restored = sim.Never, sim.Never
	return m
}

// concerns reports whether an event at a node may change what it serves.
func (m *outageMeter) concerns(e wire.Event) bool {
	switch e.Kind {
	case wire.EventStateFail, wire.EventStateOK, wire.EventBecamePrimary, wire.EventBecameReplica:
		return true
	case wire.EventSlotOwner:
		return e.About == e.Node || m.served[e.Node].any(int(e.A), int(e.B))
	}
	return false
}

// any reports whether a slot from first to last is in the set.
func (s *slotSet) any(first, last int) bool {
	for w := first / 64; w <= last/64; w++ {
		word := s[w]
		if w == first/64 {
			word &= ^uint64(0) << (first % 64)
		}
		if w == last/64 {
			word &= ^uint64(0) >> (63 - last%64)
		}
		if word != 0 {
			return true
		}
	}
	return false
}

// set tells which slots a node serves from an instant on.
func (m *outageMeter) set(at sim.Time, node slots.Owner, now *slotSet) {
	m.at = max(m.at, at)
	was := &m.served[node]
	for w := range now {
		for gone := was[w] &^ now[w]; gone != 0; gone &= gone - 1 {
			slot := w*64 + bits.TrailingZeros64(gone)
			if m.servers[slot]--; m.servers[slot] == 0 {
				m.lost(slot)
			}
		}
		for come := now[w] &^ was[w]; come != 0; come &= come - 1 {
			slot := w*64 + bits.TrailingZeros64(come)
			if m.servers[slot]++; m.servers[slot] == 1 {
				m.found(slot)
			}
		}
	}
	*was = *now
}

// lost notes that nobody serves a slot any more.
func (m *outageMeter) lost(slot int) {
	m.since[slot] = m.at
	m.First = min(m.First, m.at)
	m.Restored = sim.Never
	m.hit[slot/64] |= 1 << (slot % 64)
	m.down++
}

// found notes that a slot is served again.
func (m *outageMeter) found(slot int) {
	m.down--
	m.took(slot, m.at)
	if m.down == 0 && m.First != sim.Never {
		m.Restored = m.at
	}
}

// took adds what a slot has missed until an instant.
func (m *outageMeter) took(slot int, until sim.Time) {
	missed := until.Sub(m.since[slot])
	m.SlotTime += missed
	m.Longest = max(m.Longest, missed)
}

// settle returns the outage up to the end of the run.
func (m *outageMeter) settle(end sim.Time) Outage {
	for slot := range m.servers {
		if m.servers[slot] == 0 {
			m.bare(slots.Slot(slot))
			m.took(slot, end)
			m.since[slot] = end
		}
	}
	for _, word := range m.hit {
		m.Slots += bits.OnesCount64(word)
	}
	return m.Outage
}

// bare lists a slot that nobody serves.
func (m *outageMeter) bare(slot slots.Slot) {
	m.Uncovered++
	if n := len(m.Bare); n > 0 && m.Bare[n-1].Last+1 == slot && m.Bare[n-1].Since == m.since[slot] {
		m.Bare[n-1].Last = slot
		return
	}
	m.Bare = append(m.Bare, Bare{slots.Range{First: slot, Last: slot}, m.since[slot]})
}

// reset forgets what was before the run: that no slot was served.
func (m *outageMeter) reset() {
	m.Outage = Outage{First: sim.Never, Restored: sim.Never}
	m.hit = slotSet{}
}

// servedBy returns the slots that a node serves.
func (cl *Cluster) servedBy(id int) *slotSet {
	var set slotSet
	n := cl.Nodes[id]
	serves := n.Awake() && n.PrimaryOf() == slots.Owner(id)
	if s := n.State(); s != nil {
		serves = n.Awake() && s.OK() && s.IsPrimary()
	}
	if !serves {
		return &set
	}
	for slot, owner := range n.View() {
		if int(owner) == id {
			set[slot/64] |= 1 << (slot % 64)
		}
	}
	return &set
}
