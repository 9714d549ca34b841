package cluster

import (
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// The article on atomic migration (valkey.io, atomic-slot-migration) moves 4096 slots of
// 160 values of 16 KB each from three primaries to a fourth, and back, on an idle
// cluster: key by key in 102.1 s, and 80.3 s back, atomically in 10.7 s, and 9.5 s back.
// Two constants are fitted to it: what a key costs beside the round trips, which took
// 64 s, and the rate of the snapshot.
func TestArticleOnAtomicMigration(t *testing.T) {
	if testing.Short() {
		t.Skip("moves ten gigabytes twice")
	}
	for _, m := range []struct {
		name    string
		do      Do
		tool    migration.Tool
		seconds float64
	}{
		{"out", DoRebalance, migration.Tool{Atomic: true}, 10.7},
		{"back", DoDrain, migration.Tool{Atomic: true}, 9.5},
		{"out, key by key", DoRebalance, articleTool(), 102.1},
	} {
		c := article()
		e := &c.Events[0]
		e.Do, e.Tool = m.do, m.tool
		if m.do == DoDrain {
			c.Shape.Primaries, c.Events = 4, c.Events[:1]
			e.Nodes = []Place{{Kind: AtPrimary, I: 3}}
		}
		c.Duration = time.Duration((m.seconds*1.3 + 20) * float64(time.Second))
		cl := New(c)
		run(t, cl)
		g := &cl.operator.jobs[0].Migration
		if g.Ended == sim.Never || g.Stopped || g.Moved != 4096 {
			t.Fatalf("%s: %d slots have moved: %+v", m.name, g.Moved, g)
		}
		if took := g.Ended.Sub(g.Began); !near(took, m.seconds*1e6, 0.15) {
			t.Errorf("%s: %v, measured were %v s", m.name, took, m.seconds)
		}
		if p := cl.Places(); p != (Places{}) {
			t.Errorf("%s: %+v", m.name, p)
		}
	}
}

// article returns the cluster of the article.
func article() Config {
	x := move{tool: migration.RedisCLI()}
	c := x.config()
	c.Version = "valkey-9"
	c.Network.OneWay = sim.Constant(150 * time.Microsecond)
	for slot := range slots.Slot(slots.Count) {
		for range 160 {
			c.KeySlots = append(c.KeySlots, slot)
			c.KeyValue = append(c.KeyValue, 16_000)
		}
		c.KeyBytes[slot] = 160 * (16_000 + wire.KeyBytes)
	}
	c.Keys = len(c.KeySlots)
	c.Events = []Event{
		{Name: "move", When: When{At: sim.Time(10 * time.Second)}},
		{Name: "add", When: When{At: sim.Time(time.Second)}, Do: DoAdd, Nodes: []Place{{Kind: AtAdded}}},
	}
	c.Events[0].Reshuffle.Balancing = migration.Rebalancing{Rules: migration.DefaultRules(),
		Threshold: migration.DefaultThreshold, UseEmpty: true}
	return c
}

// articleTool is valkey-cli as the article has it.
func articleTool() migration.Tool {
	tool := migration.RedisCLI()
	tool.Thrifty = true
	return tool
}
