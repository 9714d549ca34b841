package metrics

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Span is the part of a run that is measured, and how finely.
type Span struct {
	From, To sim.Time
	Bucket   time.Duration // of the series, from the start of the run
}

// buckets bounds the number of buckets of a series, so that memory does not
// grow with the length of a run.
const buckets = 100

// Fine is as many buckets as a series has where a run is looked at closely.
const Fine = 800

// NewSpan returns the span between two instants, in buckets of a round width.
func NewSpan(from, to sim.Time) Span { return newSpan(from, to, buckets) }

// NewFineSpan returns the span in more and shorter buckets, to find out what
// happens around an event.
func NewFineSpan(from, to sim.Time) Span { return newSpan(from, to, Fine) }

func newSpan(from, to sim.Time, most time.Duration) Span {
	width := time.Duration(1)
	for steps := 0; time.Duration(to) > most*width; steps++ {
		width *= [...]time.Duration{2, 5, 2}[steps%3]
		if steps%3 == 1 { // 1, 2, 5, 10: the step from 2 to 5 is one of 2.5
			width /= 2
		}
	}
	return Span{from, to, width}
}

// Buckets returns how many buckets the run is cut into.
func (s Span) Buckets() int { return int((time.Duration(s.To)-1)/s.Bucket) + 1 }

// A Recorder is told of every operation of one load when it begins and when it
// ends. It may be told of an end before that instant is reached.
type Recorder struct {
	Span
	Name    string     // of the load
	Closed  bool       // the load waits for its replies
	Latency *Histogram // of the operations that ended well between From and To
	Series  []Window   // of all that ended well, by the bucket in which they ended
	Due     []uint64   // operations that began, by bucket
	Broken  []Broken   // operations that failed, by the bucket in which they ended
	Asides  []Asides   // redirections, by the bucket in which the client got them

	Begun  uint64 // operations, from the start of the run
	Done   uint64 // well, by the end of the run
	Failed [wire.Verdicts]uint64
	Late   uint64 // operations whose end, already known, lies beyond To

	Measured Measured

	starts, ends sim.Ruler
	refusals     sim.Ruler
	early, gone  time.Duration // see Present
}

// Broken counts operations that failed, by verdict.
type Broken [wire.Verdicts]uint32

// Asides counts replies that send a command elsewhere, or away.
type Asides struct{ Moved, Ask, TryAgain uint32 }

// Measured is what happened between From and To.
type Measured struct {
	Begun      uint64
	Failed     [wire.Verdicts]uint64
	Replies    [wire.Verdicts]uint64 // to single commands
	Ops        [wire.OpKinds]uint64  // that ended well
	Commands   [wire.OpKinds]uint64  // that these took
	RoundTrips uint64                // one after another: what they waited for
	Borrows    uint64                // commands or pipelines that needed a connection of a pool
	PoolWaits  uint64                // of those, that had to wait for one
	CPU        time.Duration         // that sending commands cost the processes

	Retries      uint64 // commands that were tried again
	Repeated     uint64 // of those, writes that may have been executed before
	Unreplicated uint64 // writes that too few replicas had acknowledged in time
}

// NewRecorder returns a recorder of one load.
func NewRecorder(s Span) *Recorder {
	return &Recorder{Span: s, Latency: NewHistogram(), Series: make([]Window, s.Buckets()),
		Due: make([]uint64, s.Buckets()), Broken: make([]Broken, s.Buckets()),
		Asides: make([]Asides, s.Buckets()), starts: sim.NewRuler(s.Bucket), ends: sim.NewRuler(s.Bucket),
		refusals: sim.NewRuler(s.Bucket)}
}

// Measuring reports whether an instant is between From and To.
func (r *Recorder) Measuring(at sim.Time) bool { return uint64(at-r.From) < uint64(r.To-r.From) }

// Begin tells that an operation is due at an instant.
func (r *Recorder) Begin(at sim.Time) {
	r.Begun++
	if at >= r.To {
		return // the run's last instant: beyond all buckets
	}
	r.Due[r.starts.Mark(at)]++
	r.early += r.within(at)
	if at >= r.From {
		r.Measured.Begun++
	}
}

// An End is how an operation ended.
type End struct {
	Start, At  sim.Time
	Blame      Blame
	Kind       wire.OpKind
	Commands   uint32 // attempts included
	RoundTrips uint32
	Verdict    wire.Verdict
}

// End tells how and when an operation ends.
func (r *Recorder) End(e *End) {
	if e.At >= r.To {
		r.Late++
		return
	}
	r.gone += r.within(e.At)
	if e.Verdict != wire.OK {
		r.Failed[e.Verdict]++
		r.Broken[r.ends.Mark(e.At)][e.Verdict]++
		if e.At >= r.From {
			r.Measured.Failed[e.Verdict]++
		}
		return
	}
	r.Done++
	latency := e.At.Sub(e.Start)
	r.Series[r.ends.Mark(e.At)].Record(latency)
	if e.At < r.From {
		return
	}
	r.Latency.Record(latency, &e.Blame)
	r.Measured.Ops[e.Kind]++
	r.Measured.Commands[e.Kind] += uint64(e.Commands)
	r.Measured.RoundTrips += uint64(e.RoundTrips)
}

// Refused tells of a reply to a command that is not OK.
func (r *Recorder) Refused(at sim.Time, v wire.Verdict) {
	if at >= r.To {
		return
	}
	if at >= r.From {
		r.Measured.Replies[v]++
	}
	switch v {
	case wire.Moved:
		r.Asides[r.refusals.Mark(at)].Moved++
	case wire.Ask:
		r.Asides[r.refusals.Mark(at)].Ask++
	case wire.TryAgain:
		r.Asides[r.refusals.Mark(at)].TryAgain++
	}
}

// Overlap returns how much of the measured span lies between two instants.
func (s Span) Overlap(from, to sim.Time) time.Duration {
	return max(0, min(to, s.To).Sub(max(from, s.From)))
}

// Present returns how many operations were under way, on average between From
// and To. With the throughput, it gives the mean latency by Little's law.
func (r *Recorder) Present() float64 {
	return float64(r.early-r.gone) / float64(r.To.Sub(r.From))
}

// within returns how much of the measured span lies after an instant.
func (r *Recorder) within(at sim.Time) time.Duration {
	return max(0, r.To.Sub(max(at, r.From)))
}

// InFlightFirst returns how many operations were under way when measuring began.
func (r *Recorder) InFlightFirst() uint64 {
	n := r.Begun - r.Measured.Begun - (r.Done - r.Latency.Count())
	for v, failed := range r.Failed {
		n -= failed - r.Measured.Failed[v]
	}
	return n
}

// InFlight returns how many operations have begun and, at the end of the run,
// not ended.
func (r *Recorder) InFlight() uint64 {
	n := r.Begun - r.Done
	for _, failed := range r.Failed {
		n -= failed
	}
	return n
}

// Add adds all that another load came to.
func (m *Measured) Add(o *Measured) {
	m.Begun += o.Begun
	for v := range m.Failed {
		m.Failed[v] += o.Failed[v]
		m.Replies[v] += o.Replies[v]
	}
	for k := range m.Ops {
		m.Ops[k] += o.Ops[k]
		m.Commands[k] += o.Commands[k]
	}
	m.RoundTrips += o.RoundTrips
	m.Borrows += o.Borrows
	m.PoolWaits += o.PoolWaits
	m.CPU += o.CPU
	m.Retries += o.Retries
	m.Repeated += o.Repeated
	m.Unreplicated += o.Unreplicated
}
