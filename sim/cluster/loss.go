package cluster

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// Promoted notes that a node becomes a primary: its history goes on by itself.
func (l *Ledger) Promoted(at sim.Time, node sim.ActorID) {
	l.now = at
	h := &l.holders[node]
	if h.writes {
		return
	}
	if h.shard == nil {
		l.move(h, l.newShard())
	}
	sh, from, offset := h.shard, h.segment, h.offset
	parent := from
	if from != nil && !h.parked {
		parent = l.split(from, offset)
	}
	before := l.leave(node)
	l.promotions++
	s := sh.newSegment(parent, true, endless)
	l.write(node, s, offset, l.promotions)
	l.obey(sh, s)
	l.release(before)
	l.tidy(sh)
	l.settle(at, node)
}

// write has a node write a new segment from now on.
func (l *Ledger) write(node sim.ActorID, s *segment, offset, promotion uint64) {
	h := &l.holders[node]
	s.author, s.writing, s.promotion = node, true, promotion
	h.enter(node, s, offset)
	h.writes, h.wrote = true, s
	l.release(h.follow(s))
}

// Snapshot notes that a snapshot of a node's data is taken for another: what that
// one has once it is resynchronised. Without it, a node that resynchronises has
// what it had in common with the other, until it is told what it has applied.
func (l *Ledger) Snapshot(node, from sim.ActorID) {
	id := l.snapshot(node)
	h, of := &l.holders[id], &l.holders[from]
	before := l.leave(id)
	l.stand(id, of)
	tip := h.follow(of.tip)
	l.move(h, of.shard)
	l.release(before)
	l.release(tip)
	l.tidy(h.shard)
	l.settle(l.now, node)
}

// snapshot returns the number of the snapshot that was taken for a node.
func (l *Ledger) snapshot(node sim.ActorID) sim.ActorID { return node + sim.ActorID(len(l.holders)/2) }

// move counts a holder among those of a shard.
func (l *Ledger) move(h *holder, sh *shard) {
	if h.shard != nil {
		h.shard.holders--
	}
	if sh != nil {
		sh.holders++
	}
	h.shard = sh
}

// stand puts a holder that is nowhere at the end of another's history.
func (l *Ledger) stand(id sim.ActorID, of *holder) {
	h := &l.holders[id]
	if of.segment != nil && of.segment.open {
		h.enter(id, of.segment, of.offset)
	} else {
		h.end(id, of.segment)
	}
}

// Resynced notes that a node takes over the history of another, by a partial or
// a full resynchronisation.
func (l *Ledger) Resynced(at sim.Time, node, from sim.ActorID) {
	l.now = at
	h, of := &l.holders[node], &l.holders[from]
	shard, place, offset := h.shard, h.segment, h.offset
	before := l.leave(node)
	common := place
	for common != nil && !common.above(of.segment) {
		common = common.parent
	}
	switch snapshot := &l.holders[l.snapshot(node)]; {
	case snapshot.shard != nil && snapshot.shard == of.shard:
		l.stand(node, snapshot)
	case common != nil && common == of.segment && (place != common || offset > of.offset):
		l.stand(node, of)
	case common != nil && common == place && place.open:
		h.enter(node, place, offset)
	default:
		h.end(node, common)
	}
	h.writes = false
	tip := h.follow(of.tip)
	l.move(h, of.shard)
	l.release(before)
	l.release(tip)
	l.drop(l.snapshot(node))
	l.elect(shard)
	l.tidy(shard)
	l.tidy(h.shard)
	l.settle(at, node)
}

// drop has a holder give up all that it has.
func (l *Ledger) drop(id sim.ActorID) {
	h := &l.holders[id]
	before := l.leave(id)
	tip := h.follow(nil)
	l.move(h, nil)
	l.release(before)
	l.release(tip)
}

// Erased notes that a node has lost all of its data. A primary goes on as one,
// with a history that begins with nothing.
func (l *Ledger) Erased(at sim.Time, node sim.ActorID) {
	l.now = at
	h := &l.holders[node]
	sh, writes := h.shard, h.writes
	if sh == nil {
		return
	}
	if !writes {
		l.drop(node)
		l.move(h, sh)
		l.tidy(sh)
		l.settle(at, node)
		return
	}
	old := h.segment
	counts := sh.authority == old
	l.leave(node)
	s := sh.newSegment(nil, true, endless)
	l.write(node, s, 0, old.promotion)
	if counts {
		l.obey(sh, s)
	}
	l.release(old)
	l.tidy(sh)
	l.settle(at, node)
}

// lose counts the writes of a segment as lost.
func (l *Ledger) lose(s *segment) {
	if s == s.shard.authority {
		l.obey(s.shard, nil)
	}
	if s == s.shard.trunk {
		l.loseTrunk(s.shard)
		return
	}
	s.each(func(key wire.Key, _ uint64, acked amount) {
		if !l.hasMoved(key) {
			l.count(key, acked.count())
		}
	})
}

// each calls f with the writes of a segment: for those that it remembers with
// their offset, for the others with 0.
func (s *segment) each(f func(key wire.Key, offset uint64, acked amount)) {
	s.records.each(func(key wire.Key, x record) { f(key, 0, x.acked) })
	for n := s.log.Head(); n != s.log.Tail(); n++ {
		if w := s.log.At(n); w.acked != 0 {
			f(w.key, w.offset, w.acked)
		}
	}
}

// loseTrunk counts the writes of a trunk as lost: what is nowhere else.
func (l *Ledger) loseTrunk(sh *shard) {
	var elsewhere records
	for _, s := range sh.segments {
		if s != sh.trunk {
			s.each(func(key wire.Key, _ uint64, acked amount) { elsewhere.add(key, 0, acked) })
		}
	}
	for key := range l.Writes {
		if l.Writes[key] > 0 && l.home[key] == sh.number && !l.hasMoved(wire.Key(key)) {
			other, _ := elsewhere.of(wire.Key(key))
			l.count(wire.Key(key), l.left(wire.Key(key))-other.acked.count())
		}
	}
}

// left returns how many of the acknowledged writes to a key are not lost.
func (l *Ledger) left(key wire.Key) uint32 {
	unacked, _ := l.unacked.of(key)
	left := l.Writes[key] - unacked.acked.count()
	if l.Lost != nil {
		left -= l.Lost[key]
	}
	return left
}

// count adds lost writes to a key.
func (l *Ledger) count(key wire.Key, n uint32) {
	if n == 0 {
		return
	}
	if l.Lost == nil {
		l.Lost = make([]uint32, len(l.Writes))
	}
	if l.Lost[key] == 0 {
		l.LostKeys++
	}
	l.Lost[key] += n
	l.LostWrites += uint64(n)
	l.lost.add(key, 0, amount(n))
}

// settle adds what was counted as lost to the losses.
func (l *Ledger) settle(at sim.Time, node sim.ActorID) {
	if l.lost.used == 0 {
		return
	}
	loss := Loss{At: at, Node: node, Keys: l.lost.used}
	l.lost.each(func(_ wire.Key, x record) { loss.Writes += uint64(x.acked.count()) })
	l.lost = records{}
	l.Losses = append(l.Losses, loss)
}

// Settle ends the account, once: what those do not have who are to be asked for a
// key from now on is lost, whoever else has it. The key's primary is told by
// surviving, or Nobody.
func (l *Ledger) Settle(at sim.Time, surviving func(wire.Key) sim.ActorID) {
	held, missed := make([]records, len(l.shards)), make([]records, len(l.shards))
	for i, sh := range l.shards {
		for _, s := range sh.segments {
			if s == sh.trunk {
				continue
			}
			s.each(func(key wire.Key, offset uint64, acked amount) {
				if l.has(surviving(key), s, offset) {
					held[i].add(key, 0, acked)
				} else {
					missed[i].add(key, 0, acked)
				}
			})
		}
	}
	for k, writes := range l.Writes {
		if writes == 0 || l.hasMoved(wire.Key(k)) {
			continue
		}
		key, i := wire.Key(k), l.home[k]
		lost, _ := missed[i].of(key)
		if trunk := l.shards[i].trunk; trunk == nil || !l.has(surviving(key), trunk, 0) {
			other, _ := held[i].of(key)
			lost.acked = amount(l.left(key)) - other.acked
		}
		l.count(key, lost.acked.count())
	}
	l.settleMoved(surviving)
	l.settle(at, Nobody)
}

// has reports whether a node has the part of a segment up to an offset.
func (l *Ledger) has(node sim.ActorID, s *segment, offset uint64) bool {
	if node == Nobody {
		return false
	}
	h := &l.holders[node]
	if h.segment == s && !h.parked {
		return offset <= h.offset
	}
	return s.above(h.segment)
}
