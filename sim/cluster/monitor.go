package cluster

import (
	"time"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/slots"
)

// What an operator's monitoring does: it looks every lookEvery, at the last
// lookBack.
const (
	lookEvery = 100 * time.Millisecond
	lookBack  = time.Second
)

// A Sight is what monitoring shows of the last second, or of the last bucket of the
// run's series where that is longer.
type Sight struct {
	Throughput float64       // operations that ended well, per second
	ErrorRate  float64       // share of those that ended which failed
	P99        time.Duration // of those that ended well
	// UtilizationMax and UtilizationMean are the share of the time that the thread of
	// the busiest primary, and of a mean one, was busy.
	UtilizationMax, UtilizationMean float64
	// SlotShareMax is the share of all commands that the hottest slot got, in the last
	// second that had ended.
	SlotShareMax float64
}

// A monitor is an operator's monitoring.
type monitor struct {
	*Cluster
	seen  Sight
	tick  sim.Time // when it was seen, in lookEvery
	sum   metrics.Window
	shown slotCounts // commands by slot, at the beginning of the second
	since sim.Time   // that second, in lookBack
}

type slotCounts [slots.Count]uint64

// look returns what there is to be seen at an instant.
func (w *monitor) look(now sim.Time) *Sight {
	if tick := now / sim.Time(lookEvery); tick != w.tick {
		w.tick = tick
		w.see(now)
	}
	return &w.seen
}

// see looks at the buckets of the series that have ended in the last second.
func (w *monitor) see(now sim.Time) {
	bucket := sim.Time(w.Span.Bucket)
	last := min(int(now/bucket), w.Span.Buckets())
	first := max(0, min(last-1, int((now-sim.Time(lookBack)+bucket-1)/bucket)))
	length := time.Duration(bucket) * time.Duration(last-first)
	share := w.seen.SlotShareMax
	w.seen, w.sum = Sight{SlotShareMax: share}, metrics.Window{}
	if length <= 0 {
		return
	}
	failed := uint64(0)
	for _, r := range w.Recorders {
		for i := first; i < last; i++ {
			w.sum.Add(&r.Series[i])
			for _, n := range r.Broken[i] {
				failed += uint64(n)
			}
		}
	}
	w.seen.Throughput = float64(w.sum.Count()) / length.Seconds()
	if ended := w.sum.Count() + failed; ended > 0 {
		w.seen.ErrorRate = float64(failed) / float64(ended)
	}
	w.seen.P99 = w.sum.Quantile(0.99)
	w.seeNodes(first, last, length)
	w.seeSlots(now)
}

// seeNodes looks at the threads of the primaries.
func (w *monitor) seeNodes(first, last int, length time.Duration) {
	primaries := 0
	for id, n := range w.Nodes {
		if !n.Up() || n.PrimaryOf() != slots.Owner(id) {
			continue
		}
		busy := time.Duration(0)
		for i := first; i < last; i++ {
			busy += n.Load().Series[i]
		}
		share := busy.Seconds() / length.Seconds()
		w.seen.UtilizationMax = max(w.seen.UtilizationMax, share)
		w.seen.UtilizationMean += share
		primaries++
	}
	if primaries > 0 {
		w.seen.UtilizationMean /= float64(primaries)
	}
}

// seeSlots looks at the commands of the slots once a second.
func (w *monitor) seeSlots(now sim.Time) {
	second := now / sim.Time(lookBack)
	if second == w.since {
		return
	}
	w.since = second
	sum, most := uint64(0), uint64(0)
	for slot := range w.shown {
		n := w.Meter.Slots[slot].Commands + w.Meter.Early[slot].Commands
		sum += n - w.shown[slot]
		most = max(most, n-w.shown[slot])
		w.shown[slot] = n
	}
	w.seen.SlotShareMax = 0
	if sum > 0 {
		w.seen.SlotShareMax = float64(most) / float64(sum)
	}
}
