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
	Early    [slots.Count]SlotLoad // the same before From
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
	meter *Meter
	ruler sim.Ruler

	Commands uint64          // executed
	Refused  uint64          // answered by a redirection or an error
	BytesIn  int64           // read, requests and replication stream
	BytesOut int64           // written
	Busy     time.Duration   // the thread was not asleep
	Stay     time.Duration   // sum over replies, from the request's arrival until they left
	Series   []time.Duration // Busy, by bucket from the start of the run

	Misses uint64 // keys that were read and not there

	// Restored is what taking in keys that other nodes moved came to, over the whole
	// run. Longest is the longest turn in which there were any.
	Restored struct {
		Keys          uint64
		Work, Longest time.Duration
		inTurn        bool
	}

	Ticks uint64 // runs of serverCron
	Bus   Bus    // its part in the cluster bus
}

// Bus is what the cluster bus costs one node.
type Bus struct {
	Received, Sent    uint64        // packets
	BytesIn, BytesOut int64         // of them
	Work              time.Duration // of the thread, for packets and connections
	Connects          uint64        // attempts to connect to other nodes
}

func (t *Meter) node() *Load {
	buckets := int64(t.To-1)/int64(t.Bucket) + 1
	return &Load{meter: t, ruler: sim.NewRuler(t.Bucket), Series: make([]time.Duration, buckets)}
}

// restored tells of a key that was taken in.
func (l *Load) restored(work time.Duration) {
	l.Restored.Keys++
	l.Restored.Work += work
	l.Restored.inTurn = true
}

// missed tells of a key that was read and not there.
func (l *Load) missed(at sim.Time) {
	if l.meter.measuring(at) {
		l.Misses++
	}
}

// measuring reports whether an instant is between From and To.
func (t *Meter) measuring(at sim.Time) bool { return uint64(at-t.From) < uint64(t.To-t.From) }

// busy tells of a turn.
func (l *Load) busy(from, to sim.Time) {
	if l.Restored.inTurn {
		l.Restored.inTurn = false
		l.Restored.Longest = max(l.Restored.Longest, to.Sub(from))
	}
	l.Busy += max(0, min(to, l.meter.To).Sub(max(from, l.meter.From)))
	for i := l.ruler.Mark(from); from < to && i < len(l.Series); i++ {
		end := min(to, sim.Time(i+1)*sim.Time(l.meter.Bucket))
		l.Series[i] += end.Sub(from)
		from = end
	}
}

// executed tells of a command that is done at an instant.
func (l *Load) executed(at sim.Time, m *wire.Message) {
	if !l.meter.measuring(at) {
		if at < l.meter.From && m.Command.Keyed() {
			l.meter.Early[m.Slot].add(m.Work)
		}
		return
	}
	l.Commands++
	if m.Command.Keyed() {
		l.meter.Slots[m.Slot].add(m.Work)
	}
}

func (s *SlotLoad) add(work time.Duration) {
	s.Commands++
	s.Work += work
}

func (l *Load) refused(at sim.Time) {
	if l.meter.measuring(at) {
		l.Refused++
	}
}

func (l *Load) received(at sim.Time, bytes int64) {
	if l.meter.measuring(at) {
		l.BytesIn += bytes
	}
}

// sent tells of bytes that leave at an instant, after a stay at the node.
func (l *Load) sent(at sim.Time, bytes int64, stay time.Duration) {
	if l.meter.measuring(at) {
		l.BytesOut += bytes
		l.Stay += stay
	}
}

func (l *Load) tookPacket(at sim.Time, bytes int64) {
	if l.meter.measuring(at) {
		l.Bus.Received++
		l.Bus.BytesIn += bytes
	}
}

func (l *Load) sentPacket(at sim.Time, bytes int64) {
	if l.meter.measuring(at) {
		l.Bus.Sent++
		l.Bus.BytesOut += bytes
	}
}

func (l *Load) ticked(at sim.Time) {
	if l.meter.measuring(at) {
		l.Ticks++
	}
}

func (l *Load) connects(at sim.Time) {
	if l.meter.measuring(at) {
		l.Bus.Connects++
	}
}

// busWork tells of time that the thread has spent on the bus.
func (l *Load) busWork(from, to sim.Time) {
	l.Bus.Work += max(0, min(to, l.meter.To).Sub(max(from, l.meter.From)))
}
