package network

import (
	"slices"
	"time"

	"hotslot/sim"
)

// A card is a host's network card.
type card struct {
	picos   int64    // per byte; 0 is no limit
	out     sim.Time // when it has sent all
	in      []span   // when it is receiving, from now on, in order and apart
	busyOut time.Duration
	busyIn  time.Duration

	measured span // what busyOut and busyIn are about
}

// A span of time.
type span struct{ from, to sim.Time }

// overlap returns how much of a span lies between two instants.
func (s span) overlap(from, to sim.Time) time.Duration {
	return max(0, min(to, s.to).Sub(max(from, s.from)))
}

// takes returns how long the card is busy with bytes.
func (c *card) takes(bytes int64) time.Duration { return time.Duration(bytes * c.picos / 1000) }

// send returns when the last byte has left.
func (c *card) send(depart sim.Time, bytes int64) sim.Time {
	took := c.takes(bytes)
	start := max(c.out, depart)
	c.out = start.Add(took)
	c.busyOut += c.measured.overlap(start, c.out)
	return c.out
}

// receive returns when the card has taken in bytes of which the first reaches it
// at an instant. Receptions are booked in the order of sending, and each has the
// time that those before it have left, so that none waits for what is still on
// its way.
func (c *card) receive(now, first sim.Time, bytes int64) sim.Time {
	if c.picos == 0 {
		return first
	}
	took := c.takes(bytes)
	whole := took
	i := 0
	for i < len(c.in) && c.in[i].to <= now {
		i++
	}
	c.in = slices.Delete(c.in, 0, i)
	i = 0
	for i < len(c.in) && c.in[i].to < first {
		i++
	}
	booked, end := span{first, first}, i
	for ; end < len(c.in) && booked.to.Add(took) > c.in[end].from; end++ {
		took -= max(0, c.in[end].from.Sub(booked.to))
		booked = span{min(booked.from, c.in[end].from), c.in[end].to}
	}
	booked.to = booked.to.Add(took)
	c.in = slices.Replace(c.in, i, end, booked)
	c.busyIn += c.measured.overlap(booked.to.Add(-whole), booked.to)
	return booked.to
}

// picosPerByte returns how long a byte takes at a bandwidth in bytes per second.
func picosPerByte(bandwidth int64) int64 {
	if bandwidth == 0 {
		return 0
	}
	return max(1, 1_000_000_000_000/bandwidth)
}
