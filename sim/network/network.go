// Package network is the only road from actor to actor. It models one-way
// latency, the bandwidth of each host's network card in both directions, and the
// order of what travels on one connection.
//
// A message that is sent occupies the sender's card for as long as its bytes
// take, travels, and occupies the receiver's card; whatever is sent after it
// waits its turn at both. On a connection that several requests share, nothing
// overtakes.
//
// What it leaves out: TCP's windows, acknowledgements and retransmissions
// (a socket's buffer is as large as it needs to be), handshakes of new
// connections, and loss.
package network

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// Config is what lies between clients and nodes.
type Config struct {
	OneWay          sim.Distribution `toml:"one_way"`          // latency of one direction
	NodeBandwidth   int64            `toml:"node_bandwidth"`   // bytes per second of each node's card, each direction; 0: no limit
	ClientBandwidth int64            `toml:"client_bandwidth"` // of each client process's card
}

// An Early receiver is told of a message when it is sent, with the instant of
// its arrival. It returns true if it has dealt with the message there and then:
// it decides nothing that depends on other things that happen until it arrives.
// The letter is then free, and no event is spent on it.
type Early interface {
	Early(arrival sim.Time, m *wire.Message) bool
}

// A Network connects nodes and client processes.
type Network struct {
	sched     *sim.Scheduler[wire.Message]
	latency   *sim.Quantiles
	constant  time.Duration // where every latency is the same, else -1
	draws     sim.Stream
	unlimited bool // no card has a limit
	nodes     []card
	clients   []card // by process
	early     Early
	client    sim.ActorID
	lanes     [][]lane // by node and connection
}

// A card is a host's network card.
type card struct {
	picos   int64    // per byte; 0 is no limit
	out     sim.Time // when it has sent all
	in      []span   // when it is receiving, from now on, in order and apart
	busyOut time.Duration
	busyIn  time.Duration

	measured span // what busyOut and busyIn are about
}

// A span of time.
type span struct{ from, to sim.Time }

// overlap returns how much of a span lies between two instants.
func (s span) overlap(from, to sim.Time) time.Duration {
	return max(0, min(to, s.to).Sub(max(from, s.from)))
}

// A lane is one connection: the last message in each direction.
type lane struct{ toNode, toClient passage }

// A passage is a message on its way. What leaves at the same instant on the same
// connection is one packet, or a few in close order: it shares the latency.
type passage struct {
	depart, arrive sim.Time
	latency        time.Duration
	used           bool
}

// New returns a network of so many nodes, which must be the actors 0 to nodes-1,
// and so many client processes, which are one actor, client.
func New(sched *sim.Scheduler[wire.Message], c Config, seed uint64, nodes, processes int) *Network {
	n := &Network{
		sched: sched, latency: c.OneWay.Quantiles(), constant: -1,
		draws:     sim.NewStream(seed, "network/latency"),
		unlimited: c.NodeBandwidth == 0 && c.ClientBandwidth == 0,
		nodes:     make([]card, nodes), clients: make([]card, processes), lanes: make([][]lane, nodes),
	}
	if d, ok := n.latency.Constant(); ok {
		n.constant = d
	}
	for i := range n.nodes {
		n.nodes[i].picos = picosPerByte(c.NodeBandwidth)
		n.nodes[i].measured = span{0, sim.Never}
	}
	for i := range n.clients {
		n.clients[i].picos = picosPerByte(c.ClientBandwidth)
	}
	return n
}

// Connect says which actor stands for all client processes, and who is told
// early of what is sent to it.
func (n *Network) Connect(client sim.ActorID, early Early) { n.client, n.early = client, early }

// ToNode sends a request from a client's process to a node.
func (n *Network) ToNode(depart sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message) {
	m.Kind, m.From, m.Sent = wire.Request, n.client, depart
	if m.Conn == 0 && n.unlimited {
		n.sched.Post(depart.Add(n.draw(m, 0)), node, ref)
		return
	}
	from, to := &n.clients[m.Process], &n.nodes[node]
	if m.Conn == 0 {
		n.sched.Post(n.travel(depart, from, to, n.draw(m, 0), m.Bytes()), node, ref)
		return
	}
	last := &n.lane(node, m.Conn).toNode
	n.sched.Post(n.follow(last, depart, from, to, m, 0, m.Bytes()), node, ref)
}

// ToClient sends a reply, or what is left of it to be sent, from a node to a
// client's process.
func (n *Network) ToClient(depart sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message, rest int64) {
	m.From = node
	var at sim.Time
	from, to := &n.nodes[node], &n.clients[m.Process]
	switch {
	case m.Conn != 0:
		at = n.follow(&n.lane(node, m.Conn).toClient, depart, from, to, m, 1, rest)
	case n.unlimited:
		at = depart.Add(n.draw(m, 1))
	default:
		at = n.travel(depart, from, to, n.draw(m, 1), rest)
	}
	if n.early.Early(at, m) {
		n.sched.Free(ref)
		return
	}
	n.sched.Post(at, n.client, ref)
}

// Part sends some bytes of a reply that is not complete.
func (n *Network) Part(depart sim.Time, node sim.ActorID, m *wire.Message, bytes int64) {
	n.travel(depart, &n.nodes[node], &n.clients[m.Process], n.draw(m, 1), bytes)
}

// Stream sends a part of the replication stream from a primary to a replica.
func (n *Network) Stream(depart sim.Time, from, to sim.ActorID, ref sim.Ref, m *wire.Message) {
	m.Kind, m.From = wire.Replicate, from
	at := n.follow(&n.lane(to, 0).toNode, depart, &n.nodes[from], &n.nodes[to], m, 0, m.Bytes())
	n.sched.Post(at, to, ref)
}

// Measure says between which instants it is measured how busy cards are. It is
// the whole run if nothing is said.
func (n *Network) Measure(from, to sim.Time) {
	for i := range n.nodes {
		n.nodes[i].measured = span{from, to}
	}
}

// Busy returns for how long a node's card has been sending and receiving.
func (n *Network) Busy(node sim.ActorID) (out, in time.Duration) {
	return n.nodes[node].busyOut, n.nodes[node].busyIn
}

// draw returns the latency of a message.
func (n *Network) draw(m *wire.Message, leg uint64) time.Duration {
	if n.constant >= 0 {
		return n.constant
	}
	return n.latency.At(n.draws.At(m.Draw() ^ leg))
}

// follow returns when a message arrives that must not overtake the last one on
// its connection.
func (n *Network) follow(last *passage, depart sim.Time, from, to *card, m *wire.Message, leg uint64,
	bytes int64) sim.Time {

	if !last.used || last.depart != depart {
		*last = passage{depart: depart, arrive: last.arrive, latency: n.draw(m, leg), used: true}
	}
	last.arrive = max(last.arrive, n.travel(depart, from, to, last.latency, bytes))
	return last.arrive
}

// travel returns when a message arrives that is ready to leave at depart.
func (n *Network) travel(depart sim.Time, from, to *card, latency time.Duration, bytes int64) sim.Time {
	if n.unlimited {
		return depart.Add(latency)
	}
	sent := from.send(depart, bytes)
	first := sent.Add(latency - from.takes(bytes))
	return max(sent.Add(latency), to.receive(n.sched.Now(), first, bytes))
}

// takes returns how long the card is busy with bytes.
func (c *card) takes(bytes int64) time.Duration { return time.Duration(bytes * c.picos / 1000) }

// send returns when the last byte has left.
func (c *card) send(depart sim.Time, bytes int64) sim.Time {
	took := c.takes(bytes)
	start := max(c.out, depart)
	c.out = start.Add(took)
	c.busyOut += c.measured.overlap(start, c.out)
	return c.out
}

// receive returns when the card has taken in bytes of which the first reaches it
// at an instant. Receptions are booked in the order of sending, and each has the
// time that those before it have left, so that none waits for what is still on
// its way.
func (c *card) receive(now, first sim.Time, bytes int64) sim.Time {
	if c.picos == 0 {
		return first
	}
	took := c.takes(bytes)
	whole := took
	i := 0
	for i < len(c.in) && c.in[i].to <= now {
		i++
	}
	c.in = slices.Delete(c.in, 0, i)
	i = 0
	for i < len(c.in) && c.in[i].to < first {
		i++
	}
	booked, end := span{first, first}, i
	for ; end < len(c.in) && booked.to.Add(took) > c.in[end].from; end++ {
		took -= max(0, c.in[end].from.Sub(booked.to))
		booked = span{min(booked.from, c.in[end].from), c.in[end].to}
	}
	booked.to = booked.to.Add(took)
	c.in = slices.Replace(c.in, i, end, booked)
	c.busyIn += c.measured.overlap(booked.to.Add(-whole), booked.to)
	return booked.to
}

func (n *Network) lane(node sim.ActorID, conn uint32) *lane {
	for int(conn) >= len(n.lanes[node]) {
		n.lanes[node] = append(n.lanes[node], lane{})
	}
	return &n.lanes[node][conn]
}

// picosPerByte returns how long a byte takes at a bandwidth in bytes per second.
func picosPerByte(bandwidth int64) int64 {
	if bandwidth == 0 {
		return 0
	}
	return max(1, 1_000_000_000_000/bandwidth)
}
