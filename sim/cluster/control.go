package cluster

import (
	"encoding/binary"
	"fmt"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
)

// newEnv returns what the States of the nodes have in common: settings, rules,
// and what the nodes are called.
func (cl *Cluster) newEnv(rules gossip.Rules) *gossip.Env {
	env := &gossip.Env{Config: cl.Control, Rules: rules, Seed: cl.Seed}
	ids := sim.NewStream(cl.Seed, "cluster/ids")
	for node := range cl.nodes() {
		name := gossip.Name{Host: fmt.Sprintf("10.%d.%d.%d", cl.zone(node), cl.machine(node)/250, cl.machine(node)%250+1),
			Port: 6379 + cl.port(node)}
		for i := range 3 {
			var word [8]byte
			binary.BigEndian.PutUint64(word[:], ids.Sub(node).At(uint64(i)))
			copy(name.ID[8*i:], word[:])
		}
		env.Names = append(env.Names, name)
	}
	return env
}

// port returns how many nodes with smaller numbers share the node's machine.
func (cl *Cluster) port(node int) int {
	n := 0
	for other := range node {
		if cl.machine(other) == cl.machine(node) {
			n++
		}
	}
	return n
}

// layout returns the cluster that the nodes know at the beginning.
func (cl *Cluster) layout() *gossip.Layout {
	l := &gossip.Layout{Slots: slots.Even(cl.Shape.Primaries), Epochs: make([]uint64, cl.nodes())}
	for node := range cl.nodes() {
		of := slots.None
		switch i := node - cl.Shape.Primaries; {
		case i < 0:
			of = slots.Owner(node)
			l.Epochs[node] = uint64(node) + 1 // as redis-cli --cluster create sets them
		case cl.joined(node):
			of = slots.Owner(i / cl.Shape.Replicas)
		}
		l.PrimaryOf = append(l.PrimaryOf, of)
	}
	return l
}

// nodes returns how many nodes there are, with those that the scenario adds.
func (cl *Cluster) nodes() int {
	n := cl.Shape.Nodes()
	for i := range cl.Events {
		for _, p := range cl.Events[i].Nodes {
			if p.Kind == AtAdded {
				n = max(n, cl.Shape.Nodes()+p.I+1)
			}
		}
	}
	return n
}
