package validation

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// swarmDemands has clients ask for something.
func swarmDemands(d *dice, c *cluster.Config) {
	const ms = time.Millisecond
	for number := range 1 + d.below(2) {
		demand := client.Demand{
			Number: number, Name: "swarm", Source: swarmSource{d.Sub(number), number, c.Keys, pick[uint32](d, 0, 100, 20_000)},
			Batch: client.Batching{Split: pick(d, client.SplitNone, client.SplitSlot, client.SplitSlotSequential,
				client.SplitNode), Chunk: d.below(4), ChunkFirst: d.coin(2)},
			Acks: pick[uint8](d, 0, 0, 0, 1, 2),
		}
		if d.coin(2) {
			demand.Workers, demand.Pipeline = 1+d.below(10), pick(d, 1, 1, 4)
			demand.Think = pick(d, sim.Constant(5*ms), sim.Exponential(20*ms))
		} else {
			demand.Arrivals = &swarmArrivals{draws: d.Sub(100 + number),
				gaps: pick(d, sim.Constant(5*ms), sim.Exponential(2*ms), sim.Exponential(20*ms)).Quantiles()}
		}
		c.Demands = append(c.Demands, demand)
	}
}

// swarmArrivals come at random distances.
type swarmArrivals struct {
	gaps  *sim.Quantiles
	draws sim.Stream
	n     uint64
	last  sim.Time
}

// Next implements client.Arrivals.
func (a *swarmArrivals) Next() sim.Time {
	a.last = a.last.Add(a.gaps.At(a.draws.At(a.n)))
	a.n++
	return a.last
}

// A swarmSource asks for one key, or for several, with any command.
type swarmSource struct {
	sim.Stream
	number   int
	keys     int
	valueMax uint32
}

// Op implements client.Source.
func (s swarmSource) Op(n uint64, op *wire.Op) {
	d := dice{Stream: s.Sub(int(n))}
	*op = wire.Op{ID: wire.NewOpID(s.number, n), Command: wire.Command(d.below(int(wire.PING))),
		ValueBytes: uint32(d.below(int(s.valueMax) + 1)), Keys: pick[uint16](&d, 1, 1, 1, 1, 1, 5)}
	if op.Command.Writes() {
		op.Kind = wire.WriteOp
	}
	first := s.key(op.ID, 0)
	op.Key, op.Slot = first.Key, first.Slot
}

// Keys implements client.Source.
func (s swarmSource) Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	for i := range int(op.Keys) {
		buf = append(buf, s.key(op.ID, i))
	}
	return buf
}

// key returns a key of an operation, by its place.
func (s swarmSource) key(id wire.OpID, place int) wire.KeyRef {
	key := sim.Below(s.Sub(int(id)).Sub(1).At(uint64(place)), s.keys)
	return wire.KeyRef{Key: wire.Key(key), Slot: swarmSlot(key)}
}
