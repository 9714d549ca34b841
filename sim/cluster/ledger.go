package cluster

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/wire"
)

// A Ledger knows the truth about data, which no node knows: which writes there
// were, who has them, which were lost and which reads missed some.
//
// The writes of a primary form a history; a replica has the beginning of one. A
// promotion forks: the new primary's history goes on from where its own ends. A
// node that resynchronises from another takes over that one's history, and gives
// up what only it had.
//
// A write is lost when it was acknowledged, and nobody has it any more or
// follows the history that it is part of. It is counted at the instant at which
// that becomes certain, and for nodes that are dead or superseded when the run
// ends (see Settle).
//
// A read is stale if the key was written before it, in the history that counts,
// beyond what the reader has; its age counts from the first such write. The
// history that counts is, while there are two primaries, that of the one
// promoted last, from the moment of the promotion for as long as it is a
// primary. Reads by that one are not stale and not counted. Who was erased lacks
// whatever was written before, by anybody: what such a node reads has been wrong
// since the key's first write.
//
// A key is written in one shard, until it moves (see Restored). Memory grows with the number of keys and nodes:
// the last writes of each primary are remembered one by one for as long as
// somebody may be sent them, the others, if somebody lacks them, as a record for
// each key. Who comes to stand inside what was folded, which takes a replica that
// is further behind than any backlog and yet catches up, counts as having all of
// it, and Blurred counts that.
type Ledger struct {
	from, to sim.Time
	// Writes counts, by key, the writes that primaries have executed since the
	// run began.
	Writes []uint32
	// Lost counts, by key, the acknowledged writes that are lost. It is nil as
	// long as there are none.
	Lost []uint32

	Reads    uint64        // by other nodes than the newest primary, between from and to
	Stale    uint64        // of those, of a value that had been overwritten
	StaleAge time.Duration // sum over those, since the first write that was missed

	LostWrites uint64
	LostKeys   int
	Losses     []Loss // in the order in which they became certain
	Blurred    uint64 // see above
	Unresolved uint64 // writes that were not acknowledged, of which that was learnt too late

	holders    []holder // nodes, and after them what snapshots were taken for them
	shards     []*shard
	now        sim.Time // of what was told last
	promotions uint64
	unacked    records    // writes that were not acknowledged
	born       []sim.Time // by key: its first write
	home       []uint16   // by key: its shard
	// last holds, by key, the number of its last write in the history that counts,
	// 1 more than its place in the log plus the segment's origin; smaller numbers
	// are of segments that do not count any more.
	last         []uint64
	recent, most int      // writes of a segment that are remembered; see keep
	lost         records  // since the last Loss
	moved        []uint64 // by key: a copy of it has been moved or removed; nil where none has
}

// A Loss is acknowledged writes that are lost at an instant.
type Loss struct {
	At     sim.Time
	Node   sim.ActorID // who gave them up; Nobody at the end of the run
	Writes uint64
	Keys   int // that they were to
}

// Nobody is no node.
const Nobody = ^sim.ActorID(0)

func newLedger(shape client.Shape, keys int, from, to sim.Time) *Ledger {
	l := &Ledger{from: from, to: to, Writes: make([]uint32, keys), holders: make([]holder, 2*shape.Nodes()),
		born: make([]sim.Time, keys), home: make([]uint16, keys), last: make([]uint64, keys),
		recent: 1 << 10, most: 1 << 16}
	for i := range shape.Primaries {
		sh := l.newShard()
		sh.trunk = sh.newSegment(nil, false, 0)
		s := sh.newSegment(sh.trunk, true, endless)
		s.author, s.writing = sim.ActorID(i), true
		l.obey(sh, s)
		l.join(sim.ActorID(i), sh)
		l.holders[i].writes, l.holders[i].wrote = true, s
		for j := range shape.Replicas {
			l.join(shape.Replica(i, j), sh)
		}
	}
	return l
}

// join puts a node at the beginning of a shard's history.
func (l *Ledger) join(id sim.ActorID, sh *shard) {
	h := &l.holders[id]
	h.enter(id, sh.authority, 0)
	h.follow(sh.authority)
	l.move(h, sh)
}

func (l *Ledger) newShard() *shard {
	sh := &shard{number: uint16(len(l.shards)), last: map[wire.Key]uint64{}}
	l.shards = append(l.shards, sh)
	return sh
}

// Remember says how many bytes of a history a node may be sent that it lacks
// (repl-backlog-size): their writes are remembered one by one.
func (l *Ledger) Remember(backlog int64) {
	const smallest = 40 // bytes of a write
	l.most = max(l.most, int(backlog/smallest))
}

// Wrote notes a write by a primary, after which its replication offset is offset.
func (l *Ledger) Wrote(at sim.Time, node sim.ActorID, key wire.Key, offset uint64) {
	h := &l.holders[node]
	if !h.writes {
		l.Promoted(at, node)
	}
	s := h.segment
	if l.Writes[key] == 0 {
		l.born[key], l.home[key] = at, s.shard.number
	}
	l.Writes[key]++
	if l.moved != nil {
		l.home[key] = s.shard.number
	}
	l.log(h, logged{at: at, offset: offset, key: key, acked: 1})
}

// log adds an entry to the history that a primary writes.
func (l *Ledger) log(h *holder, entry logged) {
	s := h.segment
	w := s.log.Extend()
	*w = entry
	if s.counts {
		w.before = s.valid(l.lastOf(s.shard, w.key))
		l.setLast(s.shard, w.key, s.origin+s.log.Tail())
	}
	h.offset, l.now = w.offset, w.at
	if s.log.Len() > s.roof {
		l.shorten(s)
	}
}

// valid returns the number of a write if the log has it, else 0.
func (s *segment) valid(number uint64) uint64 {
	if number > s.origin+s.log.Head() && number <= s.origin+s.log.Tail() {
		return number
	}
	return 0
}

// Applied notes how far a replica has come in the history that it follows.
func (l *Ledger) Applied(node sim.ActorID, offset uint64) {
	h := &l.holders[node]
	s := h.segment
	if s == nil || h.parked || offset > s.end {
		l.advance(node, offset)
		return
	}
	h.offset = max(h.offset, offset)
	l.trim(s, l.keep(s))
}

// advance moves a holder down to the segment of its history that an offset is in.
func (l *Ledger) advance(node sim.ActorID, offset uint64) {
	h := &l.holders[node]
	if h.tip == nil || h.segment != nil && !h.segment.above(h.tip) {
		return
	}
	below, s := (*segment)(nil), h.tip
	for s != h.segment && s.parent != nil && offset <= s.parent.end {
		below, s = s, s.parent
	}
	if s == h.segment && h.parked {
		return // it stays where it is
	}
	if !s.open {
		if offset != s.end {
			l.Blurred++
		}
		offset = s.end
		if below.open {
			s = below
		}
	}
	before := l.leave(node)
	if s.open {
		h.enter(node, s, offset)
		l.trim(s, l.keep(s))
	} else {
		h.end(node, s)
	}
	l.release(before)
	l.tidy(h.shard)
}

// Unacknowledged notes that the client never got the answer to a write.
func (l *Ledger) Unacknowledged(node sim.ActorID, offset uint64) {
	found := false
	for s := l.holders[node].wrote; s != nil && s.author == node && !found; s = s.parent {
		n := s.log.Head()
		for m := s.log.Tail(); n < m; { // the first that is not before the offset
			if middle := n + (m-n)/2; s.log.At(middle).offset < offset {
				n = middle + 1
			} else {
				m = middle
			}
		}
		for ; n < s.log.Tail() && s.log.At(n).offset == offset; n++ {
			found = true
			if w := s.log.At(n); w.acked == 1 {
				w.acked = 0
				l.unacked.add(w.key, w.at, 1)
				if l.hasMoved(w.key) {
					l.takeBack(w)
				}
			}
		}
	}
	if !found {
		l.Unresolved++
	}
}

// Read notes a read.
func (l *Ledger) Read(at sim.Time, node sim.ActorID, key wire.Key) {
	h := &l.holders[node]
	if at < l.from || at >= l.to || h.shard == nil {
		return
	}
	sh := h.shard
	if l.hasMoved(key) {
		sh = l.shards[l.home[key]]
	}
	a := sh.authority
	if a != nil && h.writes && h.segment == a {
		return
	}
	l.Reads++
	if a == nil {
		return
	}
	missed := l.missed(at, h, a, key)
	if missed <= at {
		l.Stale++
		l.StaleAge += at.Sub(missed)
	}
}

// missed returns when the first write to a key was executed that a holder lacks,
// of those before an instant in the history that ends with a segment.
func (l *Ledger) missed(at sim.Time, h *holder, a *segment, key wire.Key) sim.Time {
	missed := sim.Never
	have := uint64(0)
	if h.segment == a {
		have = h.offset
	}
	for n := a.valid(l.lastOf(a.shard, key)); n != 0; {
		w := a.log.At(n - 1 - a.origin)
		if w.key != key || w.offset <= have && h.segment == a {
			break
		}
		if w.acked&absolute != 0 {
			return missed // what was before has nothing to do with the copy
		}
		missed = w.at
		n = a.valid(w.before)
	}
	if h.segment == a {
		return missed
	}
	for s := a.parent; s != nil; s = s.parent {
		if s == h.segment {
			if !h.parked {
				at, _ := s.first(key, h.offset)
				missed = min(missed, at)
			}
			return missed
		}
		if s.above(h.segment) {
			return missed
		}
		if s == h.shard.trunk {
			return min(missed, l.bornBefore(h, key))
		}
		at, _ := s.first(key, 0)
		missed = min(missed, at)
	}
	return missed
}

// first returns when the first write to a key beyond an offset was executed, and
// its offset, or 0 where only its record is left.
func (s *segment) first(key wire.Key, beyond uint64) (at sim.Time, offset uint64) {
	if x, ok := s.records.of(key); ok {
		return x.first, 0
	}
	for n := s.log.Head(); n != s.log.Tail(); n++ {
		if w := s.log.At(n); w.key == key && w.offset > beyond {
			return w.at, w.offset
		}
	}
	return sim.Never, 0
}

// bornBefore returns when a key was first written by anybody, if that was before
// the first write to it that a holder has.
func (l *Ledger) bornBefore(h *holder, key wire.Key) sim.Time {
	if l.Writes[key] == 0 {
		return sim.Never
	}
	for s := h.segment; s != nil; s = s.parent {
		at, offset := s.first(key, 0)
		if at <= l.born[key] && (s != h.segment || h.parked || offset <= h.offset) {
			return sim.Never
		}
	}
	return l.born[key]
}
