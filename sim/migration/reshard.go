package migration

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"hotslot/sim/slots"
)

// Reshard plans what redis-cli --cluster reshard does: so many slots move to a
// target, from the given sources or, where there are none given, from all other
// primaries. As there, rounding can make it a few slots fewer than count, and
// sources that have fewer than that give all they have
// (clusterManagerCommandReshard).
func Reshard(l *Layout, sources []slots.Owner, target slots.Owner, count int) (*Plan, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	switch {
	case !l.has(target):
		return nil, fmt.Errorf("the target, node %d, is no primary of this cluster", target)
	case count < 1 || count > slots.Count:
		return nil, fmt.Errorf("%d slots cannot move: from 1 to %d", count, slots.Count)
	}
	if sources == nil {
		sources = slices.DeleteFunc(slices.Clone(l.Nodes), func(n slots.Owner) bool { return n == target })
	}
	for i, source := range sources {
		switch {
		case !l.has(source):
			return nil, fmt.Errorf("a source, node %d, is no primary of this cluster", source)
		case source == target:
			return nil, fmt.Errorf("node %d cannot be both source and target", source)
		case slices.Contains(sources[:i], source):
			return nil, fmt.Errorf("node %d is a source twice", source)
		}
	}
	p := new(Plan)
	p.reshard(*l.Owners, sources, target, count)
	return p, nil
}

// reshard appends what clusterManagerComputeReshardTable lists. Sources come in
// the order of how many slots they own, most first; ties stay in the order given,
// as they do with the merge sort that glibc's qsort is. Each gives its share of
// the slots in proportion to what it owns, the first of them rounded up, the
// others down, its lowest slots first, in floats of 32 bits.
func (p *Plan) reshard(owners slots.Table, sources []slots.Owner, target slots.Owner, count int) {
	type source struct {
		node slots.Owner
		own  []slots.Slot
	}
	sorted, total := make([]source, len(sources)), 0
	for i, node := range sources {
		sorted[i] = source{node, slotsOf(&owners, node)}
		total += len(sorted[i].own)
	}
	if total == 0 {
		return
	}
	slices.SortStableFunc(sorted, func(a, b source) int { return cmp.Compare(len(b.own), len(a.own)) })
	listed := 0
	for i, s := range sorted {
		n := math.Floor
		if i == 0 {
			n = math.Ceil
		}
		share := float32(float32(count)/float32(total)) * float32(len(s.own))
		most := min(int(n(float64(share))), len(s.own), count-listed)
		for _, slot := range s.own[:most] {
			p.Move(slot, s.node, target)
		}
		listed += most
	}
}

// slotsOf returns the slots that a node owns, in ascending order.
func slotsOf(owners *slots.Table, node slots.Owner) []slots.Slot {
	var own []slots.Slot
	for slot, owner := range owners {
		if owner == node {
			own = append(own, slots.Slot(slot))
		}
	}
	return own
}
