package node

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// movesSlots reports whether the node has open slots.
func (n *Node) movesSlots() bool { return len(n.control.state.Open()) > 0 }

// direct decides whether a command with keys is this node's business
// (getNodeByQuery).
func (n *Node) direct(m *wire.Message) wire.Verdict {
	if n.trouble&moves == 0 || m.Flags&wire.Mixed != 0 || m.Command == wire.SPUBLISH {
		return n.redirect(m)
	}
	owner := n.view[m.Slot]
	peer, migrating := slots.None, false
	if owner == n.shard {
		peer, migrating = n.control.state.MigratingTo(m.Slot)
	}
	_, importing := n.control.state.ImportingFrom(m.Slot)
	if owner == slots.None || !migrating && !importing {
		return n.redirect(m)
	}
	if m.Command == wire.MIGRATE { // which is about the node's own keys while the slot is open
		if !n.primary {
			return wire.ReadOnly
		}
		return wire.OK
	}
	existing, missing, several := n.countHeld(m)
	switch {
	case migrating && missing > 0:
		if existing > 0 && n.Rules.PartialKeysTryAgain {
			return wire.TryAgain
		}
		m.Owner = peer
		return wire.Ask
	case !migrating && (m.Flags&wire.Asking != 0 || m.Command == wire.RESTORE):
		switch {
		case several && missing > 0:
			return wire.TryAgain
		case !n.primary && m.Command.Writes():
			return wire.ReadOnly
		}
		return wire.OK
	}
	return n.redirect(m)
}

// countHeld counts the keys of a command that the node has, and those that it has
// not, and reports whether they are several different ones.
func (n *Node) countHeld(m *wire.Message) (existing, missing int, several bool) {
	count := func(key wire.Key) {
		if n.keys.has(n.Index, m.Slot, key) {
			existing++
		} else {
			missing++
		}
	}
	if m.Keys == 1 {
		count(m.Key)
		return existing, missing, false
	}
	list := n.Lists.Keys(m)
	for _, k := range list {
		count(k.Key)
		several = several || k.Key != list[0].Key
	}
	return existing, missing, several
}

// changeKeys takes note that a primary's command adds keys of a slot of which it is
// known which are there, or removes them.
func (n *Node) changeKeys(m *wire.Message) {
	if m.Keys == 1 {
		n.changeKey(m.Slot, m.Key, m.Command != wire.DEL)
		n.Index.delete(m.Key, m.Command == wire.DEL)
		return
	}
	for _, k := range n.Lists.Keys(m) {
		n.changeKey(m.Slot, k.Key, m.Command != wire.DEL)
		n.Index.delete(k.Key, m.Command == wire.DEL)
	}
}

// changeKey adds or removes a key, and tells the replicas.
func (n *Node) changeKey(slot slots.Slot, key wire.Key, has bool) {
	if !n.keys.set(n.Index, slot).put(n.Index.rank[key], has) {
		return
	}
	e := effect{kind: keyRemoved, slot: slot, key: key}
	if has {
		e.kind = keyAdded
	}
	n.note(e)
}

// remove deletes a key, and tells the replicas (dbDelete, and DEL on the replication
// stream). It returns when that is done.
func (n *Node) remove(at sim.Time, slot slots.Slot, key wire.Key) sim.Time {
	del := wire.Message{Command: wire.DEL, Keys: 1}
	bytes := del.RequestBytes()
	n.feed(bytes)
	if len(n.followers) > 0 {
		n.stream.work += n.Costs.Commands[wire.DEL].Base
	}
	n.changeKey(slot, key, false)
	n.dataset = max(0, n.dataset-keyBytesInSnapshot(n.Index.value[key]))
	n.Witness.Removed(at, n.id, key, n.offset)
	return at
}

// keyBytesInSnapshot returns what a key with a value of a size takes in a snapshot.
func keyBytesInSnapshot(value uint32) int64 { return int64(value) + wire.KeyBytes }
