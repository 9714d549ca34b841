package cluster

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// begin takes note of who serves what when the run begins.
func (cl *Cluster) begin() {
	for id := range cl.Nodes {
		cl.outage.set(0, slots.Owner(id), cl.servedBy(id))
	}
	cl.outage.reset()
}

// finish puts together what happened, when the run is over.
func (cl *Cluster) finish() {
	end := cl.Sched.Now()
	cl.Outage = cl.outage.settle(end)
	cl.Timeline.Scripted = make([]sim.Time, len(cl.Events))
	for i := range cl.Events {
		cl.Timeline.Scripted[i] = cl.script.began[i]
	}
	if len(cl.Events) == 0 {
		cl.Timeline.sort()
		return
	}
	cl.Ledger.Settle(end, cl.survivor())
	for _, l := range cl.Ledger.Losses {
		by := slots.None
		if l.Node != Nobody {
			by = slots.Owner(l.Node)
		}
		cl.Timeline.Events = append(cl.Timeline.Events, wire.Event{At: l.At, Kind: wire.EventWriteLost,
			Node: by, About: slots.None, A: int64(l.Writes), B: int64(l.Keys)})
	}
	cl.Timeline.sort()
}

// survivor returns who has the last word on each key when the run is over: the
// owner of its slot as most nodes see it, or who that one would send a client to (ASK).
func (cl *Cluster) survivor() func(wire.Key) sim.ActorID {
	owners := make([]sim.ActorID, slots.Count)
	for slot := range owners {
		owners[slot] = Nobody
		if owner := cl.ownerOf(slots.Slot(slot)); owner != slots.None {
			owners[slot] = sim.ActorID(owner)
		}
	}
	return func(key wire.Key) sim.ActorID {
		if int(key) >= len(cl.KeySlots) {
			return owners[0]
		}
		slot := cl.KeySlots[key]
		owner := owners[slot]
		if cl.index == nil || owner == Nobody || cl.Nodes[owner].Has(slot, key) {
			return owner
		}
		if peer, migrating := cl.Nodes[owner].State().MigratingTo(slot); migrating {
			return sim.ActorID(peer)
		}
		return owner
	}
}
