package workloads

import (
	"fmt"

	"hotslot/sim"
)

// A sampler maps a draw onto the number of a key, by inversion: one draw, one
// number, and a larger draw never gives a smaller rank.
type sampler interface {
	number(draw uint64) int
}

// sampler returns the distribution over count numbers, nil for "sequential",
// which leaves nothing to chance. Large tables are kept in the cache.
func (p Popularity) sampler(count int, cache *Cache) sampler {
	ranks := func() *zipf { return cache.zipfOf(zipfShape{count, p.Theta}) }
	switch p.Kind {
	case "zipf":
		return ranks()
	case "scrambled-zipf":
		return scrambled{ranks(), uint64(count)}
	case "latest":
		return latest{ranks(), count - 1}
	case "hot-set":
		hot := max(1, rounded(p.Hot*float64(count)))
		return newPieces(point{hot, p.Share}, point{count, 1})
	case "hot-key":
		return newPieces(point{1, p.Share}, point{count, 1})
	case "sequential":
		return nil
	}
	if curve, ok := curves[p.Kind]; ok {
		return newCurve(curve, count)
	}
	return newPieces(point{count, 1}) // uniform
}

// check returns what is wrong with p.
func (p Popularity) check() error {
	switch p.Kind {
	case "", "uniform", "sequential":
		return nil
	case "zipf", "scrambled-zipf", "latest":
		return checkRange(p.Kind+" exponent", p.Theta, 0, 5)
	case "hot-set":
		if err := checkRange("hot-set share of the keys", p.Hot, 0, 1); err != nil {
			return err
		}
		return checkRange("hot-set share of the operations", p.Share, 0, 1)
	case "hot-key":
		return checkRange("hot-key share of the operations", p.Share, 0, 1)
	}
	if _, ok := curves[p.Kind]; !ok {
		return fmt.Errorf("unknown popularity %q", p.Kind)
	}
	return nil
}

// checkRange returns an error unless low <= x <= high. NaN is out of any range.
func checkRange(what string, x, low, high float64) error {
	if !(low <= x && x <= high) {
		return fmt.Errorf("%s is %v: must be from %v to %v", what, x, low, high)
	}
	return nil
}

// latest asks most for the newest key, which is the last number.
type latest struct {
	ranks  *zipf
	newest int
}

func (l latest) number(draw uint64) int { return l.newest - l.ranks.number(draw) }

// scrambled scatters the ranks over the numbers as YCSB's
// ScrambledZipfianGenerator does: by hashing, so that some numbers have several
// ranks and others none. YCSB draws its ranks from 10^16 items however few keys
// there are; here there are as many ranks as keys.
type scrambled struct {
	ranks *zipf
	count uint64
}

func (s scrambled) number(draw uint64) int {
	return int(ycsbHash(uint64(s.ranks.number(draw))) % s.count)
}

// ycsbHash is fnvhash64 of YCSB's Utils: FNV-1a over the eight bytes of x, the
// lowest first, and of that the absolute value, as of a signed number.
func ycsbHash(x uint64) uint64 {
	h := uint64(0xcbf29ce484222325)
	for range 8 {
		h = (h ^ x&0xff) * 1099511628211
		x >>= 8
	}
	if int64(h) < 0 {
		return -h
	}
	return h
}

// numbers is the demand of one load: which key number is asked for, draw by
// draw.
type numbers struct {
	sampler sampler // nil: one after another
	draws   sim.Stream
	count   uint64
}

// at returns the i-th number asked for.
func (d *numbers) at(i uint64) int {
	if d.sampler == nil {
		return int(i % d.count)
	}
	return d.sampler.number(d.draws.At(i))
}
