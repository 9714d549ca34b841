package client

import (
	"hotslot/metrics"
	"hotslot/sim"
	"hotslot/sim/wire"
)

// An inquiry is a CLUSTER SLOTS that an operation of a stateless client waits for
// before it sends a command.
type inquiry struct {
	waits  bool
	number uint8 // of its operation's inquiries
	tries  uint8 // seeds that have not answered
}

// beforeParts stands for all commands of an operation in Message.Part, and
// forPart, added to its number, for one of them.
const (
	forPart     = 1 << 15
	beforeParts = forPart | (1<<15 - 1)
)

// inquiry returns the inquiry that a CLUSTER SLOTS belongs to.
func (k *call) inquiry(part uint16) *inquiry {
	if part == beforeParts {
		return &k.inquiry1
	}
	return &k.parts[part&^forPart].inquiry
}

// inquire asks a seed for the slot map, for all commands of a call or for one.
func (c *Client) inquire(now sim.Time, number uint32, part uint16, ref sim.Ref, m *wire.Message) {
	k := &c.calls.all[number]
	q := k.inquiry(part)
	k.inquiries++
	q.waits, q.number = true, k.inquiries
	*m = wire.Message{ID: k.op.ID, Command: wire.ClusterSlots, Process: uint16(k.process), Next: ref,
		Call: number, Part: part, Hops: q.number, Keys: uint16(c.Primaries)}
	first := sim.Below(c.draws.seed.At(uint64(k.op.ID)<<8^uint64(q.number-q.tries)), c.Primaries)
	c.limit(number)
	c.net.ToNode(now, sim.ActorID((first+int(q.tries))%c.Primaries), ref, m)
}

// inquired takes the answer of a seed.
func (c *Client) inquired(now sim.Time, ref sim.Ref, m *wire.Message) {
	k := &c.calls.all[m.Call]
	number, part := m.Call, m.Part
	if q := k.inquiry(part); !k.live || !q.waits || q.number != m.Hops {
		c.discard(ref, m)
		return
	}
	if m.Verdict != wire.OK {
		c.inquireElsewhere(now, number, part, ref, m)
		return
	}
	k.belief = c.beliefs.of(c.topology, m.From, c.Nodes())
	*k.inquiry(part) = inquiry{}
	if c.Timeout == 0 {
		k.deadline = sim.Never
	}
	if part == beforeParts {
		k.waiting--
		c.sched.Free(ref)
		c.sendCall(now, number)
		return
	}
	c.resend(now, number, part&^forPart, ref, m)
}

// inquireElsewhere asks the next seed, and gives the call up after the last.
func (c *Client) inquireElsewhere(now sim.Time, number uint32, part uint16, ref sim.Ref, m *wire.Message) {
	k := &c.calls.all[number]
	q := k.inquiry(part)
	if q.tries++; int(q.tries) < min(c.Primaries, 255) {
		c.inquire(now, number, part, ref, m)
		return
	}
	verdict := m.Verdict
	c.discard(ref, m)
	c.giveUp(now, number, verdict)
}

// inquiriesTimeOut asks the next seed for each inquiry of a call that waits, and
// reports whether there is one. The answer of the last is not waited for any
// more.
func (c *Client) inquiriesTimeOut(now sim.Time, number uint32) bool {
	k := &c.calls.all[number]
	waits := false
	for i := -1; i < len(k.parts); i++ {
		part := uint16(beforeParts)
		if i >= 0 {
			part = forPart | uint16(i)
		}
		if !k.live || !k.inquiry(part).waits {
			continue
		}
		waits = true
		ref, m := c.sched.New()
		m.Verdict, m.Call = wire.Timeout, number
		k.waiting++
		c.inquireElsewhere(now, number, part, ref, m)
	}
	return waits
}

// discard frees a letter of a call that nobody waits for any more, and that is
// not on a connection.
func (c *Client) discard(ref sim.Ref, m *wire.Message) {
	c.calls.all[m.Call].waiting--
	number := m.Call
	c.sched.Free(ref)
	c.forget(number)
}

// giveUp ends a call without an answer. The connections that it waits on are
// closed.
func (c *Client) giveUp(now sim.Time, number uint32, verdict wire.Verdict) {
	k := &c.calls.all[number]
	c.closeFlights(now, k)
	k.last, k.verdict = now, verdict
	k.blame = metrics.Blame{}
	c.endCall(number)
}
