package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// downstreamLetter deals with what a replica has sent.
func (n *Node) downstreamLetter(at sim.Time, m *wire.Message) sim.Time {
	switch {
	case m.Sent < n.process.born || !n.Net.StreamTakes(m):
		n.Net.Reset(at, m)
	case m.Kind == wire.Handshake:
		n.reply(m, wire.Message{Kind: n.whenLoaded(wire.Welcome), Part: m.Part})
	case m.Kind == wire.Psync:
		return n.psync(at, m)
	default:
		n.acked(at, m)
	}
	return at
}

// whenLoaded returns a kind of letter, or NotNow while the node loads.
func (n *Node) whenLoaded(kind wire.Kind) wire.Kind {
	if n.child.loading {
		return wire.NotNow
	}
	return kind
}

// reply sends a replica something on the connection that a letter has come on.
func (n *Node) reply(m *wire.Message, letter wire.Message) {
	letter.Owner, letter.Conn = slots.Owner(m.From), m.Conn
	n.queueLetter(letter)
}

// psync decides whether a replica can go on with the stream that it had, or needs
// a snapshot (syncCommand).
func (n *Node) psync(at sim.Time, m *wire.Message) sim.Time {
	if n.child.loading || !n.primary && n.upstream.state != connected {
		n.reply(m, wire.Message{Kind: wire.NotNow})
		return at
	}
	n.forget(m.From)
	f := follower{id: m.From, generation: m.Conn, ackAt: at, since: at, over: sim.Never, to: m.Offset}
	reason, ok := n.history.continues(m.Call, m.Offset, n.offset, n.backlogSize())
	if ok {
		f.state, f.partial = online, true
		n.reply(m, wire.Message{Kind: wire.Continue, Call: n.history.id, Offset: n.offset})
	}
	f.reason = reason
	n.followers = append(n.followers, f)
	if !ok {
		n.history.keep(n.offset)
		return n.requestSnapshot(at, len(n.followers)-1)
	}
	n.turn.catchUp = true
	n.countGood(at)
	return at
}

// forget drops what is left of an earlier connection of a replica.
func (n *Node) forget(id sim.ActorID) {
	for i := range n.followers {
		if n.followers[i].id == id {
			n.followers[i].gone = true
		}
	}
	n.sweep()
}

// find returns the place of the replica that a letter is from, or -1.
func (n *Node) find(id sim.ActorID, generation uint32) int {
	for i := range n.followers {
		if f := &n.followers[i]; f.id == id && f.generation == generation && !f.gone {
			return i
		}
	}
	return -1
}

// acked deals with a REPLCONF ACK.
func (n *Node) acked(at sim.Time, m *wire.Message) {
	i := n.find(m.From, m.Conn)
	if i < 0 {
		return
	}
	f := &n.followers[i]
	f.acked, f.ackAt = max(f.acked, m.Offset), at
	if f.state == online && f.onAck { // replicaStartCommandStream
		f.onAck = false
		n.turn.catchUp = true
		n.countGood(at)
	}
}

// room goes on writing to a replica whose socket takes more.
func (n *Node) room(at sim.Time, m *wire.Message) sim.Time {
	i := n.find(m.From, m.Conn)
	if i < 0 {
		return at
	}
	switch f := &n.followers[i]; f.state {
	case online:
		at = n.flush(at, i)
		n.checkBuffer(at, f)
		return n.dropGone(at)
	case sendBulk:
		return n.sendSnapshot(at, i)
	case waitEnd:
		if n.child.waiting {
			n.child.waiting = false
			return n.pipe(at)
		}
	}
	return at
}

// downstreamClosed drops a replica that has closed its connection.
func (n *Node) downstreamClosed(at sim.Time, m *wire.Message) {
	if i := n.find(m.From, m.Conn); i >= 0 {
		n.followers[i].gone = true
		n.sweep()
		n.countGood(at)
	}
}

// dropFollower closes the connection of a replica. It is taken out of the list by
// sweep.
func (n *Node) dropFollower(at sim.Time, f *follower, reason wire.Reason) {
	f.gone = true
	n.Net.Hang(at, n.id, f.id, f.generation, reason)
}

// dropFollowers closes the connections of all replicas (disconnectSlaves).
func (n *Node) dropFollowers(at sim.Time, reason wire.Reason) {
	for i := range n.followers {
		n.dropFollower(at, &n.followers[i], reason)
	}
	n.sweep()
}

// dropGone takes out the replicas that have just been dropped.
func (n *Node) dropGone(at sim.Time) sim.Time {
	for i := range n.followers {
		if n.followers[i].gone {
			n.sweep()
			n.countGood(at)
			break
		}
	}
	return at
}

// sweep takes out of the list whoever is gone. A child that writes a snapshot for
// nobody any more is killed.
func (n *Node) sweep() {
	stay := n.followers[:0]
	wanted := false
	for _, f := range n.followers {
		if !f.gone {
			stay = append(stay, f)
			wanted = wanted || f.state == waitEnd
		}
	}
	n.followers = stay
	if n.child.active && n.child.diskless && n.child.export == nil && !wanted {
		n.child.kill()
	}
}

// countGood counts the replicas that are near enough (refreshGoodSlavesCount).
func (n *Node) countGood(at sim.Time) {
	r := n.Replication
	if r.MinReplicasToWrite == 0 || r.MinReplicasMaxLag == 0 {
		return
	}
	good := 0
	for i := range n.followers {
		f := &n.followers[i]
		if f.state == online && lag(at, f.ackAt) <= int64(r.MinReplicasMaxLag/time.Second) {
			good++
		}
	}
	n.trouble.set(few, n.primary && good < r.MinReplicasToWrite)
}

// lag returns how many seconds lie between two instants, as whole seconds of the
// clock are counted (server.unixtime).
func lag(at, since sim.Time) int64 {
	return int64(at/sim.Time(time.Second)) - int64(since/sim.Time(time.Second))
}

// replicationCron is what keeps replication going, once a second.
func (n *Node) replicationCron(at sim.Time) sim.Time {
	n.timers.replication++
	if !n.primary {
		at = n.replicaCron(at)
	}
	if n.primary && len(n.followers) > 0 && n.trouble&paused == 0 &&
		n.timers.replication%n.pingPeriod() == 0 {
		n.feed(pingBytes)
	}
	for i := range n.followers {
		f := &n.followers[i]
		switch {
		case f.state == waitStart, f.state == waitEnd && !n.child.diskless:
			n.queueLetter(wire.Message{Kind: wire.Newline, Owner: slots.Owner(f.id), Conn: f.generation})
		case f.state == online && !f.onAck && at.Sub(f.ackAt) > n.Replication.ReplTimeout:
			n.dropFollower(at, f, wire.Silence)
		case f.state == online:
			n.checkBuffer(at, f)
		}
	}
	n.sweep()
	n.expireBacklog(at)
	n.countGood(at)
	return n.startChild(at)
}

// pingPeriod returns repl-ping-replica-period in seconds.
func (n *Node) pingPeriod() uint64 {
	if n.Env != nil && n.Env.ReplPingReplicaPeriod >= time.Second {
		return uint64(n.Env.ReplPingReplicaPeriod / time.Second)
	}
	return 10
}

// backlogTTL is for how long a primary without replicas keeps its backlog
// (repl-backlog-ttl).
const backlogTTL = time.Hour

// expireBacklog gives the backlog up when there have been no replicas for long.
// Nobody can continue the history then, so it gets another name.
func (n *Node) expireBacklog(at sim.Time) {
	switch {
	case len(n.followers) > 0 || !n.primary || !n.history.backlog:
		n.timers.lonely = at
	case at.Sub(n.timers.lonely) > backlogTTL:
		n.history = history{id: n.nextHistory()}
	}
}
