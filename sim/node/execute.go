package node

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// execute carries out a command and writes the answer on it. It returns when the
// thread is done with it. Where that is beyond the turn's limit, the turn is
// halted, and the command takes effect when it goes on: done is true then.
func (n *Node) execute(at sim.Time, e *entry, ref sim.Ref, m *wire.Message, done bool) sim.Time {
	if !done {
		if m.Verdict = n.judge(m); m.Verdict != wire.OK {
			m.Work = n.Costs.Refuse + n.costOfAsking(m)
			m.Kind = wire.Reply
			n.load.refused(at)
			return at.Add(m.Work)
		}
		if n.trouble&paused != 0 && m.Command.Writes() {
			n.postponeWrite(e, ref, m)
			return at
		}
		m.Work = n.cost(m)
		at = at.Add(m.Work)
		if at > n.turn.limit {
			n.turn.halted, n.turn.pending, n.turn.ref = true, m, ref
			return at
		}
	}
	n.load.executed(at, m)
	if n.primary && n.Meter.measuring(at) && !m.Command.Tool() {
		n.countKeys(m)
	}
	m.Kind = wire.Reply
	switch {
	case m.Command == wire.SYNCSLOTS:
		return n.syncSlots(at, m)
	case m.Command.Tool() && m.Command != wire.RESTORE:
		return n.carryOutOrder(at, e, ref, m)
	case m.Command.Writes():
		n.propagate(at, m)
		if m.Acks > 0 {
			n.wait(at, e, ref, n.WaitTimeout)
		}
	case m.Command.Publishes():
		return n.publish(at, m)
	case m.Command.Keyed() && (!n.primary || n.common.superseded || n.keys.place != nil):
		n.witnessRead(at, m)
	}
	return at
}

// judge decides whether this node executes a command, by what it believes now.
func (n *Node) judge(m *wire.Message) wire.Verdict {
	if n.trouble&^paused != 0 {
		return n.judgeInTrouble(m)
	}
	if !m.Command.Keyed() {
		return wire.OK
	}
	return n.redirect(m)
}

// cost returns what the command costs, with this operation's luck.
func (n *Node) cost(m *wire.Message) time.Duration {
	if m.Command == wire.SYNCSLOTS {
		return n.Costs.Commands[wire.PING].Base + time.Duration(m.Offset)
	}
	mean := n.Costs.Commands[m.Command].of(m)
	if n.Index != nil && n.Index.elements != nil && m.Command.Tool() {
		mean += n.costOfElements(m)
	}
	mean += n.costOfAsking(m)
	if n.Costs.Shape == sim.ShapeConstant {
		return mean
	}
	return n.Meter.scale(mean, n.draws.cost.At(m.Draw()))
}

// costOfAsking returns what ASKING costs, where that was sent before the command: it does
// as little as PING.
func (n *Node) costOfAsking(m *wire.Message) time.Duration {
	if m.Flags&wire.Asking == 0 || m.Kind != wire.Request {
		return 0
	}
	return n.Costs.Commands[wire.PING].Base
}

// costOfElements returns what MIGRATE and RESTORE cost beyond that because values are
// collections of many elements.
func (n *Node) costOfElements(m *wire.Message) time.Duration {
	switch m.Command {
	case wire.RESTORE:
		return n.Costs.RestoreElement * time.Duration(n.Index.elements[m.Key])
	case wire.MIGRATE:
		sum := time.Duration(0)
		for _, key := range n.Orders.Order(m).Keys {
			sum += n.Costs.DumpElement * time.Duration(n.Index.elements[key])
		}
		return sum
	}
	return 0
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

// propagate adds a write to the replication stream.
func (n *Node) propagate(at sim.Time, m *wire.Message) {
	if m.Command == wire.RESTORE {
		n.restore(at, m)
		return
	}
	bytes := m.RequestBytes()
	n.offset += uint64(bytes)
	m.Offset = n.offset
	if m.Keys == 1 {
		n.Witness.Wrote(at, n.id, m.Key, n.offset)
	} else {
		for _, k := range n.Lists.Keys(m) {
			n.Witness.Wrote(at, n.id, k.Key, n.offset)
		}
	}
	if len(n.followers) > 0 {
		n.stream.bytes += bytes
		n.stream.work += m.Work
	}
	if len(n.exports) > 0 {
		n.exportWrite(m, bytes)
	}
	if n.Index != nil && (m.Command == wire.DEL || n.keys.known(m.Slot) != nil) {
		n.changeKeys(m)
	}
}

// witnessRead tells of a read that this node answers. What is not there makes the answer
// shorter.
func (n *Node) witnessRead(at sim.Time, m *wire.Message) {
	if m.Keys == 1 {
		if !n.witnessReadOf(at, m.Slot, m.Key) {
			m.Value = 0
		}
		return
	}
	there := int64(0)
	for _, k := range n.Lists.Keys(m) {
		if n.witnessReadOf(at, k.Slot, k.Key) {
			there++
		}
	}
	m.Value = uint32(int64(m.Value) * there / int64(m.Keys))
}

// witnessReadOf tells of a read of one key, or that there was nothing to read. It
// reports whether there was.
func (n *Node) witnessReadOf(at sim.Time, slot slots.Slot, key wire.Key) bool {
	switch {
	case n.keys.place != nil && !n.keys.has(n.Index, slot, key):
		n.load.missed(at)
		return false
	case !n.primary || n.common.superseded:
		n.Witness.Read(at, n.id, key)
	}
	return true
}
