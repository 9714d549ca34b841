package scenarios

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/workloads"
)

// defaultScenario returns what a file that says nothing means.
func defaultScenario() Scenario {
	return Scenario{Seed: 1, Seeds: 1}
}

// defaultSettings returns what the tables of a file mean that say nothing.
// Durations and sizes that are not here are 0, which is none.
func defaultSettings() Settings {
	return Settings{
		Duration: 10 * time.Second,
		Warmup:   time.Second,
		Cluster: Cluster{
			Version:   "redis-7.2",
			Primaries: 3,
			Gossip:    true,
			Config:    gossip.DefaultConfig(),
		},
		Node: node.Config{
			Costs:         node.CostSpec{Profile: "redis-7.0.15"},
			WriteBytesMax: 64 << 10,
			Replication:   node.DefaultReplication(),
		},
		Network: network.Config{OneWay: sim.Constant(100 * time.Microsecond)},
		Client: client.Config{
			Processes:    10,
			ReadFrom:     client.FromPrimary,
			MaxRedirects: 5,
			OnMoved:      client.MovedPatch,
			Asking:       client.AskingEach,
			SlotMap:      "current",
			Split:        client.SplitSlot,
			Cores:        1,

			RetryBackoff:       10 * time.Millisecond,
			RetryBackoffMax:    time.Second,
			RefreshOnError:     true,
			RefreshMinInterval: 100 * time.Millisecond,
		},
	}
}

// defaultWorkload returns what a workload of a kind means that says nothing else.
func defaultWorkload(name, kind string) Workload {
	w := Workload{Spec: workloads.Spec{
		Name:       name,
		Count:      1,
		Popularity: workloads.Popularity{Kind: "uniform"},
		Arrivals:   "poisson",
		Pipeline:   1,
		ValueSize:  100,
		Shards:     1,
		Copies:     1,
	}}
	switch kind {
	case "keys":
		w.Mix = []workloads.Share{{Command: "get", Share: 1}}
	case "batch":
		w.Command, w.Order = "mget", "random"
	case "burst":
		w.Command = "set"
	}
	return w
}
