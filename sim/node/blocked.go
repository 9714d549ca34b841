package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// blocked are the clients that wait: for replicas to acknowledge a write (WAIT),
// or for a manual failover to be over (BLOCKED_POSTPONE). Nothing more is read
// from their connections meanwhile.
type blocked struct {
	waits       sim.Ring[waiter] // in the order of their writes
	alarm       bool             // one is set for the first of them, where there is no timer
	getAck      bool             // the replicas are to be asked how far they are
	postponed   []waiter
	pausedUntil sim.Time
	resumed     bool // what was postponed is to be executed
}

// A waiter is a client that is blocked.
type waiter struct {
	ref      sim.Ref
	deadline sim.Time
	done     bool
}

// getAckBytes is the size of REPLCONF GETACK * in the replication stream, and
// pingBytes that of PING.
const (
	getAckBytes = 37
	pingBytes   = 14
)

// wait blocks a client until as many replicas as its command says have acknowledged
// it, or for some time; 0 is for ever (waitCommand).
func (n *Node) wait(at sim.Time, e *entry, ref sim.Ref, most time.Duration) {
	w := waiter{ref: ref, deadline: sim.Never}
	if most > 0 {
		w.deadline = at.Add(most)
	}
	n.blocked.waits.Push(w)
	if !n.blocked.getAck && len(n.followers) > 0 {
		n.blocked.getAck = true
		n.feed(getAckBytes)
	}
	n.block(e)
}

// block has nothing more read from a connection.
func (n *Node) block(e *entry) {
	if e.m != nil {
		e.m = nil
		return
	}
	n.turn.halted, n.turn.blocked = true, true
}

// due returns when the first client has waited for long enough.
func (b *blocked) due() sim.Time {
	due := sim.Never
	for i := b.waits.Head(); i != b.waits.Tail(); i++ {
		if w := b.waits.At(i); !w.done {
			due = min(due, w.deadline)
		}
	}
	return due
}

// unblock answers the clients whose writes enough replicas have, and those that
// have waited for long enough (processClientsWaitingReplicas).
func (n *Node) unblock(at sim.Time) sim.Time {
	b := &n.blocked
	for i := b.waits.Head(); i != b.waits.Tail(); i++ {
		w := b.waits.At(i)
		if w.done {
			continue
		}
		m := n.Sched.At(w.ref)
		if n.acknowledgedBy(m.Offset) < int(m.Acks) {
			if w.deadline > at {
				continue
			}
			m.Flags |= wire.Unreplicated
		}
		w.done = true
		if m.Command == wire.SETSLOT {
			at = n.settleOrder(at, m)
		}
		n.answer(w.ref, m)
	}
	for b.waits.Len() > 0 && b.waits.First().done {
		b.waits.Drop()
	}
	return at
}

// acknowledgedBy returns how many replicas have acknowledged the stream up to an
// offset (replicationCountAcksByOffset).
func (n *Node) acknowledgedBy(offset uint64) int {
	count := 0
	for i := range n.followers {
		if f := &n.followers[i]; f.state == online && f.acked >= offset {
			count++
		}
	}
	return count
}

// answer queues the reply to a client that was blocked, and has its connection
// read again.
func (n *Node) answer(ref sim.Ref, m *wire.Message) {
	if m.Conn == 0 {
		n.ready = append(n.ready, entry{m: m, ref: ref})
		return
	}
	first := uint32(len(n.replies))
	n.replies = append(n.replies, ref)
	n.ready = append(n.ready, entry{conn: m.Conn, first: first, last: first + 1})
	n.readAgain(m.Conn)
}

// readAgain has a connection that was blocked read in the next turn.
func (n *Node) readAgain(conn uint32) {
	c := &n.conns[conn]
	c.ready = !c.in.Empty()
	if c.ready {
		n.left = append(n.left, entry{conn: conn})
	}
}

// postponeWrite blocks a client whose write has to wait (blockPostponeClient).
func (n *Node) postponeWrite(e *entry, ref sim.Ref, m *wire.Message) {
	n.blocked.postponed = append(n.blocked.postponed, waiter{ref: ref})
	n.block(e)
}

// pauseWrites keeps writes from being executed until an instant at most
// (pauseActions).
func (n *Node) pauseWrites(until sim.Time) {
	n.trouble.set(paused, true)
	n.blocked.pausedUntil = max(n.blocked.pausedUntil, until)
}

// resumeWrites has the writes that were postponed executed (unpauseActions).
func (n *Node) resumeWrites(at sim.Time) {
	if n.trouble&paused == 0 {
		return
	}
	n.trouble.set(paused, false)
	n.blocked.pausedUntil = 0
	n.blocked.resumed = len(n.blocked.postponed) > 0
}

// executePostponed executes the writes that were postponed, or refuses them: the
// node may be a replica by now (processUnblockedClients).
func (n *Node) executePostponed(at sim.Time) sim.Time {
	n.blocked.resumed = false
	if n.trouble&paused != 0 {
		return at
	}
	list := n.blocked.postponed
	n.blocked.postponed = nil
	limit := n.turn.limit
	n.turn.limit = sim.Never
	for i, w := range list {
		m := n.Sched.At(w.ref)
		if at.Add(n.cost(m)) > n.process.doom {
			n.blocked.postponed = append(n.blocked.postponed, list[i:]...)
			break
		}
		e := entry{m: m, ref: w.ref}
		if m.Conn != 0 {
			e = entry{conn: m.Conn, first: uint32(len(n.replies)), last: uint32(len(n.replies)) + 1}
			n.replies = append(n.replies, w.ref)
		}
		at = n.execute(at, &e, w.ref, m, false)
		switch {
		case n.turn.blocked: // by WAIT
			n.holdConnection(&e)
		case m.Conn != 0:
			n.readAgain(m.Conn)
		}
		n.ready = append(n.ready, e)
	}
	n.turn.limit = limit
	return at
}

// unblockAll has clients answered that wait for replicas, when the node becomes one
// itself (disconnectOrRedirectAllBlockedClients): before the thread sleeps, since
// the turn may be reading from connections still.
func (n *Node) unblockAll() {
	for i := n.blocked.waits.Head(); i != n.blocked.waits.Tail(); i++ {
		n.blocked.waits.At(i).deadline = 0
	}
}
