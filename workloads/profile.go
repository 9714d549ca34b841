package workloads

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
	"time"

	"hotslot/sim"
)

// profile is the rate of a load over time: constant between changes, which are
// in order of time, the first at 0. Its time is that of a clock that stands
// still while an on/off load is off, so that being off costs nothing.
type profile []change

// A change of the rate.
type change struct {
	at  sim.Time
	gap uint64 // mean time between operations, in units of 2^-gapBits ns; 0 is no operations
}

// A stretch is a time in which operations come at one rate. The one that begins
// at sim.Never stands for no more operations.
type stretch struct {
	from, until sim.Time // until is not in it
	gap         uint64
}

// rampStairs is how many steps stand for a ramp. Each has the rate of its
// middle, so that as many operations come as if it were straight.
const rampStairs = 256

// newProfile returns the profile of spec for increments of a given mean.
func newProfile(spec Spec, mean float64) profile {
	var p profile
	for _, step := range spec.rates() {
		at := spec.onOff().clock(sim.Time(step.At))
		p = append(p, change{at, gap(step.Rate, mean)})
	}
	return p
}

// gap returns how long an increment of 1 takes at so many operations a second.
// It is rounded up: a third of a second, three times, must not fall short of a
// second. Rates below one in five hours count as that.
func gap(ratePerSecond, mean float64) uint64 {
	if ratePerSecond <= 0 {
		return 0
	}
	units := math.Ceil(float64(time.Second) * (1 << gapBits) / float64(ratePerSecond*mean))
	if units >= 1<<64 {
		return math.MaxUint64
	}
	return uint64(units)
}

// rates lists the changes of the rate in order of time. A ramp begins with the
// rate that it finds, and a step that comes before its end cuts it short.
func (s Spec) rates() []Step {
	steps := append([]Step{{Rate: s.Rate}}, s.Steps...)
	slices.SortStableFunc(steps, func(a, b Step) int { return cmp.Compare(a.At, b.At) })
	if s.Ramp == nil {
		return steps
	}
	next := sort.Search(len(steps), func(i int) bool { return steps[i].At > s.Ramp.From })
	rates := slices.Clone(steps[:next])
	for _, stair := range s.Ramp.stairs(steps[next-1].Rate) {
		if next == len(steps) || stair.At < steps[next].At {
			rates = append(rates, stair)
		}
	}
	return append(rates, steps[next:]...)
}

// stairs returns the steps that stand for a ramp from a given rate.
func (r Ramp) stairs(from float64) []Step {
	stairs := make([]Step, rampStairs+1)
	for i := range rampStairs {
		climbed := (float64(i) + 0.5) / rampStairs
		stairs[i] = Step{
			At:   r.From + time.Duration(i)*r.Over/rampStairs,
			Rate: from + float64((r.To-from)*climbed),
		}
	}
	stairs[rampStairs] = Step{At: r.From + r.Over, Rate: r.To}
	return stairs
}

// at returns the stretch that t is in, or the next one.
func (p profile) at(t sim.Time) stretch {
	for t != sim.Never {
		i := sort.Search(len(p), func(i int) bool { return p[i].at > t }) - 1
		until := sim.Never
		if i+1 < len(p) {
			until = p[i+1].at
		}
		if p[i].gap > 0 {
			return stretch{t, until, p[i].gap}
		}
		t = until
	}
	return stretch{sim.Never, sim.Never, 0}
}

// clock returns how much of the time before t is on.
func (o OnOff) clock(t sim.Time) sim.Time {
	if o.Off == 0 {
		return t
	}
	on, cycle := sim.Time(o.On), sim.Time(o.On+o.Off)
	return t/cycle*on + min(t%cycle, on)
}

// time returns when the clock shows t, or sim.Never if that is too far away. At
// the end of an on it is the beginning of the next.
func (o OnOff) time(t sim.Time) sim.Time {
	if o.Off == 0 || t == sim.Never {
		return t
	}
	on := sim.Time(o.On)
	hi, off := bits.Mul64(uint64(t/on), uint64(o.Off))
	if hi > 0 || off > uint64(sim.Never-t) {
		return sim.Never
	}
	return t + sim.Time(off)
}
