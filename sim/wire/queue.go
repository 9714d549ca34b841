package wire

import "hotslot/sim"

// A Queue is a first-in, first-out list of letters, threaded through their
// messages by Next. The zero Queue is empty.
type Queue struct {
	First, last sim.Ref
	Length      int
}

// Empty reports whether there is no letter in the queue.
func (q *Queue) Empty() bool { return q.Length == 0 }

// Push adds a letter.
func (q *Queue) Push(s *sim.Scheduler[Message], ref sim.Ref) {
	if q.Length == 0 {
		q.First = ref
	} else {
		s.At(q.last).Next = ref
	}
	q.last = ref
	q.Length++
}

// Pop removes the first letter. The queue must not be empty.
func (q *Queue) Pop(s *sim.Scheduler[Message]) sim.Ref {
	ref := q.First
	q.First = s.At(ref).Next
	q.Length--
	return ref
}

// Each calls f with every message.
func (q *Queue) Each(s *sim.Scheduler[Message], f func(*Message)) {
	ref := q.First
	for range q.Length {
		m := s.At(ref)
		f(m)
		ref = m.Next
	}
}
