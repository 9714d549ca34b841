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
	s.reconnect()
	if s.iteration%10 == 0 {
		s.pingOldest()
	}
	s.pingDue()
	suspicious := s.suspectSilent()
	s.pingManual()
	if s.unfollowed {
		s.unfollowed = false
		s.act(Act{Kind: Follow, Node: s.peer[s.self].of})
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

// reconnect gives up handshakes that take too long, and makes links where there
// are none (clusterNodeCronHandleReconnect).
func (s *State) reconnect() {
	for _, node := range s.walk(s.met) {
		if s.t-s.peer[node].since > s.handshakeTimeout() {
			s.forget(node)
		}
	}
	if s.env.MeetRepair {
		for _, node := range s.walk(s.distant) {
			s.repairMeet(node)
		}
	}
	for _, node := range s.walk(s.unlinked) {
		if !s.is(node, NoAddr) && s.mayConnect(node) {
			s.openLink(node)
		}
	}
}

// walk returns nodes as they are now, for a loop that changes the set.
func (s *State) walk(n nodeset) nodeset {
	if len(n) == 0 {
		return nil
	}
	s.walked = append(s.walked[:0], n...)
	return s.walked
}

// mayConnect reports whether it is time to try a link again. Where attempts are
// spread out, a node that has no link to this one either is tried twice in a node
// timeout.
func (s *State) mayConnect(node slots.Owner) bool {
	return s.env.ReconnectEach || s.is(node, inbound) || s.t-s.peer[node].linkAt >= s.timeout()/2
}

// pingOldest pings the node of a few random ones that was heard of longest ago.
func (s *State) pingOldest() {
	oldest, at := slots.None, millis(math.MaxInt32)
	for i := range uint64(samples) {
		draw := s.draws.pings.At(s.draws.ticks*samples + i)
		node := s.roster[sim.Below(draw, len(s.roster))]
		if node == s.self || s.flags[node]&(linked|pinging|Handshake) != linked {
			continue
		}
		if oldest == slots.None || s.pong[node] < at {
			oldest, at = node, s.pong[node]
		}
	}
	if oldest != slots.None {
		s.ping(oldest)
	}
}

// pingDue pings the nodes that were heard of too long ago.
func (s *State) pingDue() {
	interval := s.pingInterval()
	if s.t >= s.soonUntil {
		s.lookAhead(min(1000, interval/2), interval)
	}
	for _, node := range s.soon {
		if s.flags[node]&(linked|pinging|NoAddr|Handshake) == linked && s.t-s.pong[node] > interval {
			s.ping(node)
		}
	}
}

// lookAhead finds the nodes whose pong will be too old within a horizon that is
// shorter than a pong may be old. None can come in addition: pongs are never older
// than before. So most ticks look at few nodes.
func (s *State) lookAhead(horizon, interval millis) {
	s.soonUntil = s.t + horizon
	oldest := s.soonUntil - interval
	s.soon = s.soon[:0]
	for _, node := range s.roster {
		if s.pong[node] < oldest && node != s.self {
			s.soon = append(s.soon, node)
		}
	}
}

// suspectSilent drops links that seem dead, and suspects the nodes that do not
// answer. It reports whether there are new ones.
func (s *State) suspectSilent() (suspicious bool) {
	for _, node := range s.walk(s.awaited) {
		if s.is(node, NoAddr|Handshake) {
			continue
		}
		if s.halfDead(node) {
			s.freeLink(node)
		}
		if node == s.manual.replica && s.isPrimary(s.self) && s.is(node, linked) {
			continue // it is pinged, and not suspected
		}
		suspicious = s.suspect(node) || suspicious
	}
	return suspicious
}

// pingManual has a paused primary ping the replica that takes its place, at each
// tick, unless it has just been.
func (s *State) pingManual() {
	node := s.manual.replica
	if node == slots.None || !s.isPrimary(s.self) || !s.is(node, linked) ||
		s.is(node, pinging) && s.peer[node].pingSent == s.t {
		return
	}
	s.ping(node)
}

// halfDead reports whether a link should be made anew: it is old, and a ping has
// had no answer for half the node timeout.
func (s *State) halfDead(node slots.Owner) bool {
	limit := s.timeout()
	return s.flags[node]&(linked|pinging) == linked|pinging && s.t-s.peer[node].linkAt > limit &&
		s.t-s.peer[node].pingSent > limit/2 && (!s.env.DataCounts || s.t-s.peer[node].dataAt > limit/2)
}

// suspect flags a node PFAIL that has not answered for the node timeout.
func (s *State) suspect(node slots.Owner) bool {
	silent := s.t - s.peer[node].pingSent
	if s.env.DataCounts {
		silent = min(silent, s.t-s.peer[node].dataAt)
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
