package network

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// The timer after which a kernel sends again what was not acknowledged: at
// first, and at most (TCP_RTO_MIN and TCP_RTO_MAX of Linux). It is doubled each
// time.
const (
	rtoFirst = 200 * time.Millisecond
	rtoMax   = 120 * time.Second
)

// A way is what a message takes, from host to host.
type way struct {
	from, to int
	bus      bool
	leg      uint64 // which of a message's journeys; see wire.Message.Draw
	// connection identifies the connection and its direction; 0 for one that no
	// other message uses.
	connection uint64
}

// The kinds of connections, in the upper bits of way.connection.
const (
	ofClient = iota + 1
	ofBus
	ofStream
)

// A jam is a connection on which something has to be sent again. All that follows
// waits behind it.
type jam struct {
	next    sim.Time      // when the timer rings
	rto     time.Duration // for how long it was set
	attempt int           // how often it has been set
	letters int           // how many wait
}

// ofRequest returns the way of a request. It notes the node on the letter.
func (n *Network) ofRequest(node sim.ActorID, m *wire.Message) *way {
	m.Owner = ownerOf(node)
	return n.wayOf(m)
}

// ofReply returns the way of a reply.
func (n *Network) ofReply(m *wire.Message) *way { return n.wayOf(m) }

// wayOf returns the way that a message takes.
func (n *Network) wayOf(m *wire.Message) *way {
	w := &n.scratch
	*w = way{from: int(m.From), to: int(m.Owner)}
	switch m.Kind {
	case wire.Request:
		w.from = n.process(m)
		if m.Conn != 0 {
			w.connection = ofClient<<56 | uint64(w.to)<<33 | uint64(m.Conn)<<1
		}
	case wire.Reply:
		w.to, w.leg = n.process(m), 1
		if m.Conn != 0 {
			w.connection = ofClient<<56 | uint64(w.from)<<33 | uint64(m.Conn)<<1 | 1
		}
	case wire.Bus:
		w.bus = true
		w.connection = ofBus<<56 | uint64(w.from*n.nodes+w.to)<<1
		if m.Flags&wire.Back != 0 {
			w.connection |= 1
		}
	default:
		w.connection = ofStream<<56 | uint64(w.from*n.nodes+w.to)
	}
	return w
}

// hinders reports whether something keeps a message from going. It is then sent
// again later.
func (n *Network) hinders(depart sim.Time, ref sim.Ref, m *wire.Message, w *way) bool {
	j, jammed := n.jams[w.connection]
	if !jammed {
		if !n.cut(w.from, w.to, w.bus) && !n.lost(w, m, 0) {
			return false
		}
		if w.connection == 0 {
			n.again(depart, ref, m, 1)
			return true
		}
		j = jam{next: depart.Add(rtoFirst), rto: rtoFirst, attempt: 1}
	}
	j.letters++
	n.jams[w.connection] = j
	n.sched.Post(max(j.next, depart), n.id, ref)
	return true
}

// again sets the timer of a message that is alone on its connection, for the
// attempt-th time.
func (n *Network) again(now sim.Time, ref sim.Ref, m *wire.Message, attempt uint32) {
	m.Next = sim.Ref(attempt)
	rto := rtoMax
	if attempt < 10 {
		rto = min(rtoFirst<<(attempt-1), rtoMax)
	}
	n.sched.Post(now.Add(rto), n.id, ref)
}

// Wake sends again what could not get through, and opens connections.
func (n *Network) Wake(now sim.Time) {
	for {
		ref, m, _ := n.sched.Take(n.id)
		if m == nil {
			return
		}
		if m.Kind == wire.Syn {
			n.handshake(now, ref, m)
			continue
		}
		n.retry(now, ref, m)
	}
}

// retry sends a message again, if its connection is still open.
func (n *Network) retry(now sim.Time, ref sim.Ref, m *wire.Message) {
	w := n.wayOf(m)
	j := n.jams[w.connection]
	useless := n.useless(now, m)
	switch {
	case useless:
	case w.connection != 0 && j.next > now: // one before it has been sent in vain just now
		n.sched.Post(j.next, n.id, ref)
		return
	case w.connection == 0:
		if n.cut(w.from, w.to, w.bus) || n.lost(w, m, int(m.Next)) {
			n.again(now, ref, m, uint32(m.Next)+1)
			return
		}
	case n.cut(w.from, w.to, w.bus) || n.lost(w, m, j.attempt):
		j.rto = min(2*j.rto, rtoMax)
		j.next = now.Add(j.rto)
		j.attempt++
		n.jams[w.connection] = j
		n.sched.Post(j.next, n.id, ref)
		return
	}
	if w.connection != 0 {
		if !useless { // what gets through sets the timer back
			j.rto, j.attempt = rtoFirst/2, 0
		}
		if j.letters--; j.letters == 0 {
			delete(n.jams, w.connection)
		} else {
			n.jams[w.connection] = j
		}
	}
	if useless {
		n.drop(ref, m)
		return
	}
	n.deliver(now, ref, m)
}

// useless reports whether nobody waits for a message any more: its connection is
// closed.
func (n *Network) useless(now sim.Time, m *wire.Message) bool {
	switch m.Kind {
	case wire.Request, wire.Reply:
		return n.patient != nil && int(m.Process) < n.processes && n.patient.GaveUp(now, m)
	case wire.Bus:
		return !n.Takes(m)
	}
	return !n.StreamTakes(m)
}

// deliver sends a message that nothing keeps from going any more.
func (n *Network) deliver(now sim.Time, ref sim.Ref, m *wire.Message) {
	switch m.Kind {
	case wire.Request:
		m.Next = ref
		n.toNode(now, sim.ActorID(m.Owner), ref, m)
	case wire.Reply:
		m.Next = ref
		n.toClient(now, ref, m, m.Bytes())
	case wire.Bus:
		n.bus(now, ref, m)
	default:
		n.stream(now, ref, m)
	}
}

// drop frees a message that never arrives.
func (n *Network) drop(ref sim.Ref, m *wire.Message) {
	if n.drops != nil {
		n.drops.Undelivered(m)
	}
	n.sched.Free(ref)
}

// Bounce takes a message back that has reached a node whose host is not there any
// more: the sender's kernel will send it again.
func (n *Network) Bounce(now sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message) {
	m.Owner = ownerOf(node)
	if !n.hinders(now, ref, m, n.wayOf(m)) {
		n.deliver(now, ref, m)
	}
}
