package experiment

import (
	"context"

	"hotslot/scenarios"
	"hotslot/sim/cluster"
	"hotslot/sim/migration"
	"hotslot/workloads"
)

// SlotLoads returns what each slot costs under one strategy of a scenario: the keys
// of its workloads or their bytes, or what the nodes counted in the measured time of
// a run with the first seed, in commands or in nanoseconds of CPU. Its errors are
// those of Run.
func SlotLoads(ctx context.Context, s *scenarios.Scenario, strategy int, by cluster.Quantity) (*migration.Load, error) {
	p, err := newPlan(s.Strategies[strategy], nil, workloads.NewCache())
	if err != nil {
		return nil, err
	}
	load := new(migration.Load)
	switch by {
	case cluster.ByKeys:
		for slot, n := range p.keysIn {
			load[slot] = int64(n)
		}
	case cluster.ByBytes:
		copy(load[:], p.keyBytes)
	default:
		cl, _ := p.assemble(s.Seed, nil)
		if err := cl.Run(ctx); err != nil {
			return nil, &RunError{p.strategy.Name, s.Seed, err}
		}
		for slot := range load {
			load[slot] = int64(cl.Meter.Slots[slot].Work)
			if by == cluster.ByCommands {
				load[slot] = int64(cl.Meter.Slots[slot].Commands)
			}
		}
	}
	return load, nil
}
