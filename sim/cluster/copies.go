package cluster

import (
	"slices"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// Restored notes that a primary has taken in the value of a key as another one has it at
// this moment, after which its replication offset is offset. All writes that are in that
// copy are in its own from now on, instead of what it had of the key before.
//
// Writes to keys that have moved, or been removed, are counted as lost when the run ends
// (see Settle): those that are not in the copy of who is asked then. Reads of an old copy
// are stale if the key has been written in its new place since it got there, and their
// age counts from the first such write.
func (l *Ledger) Restored(at sim.Time, node sim.ActorID, key wire.Key, offset uint64, from sim.ActorID) {
	l.uproot(key)
	l.note(at, node, key, offset, absolute|amount(l.copyOf(from, key)))
	l.home[key] = l.holders[node].shard.number
}

// Removed notes that a primary has deleted its copy of a key, because it was moved or
// because the key's slot is another's, after which its replication offset is offset. Its
// replicas have theirs until they have come to that.
func (l *Ledger) Removed(at sim.Time, node sim.ActorID, key wire.Key, offset uint64) {
	l.uproot(key)
	l.note(at, node, key, offset, absolute)
}

// note adds an entry to a primary's history that is no write.
func (l *Ledger) note(at sim.Time, node sim.ActorID, key wire.Key, offset uint64, acked amount) {
	if !l.holders[node].writes {
		l.Promoted(at, node)
	}
	l.log(&l.holders[node], logged{at: at, offset: offset, key: key, acked: acked})
}

// lastOf returns the number of the last write to a key in the history of a shard that
// counts: see Ledger.last. Of a key that has moved each shard has its own.
func (l *Ledger) lastOf(sh *shard, key wire.Key) uint64 {
	if l.hasMoved(key) {
		return sh.last[key]
	}
	return l.last[key]
}

func (l *Ledger) setLast(sh *shard, key wire.Key, number uint64) {
	if l.hasMoved(key) {
		sh.last[key] = number
	} else {
		l.last[key] = number
	}
}

// hasMoved reports whether a copy of a key has ever been moved or removed.
func (l *Ledger) hasMoved(key wire.Key) bool {
	return l.moved != nil && l.moved[key/64]>>(key%64)&1 != 0
}

// uproot has a record kept of what the trunk of its shard holds of a key, before it moves
// for the first time: until then that was what is nowhere else.
func (l *Ledger) uproot(key wire.Key) {
	if l.hasMoved(key) {
		return
	}
	if l.moved == nil {
		l.moved = make([]uint64, (len(l.Writes)+63)/64)
	}
	sh := l.shards[l.home[key]]
	if l.Writes[key] > 0 && sh.trunk != nil {
		l.keepTrunk(sh, key)
	}
	l.moved[key/64] |= 1 << (key % 64)
	sh.last[key] = l.last[key]
}

// keepTrunk has a record kept of what a trunk holds of a key.
func (l *Ledger) keepTrunk(sh *shard, key wire.Key) {
	elsewhere := uint32(0)
	for _, s := range sh.segments {
		if s == sh.trunk {
			continue
		}
		x, _ := s.records.of(key)
		elsewhere += x.acked.count() + l.logged(s, key, endless).count()
	}
	sh.trunk.records.add(key, l.born[key], amount(l.left(key)-elsewhere))
}

// logged returns what the writes to a key come to that a segment remembers one by one, up
// to an offset.
func (l *Ledger) logged(s *segment, key wire.Key, offset uint64) (sum amount) {
	if !s.counts {
		for n := s.log.Head(); n != s.log.Tail(); n++ {
			if w := s.log.At(n); w.key == key && w.offset <= offset {
				sum = sum.then(w.acked)
			}
		}
		return sum
	}
	for n := s.valid(l.lastOf(s.shard, key)); n != 0; {
		w := s.log.At(n - 1 - s.origin)
		if w.key != key {
			return sum
		}
		if w.offset <= offset {
			if sum = w.acked.then(sum); sum&absolute != 0 {
				return sum
			}
		}
		n = s.valid(w.before)
	}
	return sum
}

// copyOf returns how many of the acknowledged writes to a key that has moved are in a
// node's copy of it.
func (l *Ledger) copyOf(node sim.ActorID, key wire.Key) uint32 {
	if node == Nobody {
		return 0
	}
	h := &l.holders[node]
	sum := amount(0)
	for s := h.segment; s != nil && sum&absolute == 0; s = s.parent {
		offset := uint64(endless)
		if s == h.segment && !h.parked {
			offset = h.offset
		}
		x, _ := s.records.of(key)
		sum = x.acked.then(l.logged(s, key, offset)).then(sum)
	}
	return sum.count()
}

// takeBack takes a write that turns out not to have been acknowledged out of the copies
// that were made of its key since.
func (l *Ledger) takeBack(write *logged) {
	for _, sh := range l.shards {
		for _, s := range sh.segments {
			for n := s.log.Head(); n != s.log.Tail(); n++ {
				if w := s.log.At(n); w.key == write.key && w.acked > absolute && w.at >= write.at {
					w.acked--
				}
			}
		}
	}
}

// settleMoved counts what writes to keys that have moved are not in the copies of those
// who are asked for them.
func (l *Ledger) settleMoved(surviving func(wire.Key) sim.ActorID) {
	if l.moved == nil {
		return
	}
	copies := make([]*records, len(l.holders)) // by node, of the keys that have moved
	for k := range l.Writes {
		key := wire.Key(k)
		if !l.hasMoved(key) || l.Writes[key] == 0 {
			continue
		}
		has := record{}
		if node := surviving(key); node != Nobody {
			if copies[node] == nil {
				copies[node] = l.copiesOf(&l.holders[node])
			}
			has, _ = copies[node].of(key)
		}
		l.count(key, l.left(key)-has.acked.count())
	}
}

// copiesOf returns how many of the acknowledged writes to each key that has moved are in
// a node's copy.
func (l *Ledger) copiesOf(h *holder) *records {
	var path []*segment
	for s := h.segment; s != nil; s = s.parent {
		path = append(path, s)
	}
	all := new(records)
	for _, s := range slices.Backward(path) {
		s.each(func(key wire.Key, offset uint64, acked amount) {
			if l.hasMoved(key) && (s != h.segment || h.parked || offset <= h.offset) {
				all.add(key, 0, acked)
			}
		})
	}
	return all
}
