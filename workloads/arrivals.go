package workloads

import (
	"math"
	"math/bits"
	"sync"
	"time"

	"hotslot/sim"
)

// Arrivals says when the operations of an open load start, one after another.
// It is the only thing here that remembers what it has said before.
//
// Operation n comes when the rate, summed over time, has grown by increment n
// since the operation before: by 1 each if arrivals are constant, by a random
// number of mean 1, exponentially distributed, if they form a Poisson process.
// So an operation has the same increment at any rate, and where a strategy
// changes the rate, the same operations come closer together. Where the rate
// changes on the way, the rest of the increment is carried over (Cinlar,
// "Introduction to Stochastic Processes", 1975: a process with a varying rate
// is one of rate 1 on another clock). An operation never starts at 0: even the
// first one waits for its increment.
type Arrivals struct {
	now      sim.Time // on the profile's clock: of the last operation, or where the stretch began
	fraction uint64   // of a nanosecond beyond now, in units of 2^-64
	stretch  stretch  // which now is in

	n          uint64 // operations so far
	draws      sim.Stream
	increments *sim.Quantiles // nil: constant
	profile    profile
	onOff      OnOff
	burst      burst // instead of all that, where its size is not 0
}

// one is an increment of 1. Gaps between operations are in units of 2^-gapBits
// nanoseconds, so the shortest are precise to a millionth and the longest take
// five hours.
const (
	one     = 1 << oneBits
	oneBits = 32
	gapBits = 20
)

// NewArrivals returns the arrivals of an open load.
func NewArrivals(spec Spec, seed uint64, load int) *Arrivals {
	a := &Arrivals{draws: sim.NewStream(seed, "load/arrivals").Sub(load)}
	if spec.Kind == burstKind {
		a.burst = burst{size: uint64(spec.Size), every: spec.Every, over: spec.Over}
		return a
	}
	mean := 1.0
	if spec.Arrivals != constantArrivals {
		a.increments, mean = unitExponential()
	}
	a.profile, a.onOff = newProfile(spec, mean), spec.onOff()
	a.enter(0)
	return a
}

// Next returns when the next operation starts, beginning with the first. It
// returns sim.Never when there is none.
func (a *Arrivals) Next() sim.Time {
	if a.burst.size > 0 {
		at := a.burst.at(a.n)
		a.n++
		return at
	}
	increment := uint64(one)
	if a.increments != nil {
		increment = uint64(a.increments.At(a.draws.At(a.n)))
	}
	a.n++
	at, fraction := a.after(increment)
	if at >= a.stretch.until {
		at, fraction = a.cross(increment)
	}
	a.now, a.fraction = at, fraction
	return a.onOff.time(at)
}

// cross finds the next operation where it is in another stretch than the last.
func (a *Arrivals) cross(increment uint64) (sim.Time, uint64) {
	for a.stretch.until != sim.Never {
		increment -= a.rest()
		a.enter(a.stretch.until)
		if at, fraction := a.after(increment); at < a.stretch.until {
			return at, fraction
		}
	}
	return sim.Never, 0
}

// enter goes to where operations come again, at or after t.
func (a *Arrivals) enter(t sim.Time) {
	a.stretch = a.profile.at(t)
	a.now, a.fraction = a.stretch.from, 0
}

// after returns the instant of an increment from now, as if the stretch went on
// for ever.
func (a *Arrivals) after(increment uint64) (sim.Time, uint64) {
	hi, lo := bits.Mul64(increment, a.stretch.gap) // in units of 2^-52 ns
	const shift = oneBits + gapBits
	fraction, carry := bits.Add64(a.fraction, lo<<(64-shift), 0)
	return a.now + sim.Time(hi<<(64-shift)|lo>>shift) + sim.Time(carry), fraction
}

// rest returns the increment from now to the end of the stretch, rounded down.
func (a *Arrivals) rest() uint64 {
	lo, borrow := bits.Sub64(0, a.fraction, 0) // in units of 2^-64 ns
	hi := uint64(a.stretch.until-a.now) - borrow
	const shift = 64 - oneBits - gapBits
	rest, _ := bits.Div64(hi>>shift, hi<<(64-shift)|lo>>shift, a.stretch.gap)
	return rest
}

// unitExponential returns the table of Poisson increments and its mean, in
// parts of one. The table is straight between points of a curve that sags, so
// its mean is a little too large; gaps are shortened by as much.
var unitExponential = sync.OnceValues(func() (*sim.Quantiles, float64) {
	table := sim.Exponential(one).Quantiles()
	return table, meanOf(table) / one
})

// meanOf returns the mean of a table exactly: in each of its cells it is
// straight, so the middle of the cell stands for it.
func meanOf(table *sim.Quantiles) float64 {
	const cells = 1024 // of each level; the last one of a level is the next level
	mean := 0.0
	from, width := uint64(0), uint64(1<<54)
	for level := 1; level <= 3; level++ {
		sum := int64(0)
		for i := range uint64(cells) {
			if i < cells-1 || level == 3 {
				sum += int64(table.At(from + i*width + width/2))
			}
		}
		mean += math.Ldexp(float64(sum), -10*level)
		from += (cells - 1) * width
		width /= cells
	}
	return mean
}

// burst is size operations at every multiple of every, from the first on, all
// at once or evenly spread over a time.
type burst struct {
	size        uint64
	every, over time.Duration
}

// at returns when operation n starts.
func (b *burst) at(n uint64) sim.Time {
	hi, lo := bits.Mul64(n%b.size, uint64(b.over))
	spread, _ := bits.Div64(hi, lo, b.size)
	return sim.Time(n/b.size+1)*sim.Time(b.every) + sim.Time(spread)
}
