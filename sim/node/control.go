package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// control is the node's part in the control plane, and what it has to do with it.
type control struct {
	state *gossip.State
	told  gossip.Facts // scratch
	out   gossip.Out   // scratch
	mail  []sim.Ref    // packets that leave at the next poll: their write handlers have a barrier
	sent  uint64       // letters to other nodes so far: the identity of the next
}

// busPart and linkPart take the place of a part in the identity of packets, and of
// connections.
const (
	busPart  = 1 << 11
	linkPart = 1 << 12
)

// join gives a node its part in the control plane.
func (n *Node) join() {
	self := slots.Owner(n.id)
	n.control.state = gossip.New(n.Env, self, n.Layout)
	n.view = n.control.state.Table()
	n.primary = n.control.state.IsPrimary()
	n.shard = n.control.state.PrimaryOf(self)
	for peer := range n.Env.Names {
		if generation, there := n.control.state.Link(slots.Owner(peer)); there {
			n.Net.Linked(n.id, sim.ActorID(peer), generation)
		}
	}
	n.look()
}

// facts is what the node tells its State of itself.
func (n *Node) facts(at sim.Time) *gossip.Facts {
	f := &n.control.told
	*f = gossip.Facts{Offset: n.offset, LinkUp: n.upstream.state == connected, Loading: n.child.loading,
		LastIO: n.upstream.downSince}
	if f.LinkUp {
		f.LastIO = n.upstream.lastIO
	}
	return f
}

// identity returns the identity of what the node sends next to another one.
func (n *Node) identity() wire.OpID {
	n.control.sent++
	return wire.NewOpID(streamLoad, uint64(n.id)<<24|n.control.sent&(1<<24-1))
}

// receive has a packet of the bus read (clusterReadHandler, clusterProcessPacket).
func (n *Node) receive(at sim.Time, e *entry) sim.Time {
	m := e.m
	if n.isNew(m) {
		n.left = append(n.left, *e)
		e.m = nil
		return at
	}
	p := n.Env.At(m.Call)
	back := m.Flags&wire.Back != 0
	switch {
	case m.Sent < n.process.born:
		n.Net.Reset(at, m)
	case back && !n.Net.Takes(m):
	default:
		n.load.tookPacket(at, int64(m.Value))
		n.control.state.Receive(at, p, uint8(m.Conn), back, n.facts(at), &n.control.out)
		at = n.carryOut(at)
	}
	n.Env.Release(p)
	n.Sched.Free(e.ref)
	e.m = nil
	return at
}

// isNew reports whether a letter has come on a connection that was accepted in
// this very turn.
func (n *Node) isNew(m *wire.Message) bool {
	if m.Flags&wire.Back == 0 {
		for _, peer := range n.turn.accepted {
			if peer == m.From {
				return true
			}
		}
	}
	return false
}

// carryOut does what the State wants done, in the time that this takes.
func (n *Node) carryOut(at sim.Time) sim.Time {
	o := &n.control.out
	c := n.Costs
	began := at
	at = at.Add(time.Duration(o.Built+o.Taken)*c.BusMessage + time.Duration(o.Entries+o.TakenEntries)*c.BusEntry +
		time.Duration(o.Copies)*c.BusCopy + time.Duration(o.TakenCopies)*c.BusPublish)
	if o.Saved {
		at = at.Add(c.Save)
	}
	n.load.busWork(began, at)
	for i := range o.Acts {
		at = n.act(at, &o.Acts[i])
	}
	for i := range o.Send {
		n.post(&o.Send[i])
	}
	for i := range o.Events {
		n.Witness.Happened(o.Events[i])
	}
	n.look()
	o.Reset()
	return at
}

// look takes note of what the State has come to believe.
func (n *Node) look() {
	n.trouble.set(down, !n.control.state.OK())
	n.trouble.set(moves, n.movesSlots())
	n.trouble.set(stale, !n.primary && n.upstream.state != connected && !n.Replication.ReplicaServeStale)
}

// act does one thing that the State wants done.
func (n *Node) act(at sim.Time, a *gossip.Act) sim.Time {
	switch a.Kind {
	case gossip.Connect:
		n.load.connects(at)
		began := at
		at = at.Add(n.Costs.Connect)
		n.load.busWork(began, at)
		n.Net.Open(at, n.id, sim.ActorID(a.Node), a.Link, n.identity())
	case gossip.Disconnect:
		n.Net.Close(n.id, sim.ActorID(a.Node))
	case gossip.Promote:
		n.promote(at)
	case gossip.Follow:
		if a.Node != n.shard || n.primary || n.upstream.state == alone {
			at = n.follow(at, a.Node)
		}
	case gossip.PauseWrites:
		n.pauseWrites(a.Until)
	case gossip.ResumeWrites:
		n.resumeWrites(at)
	case gossip.DropSlots:
		at = n.dropSlots(at, a.Slots)
	}
	return at
}

// post puts a packet into the mail.
func (n *Node) post(o *gossip.Outgoing) {
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Bus, ID: n.identity(), Part: busPart, From: n.id, Owner: o.To,
		Conn: uint32(o.Link), Call: o.Packet.Number, Value: uint32(n.Env.Bytes(o.Packet))}
	if o.Back {
		m.Flags = wire.Back
	}
	n.control.mail = append(n.control.mail, ref)
}

// sendMail lets packets go.
func (n *Node) sendMail(at sim.Time) sim.Time {
	for i, ref := range n.control.mail {
		if at > n.process.doom {
			n.control.mail = n.control.mail[i:]
			return at
		}
		m := n.Sched.At(ref)
		n.load.sentPacket(at, int64(m.Value))
		n.Net.Bus(at, ref, m)
	}
	n.control.mail = n.control.mail[:0]
	return at
}

// Undelivered implements network.Undelivered: a packet that never arrives is free
// again, and a write whose answer does not is not acknowledged.
func (n *Node) Undelivered(m *wire.Message) {
	switch {
	case m.Kind == wire.Bus:
		n.Env.Release(n.Env.At(m.Call))
	case m.Kind == wire.Reply && m.Verdict == wire.OK && m.Command.Writes() && !m.Command.Tool():
		n.Witness.Unacknowledged(m.From, m.Offset)
	}
}

// link deals with what has become of a connection of the bus.
func (n *Node) link(at sim.Time, m *wire.Message) sim.Time {
	peer := m.Owner
	switch m.Kind {
	case wire.Opened:
		if !n.Net.Established(at, m) {
			return at
		}
		n.control.state.Connected(at, peer, uint8(m.Conn), n.facts(at), &n.control.out)
	case wire.Refused:
		if !n.Net.Failed(m) {
			return at
		}
		n.control.state.Refused(at, peer, uint8(m.Conn), &n.control.out)
	case wire.Closed:
		peer = slots.Owner(m.From)
		if generation, there := n.control.state.Link(peer); !there || uint32(generation) != m.Conn {
			return at
		}
		n.Net.Close(n.id, m.From)
		n.control.state.Closed(at, peer, &n.control.out)
	}
	return n.carryOut(at)
}
