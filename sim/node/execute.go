package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// execute carries out a command and writes the answer on it. It returns when the
// thread is done with it.
func (n *Node) execute(at sim.Time, m *wire.Message) sim.Time {
	n.load.received(at, m.Bytes())
	m.Verdict = n.judge(m)
	if m.Verdict != wire.OK {
		m.Work = n.Costs.Refuse
		m.Kind = wire.Reply
		n.load.refused(at)
		return at.Add(m.Work)
	}
	m.Work = n.cost(m)
	at = at.Add(m.Work)
	n.load.executed(at, m)
	if n.primary && n.Meter.measuring(at) {
		n.countKeys(m)
	}
	if m.Command.Writes() {
		n.propagate(at, m)
	} else if !n.primary && m.Command.Keyed() {
		n.witnessRead(at, m)
	}
	m.Kind = wire.Reply
	return at
}

// judge decides whether this node executes a command, by what it believes now.
// The order is that of getNodeByQuery in cluster.c.
func (n *Node) judge(m *wire.Message) wire.Verdict {
	if !m.Command.Keyed() {
		return wire.OK
	}
	if m.Flags&wire.Mixed != 0 {
		return wire.CrossSlot
	}
	m.Owner = n.view[m.Slot]
	if m.Owner != n.shard {
		return wire.Moved
	}
	switch {
	case n.primary:
		return wire.OK
	case m.Flags&wire.Readonly != 0 && m.Command == wire.EVAL:
		return wire.ReadOnly // the script begins, and fails at its first write
	case m.Flags&wire.Readonly == 0 || m.Command.Writes():
		return wire.Moved
	}
	return wire.OK
}

// cost returns what the command costs, with this operation's luck.
func (n *Node) cost(m *wire.Message) time.Duration {
	mean := n.Costs.Commands[m.Command].of(m)
	if n.Costs.Shape == sim.ShapeConstant {
		return mean
	}
	return n.Meter.scale(mean, n.draws.cost.At(m.Draw()))
}

// countKeys adds the command to the counts of its keys.
func (n *Node) countKeys(m *wire.Message) {
	switch {
	case m.Keys == 1:
		n.Meter.KeyCommands[m.Key]++
	case m.Command.Keyed():
		for _, k := range n.Lists.Keys(m) {
			n.Meter.KeyCommands[k.Key]++
		}
	}
}

// A stream is the part of the replication stream that this turn has produced
// and not sent.
type stream struct {
	bytes int64
	work  time.Duration // what it costs a replica to apply it
}

// propagate adds a write to the replication stream.
func (n *Node) propagate(at sim.Time, m *wire.Message) {
	bytes := m.Bytes()
	n.offset += uint64(bytes)
	if m.Keys == 1 {
		n.Witness.Wrote(at, n.id, m.Key, n.offset)
	} else {
		for _, k := range n.Lists.Keys(m) {
			n.Witness.Wrote(at, n.id, k.Key, n.offset)
		}
	}
	if len(n.replicas) > 0 {
		n.stream.bytes += bytes
		n.stream.work += m.Work
	}
}

// witnessRead tells of a read that this replica has answered.
func (n *Node) witnessRead(at sim.Time, m *wire.Message) {
	if m.Keys == 1 {
		n.Witness.Read(at, n.id, m.Key)
		return
	}
	for _, k := range n.Lists.Keys(m) {
		n.Witness.Read(at, n.id, k.Key)
	}
}

// apply executes a part of the replication stream.
func (n *Node) apply(at sim.Time, m *wire.Message) sim.Time {
	n.offset = m.Offset
	n.Witness.Applied(n.id, n.offset)
	n.load.received(at, int64(m.Value))
	return at.Add(m.Work)
}
