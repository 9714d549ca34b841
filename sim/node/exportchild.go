package node

import (
	"math/bits"
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// startSnapshot forks a child that writes the keys of the slots, unless there is another
// one.
func (n *Node) startSnapshot(at sim.Time, x *export) sim.Time {
	if n.child.active {
		return at
	}
	x.left = stream{}
	keys := int64(0)
	set := n.Costs.Commands[wire.SET]
	n.eachKey(x, func(_ slots.Slot, key wire.Key) {
		value := n.Index.value[key]
		x.left.bytes += keyBytesInSnapshot(value)
		x.left.work += set.of(&wire.Message{Keys: 1, Value: value})
		if n.Index.elements != nil {
			x.left.work += time.Duration(n.Index.elements[key]) * n.Costs.RestoreElement
		}
		keys++
	})
	if keys > 0 {
		x.piece = max(exportPiece, x.left.bytes/keys)
	}
	c := &n.child
	*c = child{active: true, diskless: true, export: x, left: x.left.bytes, bytes: x.left.bytes, done: sim.Never,
		serial: c.serial + 1}
	x.task.State, x.task.Snapshot = migration.Snapshotting, x.left.bytes
	n.taskEvent(at, x, wire.EventAtomicSnapshot, x.left.bytes)
	at = at.Add(n.Replication.forkTime(n.dataset))
	x.filled = at
	if x.left.bytes == 0 {
		c.done = at
		return at
	}
	n.awaitSlots(at, x)
	return at
}

// eachKey calls f with the keys that the node has of an export's slots.
func (n *Node) eachKey(x *export, f func(slots.Slot, wire.Key)) {
	for _, r := range x.task.Ranges {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			for _, key := range n.Index.In(slots.Slot(slot)) {
				if n.keys.has(n.Index, slots.Slot(slot), key) {
					f(slots.Slot(slot), key)
				}
			}
		}
	}
}

// awaitSlots waits until there is a piece in the pipe from the child.
func (n *Node) awaitSlots(at sim.Time, x *export) {
	c := &n.child
	lacking := max(0, min(c.left, x.piece)-x.piped)
	c.next = max(at, x.filled.Add(takes(lacking, n.Replication.SlotSnapshotRate)+1)) // rounded up
	ref, m := n.Sched.New()
	*m = wire.Message{Kind: wire.Pipe, From: n.id, Call: c.serial}
	n.Sched.Post(c.next, n.id, ref)
}

// fill has the child write into the pipe until an instant, as long as there is room.
func (x *export) fill(at sim.Time, left, rate int64) {
	most := min(left, max(pipeRoom, x.piece))
	high, low := bits.Mul64(uint64(at.Sub(x.filled)), uint64(rate))
	bytes, _ := bits.Div64(min(high, 1e9-1), low, 1e9)
	written := int64(min(bytes, 1<<40))
	if rate == 0 || x.piped+written >= most {
		x.piped, x.filled = most, at
	} else if written >= x.piece-x.piped {
		x.piped, x.filled = x.piped+written, at
	}
}

// pipeSlots passes on to the target what is in the pipe, and what the child adds meanwhile,
// unless too much is on its way (rdbPipeReadHandler).
func (n *Node) pipeSlots(at sim.Time, x *export) sim.Time {
	c := &n.child
	for c.left > 0 {
		x.fill(at, c.left, n.Replication.SlotSnapshotRate)
		part := stream{bytes: min(c.left, x.piece)}
		if x.piped < part.bytes {
			n.awaitSlots(at, x)
			return at
		}
		if x.inFlight >= exportWindow {
			c.waiting = true
			return at
		}
		part.work = x.left.share(part.bytes)
		x.piped -= part.bytes
		c.left -= part.bytes
		x.left.bytes -= part.bytes
		x.left.work -= part.work
		at = n.sync(at, x, migration.Piece, part)
	}
	c.done = at
	return at
}

// share returns what so many bytes of a part of the stream cost to apply.
func (s *stream) share(bytes int64) time.Duration {
	if s.bytes == 0 || bytes >= s.bytes {
		return s.work
	}
	high, low := bits.Mul64(uint64(s.work), uint64(bytes))
	work, _ := bits.Div64(high, low, uint64(s.bytes))
	return time.Duration(work)
}
