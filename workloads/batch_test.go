package workloads

import (
	"math"
	"slices"
	"testing"

	"hotslot/sim/wire"
)

func TestBatchOrders(t *testing.T) {
	numbers := func(spec Spec, n uint64) []int {
		source := build(t, spec).Loads(1, 0, 0)[0].Source
		var list []int
		for _, k := range source.Keys(opOf(source, n), nil) {
			list = append(list, int(k.Key))
		}
		return list
	}
	given := with(mget, func(s *Spec) { s.Order, s.Count, s.Size = "given", 25, 10 })
	if got, want := numbers(given, 2), []int{20, 21, 22, 23, 24, 0, 1, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("given: %v, want %v", got, want)
	}

	shuffled := with(given, func(s *Spec) { s.Order = "shuffled" })
	a, b := numbers(shuffled, 2), numbers(shuffled, 7)
	if slices.Equal(a, numbers(given, 2)) || slices.Equal(a, b) {
		t.Errorf("shuffled: %v, then %v", a, b)
	}
	slices.Sort(a)
	if want := []int{0, 1, 2, 3, 4, 20, 21, 22, 23, 24}; !slices.Equal(a, want) {
		t.Errorf("shuffled: %v in order, want %v", a, want)
	}

	// As many keys as there are: a batch by popularity has each of them once.
	random := with(mget, func(s *Spec) { s.Count, s.Size = 50, 50 })
	for n := range uint64(20) {
		got := numbers(random, n)
		slices.Sort(got)
		for i := range got {
			if got[i] != i {
				t.Fatalf("random: %v", got)
			}
		}
	}
}

// Each permutation of a shuffled batch is as likely as any other.
func TestShuffleIsFair(t *testing.T) {
	spec := with(mget, func(s *Spec) { s.Order, s.Count, s.Size = "shuffled", 3, 3 })
	source := build(t, spec).Loads(1, 0, 0)[0].Source
	const n = 60_000
	seen := make(map[[3]wire.Key]int)
	buf := make([]wire.KeyRef, 0, 3)
	for i := range uint64(n) {
		buf = source.Keys(opOf(source, i), buf[:0])
		seen[[3]wire.Key{buf[0].Key, buf[1].Key, buf[2].Key}]++
	}
	if len(seen) != 6 {
		t.Fatalf("%d permutations", len(seen))
	}
	for p, got := range seen {
		if got < 9_600 || got > 10_400 {
			t.Errorf("permutation %v came %d times of %d", p, got, n)
		}
	}
}

func TestBatchOfFields(t *testing.T) {
	spec := with(mget, func(s *Spec) {
		s.KeyPattern, s.Fields, s.Command, s.Size = "{user:%d}:%f", []string{"a", "b", "c"}, "eval", 0
	})
	source := build(t, spec).Loads(1, 0, 0)[0].Source
	for n := range uint64(100) {
		keys := source.Keys(opOf(source, n), nil)
		first := keys[0]
		if len(keys) != 3 || first.Key%3 != 0 {
			t.Fatalf("keys %v", keys)
		}
		for i, k := range keys {
			if k.Key != first.Key+wire.Key(i) || k.Slot != first.Slot {
				t.Fatalf("keys %v", keys)
			}
		}
	}
}

func TestSet(t *testing.T) {
	s := newSet(3)
	s.round = math.MaxUint32 - 2
	for range 6 { // over the end of the rounds
		s.clear()
		for _, number := range []int{7, 8, 1 << 30} {
			if !s.add(number) || s.add(number) {
				t.Fatalf("round %d: %d is not new, or new twice", s.round, number)
			}
		}
	}
}

// TestBatchesKeepPopularity: what is more popular is in more batches. The
// neighbours of the most popular numbers gain nothing from them.
func TestBatchesKeepPopularity(t *testing.T) {
	source := build(t, Spec{Kind: "batch", KeyPattern: "key:%d", Count: 10_000, Command: "mget", Size: 50,
		Popularity: Popularity{Kind: "zipf", Theta: 0.9}}).Loads(1, 0, 0)[0].Source
	const batches = 5000
	var in [4]int // batches that number 0 to 3 are in
	for n := range uint64(batches) {
		for _, k := range source.Keys(opOf(source, n), nil) {
			if int(k.Key) < len(in) {
				in[k.Key]++
			}
		}
	}
	for number := range in[1:] {
		if in[number] <= in[number+1] {
			t.Errorf("number %d is in %d batches, number %d in %d", number, in[number], number+1, in[number+1])
		}
	}
}
