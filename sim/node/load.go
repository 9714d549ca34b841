package node

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// loadPiece is how much is loaded between two looks at what else there is to do
// (loading-process-events-interval-bytes).
const loadPiece = 2 << 20

// receiveSnapshot keeps a piece of a snapshot in a file. When all is there, what
// the node had is given up and the snapshot is loaded (readSyncBulkPayload).
func (n *Node) receiveSnapshot(at sim.Time, m *wire.Message) sim.Time {
	u := &n.upstream
	n.load.received(at, int64(m.Value))
	u.received += int64(m.Value)
	at = at.Add(n.writing(int64(m.Value)))
	if m.Flags&wire.Last != 0 {
		n.dropFollowers(at, wire.RoleChange)
		n.Witness.Erased(at, n.id)
		n.child.kill()
		n.beginLoad(u.received, true)
	}
	return at
}

// beginLoad has the thread load so many bytes, when this turn is over.
func (n *Node) beginLoad(bytes int64, fromSnapshot bool) {
	c := &n.child
	c.loading, c.flush, c.fromSnapshot, c.toLoad, c.total = true, fromSnapshot, fromSnapshot, bytes, bytes
	n.trouble.set(loading, true)
}

// loadOn is a look at what else there is to do while a data set is loaded, and
// the next piece of it (processEventsWhileBlocked). Timers do not run.
func (n *Node) loadOn(now sim.Time) {
	c := &n.child
	n.turn.limit = sim.Never // a piece is short, and no command is executed
	n.turn.accepted = n.turn.accepted[:0]
	at := now
	if c.flush {
		c.flush = false
		lazy := n.Rules.LazyFlush
		if l := n.Replication.ReplicaLazyFlush; l != nil {
			lazy = *l
		}
		if !lazy {
			at = at.Add(takes(n.dataset, n.Replication.FlushRate))
		}
		n.pauseLoad(now, at)
		return
	}
	n.gather()
	at = at.Add(n.Costs.Turn)
	at = n.sendMail(at)
	at = n.writeMore(at)
	for i := range n.ready {
		at = n.serveLoading(at, &n.ready[i])
	}
	at = n.sendLetters(at)
	at = n.drain(at, -1, len(n.ready))
	n.replies, n.ready = n.replies[:0], n.ready[:0]
	if c.toLoad == 0 {
		n.loaded(at)
		n.load.busy(now, at)
		n.endTurn(at)
		return
	}
	piece := min(c.toLoad, loadPiece)
	c.toLoad -= piece
	at = at.Add(takes(piece, n.Replication.LoadRate))
	n.pauseLoad(now, at)
}

// pauseLoad has the thread look up at an instant.
func (n *Node) pauseLoad(from, at sim.Time) {
	n.load.busy(from, at)
	n.process.busyUntil = at
	n.Sched.Hold(n.id, at)
	n.setAlarm(at)
}

// serveLoading serves a connection while a data set is loaded. That of the primary
// is not read.
func (n *Node) serveLoading(at sim.Time, e *entry) sim.Time {
	if e.m != nil && n.fromPrimary(e.m) {
		n.deferred = append(n.deferred, *e)
		e.m = nil
		return at
	}
	return n.serve(at, e)
}

// fromPrimary reports whether a letter is from the replica's primary, or about the
// connection to it.
func (n *Node) fromPrimary(m *wire.Message) bool {
	switch m.Kind {
	case wire.Replicate, wire.Welcome, wire.NotNow, wire.Continue, wire.FullResync, wire.Snapshot, wire.Newline:
		return true
	case wire.Closed:
		return m.Flags&wire.OnStream != 0
	}
	return false
}

// loaded goes on with what the data set was loaded for: to follow the primary
// that the snapshot is from, or to be what the node was before it was started
// again.
func (n *Node) loaded(at sim.Time) {
	c, u := &n.child, &n.upstream
	n.dataset = c.total
	c.loading = false
	n.trouble.set(loading, false)
	n.left = append(n.left, n.deferred...)
	n.deferred = n.deferred[:0]
	if c.fromSnapshot {
		n.offset = u.snapshotAt
		n.history.adopt(u.snapshotID, u.snapshotAt)
		if n.Index != nil {
			n.takeOver(at, n.common.promised[n.id])
		}
		n.Witness.Resynced(at, n.id, u.snapshotOf)
		n.Witness.Applied(n.id, n.offset)
	}
	if u.state == transfer {
		n.Witness.Happened(wire.Event{At: at, Kind: wire.EventSynced, Node: slots.Owner(n.id),
			About: slots.Owner(u.primary), A: int64(n.offset)})
		n.synced(at)
		n.acknowledge(at)
	} else if u.state == toConnect {
		n.connect(at)
	}
}
