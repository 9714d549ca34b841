package node

import (
	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An order is a CLUSTER command of an operator, which the node executes in a turn
// like any other.
type order struct {
	verb   orderVerb
	mode   gossip.FailoverMode
	peer   slots.Owner
	ranges []slots.Range
	epoch  uint64
}

type orderVerb uint8

const (
	failover orderVerb = iota
	meet
	replicate
	claim
	assign
	unassign
)

// Failover is CLUSTER FAILOVER, sent to a replica.
func (n *Node) Failover(now sim.Time, mode gossip.FailoverMode) {
	n.order(now, order{verb: failover, mode: mode})
}

// Meet is CLUSTER MEET.
func (n *Node) Meet(now sim.Time, peer slots.Owner) { n.order(now, order{verb: meet, peer: peer}) }

// Replicate is CLUSTER REPLICATE. A node that has not heard of the primary yet
// follows it when it has.
func (n *Node) Replicate(now sim.Time, primary slots.Owner) {
	n.order(now, order{verb: replicate, peer: primary})
}

// Claim has the node own slots with a configuration epoch, by its own word.
func (n *Node) Claim(now sim.Time, ranges []slots.Range, epoch uint64) {
	n.order(now, order{verb: claim, ranges: ranges, epoch: epoch})
}

// Assign is CLUSTER ADDSLOTS.
func (n *Node) Assign(now sim.Time, ranges []slots.Range) {
	n.order(now, order{verb: assign, ranges: ranges})
}

// Unassign is CLUSTER DELSLOTS.
func (n *Node) Unassign(now sim.Time, ranges []slots.Range) {
	n.order(now, order{verb: unassign, ranges: ranges})
}

// order sends the node a command.
func (n *Node) order(now sim.Time, o order) {
	if !n.Up() || n.control.state == nil {
		return
	}
	n.orders = append(n.orders, o)
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Order, From: n.id, Sent: now, Call: uint32(len(n.orders) - 1)}
	n.Sched.Post(now, n.id, ref)
}

// obey executes an order.
func (n *Node) obey(at sim.Time, m *wire.Message) sim.Time {
	o := n.orders[m.Call]
	s, out := n.control.state, &n.control.out
	at = at.Add(n.Costs.Read + n.Costs.Commands[wire.PING].Base + n.Costs.Write)
	switch o.verb {
	case failover:
		if reason := s.Failover(at, o.mode, n.facts(at), out); reason != wire.NoReason {
			n.Witness.Happened(wire.Event{At: at, Kind: wire.EventManualFailoverEnd, Node: slots.Owner(n.id),
				About: n.shard, Reason: reason})
		}
	case meet:
		s.Meet(at, o.peer, out)
	case replicate:
		if !s.Knows(o.peer) {
			n.order(at.Add(cronPeriod), o)
			return at
		}
		s.Replicate(at, o.peer, n.facts(at), out)
	case claim:
		s.Claim(at, o.ranges, o.epoch, n.facts(at), out)
	case assign:
		s.Assign(at, o.ranges, n.facts(at), out)
	case unassign:
		s.Unassign(at, o.ranges, n.facts(at), out)
	}
	return n.carryOut(at)
}

// publish puts a message of a client on the bus.
func (n *Node) publish(at sim.Time, m *wire.Message) sim.Time {
	if n.control.state == nil {
		return at
	}
	const channel = 20 // bytes of its name, as of a key's
	n.control.state.Publish(at, channel+int(m.Value), m.Command == wire.SPUBLISH, n.facts(at), &n.control.out)
	return n.carryOut(at)
}
