package client

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A deadline of a call, or of a process's fetch of the slot map. It does not
// count if what it is for has ended since, or begun anew. All have the same
// timeout, so those set first are due first, and one alarm is enough.
type deadline struct {
	at      sim.Time
	call    uint32
	process uint32 // 1 more than its number, for a fetch
}

// limit sets the deadline of a call that is sending a command now.
func (c *Client) limit(number uint32) {
	k := &c.calls.all[number]
	k.deadline = c.sched.Now().Add(c.patience())
	c.await(deadline{at: k.deadline, call: number})
}

// await adds a deadline.
func (c *Client) await(d deadline) {
	if c.deadlines.Len() == 0 {
		c.sched.SetAlarm(c.id, d.at)
	}
	c.deadlines.Push(d)
}

// counts reports whether what a deadline is for is still waited for.
func (c *Client) counts(d deadline) bool {
	if d.process > 0 {
		f := &c.processes[d.process-1].fetch
		return f.busy && f.deadline == d.at
	}
	k := &c.calls.all[d.call]
	return k.live && k.deadline == d.at
}

// expire gives up on what has been waited for too long.
func (c *Client) expire(now sim.Time) {
	for c.deadlines.Len() > 0 {
		d := *c.deadlines.First()
		counts := c.counts(d)
		if counts && d.at > now {
			c.sched.SetAlarm(c.id, d.at)
			return
		}
		c.deadlines.Drop()
		switch {
		case !counts:
		case d.process > 0:
			c.fetchFailed(now, uint16(d.process-1))
		default:
			c.timeOut(now, d.call)
		}
	}
}

// timeOut is for a call that has not been answered in time: what it waits for is
// tried again, or it ends.
func (c *Client) timeOut(now sim.Time, number uint32) {
	k := &c.calls.all[number]
	if c.Stateless && c.inquiriesTimeOut(now, number) {
		return
	}
	if c.policy.refresh[wire.Timeout] && !c.Stateless {
		for i := range k.parts {
			if p := &k.parts[i]; p.sent {
				c.refreshAfter(now, uint16(k.process), k.flights[p.flight].node)
			}
		}
	}
	if c.Retries > 0 {
		sent := false
		for i := range k.parts {
			sent = sent || k.parts[i].sent
		}
		if !sent || c.retryLost(now, number) {
			return
		}
	}
	c.giveUp(now, number, wire.Timeout)
}

// closeFlights closes the connections that a call waits on, and replaces them.
func (c *Client) closeFlights(now sim.Time, k *call) {
	for i := range k.flights {
		f := &k.flights[i]
		if f.waiting > 0 && f.conn != 0 && !f.replaced && !c.Pipelined && k.load.conns == 0 {
			f.replaced = true
			c.release(now, uint16(k.process), f.node, c.newConn())
			c.retire(f)
		}
	}
}
