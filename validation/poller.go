package validation

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// A poller is the program that took the measurements, as far as the servers
// noticed it: it asks one after another how it is (CLUSTER INFO), rests, and
// begins again. It leaves out those that it has stopped itself.
//
// It matters. Whatever wakes a server has it reckon anew how long it may sleep
// until its next tick, rounded up to a whole millisecond; and servers that are
// asked in close order round alike, so that ticks which once fall together stay
// together.
type poller struct {
	cl    *cluster.Cluster
	id    sim.ActorID
	draws sim.Stream
	next  int    // node that is asked next
	round uint64 // how often all have been asked
	asked uint64 // requests so far: the number of the one that is under way
}

// The poller's times: between an answer and the next question, after a round, and
// until it takes a server for stopped.
const (
	pollerStep = 100 * time.Microsecond
	pollerRest = 2 * time.Millisecond
	pollerWait = 20 * time.Millisecond
)

// newPoller gives a cluster a poller, which takes the place of its clients.
func newPoller(cl *cluster.Cluster) *poller {
	p := &poller{cl: cl, draws: sim.NewStream(cl.Seed, "validation/poller")}
	p.id = cl.Sched.Register(p)
	cl.Net.Connect(p.id, p)
	cl.Sched.SetAlarm(p.id, 0)
	return p
}

// Wake asks the next node.
func (p *poller) Wake(now sim.Time) {
	for _, m, _ := p.cl.Sched.Take(p.id); m != nil; _, m, _ = p.cl.Sched.Take(p.id) {
		panic("validation: a reply that was not taken early")
	}
	for p.next < len(p.cl.Nodes) && !p.cl.Nodes[p.next].Awake() {
		p.next++
	}
	if p.next == len(p.cl.Nodes) {
		p.next = 0
		p.round++
		// Python sleeps a little longer than it is told, now more, now less.
		rest := pollerRest + time.Duration(sim.Below(p.draws.At(p.round), int(time.Millisecond)))
		p.cl.Sched.SetAlarm(p.id, now.Add(rest))
		return
	}
	p.asked++
	ref, m := p.cl.Sched.New()
	*m = wire.Message{ID: wire.NewOpID(0, p.asked), Start: now, Command: wire.ClusterSlots}
	p.cl.Net.ToNode(now, sim.ActorID(p.next), ref, m)
	p.next++
	p.cl.Sched.SetAlarm(p.id, now.Add(pollerWait))
}

// Early takes an answer.
func (p *poller) Early(at sim.Time, m *wire.Message) bool {
	if m.ID == wire.NewOpID(0, p.asked) { // else it comes too late
		p.cl.Sched.SetAlarm(p.id, at.Add(pollerStep))
	}
	return true
}
