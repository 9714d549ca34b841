// Package migration is slots on the move. It is pure: no time of its own, and
// chance only from a stream that is handed in. It has three parts:
//
//   - planners say which slots move from where to where and in which order: those
//     of redis-cli.c (clusterManagerCommandCreate,
//     clusterManagerOptimizeAntiAffinity, clusterManagerCommandReshard,
//     clusterManagerComputeReshardTable, clusterManagerCommandRebalance) and of
//     redis-trib.rb of Redis 3 and 4, move for move. Three things are no copy: the
//     fair rules of Rebalance, which round without leaving anything over, and the
//     planners that look at the load of slots instead of at their number (Hottest,
//     Isolate, Level);
//   - a Mover moves one slot key by key, command by command
//     (clusterManagerMoveSlot);
//   - a Fixer closes what slots a move that broke off has left open
//     (clusterManagerFixOpenSlot, clusterManagerFixSlotsCoverage).
package migration

import (
	"fmt"
	"slices"

	"hotslot/sim/slots"
)

// A Layout is what a planner is told of a cluster.
type Layout struct {
	// Owners is who owns each slot: one of Nodes, or slots.None.
	Owners *slots.Table
	// Nodes are the primaries in the order in which redis-cli holds them, which
	// decides ties: first the node that it was given, then the others as that
	// node's CLUSTER NODES lists them.
	Nodes []slots.Owner
}

// A Move takes slots from one node to another, one after the other in ascending
// order.
type Move struct {
	First, Last    slots.Slot // both belong to it
	Source, Target slots.Owner
}

// Len returns how many slots move.
func (m Move) Len() int { return int(m.Last) - int(m.First) + 1 }

// A Plan is what is to be done, in this order.
type Plan struct {
	Moves   []Move
	Outcome Outcome
	Slot    slots.Slot // where the outcome is Bottleneck: the slot
}

// Len returns how many slots move.
func (p *Plan) Len() int {
	n := 0
	for _, m := range p.Moves {
		n += m.Len()
	}
	return n
}

// Outcome says what a plan comes to.
type Outcome uint8

// The outcomes.
const (
	// Done: the plan ends in what was asked for.
	Done Outcome = iota
	// Balanced: nothing moves, since it is good enough as it is.
	Balanced
	// Bottleneck: one slot alone is more than a node's fair share. Whoever owns
	// it is the bottleneck, wherever slots move.
	Bottleneck
	// Endless: redis-trib.rb would never come to an end, and move nothing.
	Endless
)

var outcomeNames = [...]string{Done: "done", Balanced: "balanced", Bottleneck: "bottleneck", Endless: "endless"}

// String returns the outcome in one word.
func (o Outcome) String() string { return outcomeNames[o] }

// Move appends the move of one slot, or lengthens the last move by it.
func (p *Plan) Move(slot slots.Slot, source, target slots.Owner) {
	if n := len(p.Moves); n > 0 {
		last := &p.Moves[n-1]
		if last.Source == source && last.Target == target && last.Last+1 == slot {
			last.Last = slot
			return
		}
	}
	p.Moves = append(p.Moves, Move{slot, slot, source, target})
}

// After returns the layout that a plan leads to, or an error where a move takes a
// slot from a node that does not own it.
func (l *Layout) After(p *Plan) (*Layout, error) {
	owners := *l.Owners
	for _, m := range p.Moves {
		for slot := int(m.First); slot <= int(m.Last); slot++ {
			if owners[slot] != m.Source {
				return nil, fmt.Errorf("slot %d does not belong to node %d, from which it is to move", slot, m.Source)
			}
			owners[slot] = m.Target
		}
	}
	return &Layout{Owners: &owners, Nodes: l.Nodes}, nil
}

// Counts returns how many slots each of Nodes owns, in their order.
func (l *Layout) Counts() []int {
	place, counts := l.places(), make([]int, len(l.Nodes))
	for _, owner := range l.Owners {
		if i := place.of(owner); i >= 0 {
			counts[i]++
		}
	}
	return counts
}

// places tells for a node at which place in Layout.Nodes it is.
type places []int32

func (l *Layout) places() places {
	p := make(places, int(slices.Max(append([]slots.Owner{0}, l.Nodes...)))+1)
	for i := range p {
		p[i] = -1
	}
	for i, node := range l.Nodes {
		p[node] = int32(i)
	}
	return p
}

// of returns a node's place, or -1.
func (p places) of(node slots.Owner) int {
	if int(node) >= len(p) {
		return -1
	}
	return int(p[node])
}

// check reports what no plan can be made for. redis-cli too plans only for a
// cluster all of whose slots are covered (clusterManagerCheckCluster).
func (l *Layout) check() error {
	if len(l.Nodes) == 0 {
		return fmt.Errorf("there are no primaries")
	}
	place, seen := l.places(), make([]bool, len(l.Nodes))
	for _, node := range l.Nodes {
		if node == slots.None {
			return fmt.Errorf("number %d is no node's", slots.None)
		}
		if seen[place.of(node)] {
			return fmt.Errorf("node %d is there twice", node)
		}
		seen[place.of(node)] = true
	}
	for slot, owner := range l.Owners {
		if owner == slots.None {
			return fmt.Errorf("slot %d belongs to nobody; every slot needs an owner before any of them can move", slot)
		}
		if place.of(owner) < 0 {
			return fmt.Errorf("slot %d belongs to node %d, which is no primary of this cluster", slot, owner)
		}
	}
	return nil
}

// has reports whether a node is one of the layout's.
func (l *Layout) has(node slots.Owner) bool { return slices.Contains(l.Nodes, node) }
