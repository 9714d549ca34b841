package gossip

import "hotslot/sim/slots"

// A Claim is a set of slots that a node says are its own (the header's bitmap).
// It never changes, so that packets can share it, and two equal pointers are
// equal sets.
type Claim [slots.Count / 64]uint64

// Has reports whether a slot is claimed.
func (c *Claim) Has(s slots.Slot) bool { return c[s/64]>>(s%64)&1 != 0 }
