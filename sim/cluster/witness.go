package cluster

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A witness hears of all that happens: the ledger of what becomes of data, and
// everything that is on the timeline of what becomes of nodes.
type witness struct {
	*Ledger
	cl *Cluster
}

// Happened notes an event. It is told when what has happened can be seen.
func (w witness) Happened(e wire.Event) { w.cl.happened(e) }

// happened notes an event, and lets those know who wait for it.
func (cl *Cluster) happened(e wire.Event) {
	cl.Timeline.Events = append(cl.Timeline.Events, e)
	if cl.truth != nil {
		cl.truth.happened(e)
	}
	if e.Node != slots.None && cl.outage.concerns(e) {
		cl.outage.set(e.At, e.Node, cl.servedBy(int(e.Node)))
	}
	if cl.script != nil {
		cl.script.happened(e.At, "", &e)
	}
}
