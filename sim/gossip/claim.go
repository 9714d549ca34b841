package gossip

import "hotslot/sim/slots"

// A Claim is a set of slots that a node says are its own (the header's bitmap).
// It never changes, so that packets can share it, and two equal pointers are
// equal sets.
type Claim [slots.Count / 64]uint64

// Has reports whether a slot is claimed.
func (c *Claim) Has(s slots.Slot) bool { return c[s/64]>>(s%64)&1 != 0 }

func (c *Claim) set(s slots.Slot)   { c[s/64] |= 1 << (s % 64) }
func (c *Claim) clear(s slots.Slot) { c[s/64] &^= 1 << (s % 64) }

// claimOf returns the slots that the table gives to a node.
func (s *State) claimOf(node slots.Owner) *Claim {
	if s.claims[node] == nil {
		c := new(Claim)
		if s.owned[node] > 0 {
			for slot, owner := range s.table {
				if owner == node {
					c.set(slots.Slot(slot))
				}
			}
		}
		s.claims[node] = c
	}
	return s.claims[node]
}

// agrees reports whether a claim is what the table says of a node.
func (s *State) agrees(node slots.Owner, c *Claim) bool {
	if mine := s.claims[node]; mine == c || mine != nil && *mine == *c {
		s.claims[node] = c // so that the next comparison is one of pointers
		return true
	}
	for w, claimed := range c {
		owned := uint64(0)
		for bit, owner := range s.table[64*w : 64*w+64] {
			if owner == node {
				owned |= 1 << bit
			}
		}
		if owned != claimed {
			return false
		}
	}
	s.claims[node] = c
	return true
}

// rebind gives a slot to a node, or to none.
func (s *State) rebind(slot slots.Slot, to slots.Owner) {
	from := s.table[slot]
	if from == to {
		return
	}
	if from == slots.None {
		s.open--
	} else {
		if s.owned[from]--; s.owned[from] == 0 {
			s.hot[from].flags &^= slotted
		}
		s.claims[from] = nil
	}
	if to == slots.None {
		s.open++
	} else {
		s.owned[to]++
		s.hot[to].flags |= slotted
		s.claims[to] = nil
	}
	s.table[slot] = to
	s.unclaimed.clear(slot)
	s.lentOutdated = true
}
