package client

import (
	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/wire"
)

// deadlines is a queue of what may time out. All commands have the same timeout,
// so those sent first are due first, and one alarm is enough.
type deadlines struct {
	due  []deadline // ring; length is a power of two
	head uint32
	tail uint32
}

// A deadline of a call. It does not count if the call has ended since, or sent
// another command.
type deadline struct {
	at   sim.Time
	call uint32
}

func (d *deadlines) push(x deadline) {
	if d.tail-d.head == uint32(len(d.due)) {
		bigger := make([]deadline, max(64, 2*len(d.due)))
		n := uint32(0)
		for ; d.head != d.tail; d.head++ {
			bigger[n] = d.due[d.head&uint32(len(d.due)-1)]
			n++
		}
		d.due, d.head, d.tail = bigger, 0, n
	}
	d.due[d.tail&uint32(len(d.due)-1)] = x
	d.tail++
}

func (d *deadlines) first() *deadline {
	if d.head == d.tail {
		return nil
	}
	return &d.due[d.head&uint32(len(d.due)-1)]
}

// limit sets the deadline of a call that is sending a command now.
func (c *Client) limit(number uint32) {
	k := &c.calls.all[number]
	k.deadline = c.sched.Now().Add(c.Timeout)
	if c.deadlines.first() == nil {
		c.sched.SetAlarm(c.id, k.deadline)
	}
	c.deadlines.push(deadline{k.deadline, number})
}

// expire gives up on the calls that have waited for too long.
func (c *Client) expire(now sim.Time) {
	if c.Timeout == 0 {
		return
	}
	for d := c.deadlines.first(); d != nil; d = c.deadlines.first() {
		k := &c.calls.all[d.call]
		stale := !k.live || k.deadline != d.at
		if !stale && d.at > now {
			c.sched.SetAlarm(c.id, d.at)
			return
		}
		number := d.call
		c.deadlines.head++
		if !stale {
			c.timeOut(now, number)
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
			c.release(now, uint16(k.process), f.node, c.newConn())
		}
	}
	k.last, k.verdict = now, wire.Timeout
	k.blame = metrics.Blame{}
	c.endCall(number)
}
