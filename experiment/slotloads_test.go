package experiment

import (
	"context"
	"math"
	"testing"

	"hotslot/scenarios"
	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// Loads by slot are what a run reports of its hottest slots, and keys are as many as
// the workload has.
func TestSlotLoadsAreThoseOfARun(t *testing.T) {
	s, err := scenarios.Load("../scenarios/hot-counter.toml", scenarios.Options{Strategies: []string{"baseline"},
		Set: []string{"duration=200ms", "seeds=1", "node.costs=redis-7.0.15"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if hottest := &r.Strategies[0].Slots[0]; hottest.Share == hottest.CPUShare {
		t.Fatal("commands cost the same in all slots, so this test could not tell them from CPU")
	}
	for by, share := range map[cluster.Quantity]func(*Slot) float64{
		cluster.ByCommands: func(s *Slot) float64 { return s.Share },
		cluster.ByWork:     func(s *Slot) float64 { return s.CPUShare },
	} {
		load, err := SlotLoads(context.Background(), s, 0, by)
		if err != nil {
			t.Fatal(err)
		}
		total := int64(0)
		for _, n := range load {
			total += n
		}
		hottest := &r.Strategies[0].Slots[0]
		if got, want := float64(load[hottest.Slot])/float64(total), share(hottest); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: slot %d has %v, want %v", by, hottest.Slot, got, want)
		}
	}
	keys, err := SlotLoads(context.Background(), s, 0, cluster.ByKeys)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := SlotLoads(context.Background(), s, 0, cluster.ByBytes)
	if err != nil {
		t.Fatal(err)
	}
	stored := int64(0)
	for slot, n := range keys {
		if stored += n; (n > 0) != (bytes[slot] > n*wire.KeyBytes) {
			t.Fatalf("slot %d has %d keys and %d bytes", slot, n, bytes[slot])
		}
	}
	if want := r.Strategies[0].Bill.StoredKeys; float64(stored) != want {
		t.Errorf("%d keys, want %v", stored, want)
	}
}

// A run that is interrupted has no loads.
func TestSlotLoadsInterrupted(t *testing.T) {
	s, err := scenarios.Load("../scenarios/hot-counter.toml", scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if load, err := SlotLoads(ctx, s, 0, cluster.ByWork); load != nil || err == nil {
		t.Errorf("an error of %v", err)
	}
}
