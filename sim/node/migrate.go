package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A dump is keys that are on their way to another node. The thread waits in the
// kernel meanwhile, and does nothing else (migrateCommand).
type dump struct {
	waiting  bool
	order    *migration.Order
	keys     []wire.Key // that were sent
	restored []bool     // of those, which the target has
	left     int        // answers that are still to come
	conn     uint32
	since    sim.Time // when the wait began
}

// A socket is a connection to another node that MIGRATE keeps for the next time
// (migrateGetSocket).
type socket struct {
	peer slots.Owner
	conn uint32
	used sim.Time
}

// The sockets of MIGRATE: how long one is kept that is not used, and the time-out
// where none is given, of each wait (MIGRATE_SOCKET_CACHE_TTL, and 1000 ms in
// migrateCommand).
const (
	socketTTL      = 10 * time.Second
	migrateTimeout = time.Second
)

// migrate sends keys to another node. What it costs to put them together has been
// spent by then. The turn is halted until they are answered for.
func (n *Node) migrate(at sim.Time, ref sim.Ref, m *wire.Message) sim.Time {
	o := n.Orders.Order(m)
	d := &n.dump
	*d = dump{order: o, keys: d.keys[:0], restored: d.restored[:0]}
	for _, key := range o.Keys {
		if n.keys.has(n.Index, o.Slot, key) {
			d.keys, d.restored = append(d.keys, key), append(d.restored, false)
		}
	}
	o.Answer = migration.Answer{}
	if len(d.keys) == 0 {
		o.Answer.Verdict = wire.NoKey
		return at
	}
	at, d.conn = n.socket(at, o.Node)
	bytes := int64(0)
	for i, key := range d.keys {
		ref, letter := n.Sched.New()
		*letter = wire.Message{ID: n.identity(), Part: busPart | linkPart, Command: wire.RESTORE, Key: key,
			Slot: o.Slot, Keys: 1, Value: n.Index.value[key], Process: n.Net.Peer(n.id), Call: uint32(i) + 1, Conn: d.conn, Next: ref}
		if o.Replace {
			letter.Flags = wire.Replace
		}
		bytes += letter.RequestBytes()
		n.Net.ToNode(at, sim.ActorID(o.Node), ref, letter)
	}
	at = at.Add(n.writing(bytes))
	n.load.sent(at, bytes, 0)
	d.waiting, d.left, d.since = true, len(d.keys), at
	n.turn.halted, n.turn.pending, n.turn.ref = true, m, ref
	return at
}

// socket returns a connection to another node, and when it is open.
func (n *Node) socket(at sim.Time, peer slots.Owner) (sim.Time, uint32) {
	for i := range n.sockets {
		if s := &n.sockets[i]; s.peer == peer {
			if at.Sub(s.used) >= socketTTL {
				s.conn = n.Orders.NewConn()
				at = at.Add(n.Costs.Connect + n.Net.RoundTrip(n.id, sim.ActorID(peer), n.identity()))
			}
			s.used = at
			return at, s.conn
		}
	}
	conn := n.Orders.NewConn()
	at = at.Add(n.Costs.Connect + n.Net.RoundTrip(n.id, sim.ActorID(peer), n.identity()))
	n.sockets = append(n.sockets, socket{peer, conn, at})
	return at, conn
}

// closeSocket has the next MIGRATE to a node open a connection of its own.
func (n *Node) closeSocket(peer slots.Owner) {
	for i := range n.sockets {
		if n.sockets[i].peer == peer {
			n.sockets = append(n.sockets[:i], n.sockets[i+1:]...)
			return
		}
	}
}

// awaitAnswers has the thread sleep until the answers have come, or one of them has
// taken too long.
func (n *Node) awaitAnswers() {
	n.halt(n.dump.since.Add(n.dump.patience()))
}

// patience returns how long MIGRATE waits for any one answer.
func (d *dump) patience() time.Duration {
	if d.order.Timeout > 0 {
		return d.order.Timeout
	}
	return migrateTimeout
}

// answered takes an answer to RESTORE from a socket, which wakes the thread once
// all have come.
func (n *Node) answered(now sim.Time, m *wire.Message) {
	d := &n.dump
	if !n.Up() || !d.waiting || m.Conn != d.conn {
		return
	}
	i := m.Call - 1
	answer := &d.order.Answer
	switch {
	case m.Verdict == wire.OK:
		d.restored[i] = true
	case answer.Verdict == wire.OK && m.Verdict == wire.Connection:
		answer.Verdict = wire.IOError
	case answer.Verdict == wire.OK:
		answer.Verdict, answer.Remote, answer.Owner = m.Verdict, true, m.Owner
	}
	d.left--
	left := d.patience()
	if d.left == 0 {
		left = n.Costs.Moved * time.Duration(len(d.keys))
	}
	if n.process.frozen {
		n.process.left = left
		return
	}
	n.process.busyUntil = now.Add(left)
	if d.left == 0 {
		n.halt(n.process.busyUntil)
	}
}

// migrated deletes what the other node has, and answers the tool.
func (n *Node) migrated(at sim.Time, m *wire.Message) sim.Time {
	d := &n.dump
	o := d.order
	n.load.busy(d.since, at)
	m.Work += at.Sub(d.since)
	if d.left > 0 && o.Answer.Verdict == wire.OK {
		o.Answer.Verdict = wire.IOError
	}
	if o.Answer.Verdict == wire.IOError {
		n.closeSocket(o.Node)
	}
	for i, key := range d.keys {
		if !d.restored[i] {
			continue
		}
		o.Answer.Keys = append(o.Answer.Keys, key)
		o.Answer.Bytes += int64(n.Index.value[key])
		if !o.Copy {
			at = n.remove(at, o.Slot, key)
		}
	}
	d.waiting, d.order = false, nil
	return at
}

// restore takes in a key that another node has sent (restoreCommand).
func (n *Node) restore(at sim.Time, m *wire.Message) {
	if n.keys.has(n.Index, m.Slot, m.Key) && m.Flags&wire.Replace == 0 {
		m.Verdict = wire.BusyKey
		return
	}
	n.load.restored(m.Work)
	bytes := m.RequestBytes()
	n.feed(bytes)
	if len(n.followers) > 0 {
		n.stream.work += m.Work
	}
	n.dataset += keyBytesInSnapshot(m.Value)
	n.changeKey(m.Slot, m.Key, true)
	m.Offset = n.offset
	n.Witness.Restored(at, n.id, m.Key, n.offset, n.Net.PeerOf(m))
}

// Sockets is an actor that stands for the sockets of all nodes on which answers
// come that their threads wait for in the kernel: it wakes them.
type Sockets struct {
	sched *sim.Scheduler[wire.Message]
	nodes []*Node
	id    sim.ActorID
}

// NewSockets returns the sockets of nodes, and registers them.
func NewSockets(sched *sim.Scheduler[wire.Message], nodes []*Node) *Sockets {
	s := &Sockets{sched: sched, nodes: nodes}
	s.id = sched.Register(s)
	return s
}

// ID returns the address of the sockets.
func (s *Sockets) ID() sim.ActorID { return s.id }

// Wake passes answers on.
func (s *Sockets) Wake(now sim.Time) {
	for {
		ref, m, _ := s.sched.Take(s.id)
		if m == nil {
			return
		}
		n := s.nodes[s.nodes[0].Net.PeerOf(m)]
		if m.Command == wire.SYNCSLOTS {
			n.taskAnswered(now, ref, m)
			continue
		}
		n.answered(now, m)
		s.sched.Free(ref)
	}
}
