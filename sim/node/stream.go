package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A stream is a part of the replication stream.
type stream struct {
	bytes int64
	work  time.Duration // what it costs a replica to apply it
}

// A follower is what a node keeps of a replica of its own.
type follower struct {
	id         sim.ActorID
	generation uint32 // of the replica's connection
	state      followerState
	gone       bool     // it is dropped at the end of what is being done
	onAck      bool     // the stream begins when it says that it has loaded the snapshot
	partial    bool     // it goes on with the stream that it had
	acked      uint64   // repl_ack_off
	ackAt      sim.Time // repl_ack_time
	since      sim.Time // when it asked for a snapshot
	reason     wire.Reason
	base       uint64   // offset of the snapshot
	snapshot   int64    // bytes of it that have not been written to the replica
	to         uint64   // up to where the stream has been written to it, or is in held
	held       stream   // its output buffer
	over       sim.Time // since when that is above the soft limit; sim.Never
}

// followerState is replstate, the state of a replica at its primary.
type followerState uint8

const (
	waitStart followerState = iota // for a snapshot to be begun (SLAVE_STATE_WAIT_BGSAVE_START)
	waitEnd                        // for it to be there (SLAVE_STATE_WAIT_BGSAVE_END)
	sendBulk                       // it is being sent (SLAVE_STATE_SEND_BULK)
	online
)

// streamLoad takes the place of a load in the identity of what nodes send each
// other.
const streamLoad = 63

// sendStream sends what the turn has written to the replicas.
func (n *Node) sendStream(at sim.Time) sim.Time {
	if at > n.process.doom {
		return at
	}
	part := n.stream
	n.stream = stream{}
	n.total.bytes += part.bytes
	n.total.work += part.work
	if n.timed {
		return n.feedFollowers(at, part)
	}
	for i := range n.followers {
		f := &n.followers[i]
		at = at.Add(n.Costs.Write)
		n.sendTo(at, i, f, part, n.offset)
	}
	n.blocked.getAck = false
	return at
}

// sendTo sends a part of the replication stream, up to an offset, to the i-th
// replica.
func (n *Node) sendTo(at sim.Time, i int, f *follower, part stream, offset uint64) {
	ref, m := n.Sched.New()
	*m = wire.Message{ID: wire.NewOpID(streamLoad, offset&(1<<wire.LoadBits-1)), Part: uint16(i),
		Offset: offset, Work: part.work, Value: uint32(part.bytes), Conn: f.generation}
	if n.blocked.getAck {
		m.Flags = wire.GetAck
	}
	n.load.sent(at, part.bytes, 0)
	lag := n.Lag.At(n.draws.lag.At(offset))
	n.Net.Stream(at.Add(lag), n.id, f.id, ref, m)
}

// feedFollowers writes a part of the stream to every replica that is in sync, and
// into the output buffers of the others.
func (n *Node) feedFollowers(at sim.Time, part stream) sim.Time {
	for i := range n.followers {
		f := &n.followers[i]
		if f.state == waitStart || f.gone {
			continue
		}
		more := part
		if f.to+uint64(part.bytes) != n.offset {
			more = n.estimate(int64(n.offset - f.to))
		}
		f.to = n.offset
		if more.bytes+f.held.bytes == 0 {
			continue
		}
		if f.state == online && !f.onAck && f.held.bytes == 0 && n.Net.Fits(f.id, more.bytes) {
			at = at.Add(n.Costs.Write)
			n.sendTo(at, i, f, more, n.offset)
			continue
		}
		f.held.bytes += more.bytes
		f.held.work += more.work
		at = n.flush(at, i)
		n.checkBuffer(at, f)
	}
	n.blocked.getAck = false
	return n.dropGone(at)
}

// estimate returns a part of the stream of which only the size is known: its work
// is that of the stream on average.
func (n *Node) estimate(bytes int64) stream {
	if n.total.bytes == 0 {
		return stream{bytes: bytes}
	}
	perByte := int64(n.total.work) * 1000 / n.total.bytes
	return stream{bytes, time.Duration(perByte * bytes / 1000)}
}

// pieceBytes is how much is written at once to a replica of what it has to catch
// up with, and of a snapshot.
const pieceBytes = 1 << 20

// flush writes from the output buffer of a replica what its socket takes.
func (n *Node) flush(at sim.Time, i int) sim.Time {
	f := &n.followers[i]
	for f.state == online && !f.onAck && f.held.bytes > 0 {
		part := f.held
		if part.bytes > pieceBytes {
			part.work = time.Duration(int64(part.work) / part.bytes * pieceBytes)
			part.bytes = pieceBytes
		}
		if !n.Net.Fits(f.id, part.bytes) {
			break
		}
		f.held.bytes -= part.bytes
		f.held.work -= part.work
		at = at.Add(n.writing(part.bytes))
		n.sendTo(at, i, f, part, f.to-uint64(f.held.bytes))
	}
	return at
}

// checkBuffer drops a replica whose output buffer is too long
// (checkClientOutputBufferLimits). A limit below the size of the backlog counts
// as that.
func (n *Node) checkBuffer(at sim.Time, f *follower) {
	r := n.Replication
	hard := r.ReplicaBufferHard
	if hard > 0 {
		hard = max(hard, n.backlogSize())
	}
	soft := r.ReplicaBufferSoft > 0 && f.held.bytes >= r.ReplicaBufferSoft
	if !soft {
		f.over = sim.Never
	} else if f.over == sim.Never {
		f.over = at
	}
	if hard > 0 && f.held.bytes >= hard || soft && at.Sub(f.over) > r.ReplicaBufferSoftTime {
		n.dropFollower(at, f, wire.BufferLimit)
	}
}

// backlogSize returns repl-backlog-size.
func (n *Node) backlogSize() int64 {
	if n.Replication.ReplBacklogSize > 0 {
		return n.Replication.ReplBacklogSize
	}
	return n.Rules.Backlog
}

// feed adds what no client has asked for to the replication stream.
func (n *Node) feed(bytes int64) {
	n.offset += uint64(bytes)
	if len(n.followers) > 0 {
		n.stream.bytes += bytes
	}
}

// apply executes a part of the replication stream.
func (n *Node) apply(at sim.Time, m *wire.Message) sim.Time {
	n.load.received(at, int64(m.Value))
	at = at.Add(m.Work)
	if n.timed && !n.heard(at, m) {
		return at
	}
	if len(n.common.effects) > 0 {
		n.catchUp(n.offset, m.Offset)
	}
	n.offset = m.Offset
	n.Witness.Applied(n.id, n.offset)
	if len(n.followers) > 0 {
		n.stream.bytes += int64(m.Value)
		n.stream.work += m.Work
	}
	if m.Flags&wire.GetAck != 0 {
		n.acknowledge(at)
	}
	return at
}
