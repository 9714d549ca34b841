package sim

import "time"

// Time is an instant: nanoseconds since the run began. It is never negative.
// A difference of two instants is a time.Duration.
type Time int64

// Never is later than every instant that a run can reach.
const Never = Time(1<<63 - 1)

// Add returns the instant d after t.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub returns the duration from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// String formats t as a duration since the start of the run, such as "1.25ms".
func (t Time) String() string { return time.Duration(t).String() }
