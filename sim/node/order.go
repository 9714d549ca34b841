package node

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Orders knows what the commands of operators' tools say, and opens connections.
type Orders interface {
	Order(m *wire.Message) *migration.Order
	NewConn() uint32
}

// setSlotTimeout is for how long SETSLOT waits for replicas where it does not say
// (CLUSTER_OPERATION_TIMEOUT).
const setSlotTimeout = 2 * time.Second

// carryOutOrder executes the command of an operator's tool.
func (n *Node) carryOutOrder(at sim.Time, e *entry, ref sim.Ref, m *wire.Message) sim.Time {
	if m.Command == wire.MIGRATE {
		return n.migrate(at, ref, m)
	}
	o := n.Orders.Order(m)
	o.Answer = migration.Answer{Keys: o.Answer.Keys[:0]}
	switch m.Command {
	case wire.GETKEYSINSLOT:
		o.Answer.Keys = n.keys.set(n.Index, o.Slot).newest(n.Index, o.Count, o.Answer.Keys)
		m.Keys = uint16(len(o.Answer.Keys))
	case wire.COUNTKEYSINSLOT:
		o.Answer.Count = n.keys.count(n.Index, o.Slot)
	case wire.SETSLOT:
		return n.setSlot(at, e, ref, m, o)
	case wire.CLUSTERNODES:
		s := n.control.state
		o.Answer.View = migration.View{Primary: n.primary, Open: slices.Clone(s.Open()),
			Owned: slots.Ranges(s.Table(), slots.Owner(n.id))}
	case wire.ADDSLOTS, wire.DELSLOTS, wire.BUMPEPOCH:
		return n.assignSlot(at, o)
	case wire.MIGRATESLOTS:
		return n.orderExport(at, m, o)
	case wire.MIGRATIONIMPORT:
		n.orderImport(m, o)
	case wire.GETSLOTMIGRATIONS:
		if o.Count > 0 && o.Count <= len(n.common.tasks) {
			o.Answer.Task = *n.common.tasks[o.Count-1]
		}
	}
	return at
}

// assignSlot changes who owns a slot by this node's own word, or takes a new
// configuration epoch.
func (n *Node) assignSlot(at sim.Time, o *migration.Order) sim.Time {
	s, f, out := n.control.state, n.facts(at), &n.control.out
	list := []slots.Range{{First: o.Slot, Last: o.Slot}}
	switch o.Command {
	case wire.ADDSLOTS:
		if s.Assign(at, list, f, out) != slots.Count {
			o.Answer.Refusal = wire.Busy
		}
	case wire.DELSLOTS:
		if s.Unassign(at, list, f, out) != slots.Count {
			o.Answer.Refusal = wire.Unassigned
		}
	default:
		s.BumpEpoch(at, f, out)
	}
	return n.carryOut(at)
}

// setSlot executes CLUSTER SETSLOT. Versions that replicate it wait for the
// replicas before (clusterCommandSetSlot).
func (n *Node) setSlot(at sim.Time, e *entry, ref sim.Ref, m *wire.Message, o *migration.Order) sim.Time {
	refused := n.control.state.Refuses(n.setSlotCommand(o)) != wire.Accepted
	if !n.Rules.OpenSlotsReplicate || n.online() == 0 || refused {
		return n.applySetSlot(at, o)
	}
	n.feed(m.RequestBytes())
	n.note(effect{kind: slotSet, slot: o.Slot, action: o.Action, node: o.Node})
	m.Offset, m.Acks = n.offset, uint8(n.online())
	n.wait(at, e, ref, setSlotTimeout)
	return at
}

// settleOrder executes a SETSLOT whose replicas have it, or refuses it.
func (n *Node) settleOrder(at sim.Time, m *wire.Message) sim.Time {
	o := n.Orders.Order(m)
	if m.Flags&wire.Unreplicated != 0 {
		m.Verdict, o.Answer.Verdict = wire.NoReplicas, wire.NoReplicas
		return at
	}
	return n.applySetSlot(at, o)
}

// applySetSlot changes the node's own view.
func (n *Node) applySetSlot(at sim.Time, o *migration.Order) sim.Time {
	o.Answer.Refusal = n.control.state.SetSlot(at, n.setSlotCommand(o), n.facts(at), &n.control.out)
	if o.Answer.Refusal == wire.Accepted {
		n.keys.set(n.Index, o.Slot)
	}
	return n.carryOut(at)
}

// setSlotCommand returns the command of a tool.
func (n *Node) setSlotCommand(o *migration.Order) gossip.SetSlot {
	return gossip.SetSlot{Slot: o.Slot, Action: o.Action, Node: o.Node,
		HasKeys: n.keys.count(n.Index, o.Slot) > 0}
}

// setSlotOf returns the command that is replicated as an effect.
func (n *Node) setSlotOf(e effect) gossip.SetSlot {
	return gossip.SetSlot{Slot: e.slot, Action: e.action, Node: e.node, Replicated: true,
		HasKeys: n.keys.count(n.Index, e.slot) > 0}
}

// online returns how many replicas are in sync.
func (n *Node) online() (count int) {
	for i := range n.followers {
		if f := &n.followers[i]; f.state == online && !f.gone {
			count++
		}
	}
	return count
}

// dropSlots deletes the keys of slots that the node has lost (delKeysInSlot).
func (n *Node) dropSlots(at sim.Time, lost *gossip.Claim) sim.Time {
	dropped, bytes := int64(0), int64(0)
	for slot := range slots.Slot(slots.Count) {
		if !lost.Has(slot) || n.SlotKeys == nil {
			continue
		}
		if n.Index == nil {
			dropped += int64(n.SlotKeys[slot])
			bytes += n.SlotBytes[slot]
			continue
		}
		set := n.keys.set(n.Index, slot)
		for i, key := range n.Index.In(slot) {
			if set.contains(uint32(i)) {
				dropped++
				n.remove(at, slot, key)
			}
		}
	}
	n.dataset = max(0, n.dataset-bytes)
	if dropped > 0 {
		n.Witness.Happened(wire.Event{At: at, Kind: wire.EventKeysDropped, Node: slots.Owner(n.id),
			About: slots.None, A: dropped})
	}
	if n.Rules.Atomic == gossip.AtomicPull { // asmTriggerBackgroundTrim
		return at
	}
	return at.Add(time.Duration(dropped) * n.Costs.Commands[wire.DEL].Key)
}
