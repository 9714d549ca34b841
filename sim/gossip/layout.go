package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
)

// A Layout is the cluster that the nodes of a run know at its beginning: one
// that was created long ago and is whole.
type Layout struct {
	PrimaryOf []slots.Owner // by node: itself for a primary, slots.None for one that is not in the cluster (yet)
	Slots     *slots.Table
	Epochs    []uint64 // configuration epochs, by node; 0 for replicas

	claims []*Claim // by node; made when they are asked for first, and shared by all States
}

// claim returns the slots of a node.
func (l *Layout) claim(node slots.Owner) *Claim {
	if l.claims == nil {
		l.claims = make([]*Claim, len(l.PrimaryOf))
		for i := range l.claims {
			l.claims[i] = new(Claim)
		}
		for slot, owner := range l.Slots {
			if owner != slots.None {
				l.claims[owner].set(slots.Slot(slot))
			}
		}
	}
	return l.claims[node]
}

// New returns the State of a node at the beginning of a run: links are open, and
// pongs have come lately. A node that is not in the cluster yet knows nobody.
func New(env *Env, self slots.Owner, layout *Layout) *State {
	s := &State{env: env, self: self, ok: true, size: 1, firstCall: longAgo, amongMinority: longAgo,
		manual: noManual(), election: noElection(), open: slots.Count}
	own := func(name string) sim.Stream { return sim.NewStream(env.Seed, name).Sub(int(self)) }
	s.draws = draws{pings: own("gossip/pings"), sections: own("gossip/sections"), elections: own("gossip/elections")}
	s.iteration = sim.Below(own("gossip/phase").At(0), 10)
	s.peers = newPeers(len(env.Names))
	if env.MeetRepair {
		s.metAt, s.inboundLostAt = make([]millis, s.count()), make([]millis, s.count())
	}
	for i := range s.table {
		s.table[i] = slots.None
	}
	s.know(self)
	if env.ReplicaNoFailover {
		s.set(self, NoFailover)
	}
	if !env.SkipsReceiver {
		s.hot[self].pong = longAgo // it learns from others when they heard of it
	}
	if layout.PrimaryOf[self] == slots.None {
		s.become(self, self)
		s.ok, s.firstCall = false, never
	} else {
		s.join(layout)
		s.settle(own("gossip/history"))
	}
	s.save()
	return s
}

// join takes over a layout.
func (s *State) join(layout *Layout) {
	for node, of := range layout.PrimaryOf {
		if of == slots.Owner(node) {
			s.know(of)
			s.become(of, of)
		}
	}
	s.table, s.open = *layout.Slots, 0
	for _, owner := range layout.Slots {
		if owner == slots.None {
			s.open++
			continue
		}
		s.owned[owner]++
		s.set(owner, slotted)
	}
	for node, of := range layout.PrimaryOf {
		if node := slots.Owner(node); of != slots.None {
			s.know(node)
			s.become(node, of)
			s.epoch[node], s.claims[node] = layout.Epochs[node], layout.claim(node)
			s.currentEpoch = max(s.currentEpoch, layout.Epochs[node])
		}
	}
	s.todo = 0
}

// settle has every link open and every peer heard of lately: with few nodes, each
// is pinged about once in as many seconds, with many, when half the timeout is over.
func (s *State) settle(history sim.Stream) {
	oldest := min(s.pingInterval(), millis(len(s.roster))*1000)
	for _, node := range s.roster {
		if node == s.self {
			continue
		}
		s.linkUp[node] = linkOpen
		s.set(node, linked|inbound)
		s.unlinked--
		s.hot[node].pong = -millis(sim.Below(history.At(uint64(node)), int(oldest)+1))
		s.dataAt[node] = s.hot[node].pong
	}
	s.countVoters()
}
