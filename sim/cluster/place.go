package cluster

import (
	"fmt"

	"hotslot/sim/slots"
)

// machine returns the number of the machine that a node is on.
func (cl *Cluster) machine(id int) int {
	place := id
	if i := id - cl.Shape.Primaries; i >= 0 && cl.Shape.Replicas > 0 && cl.joined(id) {
		primary, replica := i/cl.Shape.Replicas, i%cl.Shape.Replicas
		place = primary + replica + 1
	}
	if cl.Placement.Machines == 0 {
		return id
	}
	return place % cl.Placement.Machines
}

// zone returns the number of the zone that a node is in.
func (cl *Cluster) zone(id int) int { return cl.machine(id) % max(1, cl.Placement.Zones) }

// resolve returns the nodes at places, as things stand, in ascending order.
func (cl *Cluster) resolve(places []Place) []int {
	in := make([]bool, len(cl.Nodes))
	for _, p := range places {
		for id := range cl.Nodes {
			in[id] = in[id] || cl.at(p, id)
		}
	}
	var ids []int
	for id, yes := range in {
		if yes {
			ids = append(ids, id)
		}
	}
	return ids
}

// at reports whether a node is at a place, as things stand.
func (cl *Cluster) at(p Place, id int) bool {
	switch p.Kind {
	case AtPrimary:
		return id == p.I && p.I < cl.Shape.Primaries
	case AtPrimaries:
		return id >= p.I && id <= p.J && id < cl.Shape.Primaries
	case AtReplica:
		return p.I < cl.Shape.Primaries && p.J < cl.Shape.Replicas && id == int(cl.Shape.Replica(p.I, p.J))
	case AtPrimaryOfSlot:
		return slots.Owner(id) == cl.ownerOf(slots.Slot(p.I))
	case AtReplicaOfSlot:
		return id == cl.replicaOf(slots.Slot(p.I), p.J)
	case AtMachine:
		return cl.machine(id) == p.I && cl.joined(id)
	case AtZone:
		return cl.zone(id) == p.I && cl.joined(id)
	case AtAdded:
		return id == cl.original()+p.I
	case AtAll:
		return cl.joined(id)
	}
	return false
}

// joined reports whether a node is there from the beginning.
func (cl *Cluster) joined(id int) bool { return id < cl.original() }

// original returns how many nodes there are at the beginning.
func (cl *Cluster) original() int { return cl.Shape.Nodes() - cl.Shape.Added }

// ownerOf returns the owner of a slot as most of the nodes that are up believe;
// the one with the smallest number where opinions are divided evenly.
func (cl *Cluster) ownerOf(slot slots.Slot) slots.Owner {
	votes := make([]int, len(cl.Nodes)+1)
	for id, n := range cl.Nodes {
		if n.Up() {
			votes[min(int(cl.Nodes[id].View()[slot]), len(cl.Nodes))]++
		}
	}
	best := 0
	for id, n := range votes {
		if n > votes[best] {
			best = id
		}
	}
	if best == len(cl.Nodes) {
		return slots.None
	}
	return slots.Owner(best)
}

// replicaOf returns replica number j of the owner of a slot, in the order of
// their numbers, or -1 where there is none.
func (cl *Cluster) replicaOf(slot slots.Slot, j int) int {
	owner := cl.ownerOf(slot)
	for id, n := range cl.Nodes {
		if n.Up() && slots.Owner(id) != owner && n.PrimaryOf() == owner {
			if j == 0 {
				return id
			}
			j--
		}
	}
	return -1
}

// NodeName returns how reports call a node: "primary 0", "replica 0.1",
// "added 0". It is what the node was at the beginning, whatever it has become.
func (cl *Cluster) NodeName(id int) string {
	switch i := id - cl.Shape.Primaries; {
	case i < 0:
		return fmt.Sprintf("primary %d", id)
	case !cl.joined(id):
		return fmt.Sprintf("added %d", id-cl.original())
	default:
		return fmt.Sprintf("replica %d.%d", i/cl.Shape.Replicas, i%cl.Shape.Replicas)
	}
}
