package validation

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
)

// loopback returns a cluster as those that were measured: Redis 7.0.15 on one
// machine of two cores, with Redis's own settings but for the node timeout and no
// delay before a diskless resync, and nobody who asks for anything.
func loopback(seed uint64, shape client.Shape, timeout, duration time.Duration) cluster.Config {
	costs, _, _ := node.Profile("redis-7.0.15")
	control := gossip.DefaultConfig()
	control.NodeTimeout = timeout
	replication := node.DefaultReplication()
	replication.ReplDisklessSyncDelay = 0
	return cluster.Config{
		Seed: seed, Shape: shape, Costs: costs,
		Node:    node.Config{WriteBytesMax: 64 << 10, Replication: replication},
		Network: network.Config{OneWay: sim.Constant(20 * time.Microsecond)},
		Client: client.Config{Processes: 1, Cores: 1, SlotMap: client.SlotMapCurrent,
			ReadFrom: client.FromPrimary},
		Duration: duration, Gossip: true, Version: "redis-7.0", Control: control,
		Placement: cluster.Placement{Machines: 1, Cores: 2},
	}
}
