package metrics

import "time"

const (
	windowBits  = 5 // 32 cells per power of two
	windowCells = (maxBits - windowBits + 1) << windowBits
)

// A Window counts the latencies of a part of the run, in coarser cells than a
// Histogram: a quantile is right to about 1.5 %.
type Window struct {
	cells [windowCells]uint32
	sum   time.Duration
	count uint64
	max   time.Duration
}

// Record adds a latency.
func (w *Window) Record(latency time.Duration) {
	w.cells[min(cellOf(uint64(latency), windowBits), windowCells-1)]++
	w.count++
	w.sum += latency
	w.max = max(w.max, latency)
}

// Add adds all that another window holds.
func (w *Window) Add(o *Window) {
	for i, n := range o.cells {
		w.cells[i] += n
	}
	w.count += o.count
	w.sum += o.sum
	w.max = max(w.max, o.max)
}

// Count returns how many operations ended in the window.
func (w *Window) Count() uint64 { return w.count }

// Max returns the longest latency.
func (w *Window) Max() time.Duration { return w.max }

// Mean returns the mean latency, or 0 where there is none.
func (w *Window) Mean() time.Duration {
	if w.count == 0 {
		return 0
	}
	return w.sum / time.Duration(w.count)
}

// Quantile returns the latency that a share p of the operations do not exceed:
// the middle of the cell in which it lies, or 0 for an empty window.
func (w *Window) Quantile(p float64) time.Duration {
	if w.count == 0 {
		return 0
	}
	rank := Rank(p, w.count)
	if rank == w.count {
		return w.max
	}
	for i, n := range w.cells {
		if rank <= uint64(n) {
			middle := (lower(i, windowBits) + lower(i+1, windowBits) - 1) / 2
			return min(time.Duration(middle), w.max)
		}
		rank -= uint64(n)
	}
	return w.max
}
