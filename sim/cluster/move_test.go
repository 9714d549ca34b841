package cluster

import (
	"fmt"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
)

// moving returns a cluster on one machine, with so many keys of a size in each slot
// of ranges, that go from primary 0 to primary 1.
func moving(keys int, value uint32, batch int, ranges ...slots.Range) Config {
	costs, _, _ := node.Profile("redis-7.0.15")
	control := gossip.DefaultConfig()
	c := Config{
		Seed: 1, Shape: client.Shape{Primaries: 3}, Costs: costs,
		Node:     node.Config{WriteBytesMax: 64 << 10, Replication: node.DefaultReplication()},
		Network:  network.Config{OneWay: sim.Constant(10 * time.Microsecond)},
		Client:   client.Config{Processes: 1, SlotMap: client.SlotMapCurrent, ReadFrom: client.FromPrimary},
		Duration: 20 * time.Second, Gossip: true, Version: "redis-7.0", Control: control,
		KeyBytes: make([]int64, slots.Count),
	}
	tool := migration.RedisCLI()
	tool.Batch = batch
	c.Events = []Event{{Name: "move", When: When{At: sim.Time(time.Second)}, Do: DoMoveSlots,
		Nodes: []Place{{Kind: AtPrimary, I: 1}}, Ranges: ranges, Tool: tool,
		Pace: Pace{ToolTime: 10 * time.Microsecond}}}
	for _, r := range ranges {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			for range keys {
				c.KeySlots = append(c.KeySlots, slots.Slot(slot))
				c.KeyValue = append(c.KeyValue, value)
			}
			c.KeyBytes[slot] = int64(keys) * int64(value+26)
		}
	}
	c.Keys = len(c.KeySlots)
	return c
}

func TestMoveSpeed(t *testing.T) {
	for _, x := range []struct {
		value uint32
		batch int
	}{{10, 10}, {10, 100}, {1000, 10}, {1000, 100}} {
		cl := New(moving(100_000, x.value, x.batch, slots.Range{First: 4748, Last: 4748}))
		began := time.Now()
		run(t, cl)
		m := cl.operator.jobs[0]
		d := m.Ended.Sub(m.Began)
		fmt.Printf("%+v: %v, %v a key, moved %d keys %d, failed %+v, took %v\n", x, d, d/100000, m.Moved, m.Keys, m.Failed,
			time.Since(began))
		for _, e := range cl.Timeline.Events {
			if e.Kind.String() == "slot-owner" || e.Kind.String() == "migration-done" {
				fmt.Println(e)
			}
		}
	}
}
