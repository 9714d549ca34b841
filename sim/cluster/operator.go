package cluster

import (
	"time"

	"hotslot/sim"
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
	lanes []lane
	jobs  []*job
	sent  uint64
}

// A lane is one process of the tool: it has one command under way at most.
type lane struct {
	job   *job
	mover migration.Mover
	order migration.Order
	conns []uint32 // by node; 0 for those that it has not talked to
}

// A job is slots that are to be moved, with a tool, at a pace.
type job struct {
	Migration
	event int
	tool  migration.Tool
	pace  Pace
	moves []Move // that have not been begun
	lanes int    // that work at it
}

// A Move is one slot's way from a primary to another.
type Move struct {
	Slot           slots.Slot
	Source, Target slots.Owner
}

// Pace says how hard an operator drives a migration.
type Pace struct {
	Lanes int           // slots that move at the same time; 0 is 1
	Pause time.Duration // after each batch of keys
}

// A Migration is what became of slots that an operator moved.
type Migration struct {
	Event        string   // of the scenario, that began it
	Began, Ended sim.Time // Ended is sim.Never as long as it goes on
	Slots        int      // that were to be moved
	Moved        int      // that have been
	Keys         int64
	Bytes        int64                 // of their values
	Commands     [wire.Commands]uint64 // that the tool has sent, and RESTOREs
	// Work is what the commands took at the nodes, by INFO commandstats' reckoning, and
	// Longest the longest of each: for so long did a node do nothing else.
	Work, Longest [wire.Commands]time.Duration
	Failed        migration.Answer // the answer that ended it, if one did
	Stopped       bool             // by that
	At            Move             // that it ended at
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

// start begins to move slots.
func (o *operator) start(now sim.Time, event int, moves []Move, tool migration.Tool, pace Pace) {
	j := &job{Migration: Migration{Event: o.Events[event].Name, Began: now, Ended: sim.Never, Slots: len(moves)},
		event: event, tool: tool, pace: pace, moves: moves}
	o.jobs = append(o.jobs, j)
	o.happened(wire.Event{At: now, Kind: wire.EventMigrationStarted, Node: slots.None, About: slots.None,
		A: int64(len(moves)), B: int64(event)})
	for range max(1, pace.Lanes) {
		if len(j.moves) > 0 {
			o.begin(now, j, o.freeLane())
		}
	}
	if j.lanes == 0 {
		o.end(now, j)
	}
}

// freeLane returns a lane that nothing is done on.
func (o *operator) freeLane() int {
	for i := range o.lanes {
		if o.lanes[i].job == nil {
			return i
		}
	}
	o.lanes = append(o.lanes, lane{conns: make([]uint32, len(o.Nodes))})
	return len(o.lanes) - 1
}

// begin begins the next move of a job on a lane.
func (o *operator) begin(now sim.Time, j *job, number int) {
	l, next := &o.lanes[number], j.moves[0]
	j.moves = j.moves[1:]
	if l.job == nil {
		l.job = j
		j.lanes++
	}
	l.mover.Tool = j.tool
	l.mover.Start(next.Slot, next.Source, next.Target, o.otherPrimaries(next))
	o.send(now, number)
}

// otherPrimaries returns the primaries that a move is told to beside its two ends, as
// the tool knows them when it begins.
func (o *operator) otherPrimaries(m Move) (others []slots.Owner) {
	for id, n := range o.Nodes {
		node := slots.Owner(id)
		if node != m.Source && node != m.Target && n.Up() && n.PrimaryOf() == node && o.joined(id) {
			others = append(others, node)
		}
	}
	return others
}

// send sends the next command of a lane's move.
func (o *operator) send(now sim.Time, number int) {
	l := &o.lanes[number]
	if !l.mover.Next(&l.order) {
		o.moved(now, number)
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
	o.Net.ToNode(now, sim.ActorID(l.order.To), ref, m)
}

// Wake takes answers, and goes on with what has paused.
func (o *operator) Wake(now sim.Time) {
	for {
		ref, m, _ := o.Sched.Take(o.id)
		if m == nil {
			return
		}
		if m.Kind == wire.Next {
			o.send(now, int(m.Call)-1)
			o.Sched.Free(ref)
			continue
		}
		o.take(now, m)
		o.Sched.Free(ref)
	}
}

// take takes the answer to a lane's command.
func (o *operator) take(now sim.Time, m *wire.Message) {
	number := int(m.Call) - 1
	l := &o.lanes[number]
	if l.order.Answer.Verdict == wire.OK {
		l.order.Answer.Verdict = m.Verdict
	}
	if m.Verdict == wire.Connection {
		l.conns[l.order.To] = 0
	}
	l.job.Work[m.Command] += m.Work
	l.job.Longest[m.Command] = max(l.job.Longest[m.Command], m.Work)
	keys, bytes := l.mover.Keys, l.mover.Bytes
	l.mover.Take(&l.order)
	l.job.Keys += int64(l.mover.Keys - keys)
	l.job.Bytes += l.mover.Bytes - bytes
	l.job.Commands[wire.RESTORE] += uint64(l.mover.Keys - keys)
	pause := l.job.tool.CommandTime
	if m.Command == wire.GETKEYSINSLOT || m.Command == wire.MIGRATE {
		pause += time.Duration(m.Keys) * l.job.tool.KeyTime
	}
	if m.Command == wire.MIGRATE {
		pause += l.job.pace.Pause
	}
	o.later(now.Add(pause), number)
}

// later has a lane go on at an instant.
func (o *operator) later(at sim.Time, number int) {
	ref, m := o.Sched.New()
	*m = wire.Message{Kind: wire.Next, Call: uint32(number) + 1}
	o.Sched.Post(at, o.id, ref)
}

// moved takes note that a lane is through with its move, and goes on to the next.
func (o *operator) moved(now sim.Time, number int) {
	l := &o.lanes[number]
	j, v := l.job, &l.mover
	if v.Keys > 0 {
		o.happened(wire.Event{At: now, Kind: wire.EventKeysMoved, Node: v.Source, About: v.Target,
			A: int64(v.Keys), B: v.Bytes, C: int64(v.Slot)})
	}
	if _, failed := v.Over(); failed {
		if !j.Stopped {
			j.Failed, j.Stopped, j.At = v.Failed, true, Move{v.Slot, v.Source, v.Target}
		}
		j.moves = nil
	} else {
		j.Moved++
	}
	if len(j.moves) > 0 {
		o.begin(now, j, number)
		return
	}
	l.job = nil
	if j.lanes--; j.lanes == 0 {
		o.end(now, j)
	}
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
