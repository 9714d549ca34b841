package node

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An importing is an atomic migration at the node that gets the slots. Nobody sees the
// keys before it has them.
type importing struct {
	task  *migration.Task
	conn  uint32
	bytes int64    // that have come
	heard sim.Time // when something came last
}

// A pull is slots that the node has been told to get.
type pull struct {
	task  *migration.Task
	conn  uint32
	asked bool     // the source has been asked
	at    sim.Time // when it is asked next
}

// pullPause is how long the target waits before it asks again (asmCron).
const pullPause = time.Second

// orderImport is CLUSTER MIGRATION IMPORT.
func (n *Node) orderImport(m *wire.Message, o *migration.Order) {
	if !n.primary {
		o.Answer.Refusal = wire.OnlyPrimaries
		return
	}
	t := &migration.Task{Source: o.Node, Target: slots.Owner(n.id), Ranges: slices.Clone(o.Ranges), Pull: true}
	n.number(t)
	n.pulls = append(n.pulls, &pull{task: t})
	o.Answer.Task = *t
}

// syncSlots takes what a node says of a task (clusterCommandSyncSlots).
func (n *Node) syncSlots(at sim.Time, m *wire.Message) sim.Time {
	t := n.common.tasks[m.Call-1]
	what := migration.Sync(m.Key)
	switch {
	case what == migration.Want:
		return n.wanted(at, m, t)
	case what == migration.Establish:
		if !n.primary || sim.ActorID(t.Target) != n.id {
			m.Verdict = wire.ReadOnly
			return at
		}
		n.imports = append(n.imports, &importing{task: t, conn: m.Conn, heard: at})
		return at
	}
	i := n.importOf(m)
	if i == nil {
		if what != migration.Abort {
			m.Verdict = wire.NoKey
		}
		return at
	}
	i.heard = at
	switch what {
	case migration.Piece, migration.Writes:
		i.bytes += int64(m.Value)
		n.dataset += int64(m.Value)
		n.feed(int64(m.Value))
		if len(n.followers) > 0 {
			n.stream.work += time.Duration(m.Offset)
		}
	case migration.Paused:
		if t.Pull {
			return n.takeSlots(at, i)
		}
	case migration.Granted:
		return n.takeSlots(at, i)
	case migration.Abort:
		n.dropImport(i)
	}
	return at
}

// wanted begins a task that the target has asked for, if there is no other.
func (n *Node) wanted(at sim.Time, m *wire.Message, t *migration.Task) sim.Time {
	if !n.primary || len(n.exports) > 0 || !n.owns(t.Ranges) {
		m.Verdict = wire.TryAgain
		return at
	}
	return n.beginExport(at, t)
}

// importOf returns the import that a command is about.
func (n *Node) importOf(m *wire.Message) *importing {
	for _, i := range n.imports {
		if i.conn == m.Conn {
			return i
		}
	}
	return nil
}

// takeSlots has the node own the slots, with all the keys that the source has of them.
func (n *Node) takeSlots(at sim.Time, i *importing) sim.Time {
	source := n.common.nodes[i.task.Source]
	i.task.Keys = 0
	for _, r := range i.task.Ranges {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			for _, key := range n.Index.In(slots.Slot(slot)) {
				if source.keys.has(n.Index, slots.Slot(slot), key) {
					i.task.Keys++
					n.changeKey(slots.Slot(slot), key, true)
					n.Witness.Restored(at, n.id, key, n.offset, source.id)
				}
			}
		}
	}
	n.imports = slices.DeleteFunc(n.imports, func(other *importing) bool { return other == i })
	n.pulls = slices.DeleteFunc(n.pulls, func(p *pull) bool { return p.task == i.task })
	n.control.state.TakeOver(at, i.task.Ranges, n.facts(at), &n.control.out)
	return n.carryOut(at)
}

// dropImport gives up what has come of slots that the node does not get.
func (n *Node) dropImport(i *importing) {
	n.dataset = max(0, n.dataset-i.bytes)
	n.imports = slices.DeleteFunc(n.imports, func(other *importing) bool { return other == i })
}

// tasksCron looks at all tasks every 100 ms (clusterSlotMigrationCron, asmCron).
func (n *Node) tasksCron(at sim.Time) sim.Time {
	for _, x := range slices.Clone(n.exports) {
		at = n.exportCron(at, x)
	}
	for _, i := range slices.Clone(n.imports) {
		if n.Net.Refuses(n.id, sim.ActorID(i.task.Source)) || at.Sub(i.heard) > n.Replication.ReplTimeout {
			n.dropImport(i)
		}
	}
	if len(n.pulls) > 0 {
		at = n.pullCron(at)
	}
	return at
}

// pullCron asks the source for the slots of the first task, again if that has come to
// nothing. The others wait for it.
func (n *Node) pullCron(at sim.Time) sim.Time {
	p := n.pulls[0]
	underWay := slices.ContainsFunc(n.imports, func(i *importing) bool { return i.task == p.task })
	switch {
	case p.task.State == migration.Success:
		n.pulls = n.pulls[1:]
	case underWay, at < p.at:
	case p.asked && p.task.State > migration.Queued && !p.task.State.Over():
		if n.Net.Refuses(n.id, sim.ActorID(p.task.Source)) {
			p.task.State = migration.Queued
		}
	default:
		if p.asked {
			p.task.Retries++
		}
		p.asked, p.at, p.conn = true, at.Add(pullPause), n.Orders.NewConn()
		at = at.Add(n.Costs.Connect)
		ref, m := n.Sched.New()
		*m = wire.Message{ID: n.identity(), Part: busPart | linkPart, Command: wire.SYNCSLOTS,
			Key: wire.Key(migration.Want), Keys: 1, Process: n.Net.Peer(n.id), Call: uint32(p.task.Number),
			Conn: p.conn, Next: ref}
		n.Net.ToNode(at, sim.ActorID(p.task.Source), ref, m)
	}
	return at
}

// taskAnswered takes an answer from the socket of a task. Only what makes a difference
// wakes the thread.
func (n *Node) taskAnswered(now sim.Time, ref sim.Ref, m *wire.Message) {
	x := n.exportNumber(m.Call)
	if !n.Up() || x == nil || x.conn != m.Conn {
		n.Sched.Free(ref)
		return
	}
	x.inFlight -= int64(m.Value)
	if m.Verdict == wire.OK {
		x.heard = now
		room := x.inFlight <= exportWindow/2
		waits := room && (n.child.waiting && n.child.export == x || x.held.bytes > 0) ||
			x.inFlight == 0 && x.task.State == migration.WaitingToPause
		switch what := migration.Sync(m.Key); {
		case what == migration.Piece, what == migration.Writes, what == migration.Alive, what == migration.Granted:
			if !waits {
				n.Sched.Free(ref)
				return
			}
		}
	}
	m.Kind = wire.Synced
	n.Sched.Post(now, n.id, ref)
}

// taskAnswer goes on with an answer.
func (n *Node) taskAnswer(at sim.Time, m *wire.Message) sim.Time {
	x := n.exportNumber(m.Call)
	if x == nil || x.conn != m.Conn {
		return at
	}
	return n.answerExport(at.Add(n.Costs.Read), x, m)
}

// cancelTasks gives up all tasks, because the node is no primary any more.
func (n *Node) cancelTasks(at sim.Time, reason wire.Reason) sim.Time {
	for _, x := range slices.Clone(n.exports) {
		at = n.checkExport(at, x) // it may have lost its last slots by one that has succeeded
		at = n.failExport(at, x, reason)
	}
	for len(n.imports) > 0 {
		n.dropImport(n.imports[0])
	}
	n.pulls = nil
	return at
}

// endTasks forgets all tasks: the process ends.
func (n *Node) endTasks() {
	for _, x := range n.exports {
		x.task.State, x.task.Reason = migration.Failed, wire.Reset
		if x.task.Pull {
			x.task.State = migration.Queued
		}
	}
	for _, p := range n.pulls {
		p.task.State, p.task.Reason = migration.Failed, wire.Reset
	}
	n.exports, n.imports, n.pulls = nil, nil, nil
}
