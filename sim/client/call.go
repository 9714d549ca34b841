package client

import (
	"slices"

	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A call is the client's record of an operation that is more than one command,
// or that has a timeout.
type call struct {
	load    *load
	op      wire.Op
	process int
	live    bool // it has not ended
	lossy   bool // a letter of it was lost
	start   sim.Time

	keys    []wire.KeyRef // of all parts, one after another
	parts   []part
	flights []flight
	sent    int // parts sent so far
	open    int // of them, those that have no answer; one that comes too late is none
	waiting int // letters of it that are under way: the record stays until all are back

	last     sim.Time // when the last answer came
	blame    metrics.Blame
	commands uint32
	trips    uint32
	verdict  wire.Verdict // the first that is not OK
	deadline sim.Time

	belief    belief  // of a stateless client
	inquiry1  inquiry // before the first command
	inquiries uint8
}

// A part is one command of a call.
type part struct {
	first, last uint16 // its keys
	node        sim.ActorID
	flight      uint16
	mixed       bool  // its keys do not share a slot
	replica     bool  // its node is asked as a replica
	sent        bool  // it is on its way, and has not been given up
	hops        uint8 // of the letter that counts: redirections and attempts before it
	tries       uint8 // of them, attempts
	inquiry     inquiry
	start       sim.Time // when it was due
	sentFirst   sim.Time // when it left first
}

// A flight is the commands that share a connection while they are under way.
type flight struct {
	node     sim.ActorID
	conn     uint32
	waiting  int      // commands that have not been answered in time
	last     sim.Time // when the last answer comes of those that are known
	late     int      // of those that wait, those that have been answered too late
	replaced bool     // the connection was closed, and another took its place
	broken   bool     // the node has closed it
}

// calls is a slab of calls. Number 0 stays empty: it is no call.
type calls struct {
	all  []call
	free []uint32
}

func (s *calls) new() uint32 {
	if n := len(s.free); n > 0 {
		number := s.free[n-1]
		s.free = s.free[:n-1]
		return number
	}
	if len(s.all) == 0 {
		s.all = append(s.all, call{})
	}
	s.all = append(s.all, call{})
	return uint32(len(s.all) - 1)
}

// Keys returns the keys of a command that has several.
func (c *Client) Keys(m *wire.Message) []wire.KeyRef {
	k := &c.calls.all[m.Call]
	p := &k.parts[m.Part]
	return k.keys[p.first:p.last]
}

// beginCall starts an operation that is kept track of.
func (c *Client) beginCall(now sim.Time, l *load, op *wire.Op, process int) {
	number := c.calls.new()
	k := &c.calls.all[number]
	*k = call{load: l, op: *op, process: process, live: true, start: now, deadline: sim.Never,
		keys: k.keys[:0], parts: k.parts[:0], flights: k.flights[:0], last: now}
	if op.Keys == 1 {
		k.keys = append(k.keys, wire.KeyRef{Key: op.Key, Slot: op.Slot})
	} else {
		k.keys = l.Source.Keys(*op, k.keys)
	}
	if c.Stateless {
		ref, m := c.sched.New()
		k.waiting++
		c.inquire(now, number, beforeParts, ref, m)
		return
	}
	c.sendCall(now, number)
}

// sendCall splits an operation and sends its first command, or all.
func (c *Client) sendCall(now sim.Time, number uint32) {
	k := &c.calls.all[number]
	c.split(k)
	if k.sequential() {
		c.sendPart(now, number)
		return
	}
	if k.load.Batch.Split == SplitNode {
		slices.SortStableFunc(k.parts, func(a, b part) int { return int(a.node) - int(b.node) })
	}
	for k.sent < len(k.parts) {
		c.sendPart(now, number)
	}
}

// split cuts the keys of a call into commands.
func (c *Client) split(k *call) {
	b := &k.load.Batch
	chunk := b.Chunk
	if !k.op.Command.Multi() {
		chunk = 1
	} else if b.Split == SplitNone {
		c.addPart(k, 0, len(k.keys))
		return
	}
	if b.ChunkFirst && chunk > 0 {
		for first := 0; first < len(k.keys); first += chunk {
			c.group(k, first, min(first+chunk, len(k.keys)), 0)
		}
		return
	}
	c.group(k, 0, len(k.keys), chunk)
}

// group makes a part of each slot's keys, of at most chunk keys each unless that
// is 0.
func (c *Client) group(k *call, first, end, chunk int) {
	slices.SortStableFunc(k.keys[first:end], func(a, b wire.KeyRef) int { return int(a.Slot) - int(b.Slot) })
	for first < end {
		last := first + 1
		for last < end && k.keys[last].Slot == k.keys[first].Slot && last-first != chunk {
			last++
		}
		c.addPart(k, first, last)
		first = last
	}
}

func (c *Client) addPart(k *call, first, last int) {
	p := part{first: uint16(first), last: uint16(last)}
	for _, key := range k.keys[first:last] {
		p.mixed = p.mixed || key.Slot != k.keys[first].Slot
	}
	c.address(k, &p)
	k.parts = append(k.parts, p)
}

// address says where a command of a call goes, by what is believed now.
func (c *Client) address(k *call, p *part) {
	b := &c.processes[k.process].belief
	if c.Stateless {
		b = &k.belief
	}
	p.node, p.replica = c.target(b, &k.op, k.keys[p.first].Slot, p.tries)
}

// sendPart sends the next part of a call and, where a pipeline goes to each
// node, all that follow for the same node.
func (c *Client) sendPart(now sim.Time, number uint32) {
	k := &c.calls.all[number]
	node := k.parts[k.sent].node
	k.flights = append(k.flights, flight{node: node})
	head := c.writePart(now, number)
	tail := head
	for k.load.Batch.Split == SplitNode && k.sent < len(k.parts) && k.parts[k.sent].node == node {
		ref := c.writePart(now, number)
		c.sched.At(tail).Next = ref
		tail = ref
	}
	c.send(now, node, head, c.sched.At(head))
}

// writePart writes the next command of a call.
func (c *Client) writePart(now sim.Time, number uint32) sim.Ref {
	k := &c.calls.all[number]
	p := &k.parts[k.sent]
	p.start = k.start
	if k.sequential() && k.sent > 0 {
		p.start = now
	}
	ref, m := c.sched.New()
	c.fill(number, uint16(k.sent), ref, m)
	p.flight = uint16(len(k.flights) - 1)
	k.flights[p.flight].waiting++
	k.sent++
	k.open++
	k.waiting++
	return ref
}

// fill writes a command of a call on its letter.
func (c *Client) fill(number uint32, part uint16, ref sim.Ref, m *wire.Message) {
	k := &c.calls.all[number]
	p := &k.parts[part]
	*m = wire.Message{ID: k.op.ID, Start: p.start, First: p.sentFirst, Command: k.op.Command,
		Value: k.op.ValueBytes, Process: uint16(k.process), Next: ref, Call: number, Part: part, Hops: p.hops,
		Key: k.keys[p.first].Key, Slot: k.keys[p.first].Slot, Keys: p.last - p.first}
	if p.mixed {
		m.Flags |= wire.Mixed
	}
	if p.replica {
		m.Flags |= wire.Readonly
	}
	if k.op.Command.Writes() {
		m.Acks = k.load.Acks
	}
}

// sentPart notes that a command of a call leaves on a connection.
func (c *Client) sentPart(m *wire.Message) {
	k := &c.calls.all[m.Call]
	p := &k.parts[m.Part]
	p.sent, p.sentFirst = true, m.First
	k.flights[p.flight].conn = m.Conn
	if c.Timeout > 0 {
		c.limit(m.Call)
	}
}

// sequential reports whether the parts are sent one after another.
func (k *call) sequential() bool {
	return k.load.Batch.Split == SplitSlotSequential && k.op.Command.Multi()
}

// answer adds a command's answer to its call, and ends the call with the last.
func (c *Client) answer(at sim.Time, m *wire.Message) {
	k := &c.calls.all[m.Call]
	k.open--
	k.waiting--
	k.parts[m.Part].sent = false
	k.commands += uint32(m.Hops) + 1
	k.load.countAcks(at, m)
	if k.verdict == wire.OK {
		k.verdict = m.Verdict
	}
	var b metrics.Blame
	blame(at, m, &b)
	if k.sequential() {
		k.blame.Add(&b)
		k.trips += uint32(m.Hops) + 1
		k.last = at
		if k.sent < len(k.parts) && k.verdict == wire.OK {
			c.sendPart(at, m.Call)
			return
		}
	} else if at >= k.last {
		k.blame, k.trips, k.last = b, uint32(m.Hops)+1, at
	}
	if k.open == 0 {
		c.endCall(m.Call)
	}
}

// endCall records the end of a call.
func (c *Client) endCall(number uint32) {
	k := &c.calls.all[number]
	k.live = false
	c.end = metrics.End{Start: k.start, At: k.last, Blame: k.blame, Kind: k.op.Kind,
		Commands: k.commands + uint32(k.inquiries), RoundTrips: k.trips + uint32(k.inquiries), Verdict: k.verdict}
	l, last, n := k.load, k.last, uint64(k.op.ID)&(1<<wire.LoadBits-1)
	c.forget(number)
	l.End(&c.end)
	l.ended(last, n)
}

// forget frees the record of a call that has ended and of which no letter is
// under way.
func (c *Client) forget(number uint32) {
	if k := &c.calls.all[number]; !k.live && k.waiting == 0 {
		c.calls.free = append(c.calls.free, number)
	}
}
