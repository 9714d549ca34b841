package network

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// wires are the connections between nodes.
type wires struct {
	links   []link                // of the bus, by who opens and who accepts
	streams []stream              // of replication, by replica
	waiting map[uint32]wire.Queue // by link: what waits for it to be open
	held    int                   // how much that is
	dead    []bool                // by node: the process is not running
	last    []sim.Time            // by link and direction: when the last packet arrives; nil where none can overtake
	scratch way
}

// A link is a connection of the cluster bus.
type link struct {
	generation uint8
	state      linkState
}

type linkState uint8

const (
	closed   linkState = iota
	opening            // a SYN is under way
	answered           // the other end's kernel has accepted; who opens it does not know yet
	open
)

// A stream is a replica's connection to its primary.
type stream struct {
	generation uint32
	state      linkState
	primary    sim.ActorID
	unread     int64 // bytes that the primary has written and the replica has not read
	full       bool  // the primary waits until there is room
}

// socketBytes is what the two ends' kernels take of a connection that is not
// read: Linux's largest send and receive buffers (tcp_wmem, tcp_rmem).
const socketBytes = 4<<20 + 6<<20

// A SYN that is not answered is sent again after a second, and then after twice
// as long each time; after synTries the connection fails (tcp_syn_retries).
const (
	synFirst = time.Second
	synTries = 7
)

func (w *wires) init(nodes int) {
	w.links = make([]link, nodes*nodes)
	w.streams = make([]stream, nodes)
	w.waiting = make(map[uint32]wire.Queue)
	w.dead = make([]bool, nodes)
}

func ownerOf(id sim.ActorID) slots.Owner { return slots.Owner(id) }

// remember keeps, from now on, when the last packet of each link arrives, so that
// none overtakes it.
func (n *Network) remember() {
	if n.last == nil {
		n.last = make([]sim.Time, 2*len(n.links))
	}
}

// Open has a node open a link to another, of a generation; id is the identity of
// what is drawn about it. The node gets a letter Opened or Refused, or none as
// long as nothing comes back; the other one a letter Accept.
func (n *Network) Open(depart sim.Time, from, to sim.ActorID, generation uint8, id wire.OpID) {
	if n.constant < 0 || !n.unlimited {
		n.remember()
	}
	i := n.link(from, to)
	n.discard(i)
	n.links[i] = link{generation, opening}
	n.connect(depart, wire.Message{From: from, Owner: ownerOf(to), Conn: uint32(generation), ID: id})
}

// OpenStream has a replica connect to its primary.
func (n *Network) OpenStream(depart sim.Time, from, to sim.ActorID, generation uint32, id wire.OpID) {
	n.streams[from] = stream{generation: generation, state: opening, primary: to}
	n.connect(depart, wire.Message{From: from, Owner: ownerOf(to), Conn: generation, ID: id, Flags: wire.OnStream})
}

// Linked puts a node's link to another there, as at the beginning of a run.
func (n *Network) Linked(from, to sim.ActorID, generation uint8) {
	n.links[n.link(from, to)] = link{generation, open}
	if n.constant < 0 || !n.unlimited {
		n.remember()
	}
}

// connect sends the first SYN.
func (n *Network) connect(depart sim.Time, syn wire.Message) {
	n.become()
	ref, m := n.sched.New()
	*m = syn
	m.Kind, m.First = wire.Syn, depart
	n.syn(depart, ref, m)
}

// syn sends a SYN. Part says where it is: 0 not sent, 1 on its way.
func (n *Network) syn(now sim.Time, ref sim.Ref, m *wire.Message) {
	m.Part = 0
	if !n.cut(int(m.From), int(m.Owner), m.Flags&wire.OnStream == 0) {
		m.Part = 1
		n.sched.Post(n.arrival(now, m, 0), n.id, ref)
		return
	}
	n.synAgain(now, ref, m)
}

// synAgain waits for when a SYN is to be sent again.
func (n *Network) synAgain(now sim.Time, ref sim.Ref, m *wire.Message) {
	m.Part = 0
	m.Hops++
	at := m.First.Add(synFirst*(1<<m.Hops) - synFirst)
	n.sched.Post(max(at, now), n.id, ref)
}

// arrival returns when something small arrives that leaves now, on one of the
// legs of opening a connection: 0 there, 1 back.
func (n *Network) arrival(now sim.Time, m *wire.Message, leg uint64) sim.Time {
	from, to := int(m.From), int(m.Owner)
	if leg == 1 {
		from, to = to, from
	}
	d := n.draw(m, leg, from, to)
	if n.disturbed {
		d += n.delay(from, to)
		if m.Flags&wire.OnStream == 0 {
			d += n.busDelay(from, to)
		}
	}
	return now.Add(d)
}

// handshake deals with a SYN that has arrived or is to be sent again.
func (n *Network) handshake(now sim.Time, ref sim.Ref, m *wire.Message) {
	to := sim.ActorID(m.Owner)
	switch {
	case !n.wanted(m, opening):
		n.sched.Free(ref)
	case m.Part == 0 && m.Hops >= synTries:
		m.Kind = wire.Refused
		n.sched.Post(now, m.From, ref)
	case m.Part == 0:
		n.syn(now, ref, m)
	case n.cut(int(to), int(m.From), m.Flags&wire.OnStream == 0) || n.gone[to]:
		n.synAgain(now, ref, m) // the answer does not get through
	case n.dead[to]:
		m.Kind = wire.Refused
		n.sched.Post(n.arrival(now, m, 1), m.From, ref)
	default:
		n.accept(now, ref, m)
	}
}

// accept opens a connection: the kernel does it, whatever the process is doing.
func (n *Network) accept(now sim.Time, ref sim.Ref, m *wire.Message) {
	if m.Flags&wire.OnStream != 0 {
		n.streams[m.From].state = answered
	} else {
		n.links[n.link(m.From, sim.ActorID(m.Owner))].state = answered
	}
	other, a := n.sched.New()
	*a = *m
	a.Kind = wire.Accept
	n.sched.Post(now, sim.ActorID(m.Owner), other)
	m.Kind = wire.Opened
	n.sched.Post(n.arrival(now, m, 1), m.From, ref)
}

// wanted reports whether the connection that a SYN, or the answer to it, is about
// is still in a state.
func (n *Network) wanted(m *wire.Message, state linkState) bool {
	if m.Flags&wire.OnStream != 0 {
		s := &n.streams[m.From]
		return s.generation == m.Conn && s.state == state
	}
	l := n.links[n.link(m.From, sim.ActorID(m.Owner))]
	return uint32(l.generation) == m.Conn && l.state == state
}

// Established tells that who opens a connection has taken note of the answer, a
// letter Opened. What has waited for it leaves. It reports whether the connection
// is still wanted.
func (n *Network) Established(at sim.Time, m *wire.Message) bool {
	if !n.wanted(m, answered) {
		return false
	}
	if m.Flags&wire.OnStream != 0 {
		n.streams[m.From].state = open
		return true
	}
	i := n.link(m.From, sim.ActorID(m.Owner))
	n.links[i].state = open
	if q, ok := n.waiting[i]; ok {
		delete(n.waiting, i)
		n.held -= q.Length
		for q.Length > 0 {
			ref := q.Pop(n.sched)
			n.Bus(at, ref, n.sched.At(ref))
		}
	}
	return true
}

// Failed reports whether a letter Refused is about a connection that is still
// wanted. It is closed then.
func (n *Network) Failed(m *wire.Message) bool {
	if !n.wanted(m, opening) {
		return false
	}
	if m.Flags&wire.OnStream != 0 {
		n.streams[m.From].state = closed
	} else {
		n.Close(m.From, sim.ActorID(m.Owner))
	}
	return true
}

// Close closes a node's link to another. What waited for it to be open is lost;
// what has left arrives.
func (n *Network) Close(from, to sim.ActorID) {
	i := n.link(from, to)
	n.links[i].state = closed
	n.discard(i)
}

// discard drops what waits for a link to be open.
func (n *Network) discard(i uint32) {
	q, ok := n.waiting[i]
	if !ok {
		return
	}
	delete(n.waiting, i)
	n.held -= q.Length
	for q.Length > 0 {
		ref := q.Pop(n.sched)
		n.drop(ref, n.sched.At(ref))
	}
}

func (n *Network) link(from, to sim.ActorID) uint32 { return uint32(int(from)*n.nodes + int(to)) }

// Held returns how many packets wait for their links to be open.
func (n *Network) Held() int { return n.held }

// linkOf returns the link that a packet travels on.
func (n *Network) linkOf(m *wire.Message) uint32 {
	if m.Flags&wire.Back != 0 {
		return n.link(sim.ActorID(m.Owner), m.From)
	}
	return n.link(m.From, sim.ActorID(m.Owner))
}

// Takes reports whether the link that a packet was sent on is still the same one,
// and open at the end that opened it.
func (n *Network) Takes(m *wire.Message) bool {
	l := n.links[n.linkOf(m)]
	return uint32(l.generation) == m.Conn && l.state != closed
}

// Bus sends a packet of the cluster bus. It is lost if its link is closed, and
// waits if it is being opened.
func (n *Network) Bus(depart sim.Time, ref sim.Ref, m *wire.Message) {
	m.Kind, m.Sent = wire.Bus, depart
	if !n.Takes(m) {
		n.drop(ref, m)
		return
	}
	if i := n.linkOf(m); m.Flags&wire.Back == 0 && n.links[i].state != open {
		q := n.waiting[i]
		q.Push(n.sched, ref)
		n.waiting[i] = q
		n.held++
		return
	}
	if n.disturbed && n.hinders(depart, ref, m, n.wayOf(m)) {
		return
	}
	n.bus(depart, ref, m)
}

// bus sends a packet that nothing keeps from going.
func (n *Network) bus(depart sim.Time, ref sim.Ref, m *wire.Message) {
	from, to := int(m.From), int(m.Owner)
	latency := n.draw(m, 0, from, to)
	if n.disturbed {
		latency += n.busDelay(from, to)
	}
	at := n.travel(depart, from, to, latency, int64(m.Value))
	if n.last != nil {
		last := &n.last[2*n.linkOf(m)]
		if m.Flags&wire.Back != 0 {
			last = &n.last[2*n.linkOf(m)+1]
		}
		at = max(at, *last)
		*last = at
	}
	n.sched.Post(at, sim.ActorID(m.Owner), ref)
}
