package workloads

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Source says what operation n of a load is. It is a function of the seed and
// of n: no operation depends on another, nor on what a strategy made of it.
// How keys are called, split, copied or tagged changes where an operation lands
// and not which key number it asks for with which command.
//
// A source may reuse memory between calls, so it belongs to one run.
type Source interface {
	// Op fills in operation n, counted from 0 and below 2^40.
	Op(n uint64, op *wire.Op)
	// Keys appends the keys of an operation of this source to buf.
	Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef
}

// origin is what the sources of all kinds have in common: where they stand in
// the run, and how an index becomes a key.
type origin struct {
	seed       uint64
	load       int
	base       wire.Key     // the run's number of the workload's first key
	slots      []slots.Slot // by index
	valueBytes uint32
}

// stream returns the load's own stream for a kind of decision.
func (o *origin) stream(name string) sim.Stream { return sim.NewStream(o.seed, name).Sub(o.load) }

// begin fills in operation n but for its key.
func (o *origin) begin(op *wire.Op, n uint64, command wire.Command, keys int) {
	op.ID = wire.NewOpID(o.load, n)
	op.Command, op.Kind = command, wire.ReadOp
	if command.Writes() {
		op.Kind = wire.WriteOp
	}
	op.Keys, op.Key, op.Slot = uint16(keys), 0, 0
	op.ValueBytes = o.valueBytes
}

// ref returns the key of an index.
func (o *origin) ref(index int) wire.KeyRef {
	return wire.KeyRef{Key: o.base + wire.Key(index), Slot: o.slots[index]}
}

// aim sets an operation's one key.
func (o *origin) aim(op *wire.Op, index int) {
	op.Key, op.Slot = o.base+wire.Key(index), o.slots[index]
}

// ordinal returns the n of an operation.
func ordinal(id wire.OpID) uint64 { return uint64(id) & (1<<wire.LoadBits - 1) }
