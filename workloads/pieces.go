package workloads

import (
	"math"
	"math/bits"
)

// pieces draws numbers by a distribution that is uniform within each of a few
// ranges of numbers.
type pieces struct {
	list  []piece
	guide [256]uint8 // by the draw's first byte: the piece where the search begins
}

// A piece maps the draws from its own first to the next piece's first onto its
// numbers: first + (draw-from)*scale / 2^(64+shift).
type piece struct {
	from  uint64
	first int
	scale uint64
	shift int
}

// A point of a cumulative distribution: the numbers below end have this share
// of the draws.
type point struct {
	end   int
	share float64
}

// newPieces returns the distribution through the given points, in ascending
// order and at most 256; the last one is all numbers with all draws. The draws
// of a piece without numbers go to the next one that has some, so that a few
// numbers can stand for a curve with a fine head.
func newPieces(points ...point) *pieces {
	p := new(pieces)
	var sizes []uint64
	first, from := 0, uint64(0)
	for _, at := range points {
		size, to := uint64(at.end-first), fixed(at.share)
		if size > 0 && (to-from)/2 >= size { // else never drawn
			p.list = append(p.list, piece{from: from, first: first})
			sizes = append(sizes, size)
			from = to
		}
		first = at.end
	}
	if len(p.list) == 0 { // no draws for any number: all alike
		p.list, sizes = []piece{{}}, []uint64{uint64(first)}
	}
	for i := range p.list {
		next := uint64(0) // 2^64
		if i+1 < len(p.list) {
			next = p.list[i+1].from
		}
		p.list[i].stretch(sizes[i], next)
	}
	p.fillGuide()
	return p
}

// stretch sets the scale so that the draws below next map onto size numbers. It
// is as large as fits, and rounded down, so that the last draw stays below size.
func (c *piece) stretch(size, next uint64) {
	width := next - c.from
	if width == 0 { // 2^64: does not fit, and no scale can tell it from one less
		width = math.MaxUint64
	}
	c.shift = bits.Len64(width) - bits.Len64(size) - 1
	c.scale, _ = bits.Div64(size<<c.shift, 0, width)
}

func (p *pieces) fillGuide() {
	at := 0
	for b := range p.guide {
		for at+1 < len(p.list) && p.list[at+1].from <= uint64(b)<<56 {
			at++
		}
		p.guide[b] = uint8(at)
	}
}

func (p *pieces) number(draw uint64) int {
	at := int(p.guide[draw>>56])
	for at+1 < len(p.list) && p.list[at+1].from <= draw {
		at++
	}
	c := &p.list[at]
	offset, _ := bits.Mul64(draw-c.from, c.scale)
	return c.first + int(offset>>c.shift)
}
