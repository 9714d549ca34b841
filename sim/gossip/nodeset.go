package gossip

import (
	"slices"

	"hotslot/sim/slots"
)

// A nodeset is nodes in ascending order: few, but for the roster.
type nodeset []slots.Owner

// add adds a node. It reports whether it was not there.
func (n *nodeset) add(node slots.Owner) bool {
	i, found := slices.BinarySearch(*n, node)
	if !found {
		*n = slices.Insert(*n, i, node)
	}
	return !found
}

// remove removes a node, if it is there.
func (n *nodeset) remove(node slots.Owner) {
	if i, found := slices.BinarySearch(*n, node); found {
		*n = slices.Delete(*n, i, i+1)
	}
}

// put adds a node or removes it.
func (n *nodeset) put(node slots.Owner, in bool) {
	if in {
		n.add(node)
	} else {
		n.remove(node)
	}
}

// has reports whether a node is there.
func (n nodeset) has(node slots.Owner) bool {
	_, found := slices.BinarySearch(n, node)
	return found
}
