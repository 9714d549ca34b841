package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Meter is what the nodes of a run measure, between two instants.
type Meter struct {
	From, To sim.Time
	Bucket   time.Duration // of the series of each node, from the start of the run
	Slots    [slots.Count]SlotLoad
	// KeyCommands counts, by key, the commands that primaries executed.
	KeyCommands []uint32

	unit *sim.Quantiles // exponential of mean unitMean
}

// A SlotLoad is what the commands for one slot came to, on all nodes.
type SlotLoad struct {
	Commands uint64
	Work     time.Duration
}

const unitMean = 1 << 20

// NewMeter returns a meter of a run with so many keys.
func NewMeter(from, to sim.Time, bucket time.Duration, keys int) *Meter {
	return &Meter{From: from, To: to, Bucket: bucket, KeyCommands: make([]uint32, keys),
		unit: sim.Exponential(unitMean).Quantiles()}
}

// scale returns an exponential of the given mean.
func (t *Meter) scale(mean time.Duration, draw uint64) time.Duration {
	unit := t.unit.At(draw)
	return mean*(unit>>10)>>10 + mean*(unit&(1<<10-1))>>20
}

// A Load is what one node measures of itself.
type Load struct {
	meter     *Meter
	measuring bool // the turn that is running began between From and To

	Commands uint64          // executed
	Refused  uint64          // answered by a redirection or an error
	BytesIn  int64           // read, requests and replication stream
	BytesOut int64           // written
	Busy     time.Duration   // the thread was not asleep
	Stay     time.Duration   // sum over replies, from the request's arrival until they left
	Series   []time.Duration // Busy, by bucket from the start of the run
}

func (t *Meter) node() *Load {
	return &Load{meter: t, Series: make([]time.Duration, int64(t.To-1)/int64(t.Bucket)+1)}
}

// measure says when the turn that follows begins.
func (l *Load) measure(now sim.Time) { l.measuring = now >= l.meter.From && now < l.meter.To }

// busy tells of a turn.
func (l *Load) busy(from, to sim.Time) {
	if l.measuring {
		l.Busy += min(to, l.meter.To).Sub(from)
	}
	width := sim.Time(l.meter.Bucket)
	for i := from / width; from < to && int(i) < len(l.Series); i++ {
		end := min(to, (i+1)*width)
		l.Series[i] += end.Sub(from)
		from = end
	}
}

func (l *Load) executed(m *wire.Message) {
	if l.measuring {
		l.Commands++
		s := &l.meter.Slots[m.Slot]
		s.Commands++
		s.Work += m.Work
	}
}

func (l *Load) refused() {
	if l.measuring {
		l.Refused++
	}
}

func (l *Load) received(bytes int64) {
	if l.measuring {
		l.BytesIn += bytes
	}
}

func (l *Load) sent(bytes int64, stay time.Duration) {
	if l.measuring {
		l.BytesOut += bytes
		l.Stay += stay
	}
}
