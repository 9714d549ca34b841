package sim

import "fmt"

// A Ref is the handle of a letter, which holds one message. A letter is written
// once and travels: from the client to a node, which writes its answer on the
// same letter and sends it back.
type Ref uint32

// letters is a slab of messages. They stay where they are, so a pointer to one
// is good until the letter is freed.
type letters[M any] struct {
	chunks []*[chunk]M
	free   []Ref
	used   int // letters ever handed out, freed ones included
}

// chunk is how many messages are allocated at a time.
const chunk = 1 << 10

// ErrTooManyLetters is what a run panics with when more messages are under way
// at once than it can number. The demand is then far above what the cluster can
// serve, for a long time.
var ErrTooManyLetters = fmt.Errorf("more than %d messages are under way at once", refMask)

// new returns a letter; what it holds is left over from its last use.
func (l *letters[M]) new() Ref {
	if n := len(l.free); n > 0 {
		ref := l.free[n-1]
		l.free = l.free[:n-1]
		return ref
	}
	if l.used > refMask {
		panic(ErrTooManyLetters)
	}
	if l.used/chunk == len(l.chunks) {
		l.chunks = append(l.chunks, new([chunk]M))
	}
	l.used++
	return Ref(l.used - 1)
}

func (l *letters[M]) at(ref Ref) *M {
	return &l.chunks[ref/chunk][ref%chunk]
}
