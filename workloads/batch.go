package workloads

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// batch asks for several keys at a time: all fields of as many numbers as make
// up its size. No key is in a batch twice. Of several copies of a key a read
// picks one, for each key by itself, and a write goes to all.
type batch struct {
	origin
	numbers
	command  wire.Command
	order    string
	groups   int // numbers in a batch
	fields   int // keys of a number
	copies   int
	shuffle  sim.Stream
	replica  sim.Stream
	distinct set
	list     []int // keys of the batch, before copies; reused
}

// The orders of a batch's keys.
const (
	orderRandom   = "random" // by popularity; what an empty order means
	orderGiven    = "given"
	orderShuffled = "shuffled"
)

func newBatch(o origin, spec Spec, command wire.Command, popular sampler) *batch {
	fields := max(1, len(spec.Fields))
	groups := max(1, spec.Size/fields)
	return &batch{
		origin:   o,
		numbers:  numbers{popular, o.stream("workload/keys"), uint64(spec.count())},
		command:  command,
		order:    spec.Order,
		groups:   groups,
		fields:   fields,
		copies:   spec.copies(),
		shuffle:  o.stream("workload/batch"),
		replica:  o.stream("workload/copy"),
		distinct: newSet(groups),
		list:     make([]int, 0, groups*fields),
	}
}

func (s *batch) Op(n uint64, op *wire.Op) {
	keys := s.groups * s.fields
	if s.command.Writes() {
		keys *= s.copies
	}
	s.begin(op, n, s.command, keys)
	if keys == 1 {
		s.choose(n)
		s.aim(op, s.list[0]*s.copies+s.pick(n))
	}
}

func (s *batch) Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	n := ordinal(op.ID)
	s.choose(n)
	for i, key := range s.list {
		first := key * s.copies
		if s.command.Writes() {
			for c := range s.copies {
				buf = append(buf, s.ref(first+c))
			}
			continue
		}
		buf = append(buf, s.ref(first+s.pick(n*uint64(len(s.list))+uint64(i))))
	}
	return buf
}

// pick returns which copy the i-th read of a key picks.
func (s *batch) pick(i uint64) int {
	if s.copies == 1 {
		return 0
	}
	return sim.Below(s.replica.At(i), s.copies)
}

// choose fills the list with the keys of batch n, in their order.
func (s *batch) choose(n uint64) {
	s.list = s.list[:0]
	s.distinct.clear()
	for g := range uint64(s.groups) {
		number := s.numberAt(n*uint64(s.groups) + g)
		for f := range s.fields {
			s.list = append(s.list, number*s.fields+f)
		}
	}
	if s.order != orderShuffled {
		return
	}
	first := n * uint64(len(s.list))
	for i := len(s.list) - 1; i > 0; i-- { // Fisher and Yates
		j := sim.Below(s.shuffle.At(first+uint64(i)), i+1)
		s.list[i], s.list[j] = s.list[j], s.list[i]
	}
}

// redrawsMax is how often a number that its batch has already is drawn again.
const redrawsMax = 64

// numberAt returns the i-th number asked for by all batches. In random order, a
// number that its batch has already is drawn again, so that the neighbours of
// popular numbers gain nothing; in the end, where a batch is nearly all that
// there is, it gives way to the next number that is free.
func (s *batch) numberAt(i uint64) int {
	if s.order == orderGiven || s.order == orderShuffled {
		return int(i % s.count)
	}
	number := s.at(i)
	for again := uint64(1); !s.distinct.add(number); again++ {
		if again <= redrawsMax && s.sampler != nil {
			number = s.sampler.number(s.draws.At(i | again<<52)) // i is below 2^52
			continue
		}
		if number++; number == int(s.count) {
			number = 0
		}
	}
	return number
}
