package client

import (
	"slices"

	"hotslot/sim"
	"hotslot/sim/slots"
)

// A Topology knows what nodes answer to CLUSTER SLOTS. A node answers from its
// own view, whether it takes the cluster to be up or not.
type Topology interface {
	// View returns the owner of each slot, as a node believes now.
	View(node sim.ActorID) *slots.Table
	// PrimaryOf returns, as a node believes now, the primary of another node: that
	// one itself if it is a primary, slots.None if the answer leaves it out, since
	// it is not known or has failed.
	PrimaryOf(node, other sim.ActorID) slots.Owner
}

// A belief is what a process knows of the cluster. Processes share what they
// believe alike.
type belief struct {
	table *slots.Table
	*cast
}

// A cast says who is whose replica.
type cast struct {
	primaryOf []slots.Owner // by node; slots.None for those that are not known
	first     []uint32      // by node: where its replicas begin, up to those of the next
	list      []sim.ActorID
	known     []sim.ActorID // in ascending order
}

// replicas returns the replicas of a node.
func (c *cast) replicas(node slots.Owner) []sim.ActorID {
	if int(node)+1 >= len(c.first) {
		return nil
	}
	return c.list[c.first[node]:c.first[node+1]]
}

// newCast returns a cast. Replicas are in the order of their numbers.
func newCast(primaryOf []slots.Owner) *cast {
	c := &cast{primaryOf: primaryOf, first: make([]uint32, len(primaryOf)+1)}
	for node, primary := range primaryOf {
		if primary == slots.None {
			continue
		}
		c.known = append(c.known, sim.ActorID(node))
		if int(primary) != node {
			c.first[primary+1]++
		}
	}
	for i := range primaryOf {
		c.first[i+1] += c.first[i]
	}
	c.list = make([]sim.ActorID, c.first[len(primaryOf)])
	next := slices.Clone(c.first)
	for node, primary := range primaryOf {
		if primary != slots.None && int(primary) != node {
			c.list[next[primary]] = sim.ActorID(node)
			next[primary]++
		}
	}
	return c
}

// firstCast returns what processes know when they start: the cluster as it is,
// without the nodes that join later.
func (s Shape) firstCast() *cast {
	primaryOf := make([]slots.Owner, s.Nodes())
	for i := range primaryOf {
		primaryOf[i] = slots.None
	}
	for i := range s.Primaries {
		primaryOf[i] = slots.Owner(i)
		for j := range s.Replicas {
			primaryOf[s.Replica(i, j)] = slots.Owner(i)
		}
	}
	return newCast(primaryOf)
}

// replaced returns the cast after a failover: a replica stands where its primary
// did, which is one of its replicas now. Others may still be taken to be replicas
// of the old primary: its other slots have not been heard of.
func (c *cast) replaced(old, owner slots.Owner) *cast {
	siblings := slices.Clone(c.replicas(old))
	siblings[slices.Index(siblings, sim.ActorID(owner))] = sim.ActorID(old)
	n := *c
	n.first = slices.Clone(c.first)
	for i := int(owner) + 1; i < len(n.first); i++ {
		n.first[i] += uint32(len(siblings))
	}
	n.list = slices.Insert(slices.Clone(c.list), int(c.first[owner]), siblings...)
	return &n
}

// beliefs are what processes have learnt of late, for others to share.
type beliefs struct {
	all  [8]belief
	next int

	// The last change of a cast by a MOVED, which is the same for all who knew the
	// same.
	before, after *cast
	old, owner    slots.Owner
}

// of returns what a node answers to CLUSTER SLOTS.
func (b *beliefs) of(t Topology, node sim.ActorID, nodes int) belief {
	view := t.View(node)
	for i := range b.all {
		if x := &b.all[i]; x.table != nil && *x.table == *view && x.sameCast(t, node) {
			return *x
		}
	}
	table := *view
	primaryOf := make([]slots.Owner, nodes)
	for i := range primaryOf {
		primaryOf[i] = t.PrimaryOf(node, sim.ActorID(i))
	}
	x := belief{&table, newCast(primaryOf)}
	b.all[b.next] = x
	b.next = (b.next + 1) % len(b.all)
	return x
}

func (c *cast) sameCast(t Topology, node sim.ActorID) bool {
	for i, primary := range c.primaryOf {
		if t.PrimaryOf(node, sim.ActorID(i)) != primary {
			return false
		}
	}
	return true
}

// promoted returns a cast in which a node owns what another has owned: changed if
// it was known as one of its replicas.
func (b *beliefs) promoted(c *cast, old, owner slots.Owner) *cast {
	if old == slots.None || len(c.replicas(owner)) > 0 || !slices.Contains(c.replicas(old), sim.ActorID(owner)) {
		return c
	}
	if b.before != c || b.old != old || b.owner != owner {
		b.before, b.old, b.owner, b.after = c, old, owner, c.replaced(old, owner)
	}
	return b.after
}
