package gossip

import (
	"math/bits"

	"hotslot/sim/slots"
)

// A Claim is a set of slots that a node says are its own (the header's bitmap).
// It never changes once it is sent, so that packets can share it, and two equal
// pointers are equal sets.
type Claim [slots.Count / 64]uint64

// Has reports whether a slot is claimed.
func (c *Claim) Has(s slots.Slot) bool { return c[s/64]>>(s%64)&1 != 0 }

func (c *Claim) set(s slots.Slot)   { c[s/64] |= 1 << (s % 64) }
func (c *Claim) clear(s slots.Slot) { c[s/64] &^= 1 << (s % 64) }

// count returns how many slots are claimed.
func (c *Claim) count() (n int) {
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// claimOf returns the slots that the table gives to a node.
func (s *State) claimOf(node slots.Owner) *Claim {
	if s.peer[node].claim == nil {
		c := new(Claim)
		if s.peer[node].owned > 0 {
			for slot, owner := range s.table {
				if owner == node {
					c.set(slots.Slot(slot))
				}
			}
		}
		s.peer[node].claim = c
	}
	return s.peer[node].claim
}

// agrees reports whether a claim is what the table says of a node.
func (s *State) agrees(node slots.Owner, c *Claim) bool {
	mine := s.peer[node].claim
	if mine == c {
		return true
	}
	if mine != nil && *mine != *c || mine == nil && !s.matches(node, c) {
		return false
	}
	s.peer[node].claim = c // so that the next comparison is one of pointers
	return true
}

// matches compares a claim with the table, slot by slot.
func (s *State) matches(node slots.Owner, c *Claim) bool {
	if c.count() != int(s.peer[node].owned) {
		return false
	}
	for w, word := range c {
		for ; word != 0; word &= word - 1 {
			if s.table[64*w+bits.TrailingZeros64(word)] != node {
				return false
			}
		}
	}
	return true
}

// rebind gives a slot to a node, or to none.
func (s *State) rebind(slot slots.Slot, to slots.Owner) {
	from := s.table[slot]
	if from == to {
		return
	}
	s.table[slot] = to
	s.unclaimed.clear(slot)
	s.spreadOutdated = true
	if from == slots.None {
		s.open--
	} else {
		if s.peer[from].owned--; s.peer[from].owned == 0 {
			s.unset(from, slotted)
		}
		s.peer[from].claim = nil
	}
	if to == slots.None {
		s.open++
		return
	}
	s.peer[to].owned++
	s.peer[to].claim = nil
	if s.peer[to].owned == 1 {
		s.set(to, slotted)
		if s.env.FirstSlotIsTarget && s.primariesHaveReplicas() {
			s.set(to, MigrateTo)
		}
	}
}

// rebindAll gives all slots of a node to another, or to none, and tells of it.
func (s *State) rebindAll(from, to slots.Owner) {
	r := ranges{s: s, owner: to}
	for slot, owner := range s.table {
		if owner == from {
			r.give(slots.Slot(slot))
		}
	}
	r.end()
}
