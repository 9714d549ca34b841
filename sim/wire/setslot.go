package wire

import (
	"fmt"

	"hotslot/sim/slots"
)

// An OpenSlot is a slot that this node takes to be on its way: from it to Peer
// (migrating_slots_to), or from Peer to it (importing_slots_from). No other node
// knows.
type OpenSlot struct {
	Slot      slots.Slot
	Peer      slots.Owner
	Importing bool
}

// SlotAction is what CLUSTER SETSLOT does to a slot.
type SlotAction uint8

// The actions.
const (
	Migrating SlotAction = iota // to a node
	Importing                   // from a node
	Stable                      // neither any more
	ToNode                      // it belongs to a node (NODE)
)

var actionNames = [...]string{Migrating: "MIGRATING", Importing: "IMPORTING", Stable: "STABLE", ToNode: "NODE"}

// String returns the action as Redis writes it.
func (a SlotAction) String() string { return actionNames[a] }

// A Refusal is why a node does not carry out CLUSTER SETSLOT
// (clusterParseSetSlotCommand).
type Refusal uint8

// The refusals.
const (
	Accepted         Refusal = iota
	OnlyPrimaries            // the node is a replica
	NotOwner                 // MIGRATING: the slot is another's
	AlreadyOwner             // IMPORTING: the slot is the node's own
	UnknownPeer              // MIGRATING, IMPORTING: the peer is not known
	UnknownNode              // NODE: the node is not known
	TargetNotPrimary         // the peer is a replica
	HoldsKeys                // NODE: the slot is to be another's, and the node has keys of it
	Busy                     // ADDSLOTS: the slot has an owner
	Unassigned               // DELSLOTS: it has none
)

// Text returns the error as Redis writes it, about a slot and the id of a node.
func (r Refusal) Text(slot slots.Slot, id string) string {
	switch r {
	case OnlyPrimaries:
		return "ERR Please use SETSLOT only with masters."
	case NotOwner:
		return fmt.Sprintf("ERR I'm not the owner of hash slot %d", slot)
	case AlreadyOwner:
		return fmt.Sprintf("ERR I'm already the owner of hash slot %d", slot)
	case UnknownPeer:
		return "ERR I don't know about node " + id
	case UnknownNode:
		return "ERR Unknown node " + id
	case TargetNotPrimary:
		return "ERR Target node is not a master"
	case HoldsKeys:
		return fmt.Sprintf("ERR Can't assign hashslot %d to a different node while I still hold keys "+
			"for this hash slot.", slot)
	case Busy:
		return fmt.Sprintf("ERR Slot %d is already busy", slot)
	case Unassigned:
		return fmt.Sprintf("ERR Slot %d is already unassigned", slot)
	}
	return "OK"
}
