package cluster

import (
	"math"
	"slices"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A segment is a stretch of a shard's history that ends where histories part or
// where some node's ends. Segments form a tree: the history of a node is its
// segment, or the part of it that the node has, after all segments above.
//
// An open segment remembers its writes one by one, and nodes may be anywhere
// inside it: one of them may be writing it, others follow. A folded one keeps a
// record for each key, and nodes may be at its end only. Of a shard's trunk, the
// beginning that every node has unless it was erased, only records of keys that have
// moved are kept: of the others it holds what has been written and is nowhere else.
type segment struct {
	shard     *shard
	parent    *segment
	children  int
	followers int           // nodes that follow the history that this segment is the tip of
	parked    int           // nodes whose history ends with a folded segment
	inside    []sim.ActorID // nodes that are in an open one
	author    sim.ActorID   // who wrote it
	writing   bool          // the author still does
	promotion uint64        // its place among the promotions of the run
	end       uint64        // replication offset; the largest there is for a tip
	origin    uint64        // of numbers of writes: see Ledger.last
	counts    bool          // it is the shard's authority
	roof      int           // length of the log at which it has to be shortened
	open      bool
	gone      bool
	log       sim.Ring[logged]
	records   records
}

// A logged write.
type logged struct {
	at     sim.Time
	offset uint64
	before uint64 // number of the write to the same key before it; see Ledger.last
	key    wire.Key
	acked  amount // 1 if it was acknowledged; absolute: it is no write, see Ledger.Restored
}

// endless is the end of a segment that is being written.
const endless = math.MaxUint64

// A shard is all the histories that have one beginning.
type shard struct {
	number    uint16
	trunk     *segment // nil once nobody has it
	divided   bool     // there is, or was, a history that begins elsewhere: the trunk grows no more
	holders   int      // nodes, and snapshots of nodes
	segments  []*segment
	authority *segment // what the newest primary writes
	numbers   uint64   // of writes that were given out before that; see Ledger.last
	// last is Ledger.last of keys that have moved; looked up, never walked.
	last map[wire.Key]uint64
}

// A holder is a node, or a snapshot of one, and where its history ends.
type holder struct {
	segment *segment // nil for one that has nothing
	offset  uint64
	parked  bool
	writes  bool     // it is a primary
	tip     *segment // of the history that it follows
	shard   *shard
	wrote   *segment // what it wrote last
}

// newSegment adds a segment below a parent, or at the top.
func (sh *shard) newSegment(parent *segment, open bool, end uint64) *segment {
	s := &segment{shard: sh, parent: parent, open: open, end: end, author: Nobody}
	if parent != nil {
		parent.children++
	} else if sh.trunk != nil {
		sh.divided = true
	}
	sh.segments = append(sh.segments, s)
	return s
}

// enter puts a holder inside an open segment.
func (h *holder) enter(id sim.ActorID, s *segment, offset uint64) {
	h.segment, h.offset, h.parked = s, offset, false
	s.inside = append(s.inside, id)
}

// end puts a holder at the end of a segment.
func (h *holder) end(id sim.ActorID, s *segment) {
	switch {
	case s == nil:
		h.segment, h.offset, h.parked = nil, 0, false
	case s.open:
		h.enter(id, s, s.end)
	default:
		h.segment, h.offset, h.parked = s, s.end, true
		s.parked++
	}
}

// follow has a holder follow the history that ends with a tip, and returns the
// tip that it followed before.
func (h *holder) follow(tip *segment) (before *segment) {
	before, h.tip = h.tip, tip
	if tip != nil {
		tip.followers++
	}
	if before != nil {
		before.followers--
	}
	return before
}

// above reports whether a segment is part of the history that ends with another.
func (s *segment) above(other *segment) bool {
	for ; other != nil; other = other.parent {
		if other == s {
			return true
		}
	}
	return false
}

// slowest returns how far all nodes inside have come.
func (l *Ledger) slowest(s *segment) uint64 {
	slowest := uint64(endless)
	for _, id := range s.inside {
		slowest = min(slowest, l.holders[id].offset)
	}
	return slowest
}

// private reports whether nobody tells the end of a folded segment from the
// beginning of the one below: they can be taken together.
func (s *segment) private() bool {
	return !s.open && s.parked == 0 && s.children == 1 && (s != s.shard.trunk || !s.shard.divided)
}

// foldTarget returns the folded segment that the first writes of an open one
// are added to.
func (l *Ledger) foldTarget(s *segment) *segment {
	if s.parent != nil && s.parent.private() {
		return s.parent
	}
	end := uint64(0)
	if s.parent != nil {
		end = s.parent.end
		s.parent.children--
	}
	s.parent = s.shard.newSegment(s.parent, false, end)
	s.parent.children = 1
	return s.parent
}

// trim folds the first writes of an open segment that all inside have, but for
// the last few.
func (l *Ledger) trim(s *segment, keep int) {
	slowest := l.slowest(s)
	if s.log.Len() <= keep || s.log.First().offset > slowest {
		return
	}
	target := l.foldTarget(s)
	for s.log.Len() > keep && s.log.First().offset <= slowest {
		w := s.log.First()
		target.end = w.offset
		if target != s.shard.trunk || l.hasMoved(w.key) {
			target.fold(w)
		}
		s.log.Drop()
	}
}

func (s *segment) fold(w *logged) {
	s.records.add(w.key, w.at, w.acked)
}

// keep returns how many of the last writes of a segment are remembered though
// all inside have them: more while somebody may come who lacks them.
func (l *Ledger) keep(s *segment) int {
	if len(s.inside) == s.shard.holders {
		return l.recent
	}
	return l.most
}

// shorten keeps the log of a segment from growing: those who are too far behind
// are parked, and what they lack is folded.
func (l *Ledger) shorten(s *segment) {
	s.roof = l.keep(s)
	l.trim(s, s.roof)
	if s.shard.holders > 1 {
		s.roof = l.most
	}
	for s.log.Len() > l.most {
		slowest := l.slowest(s)
		l.trim(s, 0)
		if s.log.Len() == 0 {
			return
		}
		if s.parent == nil || s.parent.open {
			l.foldTarget(s)
		}
		s.parent.end = max(s.parent.end, slowest)
		l.park(s, slowest)
		l.trim(s, l.most)
	}
}

// park takes those inside a segment that have come as far as an offset, which
// is where it begins, to the end of the segment above, which is a folded one.
func (l *Ledger) park(s *segment, offset uint64) {
	rest := s.inside[:0]
	for _, id := range s.inside {
		h := &l.holders[id]
		if h.offset > offset {
			rest = append(rest, id)
			continue
		}
		h.segment, h.parked = s.parent, true
		s.parent.parked++
	}
	s.inside = rest
}

// split cuts an open segment at an offset and returns the upper part: the
// segment above where there is nothing to cut off. The lower part stays the tip
// that it was.
func (l *Ledger) split(s *segment, offset uint64) *segment {
	if s.log.Len() == 0 || s.log.First().offset > offset {
		return s.parent
	}
	upper := s.shard.newSegment(s.parent, true, offset)
	upper.author, upper.children = s.author, 1
	if s.parent != nil {
		s.parent.children--
	}
	s.parent = upper
	for s.log.Len() > 0 && s.log.First().offset <= offset {
		upper.log.Push(*s.log.First())
		s.log.Drop()
	}
	stay := s.inside[:0]
	for _, id := range s.inside {
		h := &l.holders[id]
		if h.offset > offset || h.writes && s.writing && s.author == id {
			stay = append(stay, id)
			continue
		}
		h.segment = upper
		upper.inside = append(upper.inside, id)
	}
	s.inside = stay
	return upper
}

// leave takes a holder out of its segment, which is returned.
func (l *Ledger) leave(id sim.ActorID) *segment {
	h := &l.holders[id]
	s := h.segment
	if s == nil {
		return nil
	}
	if h.parked {
		s.parked--
	} else {
		i := slices.Index(s.inside, id)
		s.inside = slices.Delete(s.inside, i, i+1)
	}
	if s.writing && s.author == id {
		s.writing = false
	}
	h.segment, h.offset, h.parked = nil, 0, false
	return s
}
