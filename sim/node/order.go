package node

import (
	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An order is a command of an operator that changes the cluster. It is executed
// in a turn, as any other.
type order struct {
	kind   orderKind
	mode   gossip.FailoverMode
	peer   slots.Owner
	ranges []slots.Range
	epoch  uint64
}

type orderKind uint8

const (
	orderFailover orderKind = iota
	orderMeet
	orderReplicate
	orderClaim
)

// Failover is CLUSTER FAILOVER, with an option.
func (n *Node) Failover(now sim.Time, mode gossip.FailoverMode) {
	n.order(now, order{kind: orderFailover, mode: mode})
}

// Meet is CLUSTER MEET.
func (n *Node) Meet(now sim.Time, peer slots.Owner) { n.order(now, order{kind: orderMeet, peer: peer}) }

// Replicate is CLUSTER REPLICATE. It is tried until the node knows the other one.
func (n *Node) Replicate(now sim.Time, primary slots.Owner) {
	n.order(now, order{kind: orderReplicate, peer: primary})
}

// Claim has the node own slots with a configuration epoch, by its own word alone.
func (n *Node) Claim(now sim.Time, ranges []slots.Range, epoch uint64) {
	n.order(now, order{kind: orderClaim, ranges: ranges, epoch: epoch})
}

// order sends the node an order. Without a control plane, and without a process,
// nothing comes of it.
func (n *Node) order(now sim.Time, o order) {
	if n.control.state == nil || !n.Up() {
		return
	}
	n.control.orders = append(n.control.orders, o)
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Order, From: n.id, Call: uint32(len(n.control.orders) - 1)}
	n.Sched.Post(now, n.id, ref)
}

// obey executes an order.
func (n *Node) obey(at sim.Time, number uint32) sim.Time {
	s, out := n.control.state, &n.control.out
	at = at.Add(n.Costs.Refuse)
	switch o := &n.control.orders[number]; o.kind {
	case orderFailover:
		if reason := s.Failover(at, o.mode, n.facts(at), out); reason != wire.NoReason {
			n.Witness.Happened(wire.Event{At: at, Kind: wire.EventManualFailoverEnd, Node: slots.Owner(n.id),
				About: n.shard, Reason: reason})
		}
	case orderMeet:
		s.Meet(at, o.peer, out)
	case orderReplicate:
		if !s.Knows(o.peer) {
			n.order(at.Add(cronPeriod), *o)
			return at
		}
		s.Replicate(at, o.peer, n.facts(at), out)
	case orderClaim:
		s.Claim(at, o.ranges, o.epoch, n.facts(at), out)
	}
	return n.carryOut(at)
}
