package cluster

import (
	"slices"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// release takes note that somebody has left a segment: if nobody is left it is
// lost, and what is above it may be.
func (l *Ledger) release(s *segment) {
	for s != nil && !s.gone {
		if s.children+s.followers+s.parked+len(s.inside) > 0 {
			return
		}
		above := s.parent
		l.lose(s)
		s.remove()
		if above != nil {
			above.children--
		}
		s = above
	}
}

// remove takes a segment out of its shard.
func (s *segment) remove() {
	sh := s.shard
	i := slices.Index(sh.segments, s)
	sh.segments = slices.Delete(sh.segments, i, i+1)
	s.gone, s.log, s.records = true, sim.Ring[logged]{}, records{}
	if s == sh.trunk {
		sh.trunk = nil
	}
}

// tidy simplifies the segments of a shard, as far as that goes.
func (l *Ledger) tidy(sh *shard) {
	for i := 0; sh != nil && i < len(sh.segments); i++ {
		before := len(sh.segments)
		l.simplify(sh.segments[i])
		if len(sh.segments) < before {
			i = -1
		}
	}
}

// expected reports whether somebody may come to a segment and be sent its writes:
// who has none or not all of them, while they are not too many to be sent.
func (l *Ledger) expected(s *segment) bool {
	if s.log.Len() == 0 {
		return false
	}
	someone := slices.ContainsFunc(l.holders, func(h holder) bool {
		return h.shard == s.shard && h.tip != nil && !s.above(h.segment)
	})
	return someone && slices.ContainsFunc(s.shard.segments, func(tip *segment) bool {
		if tip.followers == 0 || !s.above(tip) {
			return false
		}
		writes := 0
		for below := tip; below != s; below = below.parent {
			writes += below.log.Len()
		}
		return writes+s.log.Len() <= l.most
	})
}

// simplify folds an open segment that nobody is in or comes to, and takes folded
// segments together whose border nobody needs.
func (l *Ledger) simplify(s *segment) {
	if s.open {
		if len(s.inside) > 0 || s.children == 0 || l.expected(s) {
			return
		}
		for ; s.log.Len() > 0; s.log.Drop() {
			s.fold(s.log.First())
		}
		s.open = false
	}
	if above := s.parent; above != nil && above.private() {
		l.merge(above, s)
	}
	if s.private() {
		for _, below := range s.shard.segments {
			if below.parent == s && !below.open {
				l.merge(s, below)
				return
			}
		}
	}
}

// merge makes a folded segment a part of the one below.
func (l *Ledger) merge(s, below *segment) {
	sh := s.shard
	below.parent = s.parent
	trunk := s == sh.trunk
	all := s.records
	below.records.each(func(key wire.Key, x record) {
		if !trunk || l.hasMoved(key) {
			all.add(key, x.first, x.acked)
		}
	})
	s.remove()
	below.records = all
	if trunk {
		sh.trunk = below
	}
}

// obey makes a segment the history that counts, and links its writes by key.
func (l *Ledger) obey(sh *shard, s *segment) {
	if a := sh.authority; a != nil {
		sh.numbers = max(sh.numbers, a.origin+a.log.Tail())
		a.counts = false
	}
	sh.authority = s
	if s == nil {
		return
	}
	s.origin, s.counts = sh.numbers, true
	for n := s.log.Head(); n != s.log.Tail(); n++ {
		w := s.log.At(n)
		w.before = s.valid(l.lastOf(sh, w.key))
		l.setLast(sh, w.key, s.origin+n+1)
	}
}

// elect finds the history that counts when its writer is not a primary any more.
func (l *Ledger) elect(sh *shard) {
	if sh == nil || sh.authority != nil && sh.authority.writing {
		return
	}
	var newest *segment
	for _, s := range sh.segments {
		if s.writing && (newest == nil || s.promotion > newest.promotion) {
			newest = s
		}
	}
	if newest != nil {
		l.obey(sh, newest)
	}
}
