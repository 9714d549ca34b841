package node

import (
	"cmp"
	"math/bits"
	"slices"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A KeyIndex is all keys of a run by their slots.
type KeyIndex struct {
	keys  []wire.Key // by slot, and in each in the order of their numbers
	first []uint32   // by slot: where its keys begin; and the end of all
	rank  []uint32   // by key: its place among those of its slot
	value []uint32   // by key: bytes of its value
	// elements are, by key, how many its value has where that is a collection; nil where
	// none is.
	elements []uint32
	even     *slots.Table

	absent []uint64     // by key: it is not there when the run begins; nil where all are
	gone   []uint64     // by key: no client has written it, or one has deleted it since; nil where none has
	holes  []slots.Slot // slots of such keys
}

// NewKeyIndex returns the index of keys numbered from 0, of which slotOf gives the
// slots and valueOf the sizes of the values in bytes. Slots belong to primaries as
// even says when the run begins.
func NewKeyIndex(slotOf []slots.Slot, valueOf []uint32, even *slots.Table) *KeyIndex {
	x := &KeyIndex{keys: make([]wire.Key, len(slotOf)), first: make([]uint32, slots.Count+1),
		rank: make([]uint32, len(slotOf)), value: valueOf, even: even}
	for _, slot := range slotOf {
		x.first[slot+1]++
	}
	for slot := range slots.Count {
		x.first[slot+1] += x.first[slot]
	}
	next := slices.Clone(x.first)
	for key, slot := range slotOf {
		x.rank[key] = next[slot] - x.first[slot]
		x.keys[next[slot]] = wire.Key(key)
		next[slot]++
	}
	return x
}

// Scatter has the keys of each slot in the order of a hash table instead of that of their
// numbers.
func (x *KeyIndex) Scatter() {
	for slot := range slots.Slot(slots.Count) {
		keys := x.In(slot)
		slices.SortFunc(keys, func(a, b wire.Key) int { return cmp.Compare(sim.Mix(uint64(a)), sim.Mix(uint64(b))) })
		for rank, key := range keys {
			x.rank[key] = uint32(rank)
		}
	}
}

// Collect says of how many elements the value of each key is a collection; 0 for one
// that is none.
func (x *KeyIndex) Collect(elements []uint32) { x.elements = elements }

// Lack has keys not be there when the run begins.
func (x *KeyIndex) Lack(keys []wire.Key) {
	x.absent = make([]uint64, (len(x.keys)+63)/64)
	for _, key := range keys {
		x.absent[key/64] |= 1 << (key % 64)
	}
	x.gone = slices.Clone(x.absent)
	for slot := range slots.Slot(slots.Count) {
		if slices.ContainsFunc(x.In(slot), x.lacks) {
			x.holes = append(x.holes, slot)
		}
	}
}

// delete takes note that a client has deleted a key, or written it.
func (x *KeyIndex) delete(key wire.Key, gone bool) {
	if x.gone == nil {
		if !gone {
			return
		}
		x.gone = make([]uint64, (len(x.keys)+63)/64)
	}
	if gone {
		x.gone[key/64] |= 1 << (key % 64)
	} else {
		x.gone[key/64] &^= 1 << (key % 64)
	}
}

// Gone reports whether a key need not be anywhere: it was not there when the run began
// and no client has written it, or one has deleted it.
func (x *KeyIndex) Gone(key wire.Key) bool { return x.gone != nil && x.gone[key/64]>>(key%64)&1 != 0 }

// lacks reports whether a key is not there when the run begins.
func (x *KeyIndex) lacks(key wire.Key) bool { return x.absent[key/64]>>(key%64)&1 != 0 }

// In returns the keys of a slot, in the order of their numbers.
func (x *KeyIndex) In(slot slots.Slot) []wire.Key { return x.keys[x.first[slot]:x.first[slot+1]] }

// Value returns the size of a key's value in bytes.
func (x *KeyIndex) Value(key wire.Key) uint32 { return x.value[key] }

// newKeyspace returns what a node has when the run begins that has the slots of a
// primary.
func newKeyspace(x *KeyIndex, whole slots.Owner) keyspace {
	k := keyspace{whole: whole}
	if x != nil {
		for _, slot := range x.holes {
			k.set(x, slot)
		}
	}
	return k
}

// Mean returns the size of keys' values in bytes, on average.
func (x *KeyIndex) Mean(keys []wire.Key) uint32 {
	if len(keys) == 0 {
		return 0
	}
	sum := uint64(0)
	for _, key := range keys {
		sum += uint64(x.value[key])
	}
	return uint32(sum / uint64(len(keys)))
}

// A keyspace is which keys a node has. Of slots that have never moved it has all
// keys or none, as it had them when the run began: nothing is kept of those.
type keyspace struct {
	whole slots.Owner // whose slots of the beginning the node has; slots.None: of nobody
	slots []keySet    // those of which more is known, in no order
	place []uint16    // by slot: 1 more than its place there; nil as long as there are none
}

// A keySet is which keys of a slot a node has.
type keySet struct {
	slot  slots.Slot
	count uint32
	has   []uint64 // by rank
}

// set returns the keys of a slot that a node has, from now on one by one.
func (k *keyspace) set(x *KeyIndex, slot slots.Slot) *keySet {
	if k.place == nil {
		k.place = make([]uint16, slots.Count)
	}
	if i := k.place[slot]; i > 0 {
		return &k.slots[i-1]
	}
	n := len(x.In(slot))
	s := keySet{slot: slot, has: make([]uint64, (n+63)/64)}
	if x.even[slot] == k.whole && k.whole != slots.None {
		for rank, key := range x.In(slot) {
			if x.absent == nil || !x.lacks(key) {
				s.put(uint32(rank), true)
			}
		}
	}
	k.slots = append(k.slots, s)
	k.place[slot] = uint16(len(k.slots))
	return &k.slots[len(k.slots)-1]
}

// known returns the keys of a slot of which more is known; nil where it is all or
// nothing.
func (k *keyspace) known(slot slots.Slot) *keySet {
	if k.place == nil || k.place[slot] == 0 {
		return nil
	}
	return &k.slots[k.place[slot]-1]
}

// has reports whether a node has a key.
func (k *keyspace) has(x *KeyIndex, slot slots.Slot, key wire.Key) bool {
	if s := k.known(slot); s != nil {
		return s.contains(x.rank[key])
	}
	return k.whole != slots.None && x.even[slot] == k.whole
}

// count returns how many keys of a slot a node has.
func (k *keyspace) count(x *KeyIndex, slot slots.Slot) int {
	if s := k.known(slot); s != nil {
		return int(s.count)
	}
	if k.whole != slots.None && x.even[slot] == k.whole {
		return len(x.In(slot))
	}
	return 0
}

// clone returns a copy: what a snapshot has.
func (k *keyspace) clone() keyspace {
	c := keyspace{whole: k.whole, slots: slices.Clone(k.slots), place: slices.Clone(k.place)}
	for i := range c.slots {
		c.slots[i].has = slices.Clone(c.slots[i].has)
	}
	return c
}

func (s *keySet) contains(rank uint32) bool { return s.has[rank/64]>>(rank%64)&1 != 0 }

// put has a key, or not any more, and reports whether that is new.
func (s *keySet) put(rank uint32, has bool) bool {
	if s.contains(rank) == has {
		return false
	}
	s.has[rank/64] ^= 1 << (rank % 64)
	if has {
		s.count++
	} else {
		s.count--
	}
	return true
}

// holdsKeysOf reports whether the node has keys of a slot.
func (n *Node) holdsKeysOf(slot slots.Slot) bool { return n.keys.count(n.Index, slot) > 0 }

// Tracks reports whether the node knows of a slot, key by key, which are there.
func (n *Node) Tracks(slot slots.Slot) bool { return n.keys.known(slot) != nil }

// newest appends up to so many keys of the set, those with the largest numbers
// first: CLUSTER GETKEYSINSLOT begins with the key that was added last.
func (s *keySet) newest(x *KeyIndex, count int, keys []wire.Key) []wire.Key {
	all := x.In(s.slot)
	for i := len(s.has) - 1; i >= 0 && count > 0; i-- {
		for word := s.has[i]; word != 0 && count > 0; count-- {
			bit := bits.Len64(word) - 1
			word &^= 1 << bit
			keys = append(keys, all[64*i+bit])
		}
	}
	return keys
}
