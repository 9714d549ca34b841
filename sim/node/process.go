package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// process is whether the process runs.
type process struct {
	mode      mode
	frozen    bool
	left      time.Duration // of a halted turn, when it was frozen
	born      sim.Time      // when it was started last
	doom      sim.Time      // when it ends, if that is known; else sim.Never
	busyUntil sim.Time      // when its thread is through with what it does
}

// mode is what has become of a process.
type mode uint8

const (
	running mode = iota
	dead         // it has ended: its kernel answers for it
	lost         // its host has vanished
)

// Up reports whether the process exists, though it may be frozen.
func (n *Node) Up() bool { return n.process.mode == running }

// Serving reports whether the node executes commands for the slots that it owns,
// as it believes: it runs, is a primary, and takes the cluster to be up.
func (n *Node) Serving() bool {
	return n.Up() && !n.process.frozen && n.primary && n.trouble&(down|loading) == 0
}

// Awake reports whether the process runs and is not frozen.
func (n *Node) Awake() bool { return n.Up() && !n.process.frozen }

// Doom makes it known that the process will be killed, or its host vanish, at an
// instant. Whatever would be done or sent after it is not.
func (n *Node) Doom(at sim.Time) { n.process.doom = at }

// Kill ends the process (SIGKILL). Its kernel closes the connections: clients and
// other nodes learn of it.
func (n *Node) Kill(now sim.Time) {
	if !n.Up() {
		return
	}
	n.happened(now, wire.EventKill, 0)
	n.process.mode = dead
	n.abandon(now)
	n.Net.Died(now, n.id)
}

// Lose has the host vanish, with the process: nobody learns of it.
func (n *Node) Lose(now sim.Time) {
	if n.process.mode == lost {
		return
	}
	n.happened(now, wire.EventLose, 0)
	n.process.mode = lost
	n.Net.Vanished(n.id)
	n.abandon(now)
}

// happened tells of something that is done to the node.
func (n *Node) happened(at sim.Time, kind wire.EventKind, a int64) {
	n.Witness.Happened(wire.Event{At: at, Kind: kind, Node: slots.Owner(n.id), About: slots.None, A: a})
}

// Restart starts the process again, on its host if that is there; one that runs
// is killed before. It has nodes.conf and, where data is kept, what it had.
func (n *Node) Restart(now sim.Time, keepData bool) {
	n.Kill(now)
	n.Net.Started(n.id)
	n.process = process{mode: running, born: now, doom: sim.Never}
	a := int64(0)
	if keepData {
		a = 1
	}
	n.happened(now, wire.EventRestart, a)
	n.timers.due, n.timers.loops, n.timers.replication = now.Add(time.Millisecond), 0, 0
	n.timers.lonely = now
	n.remember(now, keepData)
	if n.control.state != nil {
		n.control.state.Restart(now, &n.control.out)
		if n.Index != nil {
			n.control.state.VerifyKeys(now, n.holdsKeysOf, n.facts(now), &n.control.out)
		}
		n.primary = n.control.state.IsPrimary()
		n.shard = n.control.state.PrimaryOf(slots.Owner(n.id))
		n.carryOut(now)
	} else if !n.primary {
		n.follow(now, n.shard) // as its configuration file has it
	}
	n.Sched.Hold(n.id, now)
	n.setAlarm(now)
}

// remember has the process begin with what it had, or with nothing. A primary's
// history gets a new name, whose beginning is the old one
// (loadDataFromDisk with the replication id of the file).
func (n *Node) remember(now sim.Time, keepData bool) {
	if !keepData {
		n.offset, n.dataset = 0, 0
		n.keys = newKeyspace(n.Index, slots.None)
		n.history = history{id: n.nextHistory()}
		n.common.superseded = true
		n.Witness.Erased(now, n.id)
		return
	}
	n.history.first = n.offset
	if n.primary || n.Rules.ForgetsHistory {
		n.renameHistory()
	}
	if n.dataset > 0 {
		n.beginLoad(n.dataset, false)
	}
}

// Absent has the process not run yet, as at the beginning of a run in which it is
// started later.
func (n *Node) Absent() {
	n.process.mode = dead
	n.Net.Absent(n.id)
	n.abandon(0)
	n.offset, n.dataset = 0, 0
}

// Freeze stops the process (SIGSTOP). Its kernel goes on: connections are
// accepted, and what comes is kept.
func (n *Node) Freeze(now sim.Time) {
	if !n.Up() || n.process.frozen {
		return
	}
	n.happened(now, wire.EventPause, 0)
	n.process.frozen = true
	n.process.left = max(0, n.process.busyUntil.Sub(now))
	n.Sched.Hold(n.id, sim.Never)
	n.setAlarm(sim.Never)
}

// Thaw lets a process go on that was frozen.
func (n *Node) Thaw(now sim.Time) {
	if !n.Up() || !n.process.frozen {
		return
	}
	n.happened(now, wire.EventResume, 0)
	n.process.frozen = false
	at := now.Add(n.process.left)
	n.process.busyUntil = at
	n.Sched.Hold(n.id, at)
	n.setAlarm(at)
}

// Block has the thread do one thing for a time: a slow command, or a page fault.
func (n *Node) Block(now sim.Time, d time.Duration) {
	n.happened(now, wire.EventBlock, int64(d))
	n.stall(now, d)
}

// Fork has the process fork for reasons of its own, and the thread stand still
// meanwhile.
func (n *Node) Fork(now sim.Time, d time.Duration) {
	n.happened(now, wire.EventFork, int64(d))
	n.stall(now, d)
}

func (n *Node) stall(now sim.Time, d time.Duration) {
	if !n.Up() {
		return
	}
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Stall, From: n.id, Work: d}
	n.Sched.Post(now, n.id, ref)
}

// abandon gives up all that the process was about to do.
func (n *Node) abandon(now sim.Time) {
	for i := range n.ready {
		n.abandonEntry(now, &n.ready[i])
	}
	for i := range n.left {
		n.abandonEntry(now, &n.left[i])
	}
	for i := range n.deferred {
		n.abandonEntry(now, &n.deferred[i])
	}
	for i := range n.conns {
		c := &n.conns[i]
		for !c.in.Empty() {
			n.giveUp(now, c.in.Pop(n.Sched))
		}
		*c = conn{}
	}
	for i := range n.outputs {
		for q := &n.outputs[i].queue; !q.Empty(); {
			n.giveUp(now, q.Pop(n.Sched))
		}
	}
	for b := &n.blocked; b.waits.Len() > 0; b.waits.Drop() {
		if w := b.waits.First(); !w.done {
			n.giveUp(now, w.ref)
		}
	}
	for _, w := range n.blocked.postponed {
		n.giveUp(now, w.ref)
	}
	for _, ref := range n.orphans {
		n.giveUp(now, ref)
	}
	for _, ref := range n.letters {
		n.giveUp(now, ref)
	}
	for _, ref := range n.control.mail {
		n.giveUp(now, ref)
	}
	n.forgetAll(now)
}

// forgetAll clears what a process has in its memory.
func (n *Node) forgetAll(now sim.Time) {
	n.ready, n.replies, n.left, n.deferred = n.ready[:0], n.replies[:0], n.left[:0], n.deferred[:0]
	n.outputs, n.letters, n.orphans = n.outputs[:0], n.letters[:0], n.orphans[:0]
	n.control.mail = n.control.mail[:0]
	n.blocked = blocked{waits: n.blocked.waits, postponed: n.blocked.postponed[:0]}
	n.stream, n.turn = stream{}, turn{limit: sim.Never}
	n.dump, n.sockets = dump{}, nil
	n.endTasks()
	n.child = child{serial: n.child.serial + 1}
	n.followers = n.followers[:0]
	n.upstream = upstream{generation: n.upstream.generation}
	n.trouble = 0
	n.process.frozen, n.process.doom = false, sim.Never
	n.Sched.Hold(n.id, now)
	n.setAlarm(sim.Never)
}

// abandonEntry gives up what a connection has sent in the turn that was under way.
func (n *Node) abandonEntry(now sim.Time, e *entry) {
	if e.m != nil {
		n.giveUp(now, e.ref)
		return
	}
	for _, ref := range n.replies[e.first:e.last] {
		n.giveUp(now, ref)
	}
}

// giveUp lets go of a letter that the process had.
func (n *Node) giveUp(now sim.Time, ref sim.Ref) {
	m := n.Sched.At(ref)
	switch {
	case m.Kind == wire.Request || m.Kind == wire.Reply:
		n.reset(now, ref, m)
	case m.Kind == wire.Bus:
		n.Env.Release(n.Env.At(m.Call))
		n.Sched.Free(ref)
	default:
		n.Sched.Free(ref)
	}
}

// reset has the kernel close the connection of a request that the process had
// read, or had waiting. It may have been executed.
func (n *Node) reset(at sim.Time, ref sim.Ref, m *wire.Message) {
	if m.Kind == wire.Reply && m.Verdict == wire.OK && m.Command.Writes() && !m.Command.Tool() {
		n.Witness.Unacknowledged(n.id, m.Offset)
	}
	m.Work = 0
	m.Wait = at.Sub(sim.Time(m.Wait))
	n.refuse(at, ref, m)
}

// refuse answers a request for a process that is not there.
func (n *Node) refuse(at sim.Time, ref sim.Ref, m *wire.Message) {
	if n.process.mode == lost {
		m.Kind = wire.Request
		n.Net.Bounce(at, n.id, ref, m)
		return
	}
	m.Kind, m.Verdict = wire.Reply, wire.Connection
	n.Net.ToClient(at, n.id, ref, m, m.Bytes())
}

// answerForKernel deals with what reaches a host whose process is dead, or that is
// not there.
func (n *Node) answerForKernel(now sim.Time) {
	for {
		ref, m, _ := n.Sched.Take(n.id)
		if m == nil {
			return
		}
		switch m.Kind {
		case wire.Request:
			m.Wait, m.Work = 0, 0
			n.refuse(now, ref, m)
			continue
		case wire.Bus:
			if n.process.mode == lost {
				n.Net.Bounce(now, n.id, ref, m)
				continue
			}
			n.Net.Reset(now, m)
			n.Env.Release(n.Env.At(m.Call))
		case wire.Handshake, wire.Psync, wire.Acked, wire.Replicate, wire.Snapshot:
			n.Net.Reset(now, m)
		}
		n.Sched.Free(ref)
	}
}
