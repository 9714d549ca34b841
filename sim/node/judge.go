package node

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// trouble is what keeps a node from executing commands.
type trouble uint8

const (
	down    trouble = 1 << iota // it takes the cluster to be down
	few                         // a primary with too few good replicas
	stale                       // a replica without its primary, that must not serve what it has
	loading                     // it loads a data set
	paused                      // writes wait for a manual failover
	moves                       // slots are open: a key may be elsewhere
)

// redirect decides whether a command with keys is this node's business
// (getNodeByQuery).
func (n *Node) redirect(m *wire.Message) wire.Verdict {
	m.Owner = n.view[m.Slot]
	if m.Flags&wire.Mixed != 0 {
		if m.Owner == slots.None {
			return wire.Unbound
		}
		return wire.CrossSlot
	}
	if m.Owner != n.shard {
		if m.Owner == slots.None {
			return wire.Unbound
		}
		return wire.Moved
	}
	readonly := m.Flags&wire.Readonly != 0
	switch {
	case n.primary:
		return wire.OK
	case readonly && m.Command == wire.EVAL:
		return wire.ReadOnly // the script begins, and fails at its first write
	case !readonly && m.Command != wire.SPUBLISH || m.Command.Writes():
		return wire.Moved
	}
	return wire.OK
}

// judgeInTrouble goes through all the reasons that processCommand in server.c has
// to refuse a command, in its order. A cluster that is down answers so even for
// slots of other nodes, but not for those that have no owner. Messages to a sharded
// channel have a rule of their own.
func (n *Node) judgeInTrouble(m *wire.Message) wire.Verdict {
	writes := m.Command.Writes()
	if m.Command.Keyed() {
		served := n.Env != nil && n.Env.AllowReadsWhenDown
		if m.Command == wire.SPUBLISH {
			served = n.Env != nil && n.Env.AllowPubsubshardWhenDown
		}
		verdict := n.direct(m)
		switch {
		case verdict == wire.Unbound || verdict == wire.CrossSlot:
			return verdict
		case n.trouble&down != 0 && !served:
			return wire.ClusterDown
		case n.trouble&down != 0 && writes:
			return wire.DownReadonly
		case verdict != wire.OK && verdict != wire.ReadOnly:
			return verdict
		case n.trouble&few != 0 && writes:
			return wire.NoReplicas
		case verdict == wire.ReadOnly:
			return verdict
		}
	}
	switch {
	case n.trouble&stale != 0 && m.Command != wire.ClusterSlots: // CMD_STALE
		return wire.PrimaryDown
	case n.trouble&loading != 0:
		return wire.Loading
	}
	return wire.OK
}

// set and clear note one kind of trouble.
func (t *trouble) set(what trouble, is bool) {
	if is {
		*t |= what
	} else {
		*t &^= what
	}
}
