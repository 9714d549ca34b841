package client

import (
	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Early is told of a reply when it leaves the node. What comes of most replies
// is known then: the operation ends when they arrive. It returns false for those
// that make the client do something else.
func (c *Client) Early(at sim.Time, m *wire.Message) bool {
	if m.Command == wire.ClusterSlots {
		return false
	}
	if m.Call == 0 && m.Verdict == wire.OK {
		c.endCommand(at, m)
		return true
	}
	if m.Call != 0 && c.late(at, m) {
		c.drop(m)
		return true
	}
	if c.decides(m) {
		return false
	}
	c.settle(at, m)
	return true
}

// decides reports whether the client has to do something when the reply arrives.
func (c *Client) decides(m *wire.Message) bool {
	switch m.Verdict {
	case wire.Moved, wire.Ask, wire.TryAgain:
		return true
	case wire.OK:
		if m.Call != 0 {
			k := &c.calls.all[m.Call]
			return k.sequential() && k.sent < len(k.parts)
		}
	}
	return false
}

// settle takes a reply for what it is: the end of its command.
func (c *Client) settle(at sim.Time, m *wire.Message) {
	c.count(at, m)
	if m.Call == 0 {
		c.endCommand(at, m)
		return
	}
	c.land(at, m)
	c.answer(at, m)
}

// late reports whether the client has given up on a reply, or will have by the
// time it arrives.
func (c *Client) late(at sim.Time, m *wire.Message) bool {
	k := &c.calls.all[m.Call]
	return !k.live || at > k.deadline
}

// count adds a reply that is not OK to the counts of its load.
func (c *Client) count(at sim.Time, m *wire.Message) {
	if m.Verdict == wire.OK {
		return
	}
	l := c.loads[m.ID.Load()]
	if l.Measuring(at) {
		l.Measured.Replies[m.Verdict]++
	}
}

// endCommand ends an operation of one command.
func (c *Client) endCommand(at sim.Time, m *wire.Message) {
	if m.Conn != 0 {
		c.giveBack(at, m)
	}
	l := c.loads[m.ID.Load()]
	e := &c.end
	e.Start, e.At, e.Verdict = m.Start, at, m.Verdict
	blame(at, m, &e.Blame)
	e.Kind = wire.ReadOp
	if m.Command.Writes() {
		e.Kind = wire.WriteOp
	}
	e.Commands = uint32(m.Hops) + 1
	e.RoundTrips = e.Commands
	l.End(e)
	if l.Closed {
		l.ended(at, uint64(m.ID)&(1<<wire.LoadBits-1))
	}
}

// blame splits the time of a command that is answered.
func blame(at sim.Time, m *wire.Message, b *metrics.Blame) {
	b.Client = m.First.Sub(m.Start)
	b.Redirect = m.Sent.Sub(m.First)
	b.Network = at.Sub(m.Sent) - m.Wait - m.Work
	b.ServerWait = m.Wait
	b.Execution = m.Work
}

// land takes a command that is answered out of its flight, and gives the
// connection back with the last answer. That may be known before another is, a
// redirection, which is dealt with when it arrives.
func (c *Client) land(at sim.Time, m *wire.Message) {
	k := &c.calls.all[m.Call]
	f := &k.flights[k.parts[m.Part].flight]
	f.waiting--
	f.last = max(f.last, at)
	if f.waiting == 0 {
		c.giveBack(f.last, m)
	}
}

// giveBack returns the connection of an answered command to its pool, if it is
// from one.
func (c *Client) giveBack(at sim.Time, m *wire.Message) {
	if m.Conn != 0 && !c.Pipelined && c.loads[m.ID.Load()].conns == 0 {
		c.release(at, m.Process, m.From, m.Conn)
	}
}

// Wake deals with the replies that make the client do something, with
// connections that are free, and with timeouts.
func (c *Client) Wake(now sim.Time) {
	c.expire(now)
	for {
		ref, m, _ := c.sched.Take(c.id)
		if m == nil {
			return
		}
		switch {
		case m.Kind == wire.Freed:
			number := int(m.Call)
			c.sched.Free(ref)
			c.freed(now, number)
		case m.Command == wire.ClusterSlots:
			c.learn(m)
			c.sched.Free(ref)
		case m.Call != 0 && c.late(now, m):
			c.drop(m)
			c.sched.Free(ref)
		case m.Verdict == wire.Moved && int(m.Hops) < c.MaxRedirects:
			c.moved(now, ref, m)
		default:
			c.settle(now, m)
			c.sched.Free(ref)
		}
	}
}

// moved follows a redirection, and learns from it.
func (c *Client) moved(now sim.Time, ref sim.Ref, m *wire.Message) {
	c.count(now, m)
	switch c.OnMoved {
	case MovedPatch:
		c.table(m.Process)[m.Slot] = m.Owner
	case MovedRefresh:
		c.refresh(now, m.Process, m.From)
	}
	if m.Call != 0 {
		c.land(now, m)
	} else {
		c.giveBack(now, m)
	}
	m.Hops++
	m.Verdict, m.Next, m.Flags = wire.OK, ref, m.Flags&^wire.Readonly
	to := sim.ActorID(m.Owner)
	if m.Call != 0 {
		k := &c.calls.all[m.Call]
		k.flights = append(k.flights, flight{node: to, waiting: 1})
		k.parts[m.Part].flight = uint16(len(k.flights) - 1)
	}
	c.send(now, to, ref, m)
}

// table returns the slot map of a process, for it alone to change.
func (c *Client) table(number uint16) *slots.Table {
	p := &c.processes[number]
	if !p.own {
		table := *p.table
		p.table, p.own = &table, true
	}
	return p.table
}

// refresh asks a node for the slot map, unless the process is waiting for one.
func (c *Client) refresh(now sim.Time, number uint16, node sim.ActorID) {
	p := &c.processes[number]
	if p.refreshing {
		return
	}
	p.refreshing = true
	ref, m := c.sched.New()
	*m = wire.Message{ID: wire.NewOpID(refreshLoad, uint64(number)<<20|p.refreshes),
		Command: wire.ClusterSlots, Process: number, Next: ref, Keys: uint16(c.Primaries)}
	p.refreshes++
	c.net.ToNode(now, node, ref, m)
}

// refreshLoad takes the place of a load in the identity of a CLUSTER SLOTS.
const refreshLoad = 62

// learn takes over the slot map of the node that was asked for it.
func (c *Client) learn(m *wire.Message) {
	*c.table(m.Process) = *c.truth(m.From)
	c.processes[m.Process].refreshing = false
}
