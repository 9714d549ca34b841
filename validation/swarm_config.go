package validation

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
)

// dice are the draws of one seed, one after another.
type dice struct {
	sim.Stream
	thrown uint64
}

// below returns a number from 0 to n-1.
func (d *dice) below(n int) int {
	d.thrown++
	return sim.Below(d.At(d.thrown), n)
}

// coin returns true once in so many times.
func (d *dice) coin(in int) bool { return d.below(in) == 0 }

// time returns an instant between two others.
func (d *dice) time(from, to time.Duration) time.Duration {
	return from + time.Duration(d.below(int(to-from)))
}

func pick[T any](d *dice, from ...T) T { return from[d.below(len(from))] }

// swarmConfig returns a cluster that nobody would build, with all that can happen
// to it. It runs for a duration, or as long as the seed has it.
func swarmConfig(seed uint64, duration time.Duration) cluster.Config {
	d := &dice{Stream: sim.NewStream(seed, "swarm")}
	c := cluster.Config{
		Seed:  seed,
		Shape: client.Shape{Primaries: pick(d, 1, 2, 3, 3, 3, 4, 5, 6, 8), Replicas: pick(d, 0, 1, 1, 1, 2, 3)},
		Node:  swarmNode(d), Client: swarmClient(d), Network: swarmNetwork(d),
		Gossip: true, Version: pick(d, gossip.Versions()...), Control: swarmControl(d),
		Warmup: pick(d, 0, time.Second),
	}
	c.Costs, _, _ = node.Profile(pick(d, node.Profiles()...))
	c.Placement = cluster.Placement{Machines: pick(d, 0, 0, 1, 3, 5), Zones: pick(d, 1, 1, 2, 3),
		Cores: pick(d, 0, 0, 2)}
	if zones := c.Placement.Zones; zones > 1 {
		swarmZones(d, &c, zones)
	}
	swarmKeys(d, &c)
	swarmDemands(d, &c)
	last := swarmEvents(d, &c)
	c.Duration = last + d.time(time.Second, 3*c.Control.NodeTimeout+5*time.Second)
	if d.coin(2) { // long enough for all nodes to be of one mind
		c.Duration = last + 13*c.Control.NodeTimeout + 20*time.Second
	}
	c.Duration = max(time.Second, c.Duration-c.Warmup)
	if duration > 0 {
		c.Duration = duration
	}
	return c
}

func swarmControl(d *dice) gossip.Config {
	c := gossip.DefaultConfig()
	c.NodeTimeout = pick(d, 300*time.Millisecond, time.Second, time.Second, 2*time.Second, 3*time.Second)
	c.RequireFullCoverage = !d.coin(3)
	c.AllowReadsWhenDown = d.coin(3)
	c.ReplicaNoFailover = d.coin(12)
	c.ReplicaValidityFactor = pick(d, 0, 10, 10, 1)
	c.MigrationBarrier = pick(d, 0, 1, 1, 2)
	c.AllowReplicaMigration = !d.coin(4)
	c.ReplPingReplicaPeriod = pick(d, time.Second, 10*time.Second)
	return c
}

func swarmNode(d *dice) node.Config {
	c := node.Config{WriteBytesMax: pick[int64](d, 0, 64<<10), Replication: node.DefaultReplication(),
		ReplicationLag: pick(d, sim.Constant(0), sim.Constant(0), sim.Exponential(time.Millisecond))}
	c.ReplDisklessSyncDelay = pick(d, 0, 0, time.Second, 5*time.Second)
	c.ReplBacklogSize = pick[int64](d, 0, 0, 16<<10, 1<<20)
	c.ReplTimeout = pick(d, 5*time.Second, 60*time.Second)
	c.ReplicaServeStale = !d.coin(3)
	c.MinReplicasToWrite = pick(d, 0, 0, 0, 1)
	c.Dataset = pick[int64](d, 0, 1<<20, 100<<20)
	if d.coin(4) {
		c.ReplicaBufferHard = 1 << 20
	}
	if d.coin(3) {
		disk := d.coin(2)
		c.ReplDisklessSync = &disk
	}
	return c
}

func swarmClient(d *dice) client.Config {
	const ms = time.Millisecond
	c := client.Config{
		Processes: 1 + d.below(4), Cores: 1 + d.below(2), Connections: d.below(4), Pipelined: d.coin(3),
		Timeout:  pick(d, 0, 20*ms, 200*ms, time.Second),
		ReadFrom: pick(d, client.FromPrimary, client.FromReplica, client.FromAny), MaxRedirects: pick(d, 0, 1, 5, 5),
		OnMoved: pick(d, client.MovedPatch, client.MovedRefresh, client.MovedIgnore), SlotMap: client.SlotMapCurrent,
		Retries: pick(d, 0, 0, 1, 3, 10), RetryBackoff: pick(d, 0, ms, 50*ms), RetryBackoffMax: pick(d, 0, 500*ms),
		RefreshOnError: !d.coin(3), RefreshMinInterval: pick(d, 0, 100*ms), RefreshEvery: pick(d, 0, 0, time.Second),
		Stateless: d.coin(8), WaitTimeout: pick(d, 10*ms, 500*ms),
	}
	return c
}

func swarmNetwork(d *dice) network.Config {
	const us = time.Microsecond
	return network.Config{
		OneWay: pick(d, sim.Constant(0), sim.Constant(100*us), sim.Exponential(50*us),
			sim.Distribution{Shape: sim.ShapeUniform, A: 50 * us, B: 150 * us}),
		NodeBandwidth:   pick[int64](d, 0, 0, 1e8, 1e9),
		ClientBandwidth: pick[int64](d, 0, 0, 1e8, 1e9),
	}
}

// swarmZones spreads clients over zones, and makes it far from one to another.
func swarmZones(d *dice, c *cluster.Config, zones int) {
	for z := range zones {
		c.Client.Zones = append(c.Client.Zones, z)
		var row []sim.Distribution
		for other := range zones {
			if z == other {
				row = append(row, sim.Constant(50*time.Microsecond))
			} else {
				row = append(row, sim.Exponential(pick(d, 500*time.Microsecond, 20*time.Millisecond)))
			}
		}
		c.Network.Zones = append(c.Network.Zones, row)
	}
}

// swarmKeys lays out the keys.
func swarmKeys(d *dice, c *cluster.Config) {
	c.Keys, c.KeyBytes = 1+d.below(200), make([]int64, slots.Count)
	each := pick[int64](d, 100, 10_000)
	for key := range c.Keys {
		slot := swarmSlot(key)
		c.KeySlots = append(c.KeySlots, slot)
		c.KeyBytes[slot] += each
	}
}

// swarmSlot returns the slot of a key.
func swarmSlot(key int) slots.Slot { return slots.Slot(key * key * 97 % slots.Count) }
