package migration

import (
	"fmt"
	"slices"

	"hotslot/sim/slots"
)

// Isolate plans to give a slot a node of its own: it moves alone to the first node
// without slots, or where there is none all others move away from its node.
//
// Those go, the heaviest first, each to the node that is idlest then; those
// without load are shared out by number, so that the counts of slots come as
// close as they can, each node getting a run of them in ascending order.
func Isolate(l *Layout, load *Load, slot slots.Slot) (*Plan, error) {
	s, err := newScale(l, load)
	switch {
	case err != nil:
		return nil, err
	case slot >= slots.Count:
		return nil, fmt.Errorf("there is no slot %d: they are numbered from 0 to %d", slot, slots.Count-1)
	case len(l.Nodes) < 2:
		return nil, fmt.Errorf("there is one primary only, so nothing can move")
	}
	counts, home := l.Counts(), s.at[slot]
	p := new(Plan)
	if empty := slices.Index(counts, 0); counts[home] > 1 && empty >= 0 {
		p.Move(slot, l.Nodes[home], l.Nodes[empty])
	} else {
		s.clear(slot, counts)
		for target, node := range l.Nodes {
			for other := range slots.Slot(slots.Count) {
				if s.at[other] == target && l.Owners[other] == l.Nodes[home] && target != home {
					p.Move(other, l.Nodes[home], node)
				}
			}
		}
	}
	switch {
	case s.tooMuch(slot):
		p.Outcome, p.Slot = Bottleneck, slot
	case len(p.Moves) == 0:
		p.Outcome = Balanced
	}
	return p, nil
}

// clear puts all slots but one of that one's node elsewhere. counts are the slots
// of each node.
func (s *scale) clear(stays slots.Slot, counts []int) {
	home := s.at[stays]
	// Nobody but the others is asked who is idlest.
	rest := &scale{Layout: s.Layout, load: s.load, at: s.at, nodes: slices.Clone(s.nodes)}
	rest.nodes[home] = s.total + 1
	for _, slot := range s.slotsOf(home) {
		if slot != stays {
			target := rest.idlest()
			s.put(slot, target)
			rest.nodes[target] += s.load[slot]
			counts[target]++
			counts[home]--
		}
	}
	gets := make([]int, len(counts)) // by node: slots without load
	for range counts[home] - 1 {
		fewest := -1
		for node := range counts {
			if node != home && (fewest < 0 || counts[node]+gets[node] < counts[fewest]+gets[fewest]) {
				fewest = node
			}
		}
		gets[fewest]++
	}
	target := 0
	for slot := range slots.Slot(slots.Count) {
		if s.at[slot] != home || slot == stays {
			continue
		}
		for gets[target] == 0 {
			target++
		}
		gets[target]--
		s.put(slot, target)
	}
}
