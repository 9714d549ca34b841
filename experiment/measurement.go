package experiment

import (
	"time"

	"hotslot/metrics"
	"hotslot/sim/cluster"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

const slotCount = slots.Count

// A measurement is a run that is over, with what is needed to ask it questions.
type measurement struct {
	*plan
	cl     *cluster.Cluster
	groups []group // by workload
	all    group
	owners owners
	hot    hottest
	where  *cluster.Places // nil until it has been counted
}

// A group is the loads of a workload, or of all.
type group struct {
	recorders []*metrics.Recorder
	latency   *metrics.Histogram
	metrics.Measured
}

func newMeasurement(p *plan, cl *cluster.Cluster, of []int) *measurement {
	m := &measurement{plan: p, cl: cl, groups: make([]group, len(p.workloads))}
	m.all.latency = metrics.NewHistogram()
	for i := range m.groups {
		m.groups[i].latency = metrics.NewHistogram()
	}
	for i, r := range cl.Recorders {
		m.groups[of[i]].add(r)
		m.all.add(r)
	}
	m.owners = m.findOwners()
	m.hot = m.findHottest()
	return m
}

func (g *group) add(r *metrics.Recorder) {
	g.recorders = append(g.recorders, r)
	g.latency.Add(r.Latency)
	g.Measured.Add(&r.Measured)
}

// duration returns the measured time in seconds.
func (m *measurement) duration() float64 { return m.cl.Span.To.Sub(m.cl.Span.From).Seconds() }

// failed returns how many operations of the group failed, of all kinds.
func (g *group) failed() (n uint64) {
	for _, failed := range g.Failed {
		n += failed
	}
	return n
}

// window merges the buckets of a group's series that begin in a part of the run.
func (g *group) window(from, to time.Duration) (w metrics.Window, due uint64, length time.Duration) {
	for _, r := range g.recorders {
		length = 0
		for i := range r.Series {
			begin := time.Duration(i) * r.Bucket
			if begin < from || begin >= to {
				continue
			}
			w.Add(&r.Series[i])
			due += r.Due[i]
			length += min(r.Bucket, time.Duration(r.To)-begin)
		}
	}
	return w, due, length
}

// overloaded reports whether latency grows for as long as the run lasts: open
// loads bring more than is served, by half a per cent at least, and from the
// second to the last quarter of the time the mean latency has grown accordingly.
func (g *group) overloaded() bool {
	var grown, begun int64
	for _, r := range g.recorders {
		grown += int64(r.InFlight()) - int64(r.InFlightFirst())
		begun += int64(r.Measured.Begun)
	}
	if len(g.recorders) == 0 || grown*200 < begun {
		return false
	}
	span := g.recorders[0].Span
	from, length := time.Duration(span.From), span.To.Sub(span.From)
	early, _, _ := g.window(from+length/4, from+length/2)
	late, _, _ := g.window(from+length*3/4, from+length)
	return late.Mean()-early.Mean() > length/2/200
}

// hottest is which keys are asked for most.
type hottest struct {
	inSlot []wire.Key // by slot
	onNode []wire.Key // by node: of the slots that it had all the time
	any    []bool     // by node: there is such a key
	slots  []int      // those that got a command at least, hottest first
}

// commands returns how many commands primaries executed for a key.
func (m *measurement) commands(k wire.Key) uint64 { return uint64(m.cl.Meter.KeyCommands[k]) }

// findHottest walks over all keys once.
func (m *measurement) findHottest() hottest {
	h := hottest{inSlot: make([]wire.Key, slotCount), onNode: make([]wire.Key, len(m.cl.Nodes)),
		any: make([]bool, len(m.cl.Nodes))}
	seen := make([]bool, slotCount)
	for i, w := range m.workloads {
		for j, slot := range w.Keys().Slots {
			k := m.bases[i] + wire.Key(j)
			if !seen[slot] || m.commands(k) > m.commands(h.inSlot[slot]) {
				h.inSlot[slot], seen[slot] = k, true
			}
			if n, is := m.owners.of(int(slot)); is && (!h.any[n] || m.commands(k) > m.commands(h.onNode[n])) {
				h.onNode[n], h.any[n] = k, true
			}
		}
	}
	h.slots = m.usedSlots()
	return h
}

// keyName returns a key's name.
func (m *measurement) keyName(k wire.Key) string {
	for i, w := range m.workloads {
		if k >= m.bases[i] && int(k-m.bases[i]) < w.Keys().Len() {
			return w.Keys().Name(int(k - m.bases[i]))
		}
	}
	return ""
}

// node returns a node's number by its name.
func (m *measurement) node(name string) (int, bool) {
	for i := range m.cl.Shape.Nodes() {
		if m.cl.NodeName(i) == name {
			return i, true
		}
	}
	return 0, false
}

// micros returns a duration in microseconds.
func micros(d time.Duration) float64 { return float64(d) / 1e3 }
