package gossip

import (
	"math"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// samples is how many nodes are looked at for the ping of the second.
const samples = 5

// Tick is clusterCron, every 100 ms.
func (s *State) Tick(now sim.Time, f *Facts, out *Out) {
	s.enter(now, f, out)
	s.iteration++
	s.told = len(s.suspects)
	if s.unlinked > 0 || s.met > 0 {
		s.reconnect()
	}
	if s.iteration%10 == 0 {
		s.pingOldest()
	}
	suspicious := s.pingAndSuspect()
	s.checkManualFailover()
	if !s.isPrimary(s.self) {
		s.stepManualFailover()
		s.stepElection()
		s.migrateReplica()
	}
	if suspicious || !s.ok {
		s.updateHealth()
	}
}

// reconnect makes links where there are none, and gives up handshakes that take
// too long (clusterNodeCronHandleReconnect).
func (s *State) reconnect() {
	limit := max(s.timeout(), 1000)
	for node := range slots.Owner(s.count()) {
		if node == s.self || s.hot[node].flags&(known|NoAddr) != known {
			continue
		}
		if s.hot[node].flags&Handshake != 0 && s.t-s.fate[node] > limit {
			s.forget(node)
			continue
		}
		if s.linkUp[node] == linkNone && s.mayConnect(node) {
			s.openLink(node)
		}
	}
}

// mayConnect reports whether it is time to try a link again. Where attempts are
// spread out, a node that does not answer is tried twice in a node timeout.
func (s *State) mayConnect(node slots.Owner) bool {
	return s.env.ReconnectEach || s.pingSent[node] == never || s.t-s.linkAt[node] >= s.timeout()/2
}

// pingOldest pings the node of a few random ones that was heard of longest ago.
func (s *State) pingOldest() {
	oldest, at := slots.None, millis(math.MaxInt32)
	for range samples {
		node := s.random()
		if node == s.self || s.hot[node].flags&(linked|pinging|Handshake) != linked {
			continue
		}
		if s.hot[node].pong < at {
			oldest, at = node, s.hot[node].pong
		}
	}
	if oldest != slots.None {
		s.ping(oldest)
	}
}

// random draws one of the nodes that are known.
func (s *State) random() slots.Owner {
	for {
		if node := slots.Owner(s.below(s.count())); s.known == s.count() || s.isKnown(node) {
			return node
		}
	}
}

// pingAndSuspect pings the nodes that were heard of too long ago, drops links
// that seem dead, and suspects the nodes that do not answer. It reports whether
// there are new ones.
func (s *State) pingAndSuspect() (suspicious bool) {
	interval := s.pingInterval()
	pinged := slots.None // by the pause of a manual failover
	if s.manual.end != never && s.isPrimary(s.self) {
		pinged = s.manual.replica
	}
	for i, h := range s.hot {
		if h.flags&pinging == 0 && s.t-h.pong <= interval {
			continue // nothing is due: the case of nearly all nodes at nearly all times
		}
		node := slots.Owner(i)
		if node == s.self || s.hot[node].flags&(known|NoAddr|Handshake) != known {
			continue
		}
		if s.halfDead(node) {
			s.freeLink(node)
		}
		if h.flags&pinging == 0 && s.linkUp[node] != linkNone {
			s.ping(node)
			continue
		}
		if node != pinged && s.pingSent[node] != never && s.suspect(node) {
			suspicious = true
		}
	}
	if pinged != slots.None && s.linkUp[pinged] != linkNone {
		s.ping(pinged)
	}
	return suspicious
}

// halfDead reports whether a link should be made anew: it is old, and a ping has
// had no answer for half the node timeout.
func (s *State) halfDead(node slots.Owner) bool {
	limit := s.timeout()
	return s.linkUp[node] != linkNone && s.t-s.linkAt[node] > limit && s.pingSent[node] != never &&
		s.t-s.pingSent[node] > limit/2 && s.t-s.dataAt[node] > limit/2
}

// suspect flags a node PFAIL that has not answered for the node timeout.
func (s *State) suspect(node slots.Owner) bool {
	silent := min(s.t-s.pingSent[node], s.t-s.dataAt[node])
	if silent <= s.timeout() || s.hot[node].flags&(PFAIL|FAIL) != 0 {
		return false
	}
	s.setFlag(node, PFAIL, true)
	s.tell(wire.Event{Kind: wire.EventPFAIL, About: node})
	if s.counts(s.self) && (s.env.JudgesAtOnce || s.size == 1) {
		s.judge(node)
	}
	return true
}

// Connected tells that a link that was asked for is open.
func (s *State) Connected(now sim.Time, peer slots.Owner, link uint8, f *Facts, out *Out) {
	s.enter(now, f, out)
	if s.linkUp[peer] != linkOpening || s.linkGen[peer] != link {
		return
	}
	s.linkUp[peer] = linkOpen
	sent := s.pingSent[peer]
	kind := Ping
	if s.hot[peer].flags&meeting != 0 {
		kind = Meet
		s.hot[peer].flags &^= meeting
	}
	s.send(peer, s.heartbeat(kind, peer))
	if sent == never {
		sent = s.t
	} // else a new link does not set the clock back
	s.setPing(peer, sent)
}

// Refused tells that a link that was asked for cannot be opened: nobody listens.
func (s *State) Refused(now sim.Time, peer slots.Owner, link uint8, out *Out) {
	s.enter(now, nil, out)
	if s.linkUp[peer] == linkOpening && s.linkGen[peer] == link {
		s.freeLink(peer)
		if s.pingSent[peer] == never {
			s.setPing(peer, s.t)
		}
	}
}

// Closed tells that the other end of the link to a node is gone.
func (s *State) Closed(now sim.Time, peer slots.Owner, out *Out) {
	s.enter(now, nil, out)
	s.freeLink(peer)
}

// Pending reports whether BeforeSleep has something to do.
func (s *State) Pending() bool { return s.todo != 0 }

// BeforeSleep is clusterBeforeSleep: what was put off until the end of a turn.
func (s *State) BeforeSleep(now sim.Time, f *Facts, out *Out) {
	s.enter(now, f, out)
	do := s.todo
	s.todo = 0
	switch {
	case s.isPrimary(s.self):
	case do&todoManualFailover != 0:
		s.stepManualFailover()
		s.stepElection()
	case do&todoFailover != 0:
		s.stepElection()
	}
	if do&todoHealth != 0 {
		s.updateHealth()
	}
	if (do|s.todo)&todoSave != 0 {
		s.out.Saved = true
		s.todo &^= todoSave
	}
	if (do|s.todo)&todoBroadcast != 0 {
		s.todo &^= todoBroadcast
		s.broadcastPong(false)
	}
}
