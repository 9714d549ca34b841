package cluster

import (
	"fmt"
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An operator is whoever runs redis-cli against the cluster: an actor that moves
// slots, one command after another on each of its lanes, over the network like any
// client.
type operator struct {
	*Cluster
	id    sim.ActorID
	lanes []*lane
	jobs  []*job
	sent  uint64
}

// A lane is one process of the tool: it has one command under way at most.
type lane struct {
	job   *job
	work  worker
	mover migration.Mover
	carry migration.Carrier
	order migration.Order
	conns []uint32 // by node; 0 for those that it has not talked to
	did   progress // of the work, that has been counted

	paused   uint64 // number of the pause that it is in; 0 where it is in none
	sent     uint64 // number of the command under way; 0 where there is none
	deserted *job   // that had the command sent for whose answer nobody waits any more
}

// A worker says which command comes next, and is told what comes of it.
type worker interface {
	Next(*migration.Order) bool // false: there is none any more
	Take(*migration.Order)
	Over() (over, failed bool)
	Progress() (keys int, bytes int64) // that have been moved
	Failure() *migration.Answer        // the answer that ended it, if one did
}

// toolLoad takes the place of a load in the identity of what an operator sends, and
// toolPart that of a part.
const (
	toolLoad = 62
	toolPart = 3 << 10
)

// Order returns what a command of the tool says.
func (o *operator) Order(m *wire.Message) *migration.Order { return &o.lanes[m.Call-1].order }

// NewConn returns a number for a connection.
func (o *operator) NewConn() uint32 { return o.Cluster.Client.NewConn() }

// start begins a job. Its plan is carried out slot by slot, on as many lanes as its pace
// has.
func (o *operator) start(now sim.Time, event int, plan *migration.Plan, e *Event) {
	if e.Tool.Atomic && o.rules().Atomic == gossip.NotAtomic {
		o.refuse(now, event, e, fmt.Sprintf("%s does not move slots atomically", o.Version))
		return
	}
	j := o.open(now, event, e)
	j.Slots, j.moves = plan.Len(), slices.Clone(plan.Moves)
	o.opened(now, j)
	for range max(1, j.pace.Lanes) {
		if len(j.moves) > 0 {
			o.begin(now, j, o.freeLane())
		}
	}
	if j.lanes == 0 {
		o.end(now, j)
	}
}

// fix begins to close what is open, and to give away what nobody owns
// (redis-cli --cluster fix).
func (o *operator) fix(now sim.Time, event int, e *Event) {
	j := o.open(now, event, e)
	j.fixer = migration.NewFixer(j.tool, o.primaries())
	o.opened(now, j)
	number := o.freeLane()
	l := o.lanes[number]
	l.job, l.work, l.did = j, j.fixer, progress{}
	j.lanes++
	o.send(now, number)
}

// refuse takes note of a job that the tool does not begin.
func (o *operator) refuse(now sim.Time, event int, e *Event, why string) {
	j := o.open(now, event, e)
	j.Refused, j.Stopped = why, true
	o.opened(now, j)
	o.end(now, j)
}

// open makes a job of an event.
func (o *operator) open(now sim.Time, event int, e *Event) *job {
	j := &job{Migration: Migration{Event: e.Name, Began: now, Ended: sim.Never}, event: event, tool: e.Tool,
		pace: e.Pace}
	o.jobs = append(o.jobs, j)
	return j
}

// opened tells that a job has begun.
func (o *operator) opened(now sim.Time, j *job) {
	o.happened(wire.Event{At: now, Kind: wire.EventMigrationStarted, Node: slots.None, About: slots.None,
		A: int64(j.Slots), B: int64(j.event)})
}

// freeLane returns a lane that nothing is done on.
func (o *operator) freeLane() int {
	for i := range o.lanes {
		if o.lanes[i].job == nil && o.lanes[i].deserted == nil {
			return i
		}
	}
	o.lanes = append(o.lanes, &lane{conns: make([]uint32, len(o.Nodes))})
	return len(o.lanes) - 1
}

// begin begins the next move of a job on a lane: of a slot, or of all that go from one node
// to another where they move atomically.
func (o *operator) begin(now sim.Time, j *job, number int) {
	l, next := o.lanes[number], j.moves[0]
	if l.job == nil {
		l.job = j
		j.lanes++
	}
	l.did = progress{}
	if j.tool.Atomic {
		var ranges []slots.Range
		j.moves = slices.DeleteFunc(j.moves, func(m migration.Move) bool {
			same := m.Source == next.Source && m.Target == next.Target
			if same {
				ranges = append(ranges, slots.Range{First: m.First, Last: m.Last})
			}
			return same
		})
		l.work = &l.carry
		l.carry.Pull = o.rules().Atomic == gossip.AtomicPull
		l.carry.Start(ranges, next.Source, next.Target)
	} else {
		if j.moves[0].First++; next.First == next.Last {
			j.moves = j.moves[1:]
		}
		l.work, l.mover.Tool = &l.mover, j.tool
		l.mover.Start(next.First, next.Source, next.Target, o.others(next.Source, next.Target))
	}
	o.proceed(now, number)
}

// rules returns how the version of the run differs from others.
func (o *operator) rules() gossip.Rules {
	rules, _, _ := gossip.Version(o.Version)
	return rules
}

// carried takes note of what became of slots that moved atomically.
func (o *operator) carried(j *job, c *migration.Carrier) {
	j.Streamed += c.Status.Streamed
	j.Peak, j.Pause = max(j.Peak, c.Status.Peak), max(j.Pause, c.Status.Pause)
	j.Retries += c.Status.Retries
	j.Reason = c.Status.Reason
	if !o.failed(j, c) {
		j.Moved += c.Len()
	} else if !j.pace.Skip {
		j.moves = nil
	}
}

// primaries returns the primaries that the tool reaches, in the order of their
// numbers.
func (o *operator) primaries() []slots.Owner { return o.others(slots.None, slots.None) }

// others returns the primaries beside two of them.
func (o *operator) others(a, b slots.Owner) (others []slots.Owner) {
	for id, n := range o.Nodes {
		node := slots.Owner(id)
		if node != a && node != b && n.Up() && n.PrimaryOf() == node && o.member(id) {
			others = append(others, node)
		}
	}
	return others
}

// member reports whether a node belongs to the cluster.
func (o *operator) member(id int) bool { return o.joined(id) || !o.alone(id) }

// proceed sends the next command of a lane, unless the pace has it wait or stop.
func (o *operator) proceed(now sim.Time, number int) {
	l := o.lanes[number]
	if wait := o.holdBack(now, l); wait > 0 {
		l.job.Waited += wait
		o.pause(now.Add(wait), number)
		return
	}
	o.send(now, number)
}

// holdBack returns for how long a lane is to wait before a batch.
func (o *operator) holdBack(now sim.Time, l *lane) time.Duration {
	pace := &l.job.pace
	between := l.work == &l.mover && l.mover.BetweenBatches() || l.work == &l.carry && l.carry.BetweenBatches()
	if !between || !pace.watches() {
		return 0
	}
	if pace.StopAt > 0 && o.monitor.look(now).P99 > pace.StopAt && !l.job.Stopped {
		l.job.Stopped, l.job.Refused = true, fmt.Sprintf("P99 is above %v", pace.StopAt)
		l.job.moves = nil // the slots that are on their way get there
	}
	if pace.goes(now, o.monitor) || l.job.Stopped {
		return 0
	}
	return lookEvery
}

// send sends the next command of a lane's work.
func (o *operator) send(now sim.Time, number int) {
	l := o.lanes[number]
	if !l.work.Next(&l.order) {
		o.worked(now, number)
		return
	}
	if l.conns[l.order.To] == 0 {
		l.conns[l.order.To] = o.NewConn()
	}
	l.job.Commands[l.order.Command]++
	o.sent++
	ref, m := o.Sched.New()
	*m = wire.Message{ID: wire.NewOpID(toolLoad, o.sent), Part: toolPart, Start: now, Command: l.order.Command,
		Slot: l.order.Slot, Keys: uint16(len(l.order.Keys)), Process: o.Net.Tool(), Call: uint32(number) + 1,
		Conn: l.conns[l.order.To], Next: ref}
	if l.order.Command == wire.MIGRATE {
		m.Value = o.index.Mean(l.order.Keys)
	}
	l.sent = o.sent
	if patience := l.job.tool.Answer; patience > 0 {
		o.remind(now.Add(patience), number, l.sent)
	}
	o.Net.ToNode(now, sim.ActorID(l.order.To), ref, m)
}

// pause has a lane go on at an instant.
func (o *operator) pause(at sim.Time, number int) {
	o.sent++
	o.lanes[number].paused = o.sent
	o.remind(at, number, o.sent)
}

// remind has a lane look at an instant what has become of its pause, or its command, of
// that number.
func (o *operator) remind(at sim.Time, number int, of uint64) {
	ref, m := o.Sched.New()
	*m = wire.Message{Kind: wire.Next, Call: uint32(number) + 1, ID: wire.OpID(of)}
	o.Sched.Post(at, o.id, ref)
}

// leave has a lane stop working at its job.
func (o *operator) leave(now sim.Time, l *lane) {
	j := l.job
	l.job = nil
	if j.lanes--; j.lanes == 0 {
		o.end(now, j)
	}
}

// Wake takes answers, and goes on with what has paused.
func (o *operator) Wake(now sim.Time) {
	for {
		ref, m, _ := o.Sched.Take(o.id)
		if m == nil {
			return
		}
		if m.Kind == wire.Next {
			o.wake(now, int(m.Call)-1, uint64(m.ID))
			o.Sched.Free(ref)
			continue
		}
		o.take(now, m)
		o.Sched.Free(ref)
	}
}

// wake has a lane go on after a pause or, where it was reminded of a command that has not
// been answered, give that up.
func (o *operator) wake(now sim.Time, number int, of uint64) {
	switch l := o.lanes[number]; {
	case l.paused == of:
		l.paused = 0
		o.proceed(now, number)
	case l.job != nil && l.sent == of:
		o.giveUp(now, l)
	}
}

// take takes the answer to a lane's command.
func (o *operator) take(now sim.Time, m *wire.Message) {
	number := int(m.Call) - 1
	l := o.lanes[number]
	if l.sent = 0; l.deserted != nil {
		l.deserted.count(m)
		l.deserted, l.conns[l.order.To] = nil, 0
		return
	}
	if l.order.Answer.Verdict == wire.OK {
		l.order.Answer.Verdict = m.Verdict
	}
	if m.Verdict == wire.Connection {
		l.conns[l.order.To] = 0
	}
	l.job.count(m)
	l.work.Take(&l.order)
	keys, bytes := l.work.Progress()
	l.job.Keys += int64(keys - l.did.keys)
	l.job.Bytes += bytes - l.did.bytes
	l.job.Commands[wire.RESTORE] += uint64(keys - l.did.keys)
	l.did = progress{keys, bytes}
	pause := l.job.tool.CommandTime
	if m.Command == wire.GETKEYSINSLOT || m.Command == wire.MIGRATE {
		pause += time.Duration(m.Keys) * l.job.tool.KeyTime
	}
	switch m.Command {
	case wire.MIGRATE:
		pause += l.job.pace.Pause
	case wire.MIGRATESLOTS, wire.MIGRATIONIMPORT, wire.GETSLOTMIGRATIONS:
		pause += migration.PollEvery
	}
	o.pause(now.Add(pause), number)
}

// worked takes note that a lane is through with its work, and goes on to the next.
func (o *operator) worked(now sim.Time, number int) {
	l := o.lanes[number]
	j := l.job
	switch l.work {
	case &l.mover:
		o.movedSlot(now, j, &l.mover)
	case &l.carry:
		o.carried(j, &l.carry)
	default:
		j.Moved, j.Unfixed = j.fixer.Fixed, j.fixer.Unfixed
		o.failed(j, l.work)
	}
	if len(j.moves) > 0 {
		o.begin(now, j, number)
		return
	}
	o.leave(now, l)
}

// movedSlot takes note that a slot has been moved, or that something has kept it from
// that, which ends the job.
func (o *operator) movedSlot(now sim.Time, j *job, v *migration.Mover) {
	if v.Keys > 0 {
		o.happened(wire.Event{At: now, Kind: wire.EventKeysMoved, Node: v.Source, About: v.Target,
			A: int64(v.Keys), B: v.Bytes, C: int64(v.Slot)})
	}
	if !o.failed(j, v) {
		j.Moved++
		return
	}
	j.At = migration.Move{First: v.Slot, Last: v.Slot, Source: v.Source, Target: v.Target}
	if !j.pace.Skip {
		j.moves = nil
	}
}

// failed takes note of the answer that a piece of work has failed at, the first of the
// job. It reports whether it has.
func (o *operator) failed(j *job, w worker) bool {
	_, failed := w.Over()
	if failed {
		if j.Failures++; j.Failures == 1 {
			j.Failed = *w.Failure()
		}
		j.Stopped = j.Stopped || !j.pace.Skip
	}
	return failed
}

// end takes note that a job is over.
func (o *operator) end(now sim.Time, j *job) {
	j.Ended = now
	kind := wire.EventMigrationDone
	if j.Stopped {
		kind = wire.EventMigrationFailed
	}
	o.happened(wire.Event{At: now, Kind: kind, Node: slots.None, About: slots.None, A: int64(j.Moved), B: j.Keys,
		C: int64(j.event)})
}
