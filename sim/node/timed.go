package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A turn of a node whose timers run. It can be halted: by a command or a fork
// that takes long, since what comes after may be decided by what happens
// meanwhile, and by the death of the process. It then goes on later, or never.
type turn struct {
	phase       phase
	next        int      // entry that is served next
	streamAfter int      // as drain has it
	limit       sim.Time // beyond this instant the turn is halted
	halted      bool
	blocked     bool          // not the turn is halted, but a connection: its client waits for something
	pending     *wire.Message // a command that takes effect when the turn goes on
	ref         sim.Ref       // its letter
	catchUp     bool          // a replica has to be sent more than the others
	accepted    []sim.ActorID // whose connections were accepted: they are read in the next turn
}

// phase is a part of a turn.
type phase uint8

const (
	serving  phase = iota // read what is ready, and execute it
	cron                  // serverCron up to replicationCron
	cluster               // clusterCron
	sleeping              // beforeSleep up to the replies
	writing               // the replies
)

// turnMax is the longest part of a turn that is computed at once: what happens to
// a node from outside is made known to it so long before.
const turnMax = 10 * time.Millisecond

// Announced is how long before its instant Doom has to be called, for a turn that
// is under way then to be cut off exactly there.
const Announced = turnMax

// wakeTimed is one turn, or what is left of one.
func (n *Node) wakeTimed(now sim.Time) {
	at := now
	if now >= n.timers.alarm {
		n.timers.alarm = sim.Never
	}
	core := n.core()
	switch {
	case n.process.mode != running:
		n.answerForKernel(now)
		return
	case now < n.process.busyUntil: // the alarm was set before it was known that the thread would be busy
		n.Sched.Hold(n.id, n.process.busyUntil)
		n.setAlarm(n.process.busyUntil)
		return
	case core != nil && *core > now:
		n.Sched.Hold(n.id, *core)
		n.setAlarm(*core)
		return
	case n.turn.halted:
		n.turn.halted = false
	case n.child.loading:
		n.loadOn(now)
		return
	default:
		if at = n.beginTurn(now); at == sim.Never {
			return
		}
	}
	n.turn.limit = min(n.process.doom, now.Add(turnMax))
	at = n.goOn(at)
	n.load.busy(now, at)
	if core != nil {
		*core = at
	}
	switch {
	case n.turn.halted && n.dump.waiting:
		n.awaitAnswers()
	case n.turn.halted:
		n.halt(at)
	default:
		n.endTurn(at)
	}
}

// core returns the core of the node's machine that is free first; nil where the
// process has one of its own. A turn runs to its end on it.
func (n *Node) core() *sim.Time {
	if n.Cores == nil {
		return nil
	}
	cores := n.Cores[n.MachineOf[n.id]]
	first := &cores[0]
	for i := range cores {
		if cores[i] < *first {
			first = &cores[i]
		}
	}
	return first
}

// beginTurn polls. It returns when the thread begins to serve what is ready, or
// sim.Never if it sleeps on.
func (n *Node) beginTurn(now sim.Time) sim.Time {
	n.turn.accepted = n.turn.accepted[:0]
	n.gather()
	if len(n.ready)+len(n.control.mail)+len(n.outputs) == 0 && n.sleepsOn(now) {
		return sim.Never
	}
	at := now.Add(n.Costs.Turn)
	if len(n.control.mail) > 0 {
		at = n.sendMail(at)
	}
	n.turn.phase, n.turn.next = serving, 0
	return n.writeMore(at)
}

// sleepsOn reports whether a poll that nothing has interrupted goes on: alarms are
// set for the instant at which a timer is due, and the poll ends a little later.
func (n *Node) sleepsOn(now sim.Time) bool {
	until := n.timers.wake(n.process.busyUntil, n.Costs.TimerSlack)
	if now >= until {
		return false
	}
	n.setAlarm(until)
	return true
}

// goOn goes through the phases of a turn until it is over or halted.
func (n *Node) goOn(at sim.Time) sim.Time {
	if n.turn.phase == serving {
		if at = n.serveAll(at); n.turn.halted {
			return at
		}
		n.turn.phase = sleeping
		if at >= n.timers.due && !n.child.loading {
			n.turn.phase = cron
		}
	}
	if n.turn.phase == cron {
		n.turn.phase = cluster
		if at = n.serverCron(at); at > n.turn.limit {
			n.turn.halted = true
			return at
		}
	}
	if n.turn.phase == cluster {
		at = n.clusterCron(at)
		n.timers.due = at.Add(cronPeriod)
		n.turn.phase = sleeping
	}
	if n.turn.phase == sleeping {
		at = n.beforeSleep(at)
		n.turn.streamAfter = n.firstWriter()
		n.turn.phase = writing
		at = n.sendLetters(at)
		if n.turn.catchUp || n.stream.bytes > 0 && n.turn.streamAfter < 0 {
			n.turn.catchUp, n.turn.streamAfter = false, -1
			at = n.sendStream(at)
		}
	}
	return n.drain(at, n.turn.streamAfter, len(n.ready))
}

// serveAll serves the connections that are ready.
func (n *Node) serveAll(at sim.Time) sim.Time {
	if m := n.turn.pending; m != nil { // executed meanwhile
		n.turn.pending = nil
		e := &n.ready[n.turn.next]
		at = n.finish(at, e, n.turn.ref, m)
		if n.turn.halted {
			return at
		}
		n.turn.next++
	}
	for i := n.turn.next; i < len(n.ready); i++ {
		at = n.serve(at, &n.ready[i])
		if n.turn.halted {
			n.turn.next = i
			if n.turn.pending == nil {
				n.turn.next++
			}
			return at
		}
		if n.child.loading {
			n.putBack(i + 1)
			break
		}
	}
	return at
}

// finish has a command take effect that has been executed while the turn was
// halted, and goes on with its connection.
func (n *Node) finish(at sim.Time, e *entry, ref sim.Ref, m *wire.Message) sim.Time {
	shared := e.m == nil
	if n.dump.waiting {
		at = n.migrated(at, m)
	} else {
		at = n.execute(at, e, ref, m, true)
	}
	if n.turn.halted && !n.turn.blocked || !shared {
		return at
	}
	if n.turn.blocked {
		n.holdConnection(e)
		return at
	}
	return n.readOn(at.Add(time.Duration(max(0, n.budget.buffered)*n.Costs.Move/1000)), e)
}

// putBack leaves the connections from the i-th on for the next turn.
func (n *Node) putBack(i int) {
	n.left = append(n.left, n.ready[i:]...)
	n.ready = n.ready[:i]
}

// endTurn goes to sleep: until something is ready, or the next timer.
func (n *Node) endTurn(at sim.Time) {
	n.replies, n.ready = n.replies[:0], n.ready[:0]
	n.process.busyUntil = at
	n.Sched.Hold(n.id, at)
	wake := max(at, n.timers.due)
	if len(n.outputs)+len(n.left)+len(n.control.mail) > 0 || n.child.loading {
		wake = at
	}
	if n.timers.alarm > wake {
		n.setAlarm(wake)
	}
}

// halt has the turn go on at an instant, unless the process ends before.
func (n *Node) halt(at sim.Time) {
	n.process.busyUntil = at
	if at > n.process.doom {
		at = sim.Never
	}
	n.Sched.Hold(n.id, at)
	n.setAlarm(at)
}
