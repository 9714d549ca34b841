package network

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Side is some nodes and client processes, by their numbers. A list that is
// too short has none of the others.
type Side struct{ Nodes, Processes []bool }

// A Fault is something that is wrong between two sides.
type Fault struct {
	A, B    Side
	OneWay  bool          // only what goes from A to B
	BusOnly bool          // only what nodes send each other on the cluster bus
	Cut     bool          // nothing gets through
	Latency time.Duration // added to each way
	Loss    float64       // share of the messages that have to be sent again, 0 to 1
}

// troubles are what is wrong with the network.
type troubles struct {
	disturbed bool // something is wrong, or has been
	faults    []fault
	gone      []bool // by node: its host has vanished
	jams      map[uint64]jam
	patient   Patience
	drops     Undelivered
}

// A fault as it is looked up.
type fault struct {
	on      bool
	sides   []uint8 // by host: 1 for A, 2 for B, or both
	loss    uint64  // of 2^64
	latency time.Duration
	oneWay  bool
	busOnly bool
	cut     bool
}

// A Patience knows which client still waits for an answer.
type Patience interface {
	// GaveUp reports whether the client has closed the connection that a request
	// was sent on, or its reply is to come on. It then forgets the letter, which is
	// freed.
	GaveUp(now sim.Time, m *wire.Message) bool
}

// An Undelivered is told of messages that never arrive: their connection is
// closed. It is told before their letters are freed.
type Undelivered interface {
	Undelivered(m *wire.Message)
}

func (t *troubles) init(nodes int) {
	t.gone = make([]bool, nodes)
	t.jams = make(map[uint64]jam)
}

// Tell says who is told of messages that never arrive.
func (n *Network) Tell(drops Undelivered) { n.drops = drops }

// Impose makes something wrong, from now on, and returns its number.
func (n *Network) Impose(f Fault) int {
	n.disturb()
	x := fault{on: true, sides: make([]uint8, len(n.cards)), latency: f.Latency, oneWay: f.OneWay,
		busOnly: f.BusOnly, cut: f.Cut, loss: uint64(f.Loss*(1<<63)) * 2}
	if f.Loss >= 1 {
		x.loss = ^uint64(0)
	}
	for bit, side := range []Side{f.A, f.B} {
		for i, in := range side.Nodes {
			if in {
				x.sides[i] |= 1 << bit
			}
		}
		for i, in := range side.Processes {
			if in {
				x.sides[n.nodes+i] |= 1 << bit
			}
		}
	}
	n.faults = append(n.faults, x)
	return len(n.faults) - 1
}

// Lift ends what Impose began. What could not get through is sent again when its
// sender's timer says so.
func (n *Network) Lift(number int) { n.faults[number].on = false }

// Whole reports whether nothing is wrong any more: no fault is in force, and
// nothing waits to be sent again.
func (n *Network) Whole() bool {
	for i := range n.faults {
		if n.faults[i].on {
			return false
		}
	}
	for _, gone := range n.gone {
		if gone {
			return false
		}
	}
	return len(n.jams) == 0
}

// disturb has everything looked at on its way from now on.
func (n *Network) disturb() {
	n.disturbed, n.plain = true, false
	n.patient, _ = n.early.(Patience)
	n.remember()
	n.become()
}

// become makes the network an actor: it sends letters to itself.
func (n *Network) become() {
	if !n.actor {
		n.actor, n.id = true, n.sched.Register(n)
	}
}

// concerns reports whether a fault is in force on the way from host to host.
func (f *fault) concerns(from, to int, bus bool) bool {
	if !f.on || f.busOnly && !bus {
		return false
	}
	a, b := f.sides[from], f.sides[to]
	return a&1 != 0 && b&2 != 0 || !f.oneWay && a&2 != 0 && b&1 != 0
}

// cut reports whether nothing gets through from host to host.
func (n *Network) cut(from, to int, bus bool) bool {
	if !n.disturbed {
		return false
	}
	if from < n.nodes && n.gone[from] || to < n.nodes && n.gone[to] {
		return true
	}
	for i := range n.faults {
		if f := &n.faults[i]; f.cut && f.concerns(from, to, bus) {
			return true
		}
	}
	return false
}

// delay returns the latency that faults add. That of the bus alone is added where
// its packets are sent.
func (n *Network) delay(from, to int) time.Duration {
	d := time.Duration(0)
	for i := range n.faults {
		if f := &n.faults[i]; f.latency > 0 && !f.busOnly && f.concerns(from, to, false) {
			d += f.latency
		}
	}
	return d
}

// busDelay returns the latency that faults of the bus alone add.
func (n *Network) busDelay(from, to int) time.Duration {
	d := time.Duration(0)
	for i := range n.faults {
		if f := &n.faults[i]; f.latency > 0 && f.busOnly && f.concerns(from, to, true) {
			d += f.latency
		}
	}
	return d
}

// lost draws whether a message that is sent for the attempt-th time is lost, by
// the message's identity.
func (n *Network) lost(w *way, m *wire.Message, attempt int) bool {
	for i := range n.faults {
		f := &n.faults[i]
		if f.loss > 0 && f.concerns(w.from, w.to, w.bus) &&
			n.draws.loss.Sub(i<<8|attempt).At(m.Draw()^w.leg) < f.loss {
			return true
		}
	}
	return false
}
