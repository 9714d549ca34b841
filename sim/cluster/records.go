package cluster

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A record is what is left of writes to one key that are not remembered one by
// one any more.
type record struct {
	first sim.Time // when the first of them was executed
	acked amount   // how many of them were acknowledged
}

// An amount is how many acknowledged writes a stretch of a history adds to what a copy of
// a key has or, where absolute is set, how many that has after it, whatever there was
// before: because the copy was taken in from elsewhere, or deleted.
type amount uint32

const absolute amount = 1 << 31

// count returns the number alone.
func (a amount) count() uint32 { return uint32(a &^ absolute) }

// then returns what two stretches come to, one after the other.
func (a amount) then(b amount) amount {
	if b&absolute != 0 {
		return b
	}
	return a + b
}

// Records are records by key: a hash table with open addressing. It is as large
// as it needs to be for the keys that it holds, and walks over it have an order
// that depends on them alone.
type records struct {
	keys []uint32 // 1 more than the key, 0 where there is none; a power of two of them
	all  []record
	used int
}

// add adds writes to a key, that come after those that it has.
func (r *records) add(key wire.Key, first sim.Time, acked amount) {
	if 4*(r.used+1) > 3*len(r.keys) {
		r.grow()
	}
	i := r.place(key)
	if r.keys[i] == 0 {
		r.keys[i], r.all[i] = uint32(key)+1, record{first: first}
		r.used++
	}
	r.all[i].first = min(r.all[i].first, first)
	r.all[i].acked = r.all[i].acked.then(acked)
}

// of returns what is known of a key.
func (r *records) of(key wire.Key) (record, bool) {
	if r.used == 0 {
		return record{}, false
	}
	i := r.place(key)
	return r.all[i], r.keys[i] != 0
}

// place returns where a key is, or would be. The table must not be empty.
func (r *records) place(key wire.Key) uint64 {
	mask := uint64(len(r.keys) - 1)
	i := sim.Mix(uint64(key)) & mask
	for r.keys[i] != 0 && r.keys[i] != uint32(key)+1 {
		i = (i + 1) & mask
	}
	return i
}

func (r *records) grow() {
	old := *r
	n := max(16, 2*len(old.keys))
	*r = records{keys: make([]uint32, n), all: make([]record, n)}
	old.each(func(key wire.Key, x record) { r.add(key, x.first, x.acked) })
}

// each calls f with every key and its record.
func (r *records) each(f func(wire.Key, record)) {
	for i, k := range r.keys {
		if k != 0 {
			f(wire.Key(k-1), r.all[i])
		}
	}
}
