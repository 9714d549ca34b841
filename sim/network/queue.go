package network

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A queue is a first-in, first-out list of letters, threaded through their
// messages.
type queue struct {
	first, last sim.Ref
	length      int
}

func (q *queue) push(s *sim.Scheduler[wire.Message], ref sim.Ref) {
	if q.length == 0 {
		q.first = ref
	} else {
		s.At(q.last).Next = ref
	}
	q.last = ref
	q.length++
}

// pop removes the first letter. The queue must not be empty.
func (q *queue) pop(s *sim.Scheduler[wire.Message]) sim.Ref {
	ref := q.first
	q.first = s.At(ref).Next
	q.length--
	return ref
}
