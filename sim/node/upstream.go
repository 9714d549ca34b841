package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// upstream is a replica's connection to its primary.
type upstream struct {
	primary    sim.ActorID
	generation uint32 // of the connection
	state      upstreamState
	lastIO     sim.Time // when something was heard from the primary
	downSince  sim.Time // repl_down_since; 0 if it has been connected never, or ever since
	barredTill sim.Time // it cannot be connected before
	received   int64    // bytes of a snapshot
	expected   int64    // of those there will be; 0 if it comes from a child directly: nobody knows then
	snapshotID uint32   // history and offset of the snapshot
	snapshotAt uint64
	snapshotOf sim.ActorID
}

// upstreamState is repl_state, the state of replication at a replica.
type upstreamState uint8

const (
	alone      upstreamState = iota // it is a primary, or does not know whom to follow
	toConnect                       // REPL_STATE_CONNECT
	connecting                      // REPL_STATE_CONNECTING
	handshake                       // REPL_STATE_RECEIVE_PING_REPLY to REPL_STATE_RECEIVE_PSYNC_REPLY
	transfer                        // REPL_STATE_TRANSFER
	connected                       // REPL_STATE_CONNECTED
)

// The handshake before PSYNC: PING, then all REPLCONFs at once.
const handshakeSteps = 2

// follow makes the node a replica of another one (replicationSetMaster).
func (n *Node) follow(at sim.Time, primary slots.Owner) sim.Time {
	wasPrimary := n.primary
	n.hangUp(at, wire.RoleChange)
	n.primary, n.shard = false, primary
	n.upstream.primary, n.upstream.state = sim.ActorID(primary), toConnect
	n.dropFollowers(at, wire.RoleChange)
	if n.Rules.ForgetsHistory {
		n.renameHistory()
	}
	if wasPrimary {
		at = n.cancelTasks(at, wire.RoleChange)
		n.upstream.downSince = 0
		n.unblockAll()
		n.trouble.set(few, false)
	}
	if n.child.loading {
		return at // it connects when it has loaded
	}
	return n.connect(at)
}

// promote makes the node a primary (replicationUnsetMaster). Its replicas have to
// learn the new name of the history, so they are disconnected.
func (n *Node) promote(at sim.Time) {
	if n.primary {
		return
	}
	n.hangUp(at, wire.RoleChange)
	n.upstream = upstream{generation: n.upstream.generation}
	n.primary, n.shard = true, slots.Owner(n.id)
	n.renameHistory()
	n.history.keep(n.offset)
	n.dropFollowers(at, wire.RoleChange)
	n.timers.lonely = at
	n.countGood(at)
	n.common.superseded = true
	n.Witness.Promoted(at, n.id)
}

// connect begins to connect to the primary (connectWithMaster).
func (n *Node) connect(at sim.Time) sim.Time {
	u := &n.upstream
	u.state = toConnect
	if at < u.barredTill {
		return at
	}
	u.generation++
	u.state, u.lastIO = connecting, at
	at = at.Add(n.Costs.Connect)
	n.Net.OpenStream(at, n.id, u.primary, u.generation, n.identity())
	return at
}

// hangUp closes the connection to the primary, if there is one.
func (n *Node) hangUp(at sim.Time, reason wire.Reason) {
	if n.upstream.state >= connecting {
		n.Net.Hang(at, n.id, n.id, n.upstream.generation, reason)
	}
	n.lose(at, reason)
}

// lose takes note that the connection to the primary is gone.
func (n *Node) lose(at sim.Time, reason wire.Reason) {
	u := &n.upstream
	if u.state == connected {
		u.downSince = max(at, 1) // 0 means never
		n.Witness.Happened(wire.Event{At: at, Kind: wire.EventReplicationLost, Node: slots.Owner(n.id),
			About: slots.Owner(u.primary), Reason: reason})
	}
	if u.state != alone {
		u.state = toConnect
	}
	u.received = 0
	n.trouble.set(stale, !n.primary && !n.Replication.ReplicaServeStale)
}

// heard notes a sign of life of the primary, and reports whether a letter is from
// the connection that the replica has.
func (n *Node) heard(at sim.Time, m *wire.Message) bool {
	u := &n.upstream
	if m.Conn != u.generation || m.From != u.primary || u.state < handshake {
		return false
	}
	u.lastIO = at
	if m.Kind == wire.Replicate || m.Kind == wire.Snapshot {
		n.Net.Read(at, n.id, int64(m.Value))
	}
	return true
}

// tell sends the primary something on the connection.
func (n *Node) tell(m wire.Message) {
	m.Owner, m.Conn = slots.Owner(n.upstream.primary), n.upstream.generation
	n.queueLetter(m)
}

// acknowledge tells the primary how far the replica is (replicationSendAck).
func (n *Node) acknowledge(sim.Time) {
	n.tell(wire.Message{Kind: wire.Acked, Offset: n.offset})
}

// queueLetter has a letter to another node leave before the replies.
func (n *Node) queueLetter(letter wire.Message) {
	ref, m := n.Sched.New()
	*m = letter
	m.From, m.ID = n.id, n.identity()
	n.letters = append(n.letters, ref)
}

// upstreamLetter deals with what the primary has sent.
func (n *Node) upstreamLetter(at sim.Time, m *wire.Message) sim.Time {
	if !n.heard(at, m) {
		return at
	}
	u := &n.upstream
	switch m.Kind {
	case wire.Welcome:
		if step := m.Part + 1; step < handshakeSteps {
			n.tell(wire.Message{Kind: wire.Handshake, Part: step})
		} else {
			n.tell(wire.Message{Kind: wire.Psync, Call: n.history.id, Offset: n.offset})
		}
	case wire.NotNow:
		n.Net.Hang(at, n.id, n.id, u.generation, wire.NoReason)
		n.lose(at, wire.NoReason)
	case wire.Continue:
		n.resume(at, m)
	case wire.FullResync:
		u.state, u.received, u.expected = transfer, 0, int64(m.Work)
		u.snapshotID, u.snapshotAt, u.snapshotOf = m.Call, m.Offset, m.From
	case wire.Snapshot:
		if u.state == transfer {
			return n.receiveSnapshot(at, m)
		}
	}
	return at
}

// resume goes on with the primary's stream: it has what the replica lacks
// (slaveTryPartialResynchronization).
func (n *Node) resume(at sim.Time, m *wire.Message) {
	if m.Call != n.history.id {
		n.history.shift(m.Call, n.offset)
	}
	n.history.keep(n.offset)
	n.synced(at)
	n.Witness.Resynced(at, n.id, n.upstream.primary)
	n.Witness.Happened(wire.Event{At: at, Kind: wire.EventPartialResync, Node: slots.Owner(n.id),
		About: slots.Owner(n.upstream.primary), A: int64(m.Offset - n.offset)})
}

// synced takes note that the replica is in sync.
func (n *Node) synced(at sim.Time) {
	n.upstream.state, n.upstream.downSince, n.upstream.lastIO = connected, 0, at
	n.trouble.set(stale, false)
}

// upstreamLink deals with what has become of the connection.
func (n *Node) upstreamLink(at sim.Time, m *wire.Message) sim.Time {
	u := &n.upstream
	switch m.Kind {
	case wire.Opened:
		if n.Net.Established(at, m) {
			u.state, u.lastIO = handshake, at
			n.tell(wire.Message{Kind: wire.Handshake})
		}
	case wire.Refused:
		if n.Net.Failed(m) {
			u.state = toConnect
		}
	case wire.Closed:
		if m.Conn != u.generation || m.From != u.primary || u.state < connecting {
			return at
		}
		n.lose(at, wire.Reason(m.Part))
		return n.connect(at)
	}
	return at
}

// replicaCron is what replicationCron does at a replica, once a second.
func (n *Node) replicaCron(at sim.Time) sim.Time {
	u := &n.upstream
	if u.state > toConnect && at.Sub(u.lastIO) > n.Replication.ReplTimeout {
		n.hangUp(at, wire.Silence)
	}
	if u.state == toConnect {
		at = n.connect(at)
	}
	if u.state == connected {
		n.acknowledge(at)
	}
	return at
}

// CutReplication breaks the replica's connection to its primary, which cannot be
// opened again for a time.
func (n *Node) CutReplication(now sim.Time, d time.Duration) {
	at := max(now, n.process.busyUntil)
	n.Witness.Happened(wire.Event{At: now, Kind: wire.EventReplicationCut, Node: slots.Owner(n.id),
		About: slots.Owner(n.upstream.primary)})
	n.upstream.barredTill = at.Add(d)
	if n.upstream.state >= connecting {
		n.hangUp(at, wire.Reset)
	}
}
