package workloads

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// increments are the writes of a counter: each goes to any one of the shards,
// all of them alike.
type increments struct {
	origin
	shard sim.Stream
}

func newIncrements(o origin) *increments {
	return &increments{o, o.stream("workload/shard")}
}

func (s *increments) Op(n uint64, op *wire.Op) {
	s.begin(op, n, wire.INCR, 1)
	s.aim(op, s.at(n))
}

func (s *increments) Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	return append(buf, s.ref(s.at(ordinal(op.ID))))
}

// at returns the shard of increment n.
func (s *increments) at(n uint64) int { return sim.Below(s.shard.At(n), len(s.slots)) }

// total reads a counter: a GET of its one key, or an MGET of all its shards,
// which the application adds up.
type total struct{ origin }

func (s *total) Op(n uint64, op *wire.Op) {
	if len(s.slots) > 1 {
		s.begin(op, n, wire.MGET, len(s.slots))
		return
	}
	s.begin(op, n, wire.GET, 1)
	s.aim(op, 0)
}

func (s *total) Keys(_ wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	for i := range s.slots {
		buf = append(buf, s.ref(i))
	}
	return buf
}
