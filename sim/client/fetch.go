package client

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// refreshLoad takes the place of a load in the identity of a CLUSTER SLOTS.
const refreshLoad = 62

// A fetch is how a process gets a new slot map: it asks one node after another
// until one answers, or it has asked all that it knows.
type fetch struct {
	busy     bool
	asked    sim.ActorID
	avoid    sim.ActorID // who has given cause for it
	tries    int
	deadline sim.Time
	count    uint64   // of CLUSTER SLOTS that the process has sent
	next     sim.Time // before it, no error makes the process ask again
}

// patience returns how long a process waits for CLUSTER SLOTS.
func (c *Client) patience() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return time.Second
}

// refresh asks a node for the slot map, unless the process is waiting for one.
func (c *Client) refresh(now sim.Time, number uint16, node sim.ActorID) {
	f := &c.processes[number].fetch
	if !f.busy {
		f.avoid, f.tries = node, 0
		c.ask(now, number, node)
	}
}

// refreshAfter asks a node for the slot map after an error of another node.
func (c *Client) refreshAfter(now sim.Time, number uint16, failed sim.ActorID) {
	f := &c.processes[number].fetch
	if f.busy || now < f.next {
		return
	}
	f.avoid, f.tries = failed, 0
	c.ask(now, number, c.pick(number))
}

// pick returns the node to be asked next: at first a random one, then those that
// follow it in the order of their numbers.
func (c *Client) pick(number uint16) sim.ActorID {
	p := &c.processes[number]
	known := p.known
	if len(known) == 0 {
		known = c.start.known
	}
	first := sim.Below(c.draws.fetch.Sub(int(number)).At(p.fetch.count-uint64(p.fetch.tries)), len(known))
	i := (first + p.fetch.tries) % len(known)
	if known[i] == p.fetch.avoid {
		i = (i + 1) % len(known)
	}
	return known[i]
}

// ask sends CLUSTER SLOTS.
func (c *Client) ask(now sim.Time, number uint16, node sim.ActorID) {
	f := &c.processes[number].fetch
	f.busy, f.asked, f.deadline, f.next = true, node, now.Add(c.patience()), now.Add(c.RefreshMinInterval)
	ref, m := c.sched.New()
	*m = wire.Message{ID: fetchID(number, f.count), Command: wire.ClusterSlots, Process: number, Next: ref,
		Keys: uint16(c.Primaries)}
	f.count++
	c.await(deadline{at: f.deadline, process: uint32(number) + 1})
	c.net.ToNode(now, node, ref, m)
}

// fetchID returns the identity of a process's CLUSTER SLOTS.
func fetchID(number uint16, count uint64) wire.OpID {
	return wire.NewOpID(refreshLoad, uint64(number)<<20|count&(1<<20-1))
}

// fetched takes the answer to a process's CLUSTER SLOTS.
func (c *Client) fetched(now sim.Time, m *wire.Message) {
	p := &c.processes[m.Process]
	if !p.fetch.busy || m.ID != fetchID(m.Process, p.fetch.count-1) {
		return // it has been given up
	}
	if m.Verdict != wire.OK {
		c.fetchFailed(now, m.Process)
		return
	}
	p.fetch.busy = false
	p.belief, p.own = c.beliefs.of(c.topology, m.From, c.Nodes()), false
}

// fetchFailed asks the next node.
func (c *Client) fetchFailed(now sim.Time, number uint16) {
	p := &c.processes[number]
	if p.fetch.tries++; p.fetch.tries > max(1, len(p.known)) {
		p.fetch.busy = false
		return
	}
	c.ask(now, number, c.pick(number))
}

// startPeriodic has each process fetch the slot map every so often, from an
// instant of its own on.
func (c *Client) startPeriodic() {
	if c.RefreshEvery == 0 {
		return
	}
	phase := sim.NewStream(c.seed, "client/refresh")
	for i := range c.processes {
		ref, m := c.sched.New()
		*m = wire.Message{Kind: wire.Refresh, Process: uint16(i)}
		c.sched.Post(sim.Time(sim.Below(phase.At(uint64(i)), int(c.RefreshEvery))), c.id, ref)
	}
}

// periodic fetches the slot map because it is time to.
func (c *Client) periodic(now sim.Time, ref sim.Ref, m *wire.Message) {
	f := &c.processes[m.Process].fetch
	if !f.busy {
		f.avoid, f.tries = nobody, 0
		c.ask(now, m.Process, c.pick(m.Process))
	}
	c.sched.Post(now.Add(c.RefreshEvery), c.id, ref)
}

// nobody is no node.
const nobody = ^sim.ActorID(0)
