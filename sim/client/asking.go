package client

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// asked is an ASKING that a client has sent for the first of several commands that came
// back together.
type asked struct {
	conn uint32      // on which they came back
	to   slots.Owner // and where they go
}

// sendAsking has ASKING sent before a command that has come back with ASK.
func (c *Client) sendAsking(now sim.Time, m *wire.Message) {
	if c.RefreshOnAsk {
		c.refresh(now, m.Process, m.From)
	}
	if c.Asking == AskingOnce && c.covered(now, m) {
		m.Flags |= wire.Unasked
		return
	}
	m.Flags |= wire.Asking
	l := c.loads[m.ID.Load()]
	if l.Measuring(now) {
		kind := wire.ReadOp
		if m.Command.Writes() {
			kind = wire.WriteOp
		}
		l.Measured.Commands[kind]++
	}
}

// covered reports whether the client takes the command to be covered by an ASKING that it
// has sent for another one, with which it was sent, at the same instant.
func (c *Client) covered(now sim.Time, m *wire.Message) bool {
	if m.Flags&wire.Unasked != 0 {
		return true
	}
	if now != c.askedAt {
		c.askedAt, c.asked = now, c.asked[:0]
	}
	this := asked{m.Conn, slots.Owner(m.Owner)}
	for _, a := range c.asked {
		if a == this && m.Conn != 0 {
			return true
		}
	}
	c.asked = append(c.asked, this)
	return false
}
