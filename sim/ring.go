package sim

// A Ring is a first-in, first-out queue whose members keep the number that they
// came in with, counted from 0. It grows by doubling and never shrinks. The zero
// value is empty and ready to use.
type Ring[T any] struct {
	buf        []T    // length is a power of two
	head, tail uint64 // numbers of the oldest member and of the next to come
}

// Len returns how many members there are.
func (r *Ring[T]) Len() int { return int(r.tail - r.head) }

// Head returns the number of the oldest member, and Tail that of the next to
// come.
func (r *Ring[T]) Head() uint64 { return r.head }

// Tail returns the number that the next member gets.
func (r *Ring[T]) Tail() uint64 { return r.tail }

// At returns the member of a number from Head to Tail-1.
func (r *Ring[T]) At(n uint64) *T { return &r.buf[n&uint64(len(r.buf)-1)] }

// First returns the oldest member. The ring must not be empty.
func (r *Ring[T]) First() *T { return r.At(r.head) }

// Push adds a member.
func (r *Ring[T]) Push(x T) {
	if r.full() {
		r.grow()
	}
	r.put(x)
}

// Extend adds a member, to be filled in: it still holds what was there before.
func (r *Ring[T]) Extend() *T {
	if r.full() {
		r.grow()
	}
	r.tail++
	return &r.buf[(r.tail-1)&uint64(len(r.buf)-1)]
}

// put adds a member to a ring that is not full.
func (r *Ring[T]) put(x T) {
	r.buf[r.tail&uint64(len(r.buf)-1)] = x
	r.tail++
}

// Drop removes the oldest member. The ring must not be empty.
func (r *Ring[T]) Drop() { r.head++ }

func (r *Ring[T]) full() bool { return r.tail-r.head == uint64(len(r.buf)) }

func (r *Ring[T]) grow() {
	bigger := make([]T, max(16, 2*len(r.buf)))
	for n := r.head; n != r.tail; n++ {
		bigger[n&uint64(len(bigger)-1)] = *r.At(n)
	}
	r.buf = bigger
}
