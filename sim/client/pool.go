package client

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A pool is the connections of one process to one node. A connection carries one
// request, or one pipeline, at a time.
//
// Whether a connection is free is known before it is: a reply is told of when it
// leaves the node. So a free connection is an instant, and no event is spent on
// giving it back unless somebody waits for it.
type pool struct {
	free    []spare // a heap, the one that is free first at the top
	open    int     // connections there are
	waiting []sim.Ref
	head    int      // of waiting
	call    sim.Time // when a letter comes that says that one is free; 0 for never
}

// A spare is a connection and when it is free.
type spare struct {
	at   sim.Time
	conn uint32
}

// pool returns the number of the pool of a process's connections to a node.
func (c *Client) pool(process uint16, node sim.ActorID) int {
	return int(process)*c.Nodes() + int(node)
}

// borrow sends a chain on a connection of the pool, now or when one is free.
func (c *Client) borrow(now sim.Time, node sim.ActorID, ref sim.Ref, m *wire.Message) {
	number := c.pool(m.Process, node)
	p := &c.pools[number]
	l := c.loads[m.ID.Load()]
	measuring := l.Measuring(now)
	if measuring {
		l.Measured.Borrows++
	}
	switch {
	case p.idle() && len(p.free) > 0 && p.free[0].at <= now:
		c.transmit(now, node, ref, p.pop().conn)
	case c.Connections == 0 || p.open < c.Connections:
		p.open++
		c.transmit(now, node, ref, c.newConn())
	default:
		if measuring {
			l.Measured.PoolWaits++
		}
		p.waiting = append(p.waiting, ref)
		c.callWhenFree(now, number)
	}
}

// idle reports whether nobody waits for a connection of the pool.
func (p *pool) idle() bool { return p.head == len(p.waiting) }

// release gives a connection back to its pool at an instant, now or later.
func (c *Client) release(at sim.Time, process uint16, node sim.ActorID, conn uint32) {
	number := c.pool(process, node)
	p := &c.pools[number]
	p.push(spare{at, conn})
	if !p.idle() {
		c.callWhenFree(c.sched.Now(), number)
	}
}

// callWhenFree has the client woken when the next connection is free, unless it
// will be by then.
func (c *Client) callWhenFree(now sim.Time, number int) {
	p := &c.pools[number]
	if len(p.free) == 0 {
		return
	}
	at := max(now, p.free[0].at)
	if p.call >= now && p.call != 0 && p.call <= at {
		return
	}
	p.call = at
	ref, m := c.sched.New()
	*m = wire.Message{Kind: wire.Freed, Call: uint32(number)}
	c.sched.Post(at, c.id, ref)
}

// freed lets those who wait longest have the connections that are free.
func (c *Client) freed(now sim.Time, number int) {
	p := &c.pools[number]
	p.call = 0
	for !p.idle() && len(p.free) > 0 && p.free[0].at <= now {
		if ref := p.next(); !c.abandoned(ref) {
			c.transmit(now, sim.ActorID(number%c.Nodes()), ref, p.pop().conn)
		}
	}
	if !p.idle() {
		c.callWhenFree(now, number)
	}
}

// next removes and returns the chain that has waited longest.
func (p *pool) next() sim.Ref {
	ref := p.waiting[p.head]
	p.head++
	if p.idle() || p.head > 1024 && p.head > len(p.waiting)/2 {
		p.waiting = p.waiting[:copy(p.waiting, p.waiting[p.head:])]
		p.head = 0
	}
	return ref
}

func (p *pool) push(s spare) {
	p.free = append(p.free, s)
	i := len(p.free) - 1
	for ; i > 0 && p.free[(i-1)/2].at > s.at; i = (i - 1) / 2 {
		p.free[i] = p.free[(i-1)/2]
	}
	p.free[i] = s
}

func (p *pool) pop() spare {
	first, last := p.free[0], p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	i, n := 0, len(p.free)
	if n == 0 {
		return first
	}
	for child := 1; child < n; child = 2*i + 1 {
		if child+1 < n && p.free[child+1].at < p.free[child].at {
			child++
		}
		if p.free[child].at >= last.at {
			break
		}
		p.free[i] = p.free[child]
		i = child
	}
	p.free[i] = last
	return first
}

// Waiting calls f with every command that waits for a connection.
func (c *Client) Waiting(f func(*wire.Message)) {
	for i := range c.pools {
		p := &c.pools[i]
		for _, ref := range p.waiting[p.head:] {
			for {
				m := c.sched.At(ref)
				f(m)
				if m.Next == ref {
					break
				}
				ref = m.Next
			}
		}
	}
}
