package workloads

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"hotslot/sim"
)

// profile is the rate of a load over time: constant between changes, and none
// while an on/off load is off.
type profile struct {
	changes []change // in order of time; the first at 0
	onOff   OnOff    // the zero value is always on
}

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
		p.changes = append(p.changes, change{sim.Time(step.At), gap(step.Rate, mean)})
	}
	if spec.OnOff != nil {
		p.onOff = *spec.OnOff
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
func (p *profile) at(t sim.Time) stretch {
	for t != sim.Never {
		i := sort.Search(len(p.changes), func(i int) bool { return p.changes[i].at > t }) - 1
		until := sim.Never
		if i+1 < len(p.changes) {
			until = p.changes[i+1].at
		}
		if p.changes[i].gap == 0 {
			t = until
			continue
		}
		if cycle := sim.Time(p.onOff.On + p.onOff.Off); cycle > 0 {
			phase := t % cycle
			if phase >= sim.Time(p.onOff.On) {
				t += cycle - phase
				continue
			}
			until = min(until, t-phase+sim.Time(p.onOff.On))
		}
		return stretch{t, until, p.changes[i].gap}
	}
	return stretch{sim.Never, sim.Never, 0}
}
