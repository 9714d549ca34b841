package validation

import (
	"fmt"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
)

// swarmEvents has up to eight things happen, and returns when the last of them is
// over.
func swarmEvents(d *dice, c *cluster.Config) (last time.Duration) {
	last = 2 * time.Second
	added := 0
	for i := range d.below(9) {
		e := cluster.Event{Name: fmt.Sprint("event ", i)}
		at := d.time(500*time.Millisecond, 8*time.Second+4*c.Control.NodeTimeout)
		e.When = cluster.When{At: sim.Time(at), Until: sim.Time(at + pick(d, 0, time.Second))}
		swarmEvent(d, &e, c.Shape, c.Control.NodeTimeout, &added)
		c.Events = append(c.Events, e)
		last = max(last, time.Duration(max(e.When.At, e.When.Until))+e.For+e.Length)
	}
	return last
}

// swarmEvent fills in what happens, and to whom.
func swarmEvent(d *dice, e *cluster.Event, shape client.Shape, timeout time.Duration, added *int) {
	e.Nodes = []cluster.Place{swarmPlace(d, shape)}
	brief, long := d.time(time.Millisecond, timeout), d.time(timeout/2, 4*timeout+2*time.Second)
	switch d.below(16) {
	case 0, 1, 2:
		e.Do, e.For, e.KeepData = cluster.DoKill, long, d.coin(2)
	case 3:
		e.Do, e.For, e.KeepData = cluster.DoLose, long, d.coin(2)
	case 4, 5:
		e.Do, e.For = cluster.DoFreeze, pick(d, brief, long)
	case 6, 7, 8:
		e.Do, e.For, e.OneWay, e.BusOnly = cluster.DoPartition, pick(d, brief, long), d.coin(4), d.coin(4)
		if d.coin(3) {
			e.Nodes = append(e.Nodes, swarmPlace(d, shape), cluster.Place{Kind: cluster.AtClients, I: -1})
		}
		if d.coin(4) {
			e.Others = []cluster.Place{swarmPlace(d, shape)}
		}
	case 9:
		e.Do, e.For, e.Length = cluster.DoLink, long, pick(d, 0, 10*time.Millisecond, 400*time.Millisecond)
		e.Loss, e.OneWay, e.BusOnly = pick(d, 0, 0.01, 0.3), d.coin(4), d.coin(4)
	case 10:
		e.Do, e.Length = pick(d, cluster.DoSlow, cluster.DoStall, cluster.DoFork), pick(d, brief, long)
	case 11:
		e.Do, e.For = cluster.DoCutReplication, pick(d, brief, long)
		e.Nodes = []cluster.Place{swarmReplica(d, shape)}
	case 12, 13:
		e.Do, e.Mode = cluster.DoFailover, pick(d, gossip.FailoverDefault, gossip.FailoverDefault, gossip.FailoverForce)
		e.Nodes = []cluster.Place{{Kind: cluster.AtReplicaOfSlot, I: d.below(slots.Count)}}
	case 14:
		e.Do = cluster.DoTakeover
		e.Nodes = []cluster.Place{{Kind: cluster.AtReplicaOfSlot, I: d.below(slots.Count)}}
	case 15:
		e.Do = cluster.DoAdd
		e.Nodes = []cluster.Place{{Kind: cluster.AtAdded, I: *added}}
		if *added++; !d.coin(3) {
			e.Others = []cluster.Place{{Kind: cluster.AtPrimaryOfSlot, I: d.below(slots.Count)}}
		}
	}
}

// swarmPlace returns a node, or all on a machine or in a zone.
func swarmPlace(d *dice, shape client.Shape) cluster.Place {
	switch d.below(8) {
	case 0:
		return swarmReplica(d, shape)
	case 1:
		return cluster.Place{Kind: cluster.AtMachine, I: d.below(3)}
	case 2:
		return cluster.Place{Kind: cluster.AtReplicaOfSlot, I: d.below(slots.Count)}
	case 3, 4, 5:
		return cluster.Place{Kind: cluster.AtPrimaryOfSlot, I: d.below(slots.Count)}
	}
	return cluster.Place{Kind: cluster.AtPrimary, I: d.below(shape.Primaries)}
}

// swarmReplica returns a replica as it was at the beginning; nobody, where there was
// none.
func swarmReplica(d *dice, shape client.Shape) cluster.Place {
	return cluster.Place{Kind: cluster.AtReplica, I: d.below(shape.Primaries), J: d.below(max(1, shape.Replicas))}
}
