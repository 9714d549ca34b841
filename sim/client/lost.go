package client

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// drop takes note of a letter that has come too late.
func (c *Client) drop(m *wire.Message) {
	k := &c.calls.all[m.Call]
	k.waiting--
	if f := k.flightOf(m); f != nil {
		f.late++
		c.retire(f)
	}
	c.forget(m.Call)
}

// flightOf returns the flight of a command, of one that has been tried again
// since, nil where it was on a connection that nobody else uses.
func (k *call) flightOf(m *wire.Message) *flight {
	if p := &k.parts[m.Part]; p.hops == m.Hops {
		return &k.flights[p.flight]
	}
	for i := range k.flights {
		if f := &k.flights[i]; f.replaced && f.conn == m.Conn && f.late < f.waiting {
			return f
		}
	}
	return nil
}

// retire lets the number of a connection that was closed be used again, when
// nothing is under way on it any more.
func (c *Client) retire(f *flight) {
	if f.replaced && f.late == f.waiting {
		c.retired = append(c.retired, f.conn)
	}
}

// abandoned reports whether the operation of a chain that has waited to be sent
// has ended meanwhile. Its letters are then freed.
func (c *Client) abandoned(ref sim.Ref) bool {
	m := c.sched.At(ref)
	if m.Call == 0 || c.calls.all[m.Call].live {
		return false
	}
	for {
		m := c.sched.At(ref)
		next := m.Next
		c.drop(m)
		c.sched.Free(ref)
		if next == ref {
			return true
		}
		ref = next
	}
}

// Lost is told of a request or a reply that will never arrive. Its letter must be
// freed after that.
func (c *Client) Lost(m *wire.Message) {
	if m.Call != 0 {
		c.calls.all[m.Call].lossy = true
	}
	switch {
	case m.Call != 0 && m.Command == wire.ClusterSlots:
		c.calls.all[m.Call].waiting--
		c.forget(m.Call)
	case m.Call != 0:
		c.drop(m)
	case m.Command != wire.ClusterSlots:
		c.lost++
	}
}

// GaveUp reports whether the client has closed the connection that a request was
// sent on, or that its reply is to come on. The letter is then forgotten, and must
// be freed. A connection that requests share is not closed after a timeout.
func (c *Client) GaveUp(_ sim.Time, m *wire.Message) bool {
	switch {
	case m.Command == wire.ClusterSlots && m.Call == 0:
		return !c.fetches(m)
	case m.Call == 0:
		return false
	case m.Command == wire.ClusterSlots:
		k := &c.calls.all[m.Call]
		if q := k.inquiry(m.Part); k.live && q.waits && q.number == m.Hops {
			return false
		}
		k.waiting--
		c.forget(m.Call)
		return true
	}
	k := &c.calls.all[m.Call]
	shared := m.Conn != 0 && (c.Pipelined || k.load.conns != 0)
	if shared || k.live && m.Hops == k.parts[m.Part].hops {
		return false
	}
	c.drop(m)
	return true
}

// Stuck returns how many operations have not ended though nothing is under way
// that could end them, and nothing was lost. There must be none.
func (c *Client) Stuck() int {
	n := 0
	for i := range c.calls.all {
		k := &c.calls.all[i]
		limited := k.deadline != sim.Never && k.deadline >= c.sched.Now()
		if k.live && k.waiting == 0 && !limited && !k.lossy {
			n++
		}
	}
	return n
}

// Open returns how many of the operations that are kept track of have not ended,
// with those that nothing will come of.
func (c *Client) Open() int {
	n := c.lost
	for i := range c.calls.all {
		if c.calls.all[i].live {
			n++
		}
	}
	return n
}
