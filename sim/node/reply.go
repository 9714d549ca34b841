package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// drain writes the replies of the first i of the turn's connections, and the
// replication stream. The list of connections to write to is a stack: who got its
// first reply last is written to first (putClientInPendingWriteQueue). The
// replicas enter it just after the connection of the turn's first write.
func (n *Node) drain(at sim.Time, streamAfter, i int) sim.Time {
	for i--; i >= 0; i-- {
		if i == streamAfter {
			at = n.sendStream(at)
		}
		switch e := &n.ready[i]; {
		case e.m == nil:
			at = n.write(at, e.conn, n.replies[e.first:e.last])
		case e.m.Kind == wire.Reply:
			at = n.writeOne(at, e.ref, e.m)
		default:
			n.Sched.Free(e.ref)
		}
		if at > n.turn.limit {
			n.turn.halted = true
			n.ready = n.ready[:i]
			return at
		}
	}
	return at
}

// firstWriter returns which of the ready connections wrote first, or -1 where
// there is nothing for replicas or nobody of them wrote it.
func (n *Node) firstWriter() int {
	if n.stream.bytes == 0 {
		return -1
	}
	wrote := func(m *wire.Message) bool {
		return m.Kind == wire.Reply && m.Verdict == wire.OK && m.Command.Writes()
	}
	for i := range n.ready {
		e := &n.ready[i]
		if e.m != nil && wrote(e.m) {
			return i
		}
		for _, ref := range n.replies[e.first:e.last] {
			if wrote(n.Sched.At(ref)) {
				return i
			}
		}
	}
	return -1
}

// An output is what a connection has still to get of a reply that was too large
// for one write, and what comes behind it.
type output struct {
	conn    uint32 // 0 for a connection of one request
	queue   wire.Queue
	written int64 // bytes of the first reply
}

// writing returns how long it takes to write so many bytes to a connection.
func (n *Node) writing(bytes int64) time.Duration {
	if n.Costs.WriteByte == 0 {
		return n.Costs.Write
	}
	return n.Costs.Write + time.Duration(bytes*n.Costs.WriteByte/1000)
}

// writeOne sends the reply of a connection of one request.
func (n *Node) writeOne(at sim.Time, ref sim.Ref, m *wire.Message) sim.Time {
	bytes := m.ReplyBytes()
	if most := n.WriteBytesMax; most > 0 && bytes > most {
		at = at.Add(n.writing(most))
		n.postpone(at, 0, n.one(ref), most)
		return at
	}
	at = at.Add(n.writing(bytes))
	n.send(at, ref, m, bytes)
	return at
}

// write sends a shared connection's replies in one write, as far as that goes.
func (n *Node) write(at sim.Time, conn uint32, replies []sim.Ref) sim.Time {
	if len(replies) == 0 {
		return at
	}
	if n.conns[conn].writing {
		n.queueBehind(conn, replies)
		return at
	}
	whole, total := 0, int64(0) // the replies that fit, and their bytes
	for ; whole < len(replies); whole++ {
		bytes := n.Sched.At(replies[whole]).Bytes()
		if n.WriteBytesMax > 0 && total+bytes > n.WriteBytesMax {
			break
		}
		total += bytes
	}
	if whole < len(replies) {
		at = at.Add(n.writing(n.WriteBytesMax))
	} else {
		at = at.Add(n.writing(total))
	}
	for _, ref := range replies[:whole] {
		m := n.Sched.At(ref)
		n.send(at, ref, m, m.Bytes())
	}
	if whole < len(replies) {
		n.postpone(at, conn, replies[whole:], n.WriteBytesMax-total)
	}
	return at
}

// send lets a reply go, of which rest bytes have not left before.
func (n *Node) send(at sim.Time, ref sim.Ref, m *wire.Message, rest int64) {
	if at > n.process.doom {
		n.orphans = append(n.orphans, ref) // the process ends before
		return
	}
	arrived := sim.Time(m.Wait)
	m.Wait = at.Sub(arrived) - m.Work
	n.load.sent(at, rest, at.Sub(arrived))
	n.Net.ToClient(at, n.id, ref, m, rest)
}

// sendPart lets some bytes of a reply go.
func (n *Node) sendPart(at sim.Time, m *wire.Message, bytes int64) {
	n.load.sent(at, bytes, 0)
	n.Net.Part(at, n.id, m, bytes)
}

// postpone leaves replies for later turns. Of the first, written bytes have left.
func (n *Node) postpone(at sim.Time, conn uint32, replies []sim.Ref, written int64) {
	o := output{conn: conn, written: written}
	for _, ref := range replies {
		o.queue.Push(n.Sched, ref)
	}
	if conn != 0 {
		n.conns[conn].writing = true
	}
	n.outputs = append(n.outputs, o)
	n.sendPart(at, n.Sched.At(replies[0]), written)
}

// queueBehind adds replies to a connection that is still being written to.
func (n *Node) queueBehind(conn uint32, replies []sim.Ref) {
	for i := range n.outputs {
		if n.outputs[i].conn == conn {
			for _, ref := range replies {
				n.outputs[i].queue.Push(n.Sched, ref)
			}
			return
		}
	}
}

// writeMore goes on with the replies that did not fit into earlier turns, one
// write to each connection (sendReplyToClient).
func (n *Node) writeMore(at sim.Time) sim.Time {
	unfinished := n.outputs[:0]
	for _, o := range n.outputs {
		if at = n.writeOutput(at, &o); !o.queue.Empty() {
			unfinished = append(unfinished, o)
		} else if o.conn != 0 {
			n.conns[o.conn].writing = false
		}
	}
	n.outputs = unfinished
	return at
}

// writeOutput writes once. What is complete leaves when the write is over.
func (n *Node) writeOutput(at sim.Time, o *output) sim.Time {
	total := -o.written
	for ref, left := o.queue.First, o.queue.Length; left > 0 && total < n.WriteBytesMax; left-- {
		m := n.Sched.At(ref)
		total += m.Bytes()
		ref = m.Next
	}
	room := min(total, n.WriteBytesMax)
	at = at.Add(n.writing(room))
	for !o.queue.Empty() && room > 0 {
		m := n.Sched.At(o.queue.First)
		rest := m.Bytes() - o.written
		if rest > room {
			o.written += room
			n.sendPart(at, m, room)
			break
		}
		room -= rest
		o.written = 0
		n.send(at, o.queue.Pop(n.Sched), m, rest)
	}
	return at
}

// one returns a list of one letter, in memory that is used again.
func (n *Node) one(ref sim.Ref) []sim.Ref {
	n.single[0] = ref
	return n.single[:]
}
