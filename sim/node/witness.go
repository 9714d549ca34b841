package node

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Witness is told what becomes of data and of nodes. It knows more than any
// node: what the latest value of a key is, and who has it. It is part of the
// measuring, not of the cluster. Instants may lie a little ahead of the clock: a
// turn is told of when it begins.
type Witness interface {
	// Wrote tells of a write to a key by a primary, after which its replication
	// offset is offset.
	Wrote(at sim.Time, node sim.ActorID, key wire.Key, offset uint64)
	// Applied tells that a replica has applied the replication stream up to offset.
	Applied(node sim.ActorID, offset uint64)
	// Read tells of a read of a key by a replica or, once a replica has been promoted
	// somewhere, by any node.
	Read(at sim.Time, node sim.ActorID, key wire.Key)
	// Unacknowledged tells that the client never got the answer to the write after
	// which the replication offset was offset.
	Unacknowledged(node sim.ActorID, offset uint64)
	// Promoted tells that a replica has become a primary: its history goes on by
	// itself.
	Promoted(at sim.Time, node sim.ActorID)
	// Snapshot tells that a snapshot of what a node has is taken for another.
	Snapshot(node, from sim.ActorID)
	// Resynced tells that a node takes over the history of another: by a partial
	// resynchronisation, or with the last snapshot that was taken for it.
	Resynced(at sim.Time, node, from sim.ActorID)
	// Erased tells that a node has nothing any more.
	Erased(at sim.Time, node sim.ActorID)
	// Restored tells that a primary has taken in a key as another has it at that
	// instant, after which its replication offset is offset.
	Restored(at sim.Time, node sim.ActorID, key wire.Key, offset uint64, from sim.ActorID)
	// Removed tells that a primary has deleted its copy of a key, after which its
	// replication offset is offset.
	Removed(at sim.Time, node sim.ActorID, key wire.Key, offset uint64)
	// Happened tells of an event for the timeline.
	Happened(e wire.Event)
}
