package workloads

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// keyspace asks for one key at a time, by popularity, with one command of a
// mix. Of several copies of a key a read picks one, and a write goes to all.
//
// A burst is a keyspace of one command whose keys come one after another.
type keyspace struct {
	origin
	numbers
	mix     []choice
	fields  int
	copies  int
	command sim.Stream
	field   sim.Stream
	replica sim.Stream
}

// A choice is a command of a mix, for the draws below a bound that those before
// it in the mix have left.
type choice struct {
	command wire.Command
	below   uint64 // the last choice takes all that is left
}

// newMix returns the choices of checked shares.
func newMix(shares []Share) []choice {
	var mix []choice
	sum := 0.0
	for _, s := range shares {
		command, _ := wire.ParseCommand(s.Command)
		sum += s.Share
		mix = append(mix, choice{command, fixed(sum)})
	}
	return mix
}

func newKeyspace(o origin, spec Spec, mix []choice, popular sampler) *keyspace {
	return &keyspace{
		origin:  o,
		numbers: numbers{popular, o.stream("workload/keys"), uint64(len(o.slots) / spec.copies())},
		mix:     mix,
		fields:  max(1, len(spec.Fields)),
		copies:  spec.copies(),
		command: o.stream("workload/mix"),
		field:   o.stream("workload/field"),
		replica: o.stream("workload/copy"),
	}
}

func (s *keyspace) Op(n uint64, op *wire.Op) {
	s.begin(op, n, s.choose(n), 1)
	index := s.first(n)
	switch {
	case s.copies == 1:
	case op.Kind == wire.WriteOp:
		op.Keys = uint16(s.copies)
	default:
		index += sim.Below(s.replica.At(n), s.copies)
	}
	s.aim(op, index)
}

func (s *keyspace) Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	s.Op(ordinal(op.ID), &op)
	for i := range int(op.Keys) {
		buf = append(buf, s.ref(int(op.Key-s.base)+i))
	}
	return buf
}

// choose returns the command of operation n.
func (s *keyspace) choose(n uint64) wire.Command {
	last := len(s.mix) - 1
	if last > 0 {
		draw := s.command.At(n)
		for _, c := range s.mix[:last] {
			if draw < c.below {
				return c.command
			}
		}
	}
	return s.mix[last].command
}

// first returns the index of the first copy of the key of operation n. One
// after another means every field of a number before the next; by popularity it
// means a number, and any of its fields.
func (s *keyspace) first(n uint64) int {
	i := s.at(n)
	if s.fields > 1 && s.sampler != nil {
		i = i*s.fields + sim.Below(s.field.At(n), s.fields)
	}
	return i * s.copies
}
