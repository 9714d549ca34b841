package node

import (
	"time"

	"hotslot/sim"
)

// cronPeriod is what serverCron asks to be called again after (hz 10).
const cronPeriod = 100 * time.Millisecond

// timers are when serverCron is due.
type timers struct {
	due   sim.Time
	alarm sim.Time // when the node is woken at the latest; sim.Never if it is not
	loops uint64   // how often it has run
	// replication counts the runs of replicationCron, and lonely is since when the
	// node has had no replicas.
	replication uint64
	lonely      sim.Time
}

// startTimers draws at which moment of its 100 ms, and of its second, the node is
// when the run begins.
func (n *Node) startTimers() {
	n.draws.phase = sim.NewStream(n.Seed, "node/phase").Sub(int(n.id))
	n.timers.due = sim.Time(sim.Below(n.draws.phase.At(0), int(cronPeriod)))
	n.timers.loops = uint64(sim.Below(n.draws.phase.At(1), 10))
	n.timers.replication = uint64(sim.Below(n.draws.phase.At(2), 3600))
	n.setAlarm(n.timers.due)
}

// wake returns when a poll that begins at an instant returns for the timer's sake.
// Its timeout is a whole number of milliseconds, rounded up (aeApiPoll), and the
// kernel is a little late.
func (t *timers) wake(at sim.Time, slack time.Duration) sim.Time {
	if at >= t.due {
		return at
	}
	wait := (t.due.Sub(at) + time.Millisecond - 1) / time.Millisecond * time.Millisecond
	return at.Add(wait + slack)
}

// setAlarm has the node woken at an instant.
func (n *Node) setAlarm(at sim.Time) {
	n.timers.alarm = at
	n.Sched.SetAlarm(n.id, at)
}

// serverCron is the part of it that comes before clusterCron. Where a child is
// forked, it returns when the thread runs again.
func (n *Node) serverCron(at sim.Time) sim.Time {
	n.load.ticked(at)
	at = at.Add(n.Costs.Cron)
	if n.trouble&paused != 0 && at >= n.blocked.pausedUntil {
		n.resumeWrites(at)
	}
	at = n.reapChild(at)
	n.timers.loops++
	if n.timers.loops%10 == 0 {
		at = n.replicationCron(at)
	}
	return at
}

// clusterCron has the node's part in the control plane do its work.
func (n *Node) clusterCron(at sim.Time) sim.Time {
	if n.control.state == nil {
		return at
	}
	at = at.Add(time.Duration(len(n.Env.Names)) * n.Costs.CronNode)
	n.control.state.Tick(at, n.facts(at), &n.control.out)
	at = n.carryOut(at)
	if len(n.exports)+len(n.imports)+len(n.pulls) > 0 {
		at = n.tasksCron(at)
	}
	return at
}

// beforeSleep is what is done before the thread sleeps, up to the replies.
func (n *Node) beforeSleep(at sim.Time) sim.Time {
	if n.control.state != nil && n.control.state.Pending() {
		n.control.state.BeforeSleep(at, n.facts(at), &n.control.out)
		at = n.carryOut(at)
	}
	if len(n.exports) > 0 {
		at = n.exportsGoOn(at)
	}
	if n.blocked.waits.Len() > 0 {
		at = n.unblock(at)
	}
	if n.blocked.resumed {
		at = n.executePostponed(at)
	}
	return at
}
