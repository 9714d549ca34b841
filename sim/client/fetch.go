package client

import (
	"slices"
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
	avoid    sim.ActorID // who has given cause for it
	place    int         // of that one among the nodes that are known; -1: it is none of them
	choice   int         // nodes that are known, without that one
	first    uint64      // draw of the first to be asked
	tries    int         // nodes that have not answered
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
	if f := &c.processes[number].fetch; !f.busy {
		c.begun(number, node)
		f.tries = -1 // the node is none of those that are picked
		c.ask(now, number, node)
	}
}

// refreshAfter asks a node for the slot map after an error of another node.
func (c *Client) refreshAfter(now sim.Time, number uint16, failed sim.ActorID) {
	if f := &c.processes[number].fetch; !f.busy && now >= f.next {
		c.begun(number, failed)
		c.ask(now, number, c.pick(number))
	}
}

// begun begins a fetch in which one node is not to be asked.
func (c *Client) begun(number uint16, avoid sim.ActorID) {
	p := &c.processes[number]
	f := &p.fetch
	f.tries, f.avoid, f.place = 0, avoid, -1
	f.choice = len(p.known)
	if i, known := slices.BinarySearch(p.known, avoid); known {
		f.choice, f.place = f.choice-1, i
	}
	f.first = c.draws.fetch.Sub(int(number)).At(f.count)
}

// pick returns the node to be asked next: at first a random one, then those that
// follow it in the order of their numbers. If there is no other, it is the one
// that was to be avoided.
func (c *Client) pick(number uint16) sim.ActorID {
	p := &c.processes[number]
	f := &p.fetch
	if f.choice == 0 {
		return f.avoid
	}
	i := (sim.Below(f.first, f.choice) + f.tries) % f.choice
	if f.place >= 0 && i >= f.place {
		i++
	}
	return p.known[i]
}

// ask sends CLUSTER SLOTS.
func (c *Client) ask(now sim.Time, number uint16, node sim.ActorID) {
	f := &c.processes[number].fetch
	f.busy, f.deadline, f.next = true, now.Add(c.patience()), now.Add(c.RefreshMinInterval)
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

// fetches reports whether a process waits for the answer to a CLUSTER SLOTS, and
// has not given it up.
func (c *Client) fetches(m *wire.Message) bool {
	f := &c.processes[m.Process].fetch
	return f.busy && m.ID == fetchID(m.Process, f.count-1)
}

// fetched takes the answer to a process's CLUSTER SLOTS.
func (c *Client) fetched(now sim.Time, m *wire.Message) {
	p := &c.processes[m.Process]
	if !c.fetches(m) {
		return
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
	f := &c.processes[number].fetch
	if f.tries++; f.tries >= max(1, f.choice) {
		f.busy = false
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
	if !c.processes[m.Process].fetch.busy && len(c.processes[m.Process].known) > 0 {
		c.begun(m.Process, nobody)
		c.ask(now, m.Process, c.pick(m.Process))
	}
	c.sched.Post(now.Add(c.RefreshEvery), c.id, ref)
}

// nobody is no node.
const nobody = ^sim.ActorID(0)
