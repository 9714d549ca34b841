package node

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An export is an atomic migration at the node that has the slots
// (slotMigrationJob in cluster_migrateslots.c, asmTask in cluster_asm.c).
type export struct {
	task     *migration.Task
	conn     uint32
	has      [slots.Count / 64]uint64 // its slots
	inFlight int64                    // bytes that the target has not answered
	held     stream                   // writes that have not been sent
	over     sim.Time                 // since when they are above the soft limit; sim.Never
	left     stream                   // of the snapshot, that the child has not written
	piece    int64                    // bytes of it that are read at once
	piped    int64                    // bytes of it that are in the pipe from the child
	filled   sim.Time                 // when they were counted
	heard    sim.Time                 // when the target answered last
	told     sim.Time                 // when something was sent last
	paused   sim.Time                 // since when writes wait
	until    sim.Time                 // for how long they do at most
	drained  bool                     // the target has been told that there are no more
}

// How much is on its way at most, how much is written at once, since the target reads no
// more from a client, and how often something is said at least.
const (
	exportWindow = 4 << 20
	exportPiece  = 16 << 10
	exportAlive  = time.Second
	pipeRoom     = 64 << 10 // of a pipe of Linux
	// grantTime is for how long the pause is made longer when the slots are granted
	// (CLUSTER_OPERATION_TIMEOUT).
	grantTime = 2 * time.Second
)

// orderExport is CLUSTER MIGRATESLOTS.
func (n *Node) orderExport(at sim.Time, m *wire.Message, o *migration.Order) sim.Time {
	task := &migration.Task{Source: slots.Owner(n.id), Target: o.Node, Ranges: slices.Clone(o.Ranges)}
	switch {
	case !n.primary:
		o.Answer.Refusal = wire.OnlyPrimaries
	case !n.owns(task.Ranges):
		o.Answer.Refusal = wire.NotOwner
	default:
		n.number(task)
		o.Answer.Task = *task
		return n.beginExport(at, task)
	}
	return at
}

// number gives a task its number.
func (n *Node) number(t *migration.Task) {
	n.common.tasks = append(n.common.tasks, t)
	t.Number = len(n.common.tasks)
}

// owns reports whether slots are all the node's own, and none is being moved.
func (n *Node) owns(list []slots.Range) bool {
	for _, r := range list {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			if n.view[slot] != slots.Owner(n.id) || n.exportOf(slots.Slot(slot)) != nil {
				return false
			}
		}
	}
	return true
}

// exportOf returns the export that a slot belongs to.
func (n *Node) exportOf(slot slots.Slot) *export {
	for _, x := range n.exports {
		if x.has[slot/64]>>(slot%64)&1 != 0 {
			return x
		}
	}
	return nil
}

// beginExport connects to the target.
func (n *Node) beginExport(at sim.Time, t *migration.Task) sim.Time {
	x := &export{task: t, conn: n.Orders.NewConn(), heard: at, over: sim.Never, piece: exportPiece}
	for _, r := range t.Ranges {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			x.has[slot/64] |= 1 << (slot % 64)
		}
	}
	t.State = migration.Connecting
	n.exports = append(n.exports, x)
	n.taskEvent(at, x, wire.EventAtomicStarted, int64(t.Len()))
	at = at.Add(n.Costs.Connect + n.Net.RoundTrip(n.id, sim.ActorID(t.Target), n.identity()))
	return n.sync(at, x, migration.Establish, stream{})
}

// taskEvent tells of an export.
func (n *Node) taskEvent(at sim.Time, x *export, kind wire.EventKind, a int64) {
	n.Witness.Happened(wire.Event{At: at, Kind: kind, Node: slots.Owner(n.id), About: x.task.Target, A: a,
		B: int64(x.task.Number), C: int64(x.task.Pause), Reason: x.task.Reason})
}

// sync tells the target something.
func (n *Node) sync(at sim.Time, x *export, what migration.Sync, part stream) sim.Time {
	ref, m := n.Sched.New()
	*m = wire.Message{ID: n.identity(), Part: busPart | linkPart, Command: wire.SYNCSLOTS, Key: wire.Key(what), Keys: 1,
		Value: uint32(part.bytes), Offset: uint64(part.work), Process: n.Net.Peer(n.id), Call: uint32(x.task.Number),
		Conn: x.conn, Next: ref}
	x.inFlight += part.bytes
	x.told = at
	at = at.Add(n.writing(part.bytes))
	n.load.sent(at, m.RequestBytes(), 0)
	n.Net.ToNode(at, sim.ActorID(x.task.Target), ref, m)
	return at
}

// snapshotSent goes on when the child is known to be done.
func (n *Node) snapshotSent(at sim.Time, x *export) sim.Time {
	if x.task.State.Over() {
		return at
	}
	x.task.State = migration.Replicating
	n.taskEvent(at, x, wire.EventAtomicStreaming, x.held.bytes)
	return n.sync(at, x, migration.SnapshotEnd, stream{})
}

// exportWrite takes note of a write to a slot that is on its way. One that comes before
// the snapshot is begun is in it.
func (n *Node) exportWrite(m *wire.Message, bytes int64) {
	x := n.exportOf(m.Slot)
	if x == nil || x.task.State < migration.Snapshotting {
		return
	}
	x.held.bytes += bytes
	x.held.work += m.Work
	x.task.Streamed += bytes
	x.task.Peak = max(x.task.Peak, x.held.bytes)
}

// exportsGoOn does, before the thread sleeps, what there is to be done for exports.
func (n *Node) exportsGoOn(at sim.Time) sim.Time {
	for _, x := range slices.Clone(n.exports) {
		at = n.flushExport(at, x)
		at = n.tryPause(at, x)
		at = n.checkExport(at, x)
	}
	return at
}

// flushExport sends writes, as many as may be on their way.
func (n *Node) flushExport(at sim.Time, x *export) sim.Time {
	for x.task.State >= migration.Replicating && !x.task.State.Over() && x.held.bytes > 0 && x.inFlight < exportWindow {
		part := stream{bytes: min(x.held.bytes, exportPiece)}
		part.work = x.held.share(part.bytes)
		x.held.bytes -= part.bytes
		x.held.work -= part.work
		at = n.sync(at, x, migration.Writes, part)
	}
	return at
}

// tryPause pauses writes when little is left to be sent, and tells the target when
// nothing is.
func (n *Node) tryPause(at sim.Time, x *export) sim.Time {
	t := x.task
	if t.State == migration.WaitingToPause {
		r := n.Replication
		waits, most, length := x.held.bytes, r.SlotMaxFailoverRepl, 2*n.Env.ManualFailoverTimeout
		if t.Pull { // what the target has not applied counts
			waits, most, length = waits+x.inFlight, r.SlotHandoffMaxLag, r.SlotPauseTimeout
		}
		if most >= 0 && waits > most {
			return at
		}
		t.State, x.paused, x.until = migration.FailoverPaused, at, at.Add(length)
		n.pauseWrites(x.until)
		n.taskEvent(at, x, wire.EventAtomicPaused, 0)
		at = n.flushExport(at, x)
	}
	if t.State == migration.FailoverPaused && !x.drained && x.held.bytes == 0 {
		x.drained = true
		return n.sync(at, x, migration.Paused, stream{})
	}
	return at
}

// checkExport looks whether the slots have changed owner.
func (n *Node) checkExport(at sim.Time, x *export) sim.Time {
	t := x.task
	if t.State.Over() {
		return at
	}
	lost, gone := false, false
	for _, r := range t.Ranges {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			switch n.view[slot] {
			case slots.Owner(n.id):
			case t.Target:
				gone = true
			default:
				lost = true
			}
		}
	}
	switch {
	case lost || gone && !x.drained:
		return n.failExport(at, x, wire.SlotsLost)
	case gone:
		t.State, t.Pause = migration.Success, t.Pause+at.Sub(x.paused)
		n.taskEvent(at, x, wire.EventAtomicDone, int64(t.Keys))
		n.closeExport(at, x)
	}
	return at
}

// failExport gives a task up. The node goes on as the owner.
func (n *Node) failExport(at sim.Time, x *export, reason wire.Reason) sim.Time {
	t := x.task
	if t.State.Over() {
		return at
	}
	if t.State >= migration.FailoverPaused {
		t.Pause += at.Sub(x.paused)
	}
	t.State, t.Reason = migration.Failed, reason
	if t.Pull {
		t.State = migration.Queued // the target asks again
	}
	n.taskEvent(at, x, wire.EventAtomicFailed, 0)
	n.closeExport(at, x)
	if reason != wire.Reset {
		at = n.sync(at, x, migration.Abort, stream{})
	}
	return at
}

// closeExport ends what a task has begun.
func (n *Node) closeExport(at sim.Time, x *export) {
	n.exports = slices.DeleteFunc(n.exports, func(other *export) bool { return other == x })
	if n.child.active && n.child.export == x {
		n.child.kill()
	}
	if x.paused > 0 {
		n.resumeWrites(at)
	}
}

// exportCron looks at an export every 100 ms.
func (n *Node) exportCron(at sim.Time, x *export) sim.Time {
	t := x.task
	switch {
	case at.Sub(x.heard) > n.Replication.ReplTimeout:
		return n.failExport(at, x, wire.Silence)
	case t.State == migration.FailoverPaused && at >= x.until:
		return n.failExport(at, x, wire.PauseTimeout)
	case t.State == migration.WaitingToSnapshot:
		return n.startSnapshot(at, x)
	case !t.Pull && n.exceeds(at, x):
		return n.failExport(at, x, wire.BufferLimit)
	}
	if at.Sub(x.told) >= exportAlive && t.State > migration.Connecting {
		at = n.sync(at, x, migration.Alive, stream{})
	}
	return n.checkExport(at, x)
}

// exceeds reports whether too much waits to be sent: client-output-buffer-limit replica.
func (n *Node) exceeds(at sim.Time, x *export) bool {
	r := n.Replication
	soft := r.ReplicaBufferSoft > 0 && x.held.bytes >= r.ReplicaBufferSoft
	if !soft {
		x.over = sim.Never
	} else if x.over == sim.Never {
		x.over = at
	}
	return r.ReplicaBufferHard > 0 && x.held.bytes >= r.ReplicaBufferHard ||
		soft && at.Sub(x.over) > r.ReplicaBufferSoftTime
}

// exportNumber returns the export of a task.
func (n *Node) exportNumber(number uint32) *export {
	for _, x := range n.exports {
		if x.task.Number == int(number) {
			return x
		}
	}
	return nil
}

// answerExport goes on with the answer of the target.
func (n *Node) answerExport(at sim.Time, x *export, m *wire.Message) sim.Time {
	switch t := x.task; {
	case m.Verdict == wire.Connection:
		return n.failExport(at, x, wire.Reset)
	case m.Verdict != wire.OK:
		return n.failExport(at, x, wire.NotThere)
	case migration.Sync(m.Key) == migration.Establish:
		t.State = migration.WaitingToSnapshot
		return n.startSnapshot(at, x)
	case migration.Sync(m.Key) == migration.SnapshotEnd:
		t.State = migration.WaitingToPause
	case migration.Sync(m.Key) == migration.Paused && !t.Pull:
		t.State = migration.FailoverGranted
		x.until = max(x.until, at.Add(grantTime))
		n.pauseWrites(x.until)
		return n.sync(at, x, migration.Granted, stream{})
	case n.child.active && n.child.export == x && n.child.waiting:
		n.child.waiting = false
		return n.pipeSlots(at, x)
	}
	return at
}
