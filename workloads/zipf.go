package workloads

import (
	"math"
	"math/bits"

	"hotslot/sim"
)

// zipf draws ranks by Zipf's law: rank r, counted from 0, is asked for in
// proportion to (r+1)^-theta. It inverts the cumulative distribution, which is
// a table: 8 bytes a rank, and 4 to 8 for the guide (Chen and Asau, "On
// generating random variates from an empirical distribution", 1974). The guide
// cuts the draws into equal cells, at least as many as there are ranks, and
// knows the first rank of each: whatever theta is, the search from there passes
// less than one rank on average.
type zipf struct {
	bounds []uint64 // bounds[r] is the first draw beyond rank r; the last rank needs none
	guide  []uint32 // by cell: rank of the cell's first draw
	shift  uint     // draw >> shift is the cell
}

// zipfShape tells tables apart.
type zipfShape struct {
	count int // at least 1
	theta float64
}

func newZipf(shape zipfShape) *zipf {
	log := bits.Len(uint(shape.count - 1))
	z := &zipf{
		bounds: make([]uint64, shape.count-1),
		guide:  make([]uint32, 1<<log),
		shift:  64 - uint(log),
	}
	z.fillBounds(shape)
	z.fillGuide()
	return z
}

// fillBounds accumulates the weights: first as floats, in the place of the
// bounds, because a share is known only when the sum of all is.
func (z *zipf) fillBounds(shape zipfShape) {
	sum := 0.0
	for r := range z.bounds {
		sum += sim.Pow(float64(r+1), -shape.theta)
		z.bounds[r] = math.Float64bits(sum)
	}
	sum += sim.Pow(float64(shape.count), -shape.theta)
	for r, b := range z.bounds {
		z.bounds[r] = fixed(math.Float64frombits(b) / sum)
	}
}

func (z *zipf) fillGuide() {
	rank := 0
	for cell := range z.guide {
		first := uint64(cell) << z.shift
		for rank < len(z.bounds) && z.bounds[rank] <= first {
			rank++
		}
		z.guide[cell] = uint32(rank)
	}
}

// number returns the rank of a draw.
func (z *zipf) number(draw uint64) int {
	rank := int(z.guide[draw>>z.shift])
	for rank < len(z.bounds) && z.bounds[rank] <= draw {
		rank++
	}
	return rank
}

// fixed returns the share p of the 2^64 draws.
func fixed(p float64) uint64 {
	if p >= 1 {
		return math.MaxUint64
	}
	return uint64(p * (1 << 64))
}
