package node

import "hotslot/sim/wire"

// A history is what a node's data has come from: which replication stream, and
// how much of it others can still be given.
type history struct {
	id     uint32 // number of the replication id (replid); each is given once in a run
	before uint32 // the one before (replid2); 0 for none
	// fork is up to which offset the history before is the same as this one
	// (second_replid_offset less 1).
	fork    uint64
	backlog bool   // there is one
	first   uint64 // the offset before the first byte that the backlog has had since it began
}

// shift begins a history that goes on from where the present one is
// (shiftReplicationId).
func (h *history) shift(id uint32, offset uint64) {
	h.before, h.fork = h.id, offset
	h.id = id
}

// adopt takes over a history, at an offset, with nothing in the backlog.
func (h *history) adopt(id uint32, offset uint64) {
	*h = history{id: id, backlog: true, first: offset}
}

// keep begins a backlog, unless there is one.
func (h *history) keep(offset uint64) {
	if !h.backlog {
		h.backlog, h.first = true, offset
	}
}

// oldest returns the offset before the first byte in a backlog of a size.
func (h *history) oldest(offset uint64, size int64) uint64 {
	if offset > uint64(size) {
		return max(h.first, offset-uint64(size))
	}
	return h.first
}

// continues reports whether somebody who has a history up to an offset can be
// given what follows; else why not (masterTryPartialResynchronization).
func (h *history) continues(id uint32, have, offset uint64, size int64) (wire.Reason, bool) {
	switch {
	case id == 0:
		return wire.Empty, false
	case id != h.id && (id != h.before || have > h.fork):
		return wire.OtherHistory, false
	case have > offset:
		return wire.OtherHistory, false
	case !h.backlog || have < h.oldest(offset, size):
		return wire.BacklogShort, false
	}
	return wire.NoReason, true
}
