package cluster

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A move is slots that go from primary 0 to primary 1 of an idle cluster.
type move struct {
	slots []slots.Range
	keys  int    // in each
	value uint32 // bytes of each
	tool  migration.Tool

	elements uint32 // of each key's value, where that is a collection
}

// fieldBytes is what a field of the hash that was moved takes: f:%d and v:%d.
const fieldBytes = 16

// config returns a run in which the move begins after a second, on one machine.
func (m *move) config() Config {
	costs, _, _ := node.Profile("redis-7.0.15")
	c := Config{
		Seed: 1, Shape: client.Shape{Primaries: 3}, Costs: costs,
		Node:     node.Config{WriteBytesMax: 64 << 10, Replication: node.DefaultReplication()},
		Network:  network.Config{OneWay: sim.Constant(5 * time.Microsecond)},
		Client:   client.Config{Processes: 1, SlotMap: client.SlotMapCurrent, ReadFrom: client.FromPrimary},
		Duration: 20 * time.Second, Gossip: true, Version: "redis-7.0", Control: gossip.DefaultConfig(),
		KeyBytes: make([]int64, slots.Count),
	}
	c.Events = []Event{{Name: "move", When: When{At: sim.Time(time.Second)}, Do: DoMoveSlots,
		Nodes: []Place{{Kind: AtPrimary, I: 1}}, Ranges: m.slots, Tool: m.tool}}
	for _, r := range m.slots {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			for range m.keys {
				c.KeySlots = append(c.KeySlots, slots.Slot(slot))
				c.KeyValue = append(c.KeyValue, m.value)
			}
			c.KeyBytes[slot] = int64(m.keys) * int64(m.value+wire.KeyBytes)
		}
	}
	c.Keys = len(c.KeySlots)
	if m.elements > 0 {
		c.Elements = slices.Repeat([]uint32{m.elements}, c.Keys)
	}
	return c
}

// carryOut returns what became of a move, which must have succeeded.
func carryOut(t *testing.T, cl *Cluster) *Migration {
	t.Helper()
	run(t, cl)
	m := &cl.operator.jobs[0].Migration
	if m.Ended == sim.Never || m.Stopped || m.Moved != m.Slots {
		t.Fatalf("%d of %d slots have been moved, %+v", m.Moved, m.Slots, m.Failed)
	}
	return m
}

// near reports whether a duration is within a share of a number of microseconds.
func near(d time.Duration, micros, share float64) bool {
	x := float64(d) / float64(time.Microsecond)
	return x >= micros*(1-share) && x <= micros*(1+share)
}

// One slot of 100,000 keys was moved by redis-cli on loopback: how long that took,
// and one MIGRATE, as the source's INFO commandstats has it.
func TestMoveSpeed(t *testing.T) {
	f, err := os.Open("testdata/redis-7.0.15/migration_speed.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(row []string, column int) float64 {
		x, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, row := range rows[1:] {
		tool := migration.RedisCLI()
		tool.Batch = int(number(row, 3))
		x := move{slots: []slots.Range{{First: 4748, Last: 4748}}, keys: int(number(row, 1)), tool: tool}
		if row[2] != "" {
			x.value = uint32(number(row, 2))
		} else {
			x.value, x.elements = 100_000*fieldBytes, 100_000
		}
		m := carryOut(t, New(x.config()))
		wall, call := m.Ended.Sub(m.Began), m.Work[wire.MIGRATE]/time.Duration(m.Commands[wire.MIGRATE])
		if !near(wall, number(row, 5)*1e6, 0.25) || !near(call, number(row, 22), 0.25) {
			t.Errorf("%s, %d keys at a time: %v and %v for each MIGRATE, measured were %s s and %s µs", row[0],
				tool.Batch, wall, call, row[5], row[22])
		}
	}
}

// The round trips of 4096 slots of 160 keys, ten at a time, as the article that
// compares key-by-key and atomic migration counts them (valkey.io,
// atomic-slot-migration): three for each batch, one of them between the nodes, and
// four for each slot. redis-cli asks once more for each slot, and tells the other two
// primaries.
func TestRoundTrips(t *testing.T) {
	for _, thrifty := range []bool{true, false} {
		tool := migration.RedisCLI()
		tool.Thrifty = thrifty
		x := move{slots: []slots.Range{{First: 0, Last: 4095}}, keys: 160, value: 10, tool: tool}
		c := x.config()
		c.Shape.Primaries = 4
		m := carryOut(t, New(c))
		batches := 4096 * 160 / 10
		trips := m.Commands[wire.SETSLOT] + m.Commands[wire.GETKEYSINSLOT] + 2*m.Commands[wire.MIGRATE]
		want := 4*4096 + 3*batches
		if !thrifty {
			want += 4096 * 3
		}
		if int(trips) != want || m.Keys != 4096*160 {
			t.Errorf("%d round trips for %d keys, want %d for %d", trips, m.Keys, want, 4096*160)
		}
	}
}
