package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// An entry is one connection in a turn: what it has sent, and what it gets.
type entry struct {
	m           *wire.Message // the request of a connection that has only one, or a letter from another node
	ref         sim.Ref       // its letter
	conn        uint32        // else the connection's number
	first, last uint32        // and its replies, in Node.replies
}

// A conn is a connection that several requests share.
type conn struct {
	in      wire.Queue // requests that have arrived and are not executed
	read    int64      // bytes of the first of them that have been read
	ready   bool       // it is in ready, or in left, or blocked
	writing bool       // it is in outputs
}

// Wake is one turn.
func (n *Node) Wake(now sim.Time) {
	if n.timed {
		n.wakeTimed(now)
		return
	}
	n.gather()
	at := now.Add(n.Costs.Turn)
	at = n.writeMore(at)
	for i := range n.ready {
		at = n.serve(at, &n.ready[i])
	}
	if len(n.letters) > 0 {
		at = n.sendLetters(at)
	}
	if n.blocked.waits.Len() > 0 {
		at = n.unblock(at)
	}
	after := n.firstWriter()
	if n.stream.bytes > 0 && after < 0 {
		at = n.sendStream(at)
	}
	at = n.drain(at, after, len(n.ready))
	n.load.busy(now, at)
	n.replies, n.ready = n.replies[:0], n.ready[:0]
	n.Sched.Hold(n.id, at)
	switch {
	case len(n.outputs)+len(n.left) > 0:
		n.Sched.SetAlarm(n.id, at)
	case n.blocked.waits.Len() > 0:
		n.blocked.alarm = true
		n.Sched.SetAlarm(n.id, max(at, n.blocked.due()))
	case n.blocked.alarm:
		n.blocked.alarm = false
		n.Sched.SetAlarm(n.id, sim.Never)
	}
}

// gather lists the connections that are ready: those that were not read to the
// end in the last turn, then the others as their requests arrived.
func (n *Node) gather() {
	if len(n.left) > 0 {
		n.ready, n.left = append(n.ready, n.left...), n.left[:0]
	}
	for len(n.ready) < readyMax {
		ref, m, due := n.Sched.Take(n.id)
		if m == nil {
			return
		}
		if m.Sent < n.process.born && m.Kind == wire.Request {
			m.Wait, m.Work = 0, 0
			n.refuse(n.Sched.Now(), ref, m) // its connection was to the process before
			continue
		}
		m.Wait = time.Duration(due)
		if m.Conn == 0 || m.Kind != wire.Request {
			n.ready = append(n.ready, entry{m: m, ref: ref})
			continue
		}
		c := n.connection(m.Conn)
		c.in.Push(n.Sched, ref)
		if !c.ready {
			c.ready = true
			n.ready = append(n.ready, entry{conn: m.Conn})
		}
	}
}

// serve reads from a connection once and executes what is complete. It returns
// when it is done.
func (n *Node) serve(at sim.Time, e *entry) sim.Time {
	m := e.m
	if m != nil && m.Kind != wire.Request {
		return n.serveLetter(at, e)
	}
	at = at.Add(n.Costs.Read)
	if m == nil {
		return n.serveShared(at, e)
	}
	n.load.received(at, m.RequestBytes())
	return n.execute(at, e, e.ref, m, false)
}

// A readBudget is what may still be read from a connection in this turn, and what
// the read has left in its buffer.
type readBudget struct{ bytes, buffered int64 }

// serveShared serves a connection on which several requests may wait.
func (n *Node) serveShared(at sim.Time, e *entry) sim.Time {
	e.first = uint32(len(n.replies))
	n.budget = readBudget{bytes: readBytesMax, buffered: n.buffered(&n.conns[e.conn], readBytesMax)}
	return n.readOn(at, e)
}

// readOn goes on with a connection that is being served.
func (n *Node) readOn(at sim.Time, e *entry) sim.Time {
	c, b := &n.conns[e.conn], n.budget
	for !c.in.Empty() && b.bytes > 0 {
		ref := c.in.First
		m := n.Sched.At(ref)
		bytes := m.RequestBytes()
		if bytes < bigArgument && bytes-c.read > b.bytes {
			c.read += b.bytes
			break
		}
		b.bytes -= bytes - c.read
		c.read = 0
		c.in.Pop(n.Sched)
		n.replies = append(n.replies, ref)
		n.load.received(at, bytes)
		at = n.execute(at, e, ref, m, false)
		b.buffered -= bytes
		if n.turn.halted {
			n.budget = b
			e.last = uint32(len(n.replies))
			if n.turn.blocked {
				n.holdConnection(e)
			}
			return at
		}
		at = at.Add(time.Duration(max(0, b.buffered) * n.Costs.Move / 1000))
	}
	e.last = uint32(len(n.replies))
	c.ready = !c.in.Empty()
	if c.ready {
		n.left = append(n.left, entry{conn: e.conn})
	}
	return at
}

// holdConnection has a connection wait for the answer to its last command: it
// comes later, and nothing more is read before.
func (n *Node) holdConnection(e *entry) {
	n.turn.halted, n.turn.blocked = false, false
	n.replies = n.replies[:len(n.replies)-1]
	e.last = uint32(len(n.replies))
}

// buffered returns how many bytes a read leaves in a connection's query buffer,
// where it matters.
func (n *Node) buffered(c *conn, most int64) int64 {
	if n.Costs.Move == 0 {
		return 0
	}
	bytes := int64(0)
	c.in.Each(n.Sched, func(m *wire.Message) { bytes += m.Bytes() })
	return min(bytes, most)
}

// connection returns a shared connection by its number.
func (n *Node) connection(number uint32) *conn {
	for int(number) >= len(n.conns) {
		n.conns = append(n.conns, conn{})
	}
	return &n.conns[number]
}
