package cluster

import (
	"encoding/binary"
	"fmt"
	"slices"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/node"
	"hotslot/sim/slots"
)

// attach gives the nodes of a run a control plane: what they have in common, and
// the cluster that they know at the beginning.
func (cl *Cluster) attach(shared *node.Shared) {
	rules, _, _ := gossip.Version(cl.Version)
	shared.Env, shared.Layout = cl.newEnv(rules), cl.layout()
	shared.Rules, shared.Timers = rules, true
	shared.Replication = &cl.Config.Node.Replication
	if cl.Placement.Cores > 0 {
		shared.Cores, shared.MachineOf = cl.machines()
	}
	shared.SlotBytes, shared.SlotKeys = cl.KeyBytes, make([]uint32, slots.Count)
	for _, slot := range cl.KeySlots {
		shared.SlotKeys[slot]++
	}
	cl.truth = newTruth(cl.Shape.Nodes())
}

// machines returns the cores of all machines, and where each node is.
func (cl *Cluster) machines() (cores [][]sim.Time, of []int) {
	for id := range cl.Shape.Nodes() {
		m := cl.machine(id)
		for len(cores) <= m {
			cores = append(cores, make([]sim.Time, cl.Placement.Cores))
		}
		of = append(of, m)
	}
	return cores, of
}

// place tells the network in which zone everybody is.
func (cl *Cluster) place() {
	nodes, processes := make([]uint8, cl.Shape.Nodes()), make([]uint8, cl.Config.Client.Processes)
	for i := range nodes {
		nodes[i] = uint8(cl.zone(i))
	}
	for i := range processes {
		processes[i] = uint8(cl.Config.Client.Zone(i))
	}
	cl.Net.Place(nodes, processes)
}

// newEnv returns what the States of the nodes have in common: settings, rules,
// and what the nodes are called.
func (cl *Cluster) newEnv(rules gossip.Rules) *gossip.Env {
	env := &gossip.Env{Config: cl.Control, Rules: rules, Seed: cl.Seed}
	ids := sim.NewStream(cl.Seed, "cluster/ids")
	for i := range cl.Shape.Nodes() {
		name := gossip.Name{Host: fmt.Sprintf("10.%d.%d.%d", cl.zone(i), cl.machine(i)/250, cl.machine(i)%250+1),
			Port: 6379 + cl.port(i)}
		for part := range uint64(3) {
			var word [8]byte
			binary.BigEndian.PutUint64(word[:], ids.Sub(i).At(part))
			copy(name.ID[8*part:], word[:])
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
	l := &gossip.Layout{Slots: slots.Even(cl.Shape.Primaries), Epochs: make([]uint64, cl.Shape.Nodes())}
	for node := range cl.Shape.Nodes() {
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

// Added returns how many nodes the events of a scenario add.
func Added(events []Event) (n int) {
	for i := range events {
		places := events[i].Nodes
		if events[i].Do == DoScaleOut {
			places = slices.Concat(places, events[i].Others)
		}
		for _, p := range places {
			if p.Kind == AtAdded {
				n = max(n, p.I+1)
			}
		}
	}
	return n
}

// newTruth returns what must hold of so many nodes.
func newTruth(nodes int) *truth { return &truth{voted: make([]int64, nodes)} }
