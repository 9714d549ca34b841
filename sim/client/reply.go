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
		return false
	}
	return c.policy.retry[m.Verdict] || c.policy.refresh[m.Verdict]
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
	return !k.live || at > k.deadline || m.Hops != k.parts[m.Part].hops
}

// count adds a reply that is not OK to the counts of its load.
func (c *Client) count(at sim.Time, m *wire.Message) {
	if m.Verdict == wire.OK {
		return
	}
	l := c.loads[m.ID.Load()]
	l.Refused(at, m.Verdict)
}

// endCommand ends an operation of one command.
func (c *Client) endCommand(at sim.Time, m *wire.Message) {
	if m.Conn != 0 {
		c.giveBack(at, m, m.Verdict == wire.Connection)
	}
	l := c.loads[m.ID.Load()]
	if l.Acks > 0 {
		l.countAcks(at, m)
	}
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

// countAcks counts a write that too few replicas have acknowledged in time. It
// has succeeded all the same.
func (l *load) countAcks(at sim.Time, m *wire.Message) {
	if m.Verdict == wire.OK && m.Flags&wire.Unreplicated != 0 && l.Measuring(at) {
		l.Measured.Unreplicated++
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
	f.broken = f.broken || m.Verdict == wire.Connection
	if f.waiting == 0 {
		c.giveBack(f.last, m, f.broken)
	}
}

// giveBack returns the connection of an answered command to its pool, if it is
// from one. If it is broken, another takes its place.
func (c *Client) giveBack(at sim.Time, m *wire.Message, broken bool) {
	if m.Conn == 0 || c.Pipelined || c.loads[m.ID.Load()].conns != 0 {
		return
	}
	conn := m.Conn
	if broken {
		conn = c.newConn()
		c.retired = append(c.retired, m.Conn)
	}
	c.release(at, m.Process, m.From, conn)
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
		case m.Kind == wire.Retry:
			c.again(now, ref, m)
		case m.Kind == wire.Refresh:
			c.periodic(now, ref, m)
		case m.Command == wire.ClusterSlots && m.Call != 0:
			c.inquired(now, ref, m)
		case m.Command == wire.ClusterSlots:
			c.fetched(now, m)
			c.sched.Free(ref)
		case m.Call != 0 && c.late(now, m):
			c.drop(m)
			c.sched.Free(ref)
		case (m.Verdict == wire.Moved || m.Verdict == wire.Ask) && c.redirects(m) < c.MaxRedirects:
			c.redirected(now, ref, m)
		case m.Verdict != wire.OK:
			c.failed(now, ref, m)
		default:
			c.settle(now, m)
			c.sched.Free(ref)
		}
	}
}

// redirected follows a redirection. MOVED teaches whose the slot is; ASK is about this
// command alone, and the next one for the slot goes to the old owner first.
func (c *Client) redirected(now sim.Time, ref sim.Ref, m *wire.Message) {
	c.count(now, m)
	m.Flags &^= wire.Readonly | wire.Asking
	switch {
	case m.Verdict == wire.Ask:
		c.sendAsking(now, m)
	case c.OnMoved == MovedPatch:
		c.patch(m.Process, m.Slot, m.Owner)
	case c.OnMoved == MovedRefresh:
		c.refresh(now, m.Process, m.From)
	}
	if m.Call != 0 {
		c.land(now, m)
	} else {
		c.giveBack(now, m, false)
	}
	m.Hops++
	m.Verdict, m.Next = wire.OK, ref
	to := sim.ActorID(m.Owner)
	if m.Call != 0 {
		k := &c.calls.all[m.Call]
		k.flights = append(k.flights, flight{node: to, waiting: 1})
		p := &k.parts[m.Part]
		p.flight, p.hops, p.sent = uint16(len(k.flights)-1), m.Hops, false
	}
	c.send(now, to, ref, m)
}

// redirects returns how many redirections a command has followed.
func (c *Client) redirects(m *wire.Message) int {
	if m.Call == 0 {
		return int(m.Hops)
	}
	p := &c.calls.all[m.Call].parts[m.Part]
	return int(p.hops) - int(p.tries)
}

// patch has a process correct one slot of its map.
func (c *Client) patch(number uint16, slot slots.Slot, owner slots.Owner) {
	p := &c.processes[number]
	p.cast = c.beliefs.promoted(p.cast, p.table[slot], owner)
	c.table(number)[slot] = owner
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
