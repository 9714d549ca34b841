package metrics

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// latencies draws durations of all sizes, from nanoseconds to hours.
func latencies(t *rapid.T) []time.Duration {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
		shift := rapid.IntRange(0, maxBits).Draw(t, "shift")
		return time.Duration(rapid.Uint64Range(0, 1<<maxBits-1).Draw(t, "ns") >> shift)
	}), 1, 200).Draw(t, "latencies")
}

// spread blames every part, unevenly, and for all of a latency.
func spread(d time.Duration) *Blame {
	return &Blame{Client: d / 7, Network: d / 3, ServerWait: d / 5, Execution: d / 11,
		Redirect: d - d/7 - d/3 - d/5 - d/11}
}

func histogramOf(latencies []time.Duration) *Histogram {
	h := NewHistogram()
	for _, d := range latencies {
		h.Record(d, spread(d))
	}
	return h
}

// exactly returns the latency that so many thousandths do not exceed.
func exactly(latencies []time.Duration, thousandths int) time.Duration {
	sorted := slices.Sorted(slices.Values(latencies))
	return sorted[max(1, (thousandths*len(sorted)+999)/1000)-1]
}

func TestHistogramAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := latencies(t)
		h := histogramOf(all)
		for _, p := range []int{0, 1, 250, 500, 900, 990, 999, 1000, rapid.IntRange(0, 1000).Draw(t, "p")} {
			got, want := h.Quantile(float64(p)/1000), exactly(all, p)
			if off := max(got-want, want-got); off > want/128 {
				t.Errorf("P%v is %v, want %v", float64(p)/10, got, want)
			}
		}
		sum := time.Duration(0)
		for _, d := range all {
			sum += d
		}
		if h.Count() != uint64(len(all)) || h.Max() != slices.Max(all) || h.Sum().Total() != sum {
			t.Errorf("%d latencies, the longest %v, in all %v; want %d, %v, %v",
				h.Count(), h.Max(), h.Sum().Total(), len(all), slices.Max(all), sum)
		}
	})
}

func TestHistogramOfOneValue(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 127, 128, 129, 255, 256, 100_001, 1<<maxBits - 1, 1 << maxBits, 1<<62 - 1} {
		h := NewHistogram()
		for range 2 {
			h.Record(d, &Blame{Network: d})
		}
		for _, p := range []float64{0, 0.5, 0.51, 1} {
			if got := h.Quantile(p); got != d {
				t.Errorf("P%v of %v alone is %v", 100*p, d, got)
			}
		}
	}
}

func TestHistogramEmpty(t *testing.T) {
	h := NewHistogram()
	sum, n := h.Slowest(0.5)
	if h.Quantile(0.5) != 0 || h.Max() != 0 || h.Count() != 0 || h.Sum() != (Blame{}) || sum != (Blame{}) || n != 0 {
		t.Errorf("an empty histogram says %v, %v, %v, %v of %d", h.Quantile(0.5), h.Max(), h.Sum(), sum, n)
	}
}

func TestHistogramAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := latencies(t), latencies(t)
		h := histogramOf(a)
		h.Add(histogramOf(b))
		all := histogramOf(slices.Concat(a, b))
		if h.count != all.count || h.max != all.max || !slices.Equal(h.cells, all.cells) {
			t.Errorf("%v and %v", a, b)
		}
	})
}

// Ninety operations of 1 µs, nine of 1 ms and one of 1 s, each blamed for
// something else.
func TestSlowest(t *testing.T) {
	h := NewHistogram()
	for i := range 100 {
		switch {
		case i < 90:
			h.Record(time.Microsecond, &Blame{Network: time.Microsecond})
		case i < 99:
			h.Record(time.Millisecond, &Blame{ServerWait: 900 * time.Microsecond, Redirect: 100 * time.Microsecond})
		default:
			h.Record(time.Second, &Blame{Execution: time.Second})
		}
	}
	const us, ms = time.Microsecond, time.Millisecond
	for _, tt := range []struct {
		p    float64
		n    uint64
		want Blame
	}{
		{1, 1, Blame{Execution: time.Second}}, // at least one
		{0.999, 1, Blame{Execution: time.Second}},
		{0.99, 1, Blame{Execution: time.Second}},
		{0.98, 2, Blame{Execution: time.Second, ServerWait: 900 * us, Redirect: 100 * us}},
		{0.97, 3, Blame{Execution: time.Second, ServerWait: 1800 * us, Redirect: 200 * us}},
		{0.9, 10, Blame{Execution: time.Second, ServerWait: 8100 * us, Redirect: 900 * us}},
		{0.5, 50, Blame{Execution: time.Second, ServerWait: 8100 * us, Redirect: 900 * us, Network: 40 * us}},
		{0, 99, Blame{Execution: time.Second, ServerWait: 8100 * us, Redirect: 900 * us, Network: 89 * us}},
	} {
		if got, n := h.Slowest(tt.p); got != tt.want || n != tt.n {
			t.Errorf("above P%v: %+v of %d, want %+v of %d", 100*tt.p, got, n, tt.want, tt.n)
		}
	}
	if h.Min() != 0 {
		t.Errorf("the smallest blame is %v", h.Min())
	}
	h.Record(ms, &Blame{Network: -1, ServerWait: ms + 1})
	if h.Min() != -1 {
		t.Errorf("the smallest blame is %v", h.Min())
	}
}

func TestRank(t *testing.T) {
	for _, tt := range []struct {
		p    float64
		n    uint64
		want uint64
	}{
		{0, 10, 1}, {0.1, 10, 1}, {0.11, 10, 2}, {0.5, 10, 5}, {0.5, 11, 6}, {1, 10, 10},
		{0.999, 1000, 999}, {0.9999, 1000, 1000}, {0.29, 100, 29}, {0.57, 100, 57}, {0.99, 1, 1},
		{0.99999, 100_000_000, 99_999_000},
	} {
		if got := Rank(tt.p, tt.n); got != tt.want {
			t.Errorf("P%v of %d is number %d, want %d", 100*tt.p, tt.n, got, tt.want)
		}
	}
}

// A window shows the middle of a cell, which is a thirty-second of it wide.
func TestWindowAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := latencies(t), latencies(t)
		var w, other Window
		sum := time.Duration(0)
		for _, d := range a {
			w.Record(d)
			sum += d
		}
		for _, d := range b {
			other.Record(d)
			sum += d
		}
		w.Add(&other)
		all := slices.Concat(a, b)
		for _, p := range []int{0, 1, 500, 990, 1000, rapid.IntRange(0, 1000).Draw(t, "p")} {
			got, want := w.Quantile(float64(p)/1000), exactly(all, p)
			if off := max(got-want, want-got); off > want/64 {
				t.Errorf("P%v is %v, want %v", float64(p)/10, got, want)
			}
		}
		if n := len(all); w.Count() != uint64(n) || w.Max() != slices.Max(all) || w.Mean() != sum/time.Duration(n) {
			t.Errorf("%d latencies, the longest %v, on average %v; want %d, %v, %v",
				w.Count(), w.Max(), w.Mean(), n, slices.Max(all), sum/time.Duration(n))
		}
	})
}

func TestWindowEdges(t *testing.T) {
	var w Window
	if w.Quantile(0.5) != 0 || w.Mean() != 0 || w.Max() != 0 {
		t.Errorf("an empty window says %v, %v, %v", w.Quantile(0.5), w.Mean(), w.Max())
	}
	w.Record(1 << 60)
	w.Record(1 << 61)
	if got := w.Quantile(0.5); got < 1<<(maxBits-1) || w.Max() != 1<<61 {
		t.Errorf("of years, P50 is %v and the longest %v", got, w.Max())
	}
}
