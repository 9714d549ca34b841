package cluster

import (
	"math/bits"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Places is where keys are when a run is over, of slots that have moved or lacked keys.
type Places struct {
	Doubled  int // keys that more than one primary has
	Stranded int // keys that a primary has, but not the owner of their slot
	Missing  int // keys that were there, no client has deleted, and no node has
}

// Places counts the keys in the wrong places.
func (cl *Cluster) Places() (p Places) {
	if cl.index == nil {
		return p
	}
	for slot := range slots.Slot(slots.Count) {
		if cl.tracked(slot) {
			owner := cl.ownerOf(slot)
			for _, key := range cl.index.In(slot) {
				cl.locate(&p, slot, key, owner)
			}
		}
	}
	return p
}

// tracked reports whether any node knows of a slot which keys are there.
func (cl *Cluster) tracked(slot slots.Slot) bool {
	for _, n := range cl.Nodes {
		if n.Tracks(slot) {
			return true
		}
	}
	return false
}

// locate counts a key.
func (cl *Cluster) locate(p *Places, slot slots.Slot, key wire.Key, owner slots.Owner) {
	primaries, anywhere, atOwner := 0, false, false
	for id, n := range cl.Nodes {
		if !n.Up() || !n.Has(slot, key) {
			continue
		}
		anywhere = true
		if n.PrimaryOf() == slots.Owner(id) {
			primaries++
			atOwner = atOwner || slots.Owner(id) == owner
		}
	}
	switch {
	case primaries > 1:
		p.Doubled++
	case primaries == 1 && !atOwner:
		p.Stranded++
	case !anywhere && !cl.index.Gone(key):
		p.Missing++
	}
}

// OpenSlots returns how many slots are migrating or importing for a primary that is up.
func (cl *Cluster) OpenSlots() (n int) {
	var open slotSet
	for _, node := range cl.Nodes {
		if !node.Up() || node.State() == nil || !node.State().IsPrimary() {
			continue
		}
		for _, o := range node.State().Open() {
			open[o.Slot/64] |= 1 << (o.Slot % 64)
		}
	}
	for _, word := range open {
		n += bits.OnesCount64(word)
	}
	return n
}
