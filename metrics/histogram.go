// Package metrics records what the operations of a run come to: how many, how
// long they took, and where the time went.
//
// What it leaves out: single operations. All is kept in cells of bounded
// relative width, as an HDR histogram does, so memory does not grow with the
// length of a run.
package metrics

import (
	"math"
	"math/bits"
	"time"
)

// A Blame is how the time of an operation splits up. The parts add up to its
// latency.
type Blame struct {
	Client     time.Duration // waiting in the client, for a connection or for its CPU
	Network    time.Duration
	ServerWait time.Duration // for the server's thread, and for the batch to end
	Execution  time.Duration // by the server's thread
	Redirect   time.Duration // earlier hops
}

// Total returns the sum of the parts.
func (b Blame) Total() time.Duration {
	return b.Client + b.Network + b.ServerWait + b.Execution + b.Redirect
}

// Add adds another blame.
func (b *Blame) Add(o *Blame) {
	b.Client += o.Client
	b.Network += o.Network
	b.ServerWait += o.ServerWait
	b.Execution += o.Execution
	b.Redirect += o.Redirect
}

const (
	// subBits of 7 make 128 cells per power of two: a cell is less than 1/128 of
	// its values wide. Values below 128 ns have a cell each.
	subBits = 7
	// maxBits bounds what is told apart: 2^44 ns is almost five hours.
	maxBits    = 44
	blameCells = (maxBits - subBits + 1) << subBits
)

// cellOf returns the index of the cell that holds v, of cells with so many per
// power of two.
func cellOf(v uint64, sub int) int {
	shift := max(0, bits.Len64(v)-sub-1)
	return shift<<sub + int(v>>shift)
}

// lower returns the smallest value of a cell.
func lower(cell, sub int) uint64 {
	shift := max(0, cell>>sub-1)
	return uint64(cell-shift<<sub) << shift
}

// A Histogram counts latencies and sums up, cell by cell, where the time went.
// A cell is one cache line.
type Histogram struct {
	cells []cell
	count uint64
	max   time.Duration
}

type cell struct {
	count uint64
	sum   Blame
	_     [2]uint64
}

// NewHistogram returns an empty histogram.
func NewHistogram() *Histogram { return &Histogram{cells: make([]cell, blameCells)} }

// Record adds an operation.
func (h *Histogram) Record(latency time.Duration, b *Blame) {
	c := &h.cells[min(cellOf(uint64(latency), subBits), blameCells-1)]
	c.count++
	c.sum.Add(b)
	h.count++
	h.max = max(h.max, latency)
}

// Add adds all that another histogram holds.
func (h *Histogram) Add(o *Histogram) {
	for i := range o.cells {
		h.cells[i].count += o.cells[i].count
		h.cells[i].sum.Add(&o.cells[i].sum)
	}
	h.count += o.count
	h.max = max(h.max, o.max)
}

// Count returns how many operations were recorded.
func (h *Histogram) Count() uint64 { return h.count }

// Max returns the longest latency.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile returns the latency that a share p of the operations do not exceed,
// to within the width of a cell: the mean of the cell in which it lies. It
// returns 0 for an empty histogram.
func (h *Histogram) Quantile(p float64) time.Duration {
	if h.count == 0 {
		return 0
	}
	rank := Rank(p, h.count)
	if rank == h.count {
		return h.max
	}
	for i := range h.cells {
		c := &h.cells[i]
		if rank <= c.count {
			return c.sum.Total() / time.Duration(c.count)
		}
		rank -= c.count
	}
	return h.max
}

// Min returns the smallest part of the blame of any cell: it is negative only if
// somebody was blamed for a time that runs backwards.
func (h *Histogram) Min() time.Duration {
	least := time.Duration(math.MaxInt64)
	for i := range h.cells {
		b := &h.cells[i].sum
		least = min(least, b.Client, b.Network, b.ServerWait, b.Execution, b.Redirect)
	}
	return least
}

// Rank returns which of n values in order, counted from 1, a share p of them do
// not exceed.
func Rank(p float64, n uint64) uint64 {
	return min(n, max(1, uint64(math.Ceil(float64(p*float64(n))-1e-9))))
}

// Sum returns where the time of all operations went.
func (h *Histogram) Sum() Blame {
	var sum Blame
	for i := range h.cells {
		sum.Add(&h.cells[i].sum)
	}
	return sum
}

// Slowest returns where the time of the slowest operations went, those above
// quantile p, and how many they are. Of the cell on the border, a
// proportional part counts.
func (h *Histogram) Slowest(p float64) (Blame, uint64) {
	var sum Blame
	if h.count == 0 {
		return sum, 0
	}
	wanted := max(1, h.count-Rank(p, h.count))
	left := wanted
	for i := len(h.cells) - 1; i >= 0 && left > 0; i-- {
		c := &h.cells[i]
		if c.count <= left {
			sum.Add(&c.sum)
			left -= c.count
			continue
		}
		part := c.sum.share(left, c.count)
		sum.Add(&part)
		left = 0
	}
	return sum, wanted
}

// share returns n of d parts of b.
func (b *Blame) share(n, d uint64) Blame {
	part := func(t time.Duration) time.Duration {
		hi, lo := bits.Mul64(uint64(t), n)
		q, _ := bits.Div64(hi, lo, d)
		return time.Duration(q)
	}
	return Blame{part(b.Client), part(b.Network), part(b.ServerWait), part(b.Execution), part(b.Redirect)}
}
