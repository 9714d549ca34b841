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
	s.draws.ticks++
	s.told = len(s.suspects)
	if s.unlinked > 0 || s.met > 0 || s.env.MeetRepair {
		s.reconnect()
	}
	if s.iteration%10 == 0 {
		s.pingOldest()
	}
	suspicious := s.pingAndSuspect()
	if s.unfollowed {
		s.unfollowed = false
		s.act(Act{Kind: Follow, Node: s.of[s.self]})
	}
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
	for i := 0; i < len(s.roster); i++ {
		node := s.roster[i]
		if node == s.self || s.is(node, NoAddr) {
			continue
		}
		if s.is(node, Handshake) && s.t-s.since[node] > s.handshakeTimeout() {
			s.forget(node)
			i--
			continue
		}
		if s.env.MeetRepair && s.linkUp[node] != linkNone {
			s.repairMeet(node)
		}
		if s.linkUp[node] == linkNone && s.mayConnect(node) {
			s.openLink(node)
		}
	}
}

// mayConnect reports whether it is time to try a link again. Where attempts are
// spread out, a node that has no link to this one either is tried twice in a node
// timeout.
func (s *State) mayConnect(node slots.Owner) bool {
	return s.env.ReconnectEach || s.is(node, inbound) || s.t-s.linkAt[node] >= s.timeout()/2
}

// pingOldest pings the node of a few random ones that was heard of longest ago.
func (s *State) pingOldest() {
	oldest, at := slots.None, millis(math.MaxInt32)
	for i := range uint64(samples) {
		draw := s.draws.pings.At(s.draws.ticks*samples + i)
		node := s.roster[sim.Below(draw, len(s.roster))]
		if node == s.self || s.hot[node].flags&(linked|pinging|Handshake) != linked {
			continue
		}
		if oldest == slots.None || s.hot[node].pong < at {
			oldest, at = node, s.hot[node].pong
		}
	}
	if oldest != slots.None {
		s.ping(oldest)
	}
}

// pingAndSuspect pings the nodes that were heard of too long ago, drops links
// that seem dead, and suspects the nodes that do not answer. It reports whether
// there are new ones.
func (s *State) pingAndSuspect() (suspicious bool) {
	interval := s.pingInterval()
	for i, h := range s.hot {
		if h.flags&pinging == 0 && s.t-h.pong <= interval {
			continue // nothing is due: the case of nearly all nodes at nearly all times
		}
		node := slots.Owner(i)
		if node == s.self || h.flags&(known|NoAddr|Handshake) != known {
			continue
		}
		if s.halfDead(node) {
			s.freeLink(node)
		}
		switch {
		case h.flags&pinging == 0:
			if s.is(node, linked) {
				s.ping(node)
			}
		case node == s.manual.replica && s.isPrimary(s.self) && s.is(node, linked):
			// it is pinged below, and not suspected
		default:
			suspicious = s.suspect(node) || suspicious
		}
	}
	s.pingManual()
	return suspicious
}

// pingManual has a paused primary ping the replica that takes its place, at each
// tick, unless it has just been.
func (s *State) pingManual() {
	node := s.manual.replica
	if node == slots.None || !s.isPrimary(s.self) || !s.is(node, linked) ||
		s.is(node, pinging) && s.pingSent[node] == s.t {
		return
	}
	s.ping(node)
}

// halfDead reports whether a link should be made anew: it is old, and a ping has
// had no answer for half the node timeout.
func (s *State) halfDead(node slots.Owner) bool {
	limit := s.timeout()
	return s.hot[node].flags&(linked|pinging) == linked|pinging && s.t-s.linkAt[node] > limit &&
		s.t-s.pingSent[node] > limit/2 && (!s.env.DataCounts || s.t-s.dataAt[node] > limit/2)
}

// suspect flags a node PFAIL that has not answered for the node timeout.
func (s *State) suspect(node slots.Owner) bool {
	silent := s.t - s.pingSent[node]
	if s.env.DataCounts {
		silent = min(silent, s.t-s.dataAt[node])
	}
	if silent <= s.timeout() || s.is(node, PFAIL|FAIL) {
		return false
	}
	s.setFlag(node, PFAIL, true)
	s.tell(wire.Event{Kind: wire.EventPFAIL, About: node})
	if s.counts(s.self) && (s.env.JudgesAtOnce || s.env.JudgesAlone && s.size == 1) {
		s.judge(node)
	}
	return true
}
