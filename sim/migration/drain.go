package migration

import (
	"fmt"
	"slices"

	"hotslot/sim/slots"
)

// Drain plans to take all its slots from a node and spread them over the others,
// as redis-cli --cluster rebalance does if the node has weight 0: the others are
// brought into balance on the way. Other weights and rules are those of r.
func Drain(l *Layout, node slots.Owner, r Rebalancing) (*Plan, error) {
	i := slices.Index(l.Nodes, node)
	if i < 0 {
		return nil, fmt.Errorf("node %d is no primary of this cluster", node)
	}
	weights := slices.Clone(r.Weights)
	if weights == nil {
		weights = slices.Repeat([]Decimal{One}, len(l.Nodes))
	}
	if i < len(weights) {
		weights[i] = 0
	}
	r.Weights = weights
	if !slices.Contains(l.Owners[:], node) {
		return &Plan{Outcome: Balanced}, l.check()
	}
	return Rebalance(l, r)
}

// DrainTo plans to move all slots of a node to one other, as redis-cli --cluster
// reshard does if told to move as many as there are.
func DrainTo(l *Layout, node, target slots.Owner) (*Plan, error) {
	count := len(slotsOf(l.Owners, node))
	if count == 0 && l.has(node) && l.has(target) {
		return &Plan{Outcome: Balanced}, l.check()
	}
	return Reshard(l, []slots.Owner{node}, target, max(1, count))
}
