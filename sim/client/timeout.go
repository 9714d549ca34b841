package client

import (
	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A deadline of a call. It does not count if the call has ended since, or sent
// another command. All commands have the same timeout, so those sent first are
// due first, and one alarm is enough.
type deadline struct {
	at   sim.Time
	call uint32
}

// limit sets the deadline of a call that is sending a command now.
func (c *Client) limit(number uint32) {
	k := &c.calls.all[number]
	k.deadline = c.sched.Now().Add(c.Timeout)
	if c.deadlines.Len() == 0 {
		c.sched.SetAlarm(c.id, k.deadline)
	}
	c.deadlines.Push(deadline{k.deadline, number})
}

// expire gives up on the calls that have waited for too long.
func (c *Client) expire(now sim.Time) {
	if c.Timeout == 0 {
		return
	}
	for c.deadlines.Len() > 0 {
		d := *c.deadlines.First()
		k := &c.calls.all[d.call]
		stale := !k.live || k.deadline != d.at
		if !stale && d.at > now {
			c.sched.SetAlarm(c.id, d.at)
			return
		}
		c.deadlines.Drop()
		if !stale {
			c.timeOut(now, d.call)
		}
	}
}

// timeOut ends a call without an answer. The connections that it waited on are
// closed and replaced.
func (c *Client) timeOut(now sim.Time, number uint32) {
	k := &c.calls.all[number]
	for i := range k.flights {
		f := &k.flights[i]
		if f.waiting > 0 && f.conn != 0 && !c.Pipelined && k.load.conns == 0 {
			f.replaced = true
			c.release(now, uint16(k.process), f.node, c.newConn())
			c.retire(f)
		}
	}
	k.last, k.verdict = now, wire.Timeout
	k.blame = metrics.Blame{}
	c.endCall(number)
}
