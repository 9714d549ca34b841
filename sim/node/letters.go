package node

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// serveLetter deals with what is not a client's request.
func (n *Node) serveLetter(at sim.Time, e *entry) sim.Time {
	m := e.m
	switch m.Kind {
	case wire.Replicate:
		return n.apply(at.Add(n.Costs.Read), m)
	case wire.Bus:
		return n.receive(at, e)
	case wire.Accept:
		return n.accept(at, m)
	case wire.Opened, wire.Refused, wire.Closed:
		return n.connectionLetter(at, m)
	case wire.Order:
		return n.obey(at, m)
	case wire.Stall:
		at = at.Add(m.Work)
		n.turn.halted = at > n.turn.limit
		return at
	case wire.Handshake, wire.Psync, wire.Acked:
		if n.isNew(m) {
			n.left = append(n.left, *e)
			e.m = nil
			return at
		}
		return n.downstreamLetter(at.Add(n.Costs.Read+n.Costs.Refuse), m)
	case wire.Room:
		return n.room(at, m)
	case wire.Synced:
		return n.taskAnswer(at, m)
	case wire.Pipe:
		if n.child.active && m.Call == n.child.serial {
			return n.pipe(at)
		}
		return at
	}
	return n.upstreamLetter(at.Add(n.Costs.Read), m)
}

// accept takes up a connection. What has come on it is read in the next turn. A
// primary that loads its data set closes it (clusterAcceptHandler).
func (n *Node) accept(at sim.Time, m *wire.Message) sim.Time {
	at = at.Add(n.Costs.Accept)
	if sim.Time(m.Wait) < n.process.born {
		return at
	}
	if n.child.loading && n.primary && m.Flags&wire.OnStream == 0 {
		n.Net.Reset(at, m)
		return at
	}
	n.turn.accepted = append(n.turn.accepted, m.From)
	return at
}

// connectionLetter deals with what has become of a connection.
func (n *Node) connectionLetter(at sim.Time, m *wire.Message) sim.Time {
	switch {
	case m.Flags&wire.OnStream == 0:
		return n.link(at, m)
	case m.Kind == wire.Closed && n.find(m.From, m.Conn) >= 0:
		n.downstreamClosed(at, m)
		return at
	}
	return n.upstreamLink(at, m)
}

// sendLetters lets the letters to other nodes go.
func (n *Node) sendLetters(at sim.Time) sim.Time {
	for i, ref := range n.letters {
		at = at.Add(n.Costs.Write)
		if at > n.process.doom {
			n.letters = n.letters[i:]
			return at
		}
		n.Net.Send(at, ref, n.Sched.At(ref))
	}
	n.letters = n.letters[:0]
	return at
}
