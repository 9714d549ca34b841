package sim

import "math/bits"

// A Stream is randomness with a name. It is a function, not a state: draw i
// depends on the seed, the stream's name and i, and on nothing else.
//
// Whoever draws says what the draw is for: the latency of operation 712's
// reply is the same number in every run with that seed, whatever else that run
// adds, drops or reorders. That makes runs of two strategies comparable pair
// by pair (common random numbers).
type Stream struct{ key uint64 }

// NewStream returns the stream called name, such as "network/latency".
func NewStream(seed uint64, name string) Stream {
	h := uint64(14695981039346656037) // FNV-1a, 64 bits
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return Stream{Mix(Mix(seed) ^ h)}
}

// Sub returns the stream of the i-th member of a family, such as one client.
func (s Stream) Sub(i int) Stream { return Stream{Mix(s.key + 1 + uint64(i))} }

// At returns draw i, uniform over all uint64 values: output i of a SplitMix64
// generator whose seed is the stream's key, which can be reckoned out of order.
func (s Stream) At(i uint64) uint64 { return finish(s.key + (i+1)*gamma) }

// Below maps a draw onto 0 to n-1. A larger draw never gives a smaller number.
// It panics if n is 0.
func Below(draw uint64, n int) int {
	if n <= 0 {
		panic("sim: nothing to draw from")
	}
	hi, _ := bits.Mul64(draw, uint64(n))
	return int(hi)
}

// Mix maps numbers onto numbers, one to one, so that each bit of the result
// depends on all bits of z.
func Mix(z uint64) uint64 { return finish(z + gamma) }

// gamma and finish are the increment and the output function of SplitMix64
// (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014).
const gamma = 0x9e3779b97f4a7c15

func finish(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
