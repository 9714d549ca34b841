package node

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// child is the process that a node forks to write a snapshot, and what is left to
// load of one that has come.
type child struct {
	active   bool
	diskless bool     // it writes to the replicas' sockets, through its parent
	waiting  bool     // a socket takes no more, and so the parent takes nothing
	done     sim.Time // when it has written all; sim.Never as long as that is not known
	next     sim.Time // when the next piece is written
	left     int64    // bytes that it has not written
	bytes    int64    // of the snapshot
	base     uint64   // the replication offset in it
	keys     keyspace // in it
	export   *export  // that it is for; nil where it is for replicas
	moving   []wire.OpenSlot
	serial   uint32 // how many children there have been

	loading      bool
	fromSnapshot bool  // of a primary, and not the node's own
	flush        bool  // what the node had is freed first
	toLoad       int64 // bytes
	total        int64
}

// kill ends the child.
func (c *child) kill() { c.active, c.waiting = false, false }

// diskless returns repl-diskless-sync.
func (n *Node) diskless() bool {
	if d := n.Replication.ReplDisklessSync; d != nil {
		return *d
	}
	return !n.Rules.Disk
}

// requestSnapshot has the i-th replica wait for a snapshot. It may share one that
// is being written to disk; else a child is forked for it, at once if there is no
// other child and nothing else to wait for.
func (n *Node) requestSnapshot(at sim.Time, i int) sim.Time {
	f := &n.followers[i]
	c := &n.child
	if c.active && !c.diskless {
		for j := range n.followers {
			if other := &n.followers[j]; j != i && other.state == waitEnd {
				n.promise(at, f)
				f.to, f.held = other.to, other.held
				return at
			}
		}
	}
	if !c.active && (!n.diskless() || n.Replication.ReplDisklessSyncDelay == 0) {
		at = n.fork(at)
		n.turn.halted = at > n.turn.limit
	}
	return at
}

// startChild forks a child if replicas wait for a snapshot and, where it is
// written to their sockets, one of them has waited for long enough for others to
// join it.
func (n *Node) startChild(at sim.Time) sim.Time {
	if n.child.active {
		return at
	}
	waiting, longest := false, time.Duration(0)
	for i := range n.followers {
		if f := &n.followers[i]; f.state == waitStart {
			waiting = true
			longest = max(longest, time.Duration(lag(at, f.since))*time.Second)
		}
	}
	if !waiting || n.diskless() && longest < n.Replication.ReplDisklessSyncDelay {
		return at
	}
	return n.fork(at)
}

// fork starts the child: the replicas that wait are promised what the node has
// now, and get the stream from there on (startBgsaveForReplication).
func (n *Node) fork(at sim.Time) sim.Time {
	c := &n.child
	*c = child{active: true, diskless: n.diskless(), left: n.dataset, bytes: n.dataset, base: n.offset,
		done: sim.Never, serial: c.serial + 1}
	if n.Index != nil {
		c.keys, c.moving = n.keys.clone(), slices.Clone(n.control.state.Open())
	}
	for i := range n.followers {
		if f := &n.followers[i]; f.state == waitStart {
			n.promise(at, f)
			f.to, f.held = n.offset, stream{}
		}
	}
	at = at.Add(n.Replication.forkTime(n.dataset))
	if !c.diskless {
		c.done = at.Add(takes(c.bytes, n.Replication.SnapshotRate))
		return at
	}
	c.next = at
	n.awaitPiece(at)
	return at
}

// promise tells a replica that it will get the child's snapshot.
func (n *Node) promise(at sim.Time, f *follower) {
	f.state, f.base, f.snapshot = waitEnd, n.child.base, n.child.bytes
	size := n.child.bytes
	if n.child.diskless {
		size = 0
	}
	n.queueLetter(wire.Message{Kind: wire.FullResync, Owner: slots.Owner(f.id), Conn: f.generation,
		Call: n.history.id, Offset: f.base, Work: time.Duration(size)})
	if n.Index != nil {
		n.common.promised[f.id] = promised{n.child.keys.clone(), n.child.moving}
	}
	n.Witness.Snapshot(f.id, n.id)
	n.Witness.Happened(wire.Event{At: at, Kind: wire.EventFullResync, Node: slots.Owner(f.id),
		About: slots.Owner(n.id), Reason: f.reason, A: n.child.bytes})
}

// awaitPiece waits for the child's next piece.
func (n *Node) awaitPiece(at sim.Time) {
	c := &n.child
	piece := min(c.left, pieceBytes)
	c.next = max(at, c.next.Add(takes(piece, n.Replication.SnapshotRate)))
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Pipe, From: n.id, Call: c.serial}
	n.Sched.Post(c.next, n.id, ref)
}

// pipe passes a piece of the snapshot on to the replicas. If one of them takes no
// more, all wait (rdbPipeReadHandler).
func (n *Node) pipe(at sim.Time) sim.Time {
	c := &n.child
	if c.export != nil {
		return n.pipeSlots(at, c.export)
	}
	piece := min(c.left, pieceBytes)
	for i := range n.followers {
		if f := &n.followers[i]; f.state == waitEnd && f.snapshot == c.left {
			if !n.Net.Fits(f.id, piece) {
				c.waiting = true
				return at
			}
			f.snapshot -= piece
			at = n.sendPiece(at, f, piece)
		}
	}
	if c.left -= piece; c.left > 0 {
		n.awaitPiece(at)
	} else {
		c.done = at
	}
	return at
}

// sendPiece writes a piece of a snapshot to a replica.
func (n *Node) sendPiece(at sim.Time, f *follower, piece int64) sim.Time {
	at = n.sendLetters(at).Add(n.writing(piece)) // behind FULLRESYNC
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Snapshot, From: n.id, Owner: slots.Owner(f.id), Conn: f.generation,
		ID: n.identity(), Value: uint32(piece)}
	if f.snapshot == 0 {
		m.Flags = wire.Last
	}
	n.load.sent(at, piece, 0)
	n.Net.Send(at, ref, m)
	return at
}

// reapChild notices, in serverCron, that the child is done
// (updateSlavesWaitingBgsave). What it has written to disk is sent then.
func (n *Node) reapChild(at sim.Time) sim.Time {
	c := &n.child
	if !c.active || at < c.done {
		return at
	}
	c.kill()
	if c.export != nil {
		return n.snapshotSent(at, c.export)
	}
	for i := range n.followers {
		f := &n.followers[i]
		switch {
		case f.state != waitEnd:
		case c.diskless:
			f.state, f.onAck, f.ackAt = online, true, at
		default:
			f.state = sendBulk
			at = n.sendSnapshot(at, i)
		}
	}
	return at
}

// sendSnapshot writes to a replica what its socket takes of a snapshot, and puts
// it online when that was all (sendBulkToSlave).
func (n *Node) sendSnapshot(at sim.Time, i int) sim.Time {
	f := &n.followers[i]
	for {
		piece := min(f.snapshot, pieceBytes)
		if !n.Net.Fits(f.id, piece) {
			return at
		}
		f.snapshot -= piece
		at = n.sendPiece(at, f, piece)
		if f.snapshot == 0 {
			f.state, f.ackAt = online, at
			n.countGood(at)
			return n.flush(at, i)
		}
	}
}
