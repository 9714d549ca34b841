package metrics

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A second is a hundred buckets of 10 ms; what is a little longer has to do with
// fewer of the next round width.
func TestNewSpan(t *testing.T) {
	for _, tt := range []struct{ run, width time.Duration }{
		{1, 1}, {100, 1}, {101, 2}, {200, 2}, {201, 5}, {500, 5}, {501, 10},
		{time.Millisecond, 10 * time.Microsecond}, {time.Second, 10 * time.Millisecond},
		{time.Second + 1, 20 * time.Millisecond}, {10 * time.Second, 100 * time.Millisecond},
		{time.Hour, 50 * time.Second},
	} {
		if got := NewSpan(0, sim.Time(tt.run)).Bucket; got != tt.width {
			t.Errorf("a run of %v has buckets of %v, want %v", tt.run, got, tt.width)
		}
	}
}

func TestNewSpanIsRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := rapid.Int64Range(int64(time.Millisecond), int64(10*24*time.Hour)).Draw(t, "run")
		s := NewSpan(sim.Time(run/3), sim.Time(run))
		digit := s.Bucket
		for digit%10 == 0 {
			digit /= 10
		}
		if digit != 1 && digit != 2 && digit != 5 {
			t.Errorf("buckets of %v", s.Bucket)
		}
		n := s.Buckets()
		if n < buckets*2/5 || n > buckets || time.Duration(n)*s.Bucket < time.Duration(run) ||
			time.Duration(n-1)*s.Bucket >= time.Duration(run) {
			t.Errorf("%d buckets of %v for %v", n, s.Bucket, time.Duration(run))
		}
	})
}

// An operation of a run, as its recorder is told of it. It may never end.
type operation struct {
	start, end sim.Time
	verdict    wire.Verdict
	kind       wire.OpKind
}

const runEnd = 1000

func operations(t *rapid.T) []operation {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) operation {
		o := operation{start: sim.Time(rapid.IntRange(0, runEnd).Draw(t, "start"))}
		o.end = o.start + sim.Time(rapid.IntRange(0, runEnd).Draw(t, "latency"))
		if rapid.IntRange(0, 9).Draw(t, "one in ten never ends") == 0 {
			o.end = sim.Never
		}
		o.verdict = rapid.SampledFrom([]wire.Verdict{wire.OK, wire.OK, wire.Moved, wire.Timeout}).Draw(t, "verdict")
		o.kind = rapid.SampledFrom([]wire.OpKind{wire.ReadOp, wire.WriteOp}).Draw(t, "kind")
		return o
	}), 10, 50).Draw(t, "operations")
}

func record(span Span, all []operation) *Recorder {
	r := NewRecorder(span)
	for _, o := range all {
		r.Begin(o.start)
		if o.end != sim.Never {
			latency := o.end.Sub(o.start)
			r.End(&End{Start: o.start, At: o.end, Blame: Blame{Network: latency}, Kind: o.kind,
				Commands: 3, RoundTrips: 2, Verdict: o.verdict})
		}
	}
	return r
}

// The operations that are present, counted instant by instant.
func TestPresentAgainstCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := sim.Time(rapid.IntRange(0, runEnd-1).Draw(t, "from"))
		all := operations(t)
		present := 0
		for at := from; at < runEnd; at++ {
			for _, o := range all {
				if o.start <= at && at < o.end {
					present++
				}
			}
		}
		r := record(NewSpan(from, runEnd), all)
		if got, want := r.Present(), float64(present)/float64(runEnd-from); got != want {
			t.Errorf("%v are present, want %v", got, want)
		}
	})
}

func TestRecorderCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := sim.Time(rapid.IntRange(0, runEnd-1).Draw(t, "from"))
		all := operations(t)
		r := record(NewSpan(from, runEnd), all)
		want := NewRecorder(r.Span)
		inFlight := uint64(0)
		for _, o := range all {
			measured := o.end >= from
			want.Begun++
			if o.start < runEnd {
				want.Due[o.start/10]++
			}
			if o.start >= from && o.start < runEnd {
				want.Measured.Begun++
			}
			switch {
			case o.end >= runEnd:
				inFlight++
				if o.end != sim.Never {
					want.Late++
				}
			case o.verdict != wire.OK:
				want.Failed[o.verdict]++
				if measured {
					want.Measured.Failed[o.verdict]++
				}
			default:
				want.Done++
				want.Series[o.end/10].Record(o.end.Sub(o.start))
				if measured {
					want.Latency.Record(o.end.Sub(o.start), &Blame{Network: o.end.Sub(o.start)})
					want.Measured.Ops[o.kind]++
					want.Measured.Commands[o.kind] += 3
					want.Measured.RoundTrips += 2
				}
			}
		}
		same(t, "begun", r.Begun, want.Begun)
		same(t, "done", r.Done, want.Done)
		same(t, "failed", r.Failed, want.Failed)
		same(t, "late", r.Late, want.Late)
		same(t, "in flight", r.InFlight(), inFlight)
		same(t, "measured", r.Measured, want.Measured)
		same(t, "latencies", r.Latency.Sum(), want.Latency.Sum())
		same(t, "ended well", r.Latency.Count(), want.Latency.Count())
		for i := range r.Due {
			same(t, "due in a bucket", r.Due[i], want.Due[i])
			if r.Series[i] != want.Series[i] {
				t.Errorf("another window from %d on", i*10)
			}
		}
	})
}

func same[T comparable](t *rapid.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestMeasuredAdd(t *testing.T) {
	a := Measured{
		Begun: 1, Failed: [wire.Verdicts]uint64{wire.Timeout: 2}, Replies: [wire.Verdicts]uint64{wire.Moved: 3},
		Ops: [wire.OpKinds]uint64{4, 5}, Commands: [wire.OpKinds]uint64{6, 7}, RoundTrips: 8, PoolWaits: 9, CPU: 10,
	}
	b := Measured{
		Begun: 10, Failed: [wire.Verdicts]uint64{wire.Timeout: 20}, Replies: [wire.Verdicts]uint64{wire.Moved: 30},
		Ops: [wire.OpKinds]uint64{40, 50}, Commands: [wire.OpKinds]uint64{60, 70}, RoundTrips: 80, PoolWaits: 90, CPU: 100,
	}
	want := Measured{
		Begun: 11, Failed: [wire.Verdicts]uint64{wire.Timeout: 22}, Replies: [wire.Verdicts]uint64{wire.Moved: 33},
		Ops: [wire.OpKinds]uint64{44, 55}, Commands: [wire.OpKinds]uint64{66, 77}, RoundTrips: 88, PoolWaits: 99, CPU: 110,
	}
	if a.Add(&b); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
}
