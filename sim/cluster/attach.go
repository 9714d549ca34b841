package cluster

import (
	"encoding/binary"
	"fmt"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// attach gives the nodes of a run a control plane: what they have in common, and
// the cluster that they know at the beginning.
func (cl *Cluster) attach(shared *node.Shared) {
	rules, _, _ := gossip.Version(cl.Version)
	env := &gossip.Env{Config: cl.Control, Rules: rules, Seed: cl.Seed}
	layout := &gossip.Layout{Slots: slots.Even(cl.Shape.Primaries), Epochs: make([]uint64, cl.Shape.Nodes())}
	ids := sim.NewStream(cl.Seed, "cluster/ids")
	for i := range cl.Shape.Nodes() {
		name := gossip.Name{Host: fmt.Sprintf("10.0.%d.%d", i/250, i%250+1), Port: 6379}
		for word := range uint64(3) {
			var bytes [8]byte
			binary.BigEndian.PutUint64(bytes[:], ids.Sub(i).At(word))
			copy(name.ID[8*word:], bytes[:])
		}
		env.Names = append(env.Names, name)
		of := i
		if i >= cl.Shape.Primaries {
			of = (i - cl.Shape.Primaries) / cl.Shape.Replicas
		} else {
			layout.Epochs[i] = uint64(i) + 1 // as redis-cli --cluster create sets them
		}
		layout.PrimaryOf = append(layout.PrimaryOf, slots.Owner(of))
	}
	shared.Env, shared.Layout, shared.Rules, shared.Timers = env, layout, rules, true
	shared.Replication = &cl.Config.Node.Replication
}

// A witness hears of all that happens: the ledger of what becomes of data, the
// timeline of what becomes of nodes.
type witness struct {
	*Ledger
	timeline *Timeline
}

// Happened notes an event.
func (w witness) Happened(e wire.Event) { w.timeline.Events = append(w.timeline.Events, e) }
