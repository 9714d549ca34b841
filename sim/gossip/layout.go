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
		s.pong[self] = longAgo // it learns from others when they heard of it
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
		s.peer[owner].owned++
		s.set(owner, slotted)
	}
	for node, of := range layout.PrimaryOf {
		if node := slots.Owner(node); of != slots.None {
			s.know(node)
			s.become(node, of)
			s.peer[node].epoch, s.peer[node].claim = layout.Epochs[node], layout.claim(node)
			s.currentEpoch = max(s.currentEpoch, layout.Epochs[node])
		}
	}
	s.todo = 0
}

// settle has every link open and every peer heard of lately.
func (s *State) settle(history sim.Stream) {
	for _, node := range s.roster {
		if node == s.self {
			continue
		}
		s.peer[node].linkUp = linkOpen
		s.set(node, linked|inbound)
		s.pong[node] = -s.usualAge(history.At(uint64(node)))
		s.peer[node].dataAt = s.pong[node]
	}
	s.unlinked, s.distant = nil, nil
	s.countVoters()
}

// usualAge draws how long ago a pong may have come in a cluster that has been idle
// for long. Where the pings of the second reach all nodes before half the timeout is
// over, or nodes do not learn from others, any age is as usual as any other. Else
// word of a pong spreads like an epidemic, just fast enough that few nodes have to
// ping for themselves: it comes to half of all others when about 4/7 of that time
// are over, give or take a seventh, as it does to most. Beginning with any age, all
// nodes would hear the youngest at once, and ping all others at once half a timeout
// later, and again, for minutes.
func (s *State) usualAge(draw uint64) millis {
	oldest, pings := s.pingInterval(), millis(len(s.roster))*1000
	if pings <= oldest || !s.env.PongTimes {
		return millis(sim.Below(draw, int(min(oldest, pings))+1))
	}
	const part = 1 << 21
	bell := draw%part + draw/part%part + draw/part/part%part // of three parts
	return oldest/7 + millis(uint64(oldest)*6/7*bell/(3*part))
}
