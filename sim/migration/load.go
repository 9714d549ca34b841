package migration

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"hotslot/sim/slots"
)

// A Load is what each slot costs, in whole numbers of whatever is to be balanced:
// commands, nanoseconds of CPU, bytes. None is negative.
type Load [slots.Count]int64

// A scale weighs the nodes of a layout by the load of their slots. Nodes are places
// in Layout.Nodes; ties go to the first.
type scale struct {
	*Layout
	load  *Load
	at    []int   // by slot: the node
	nodes []int64 // by node: its load
	total int64
}

func newScale(l *Layout, load *Load) (*scale, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	s := &scale{Layout: l, load: load, at: make([]int, slots.Count), nodes: make([]int64, len(l.Nodes))}
	place := l.places()
	for slot, owner := range l.Owners {
		switch n := load[slot]; {
		case n < 0:
			return nil, fmt.Errorf("slot %d has a load of %d: there is no load below 0", slot, n)
		case s.total > math.MaxInt64-n:
			return nil, fmt.Errorf("the loads add up to more than can be counted: give them in larger units")
		}
		s.at[slot] = place.of(owner)
		s.nodes[s.at[slot]] += load[slot]
		s.total += load[slot]
	}
	return s, nil
}

// Loads returns what the slots of each node add up to, in the order of
// Layout.Nodes.
func (l *Layout) Loads(load *Load) []int64 {
	place, sums := l.places(), make([]int64, len(l.Nodes))
	for slot, owner := range l.Owners {
		if i := place.of(owner); i >= 0 {
			sums[i] += load[slot]
		}
	}
	return sums
}

// busiest and idlest return the node with the largest and the smallest load.
func (s *scale) busiest() int {
	best := 0
	for i, n := range s.nodes {
		if n > s.nodes[best] {
			best = i
		}
	}
	return best
}

func (s *scale) idlest() int {
	best := 0
	for i, n := range s.nodes {
		if n < s.nodes[best] {
			best = i
		}
	}
	return best
}

// put moves a slot to a node.
func (s *scale) put(slot slots.Slot, node int) {
	s.nodes[s.at[slot]] -= s.load[slot]
	s.at[slot] = node
	s.nodes[node] += s.load[slot]
}

// slotsOf returns the slots of a node that have a load, heaviest first, the lower
// number first among equals.
func (s *scale) slotsOf(node int) []slots.Slot {
	var own []slots.Slot
	for slot, at := range s.at {
		if at == node && s.load[slot] > 0 {
			own = append(own, slots.Slot(slot))
		}
	}
	s.sort(own)
	return own
}

// sort sorts slots, the heaviest first, the lower number first among equals.
func (s *scale) sort(own []slots.Slot) {
	slices.SortFunc(own, func(a, b slots.Slot) int {
		return cmp.Or(cmp.Compare(s.load[b], s.load[a]), cmp.Compare(a, b))
	})
}

// heaviest returns the slot with the largest load, and whether that alone is more
// than a node's fair share.
func (s *scale) heaviest() (slot slots.Slot, bottleneck bool) {
	for i, n := range s.load {
		if n > s.load[slot] {
			slot = slots.Slot(i)
		}
	}
	return slot, s.tooMuch(slot)
}

// tooMuch reports whether a slot alone is more than the mean load of a node.
func (s *scale) tooMuch(slot slots.Slot) bool { return s.load[slot] > s.total/int64(len(s.nodes)) }

// limit returns the mean load of a node and so many per cent more, rounded up: no
// plan has a busiest node below the mean rounded up.
func (s *scale) limit(percent Decimal) int64 {
	const whole = uint64(100 * One)
	high, low := bits.Mul64(uint64(s.total), whole+uint64(percent))
	n, rest := bits.Div64(high, low, whole*uint64(len(s.nodes)))
	if rest > 0 {
		n++
	}
	return int64(n)
}

// judge says of a plan what it comes to.
func (s *scale) judge(p *Plan) *Plan {
	slot, bottleneck := s.heaviest()
	switch {
	case bottleneck:
		p.Outcome, p.Slot = Bottleneck, slot
	case len(p.Moves) == 0:
		p.Outcome = Balanced
	}
	return p
}

// Hottest plans up to so many moves of single slots, each from the node that is
// busiest then to the one that is idlest: the hottest slot that makes the busier of
// the two less busy than the busiest was. A slot moves once. It stops early where
// no slot does that any more.
func Hottest(l *Layout, load *Load, most int) (*Plan, error) {
	s, err := newScale(l, load)
	if err != nil {
		return nil, err
	}
	if most < 1 {
		return nil, fmt.Errorf("%d moves: at least one", most)
	}
	p, moved := new(Plan), make([]bool, slots.Count)
	for range most {
		source, target := s.busiest(), s.idlest()
		own := s.slotsOf(source)
		i := slices.IndexFunc(own, func(slot slots.Slot) bool {
			return !moved[slot] && s.nodes[target]+load[slot] < s.nodes[source]
		})
		if i < 0 {
			break
		}
		slot := own[i]
		moved[slot] = true
		s.put(slot, target)
		p.Moves = append(p.Moves, Move{slot, slot, l.Nodes[source], l.Nodes[target]})
	}
	return s.judge(p), nil
}
