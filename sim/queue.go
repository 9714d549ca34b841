package sim

import "math/bits"

// A key says when something is due and what it is. Keys order by time, then by
// the order in which they were made, so a run is a function of its inputs alone.
// A key is 16 bytes: the four children of a heap node span one cache line.
type key struct {
	at    uint64 // due instant in nanoseconds
	order uint64 // sequence number << refBits | Ref or ActorID
}

const (
	refBits = 24
	refMask = 1<<refBits - 1 // also the most letters that may be pending
)

// never is later than every key in use.
var never = key{at: 1<<64 - 1, order: 1<<64 - 1}

func (k key) ref() Ref { return Ref(k.order & refMask) }

// before reports 1 if a is due before b, else 0, without a branch: the outcome
// is close to random, so a predicted branch would be wrong half of the time.
func before(a, b key) int {
	_, borrow := bits.Sub64(a.order, b.order, 0)
	_, borrow = bits.Sub64(a.at, b.at, borrow)
	return int(borrow)
}

// A heap is a 4-ary min-heap of keys. The children of i are 4i+1 to 4i+4.
type heap []key

func (q *heap) push(k key) {
	*q = append(*q, k)
	h := *q
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if before(k, h[parent]) == 0 {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = k
}

// pop removes and returns the first key. The heap must not be empty.
func (q *heap) pop() key {
	h := *q
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) > 0 {
		h.siftDown(last)
	}
	return first
}

// siftDown fills the hole at the root with k, or with the keys that are due
// before it.
func (q heap) siftDown(k key) {
	hole := 0
	for {
		child := q.firstChild(hole)
		if child < 0 || before(q[child], k) == 0 {
			break
		}
		q[hole] = q[child]
		hole = child
	}
	q[hole] = k
}

// firstChild returns the index of the child of i that is due first, or -1.
func (q heap) firstChild(i int) int {
	child := 4*i + 1
	if child+3 < len(q) {
		four := q[child : child+4 : child+4]
		left := before(four[1], four[0])
		right := 2 + before(four[3], four[2])
		pick := -before(four[right&3], four[left&3]) // all ones if right is first
		return child + (left ^ (left^right)&pick)
	}
	if child >= len(q) {
		return -1
	}
	first := child
	for j := child + 1; j < len(q); j++ {
		if before(q[j], q[first]) == 1 {
			first = j
		}
	}
	return first
}
