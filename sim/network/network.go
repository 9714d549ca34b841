// Package network is the only road from actor to actor. It models one-way
// latency, the bandwidth of each host's network card in both directions, the
// order of what travels on one connection, how connections are opened and
// closed, and what goes wrong: partitions, loss, slow links, and hosts that
// vanish.
//
// A message that is sent occupies the sender's card for as long as its bytes
// take, travels, and occupies the receiver's card; whatever is sent after it
// waits its turn at both. On a connection that several requests share, nothing
// overtakes.
//
// What cannot get through is not lost: the sender's kernel sends it again, first
// after 200 ms, then after twice as long each time (TCP's retransmission timer),
// and what follows on the same connection waits behind it.
//
// What it leaves out: TCP's congestion window, Nagle's algorithm and delayed
// acknowledgements; the handshake of clients' connections; and that TCP gives up
// after a quarter of an hour.
package network

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// Config is what lies between clients and nodes.
type Config struct {
	OneWay sim.Distribution `toml:"one_way"` // latency of one direction
	// Zones is the latency of one direction by the zones of sender and receiver,
	// where it is not OneWay. See Network.Place.
	Zones           [][]sim.Distribution `toml:"zones"`
	NodeBandwidth   int64                `toml:"node_bandwidth"`   // bytes per second of each node's card, each direction; 0: no limit
	ClientBandwidth int64                `toml:"client_bandwidth"` // of each client process's card
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
	sched    *sim.Scheduler[wire.Message]
	latency  *sim.Quantiles
	constant time.Duration // where every latency is the same, else -1
	draws    struct{ latency, loss sim.Stream }
	zones    [][]*sim.Quantiles
	zone     []uint8 // by host
	cards    []card  // by host: nodes, then client processes
	nodes    int
	early    Early
	client   sim.ActorID
	lanes    [][]lane // by node and connection

	processes     int         // of clients; there is one more host, of operators' tools
	tool, sockets sim.ActorID // who gets the replies to tools, and to nodes

	unlimited bool // no card has a limit
	plain     bool // nor is there anything else to look at on the way

	id    sim.ActorID // of the network itself, where it is an actor
	actor bool
	wires
	troubles
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
// and so many client processes, which are one actor, client. Requests come from
// other hosts too: see Tool and Peer.
func New(sched *sim.Scheduler[wire.Message], c Config, seed uint64, nodes, processes int) *Network {
	n := &Network{
		sched: sched, latency: c.OneWay.Quantiles(), constant: -1, nodes: nodes,
		unlimited: c.NodeBandwidth == 0 && c.ClientBandwidth == 0,
		cards:     make([]card, nodes+processes+1), lanes: make([][]lane, nodes),
		zone: make([]uint8, nodes+processes+1), processes: processes,
	}
	n.draws.latency = sim.NewStream(seed, "network/latency")
	n.draws.loss = sim.NewStream(seed, "network/loss")
	if d, ok := n.latency.Constant(); ok && c.Zones == nil {
		n.constant = d
	}
	for i := range n.cards {
		n.cards[i].picos = picosPerByte(c.NodeBandwidth)
		if i >= nodes {
			n.cards[i].picos = picosPerByte(c.ClientBandwidth)
		} else {
			n.cards[i].measured = span{0, sim.Never}
		}
	}
	if c.Zones != nil {
		n.latency = nil
	}
	for _, row := range c.Zones {
		var tables []*sim.Quantiles
		for _, d := range row {
			tables = append(tables, d.Quantiles())
		}
		n.zones = append(n.zones, tables)
	}
	n.plain = n.unlimited
	n.wires.init(nodes)
	n.troubles.init(nodes)
	return n
}

// Place says in which zone each node and each client process is. Without it, all
// are in zone 0.
func (n *Network) Place(nodes, processes []uint8) {
	copy(n.zone, nodes)
	copy(n.zone[n.nodes:], processes)
}

// Connect says which actor stands for all client processes, and who is told
// early of what is sent to it.
func (n *Network) Connect(client sim.ActorID, early Early) { n.client, n.early = client, early }

// Attend says which actors get the replies to an operator's tool, and those to
// nodes that have sent requests themselves.
func (n *Network) Attend(tool, sockets sim.ActorID) { n.tool, n.sockets = tool, sockets }

// Tool returns what stands for the operator's tool where a message names a client's
// process.
func (n *Network) Tool() uint16 { return uint16(n.processes) }

// Peer returns what stands for a node there, that sends requests to another.
func (n *Network) Peer(node sim.ActorID) uint16 { return uint16(n.processes + 1 + int(node)) }

// PeerOf returns the node that a request is from, or its reply goes to; it must be
// one that Peer stands for.
func (n *Network) PeerOf(m *wire.Message) sim.ActorID {
	return sim.ActorID(int(m.Process) - n.processes - 1)
}

// process returns the host that a request is from: a client's process, the tool's,
// or a node.
func (n *Network) process(m *wire.Message) int {
	host := n.nodes + int(m.Process)
	if host >= len(n.cards) {
		host -= len(n.cards)
	}
	return host
}

// ToNode sends a request from a client's process to a node.
func (n *Network) ToNode(depart sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message) {
	m.Kind, m.From, m.Sent = wire.Request, n.client, depart
	if m.Conn == 0 && n.plain {
		n.sched.Post(depart.Add(n.draw(m, 0, n.process(m), int(node))), node, ref)
		return
	}
	if n.disturbed && n.hinders(depart, ref, m, n.ofRequest(node, m)) {
		return
	}
	n.toNode(depart, node, ref, m)
}

// toNode sends a request that nothing keeps from going.
func (n *Network) toNode(depart sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message) {
	from, to := n.process(m), int(node)
	if m.Conn == 0 {
		n.sched.Post(n.travel(depart, from, to, n.draw(m, 0, from, to), m.Bytes()), node, ref)
		return
	}
	last := &n.lane(node, m.Conn).toNode
	n.sched.Post(n.follow(last, depart, from, to, m, 0, m.Bytes()), node, ref)
}

// ToClient sends a reply, or what is left of it to be sent, from a node to a
// client's process.
func (n *Network) ToClient(depart sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message, rest int64) {
	m.From = node
	if m.Conn == 0 && n.plain {
		at := depart.Add(n.draw(m, 1, int(node), n.process(m)))
		if n.early.Early(at, m) {
			n.sched.Free(ref)
			return
		}
		n.sched.Post(at, n.client, ref)
		return
	}
	if !n.disturbed || !n.hinders(depart, ref, m, n.ofReply(m)) {
		n.toClient(depart, ref, m, rest)
	}
}

// toClient sends a reply that nothing keeps from going.
func (n *Network) toClient(depart sim.Time, ref sim.Ref, m *wire.Message, rest int64) {
	from, to := int(m.From), n.process(m)
	at := sim.Time(0)
	if m.Conn != 0 {
		at = n.follow(&n.lane(m.From, m.Conn).toClient, depart, from, to, m, 1, rest)
	} else {
		at = n.travel(depart, from, to, n.draw(m, 1, from, to), rest)
	}
	switch process := int(m.Process); {
	case process > n.processes:
		n.sched.Post(at, n.sockets, ref)
		return
	case process == n.processes:
		n.sched.Post(at, n.tool, ref)
		return
	}
	if n.early.Early(at, m) {
		n.sched.Free(ref)
		return
	}
	n.sched.Post(at, n.client, ref)
}

// Part sends some bytes of a reply that is not complete.
func (n *Network) Part(depart sim.Time, node sim.ActorID, m *wire.Message, bytes int64) {
	from, to := int(node), n.process(m)
	n.travel(depart, from, to, n.draw(m, 1, from, to), bytes)
}

// RoundTrip returns how long it takes from a node to another and back, as what opens
// a connection does; id is the identity of what is drawn about it.
func (n *Network) RoundTrip(from, to sim.ActorID, id wire.OpID) time.Duration {
	m := wire.Message{ID: id}
	there, back := n.draw(&m, 0, int(from), int(to)), n.draw(&m, 1, int(to), int(from))
	if n.disturbed {
		there, back = there+n.delay(int(from), int(to)), back+n.delay(int(to), int(from))
	}
	return there + back
}

// Measure says between which instants it is measured how busy cards are. It is
// the whole run if nothing is said.
func (n *Network) Measure(from, to sim.Time) {
	for i := range n.nodes {
		n.cards[i].measured = span{from, to}
	}
}

// Busy returns for how long a node's card has been sending and receiving.
func (n *Network) Busy(node sim.ActorID) (out, in time.Duration) {
	return n.cards[node].busyOut, n.cards[node].busyIn
}

// draw returns the latency of a message from host to host.
func (n *Network) draw(m *wire.Message, leg uint64, from, to int) time.Duration {
	if n.constant >= 0 {
		return n.constant
	}
	table := n.latency
	if table == nil {
		table = n.zones[n.zone[from]][n.zone[to]]
	}
	return table.At(n.draws.latency.At(m.Draw() ^ leg))
}

// follow returns when a message arrives that must not overtake the last one on
// its connection.
func (n *Network) follow(last *passage, depart sim.Time, from, to int, m *wire.Message, leg uint64,
	bytes int64) sim.Time {

	if !last.used || last.depart != depart {
		*last = passage{depart: depart, arrive: last.arrive, latency: n.draw(m, leg, from, to), used: true}
	}
	last.arrive = max(last.arrive, n.travel(depart, from, to, last.latency, bytes))
	return last.arrive
}

// travel returns when a message arrives that is ready to leave at depart.
func (n *Network) travel(depart sim.Time, from, to int, latency time.Duration, bytes int64) sim.Time {
	if n.disturbed {
		latency += n.delay(from, to)
	}
	if n.unlimited {
		return depart.Add(latency)
	}
	sender, receiver := &n.cards[from], &n.cards[to]
	sent := sender.send(depart, bytes)
	first := sent.Add(latency - sender.takes(bytes))
	return max(sent.Add(latency), receiver.receive(n.sched.Now(), first, bytes))
}

func (n *Network) lane(node sim.ActorID, conn uint32) *lane {
	for int(conn) >= len(n.lanes[node]) {
		n.lanes[node] = append(n.lanes[node], lane{})
	}
	return &n.lanes[node][conn]
}
