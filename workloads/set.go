package workloads

import "math/bits"

// set is a set of a few numbers that is emptied often: a hash table with open
// addressing, at most half full, whose entries carry the round they belong to,
// so that emptying it is a matter of counting.
type set struct {
	entries []entry
	shift   uint // hash >> shift is the place where to look first
	round   uint32
}

type entry struct {
	round  uint32
	number uint32
}

// newSet returns a set for at most size numbers. It must be cleared before use.
func newSet(size int) set {
	log := bits.Len(uint(size)) + 1
	return set{entries: make([]entry, 1<<log), shift: 64 - uint(log)}
}

func (s *set) clear() {
	s.round++
	if s.round == 0 { // after 2^32 rounds entries would come back to life
		clear(s.entries)
		s.round = 1
	}
}

// add reports whether number was not in the set, and puts it there.
func (s *set) add(number int) bool {
	mask := uint64(len(s.entries) - 1)
	for at := uint64(number) * 0x9e3779b97f4a7c15 >> s.shift; ; at++ { // Fibonacci hashing
		e := &s.entries[at&mask]
		if e.round != s.round {
			*e = entry{s.round, uint32(number)}
			return true
		}
		if e.number == uint32(number) {
			return false
		}
	}
}
