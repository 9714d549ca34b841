package validation

import (
	"hotslot/sim"
	"hotslot/sim/cluster"
)

// A note is taken in the middle of a run: what a number is at an instant. It is an
// actor.
type note struct {
	cl    *cluster.Cluster
	id    sim.ActorID
	of    func(*cluster.Cluster) uint64
	value uint64
}

// newNote has a note taken at an instant.
func newNote(cl *cluster.Cluster, at sim.Time, of func(*cluster.Cluster) uint64) *note {
	n := &note{cl: cl, of: of}
	n.id = cl.Sched.Register(n)
	cl.Sched.SetAlarm(n.id, at)
	return n
}

// Wake takes it.
func (n *note) Wake(sim.Time) { n.value = n.of(n.cl) }
