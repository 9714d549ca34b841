package sim

import "time"

// A Ruler cuts the run into marks of equal width and tells in which an instant
// lies. It remembers the last, so that instants close to each other cost no
// division.
type Ruler struct {
	width    Time
	from, to Time // of the mark that was found last
	mark     int
}

// NewRuler returns a ruler of marks of a width, from the beginning of the run.
func NewRuler(width time.Duration) Ruler { return Ruler{width: Time(width)} }

// Width returns the width of a mark.
func (r *Ruler) Width() time.Duration { return time.Duration(r.width) }

// Mark returns the number of the mark in which an instant lies.
func (r *Ruler) Mark(at Time) int {
	if at < r.from || at >= r.to {
		r.mark = int(at / r.width)
		r.from = Time(r.mark) * r.width
		r.to = r.from + r.width
	}
	return r.mark
}
