package gossip

import (
	"slices"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A report says that a node takes another for failed, or suspects it
// (clusterNodeFailReport).
type report struct {
	by slots.Owner
	at millis
}

// counts reports whether a node's opinion on failures counts.
func (s *State) counts(node slots.Owner) bool {
	return s.isPrimary(node) && (s.owned[node] > 0 || !s.env.ReportsByVoters)
}

// report notes, or renews, what a node reports of another
// (clusterNodeAddFailureReport). Reports are in the order of who makes them.
func (s *State) report(node, by slots.Owner) {
	list := s.reports[node]
	i, found := slices.BinarySearchFunc(list, by, func(r report, by slots.Owner) int { return int(r.by) - int(by) })
	if found {
		list[i].at = s.t
		return
	}
	s.reports[node] = slices.Insert(list, i, report{by, s.t})
	s.hot[node].flags |= reported
}

// withdraw removes what a node reported of another.
func (s *State) withdraw(node, by slots.Owner) {
	list := s.reports[node]
	i, found := slices.BinarySearchFunc(list, by, func(r report, by slots.Owner) int { return int(r.by) - int(by) })
	if !found {
		return
	}
	s.reports[node] = slices.Delete(list, i, i+1)
	if len(list) == 1 {
		s.hot[node].flags &^= reported
	}
}

// isReported reports whether somebody takes a node for failed and has said so
// within twice the node timeout.
func (s *State) isReported(node slots.Owner) bool {
	return s.hot[node].flags&reported != 0 && s.countReports(node) > 0
}

// countReports drops what is older than twice the node timeout, and counts the
// rest (clusterNodeFailureReportsCount).
func (s *State) countReports(node slots.Owner) int {
	list := s.reports[node]
	oldest := s.t - 2*s.timeout()
	for i := range list {
		if list[i].at < oldest {
			list = slices.DeleteFunc(list, func(r report) bool { return r.at < oldest })
			s.reports[node] = list
			break
		}
	}
	if len(list) == 0 {
		s.hot[node].flags &^= reported
	}
	return len(list)
}

// quorum returns how many primaries are a majority.
func (s *State) quorum() int { return s.size/2 + 1 }

// judge takes a node for failed that this one suspects, if a majority of the
// primaries does (markNodeAsFailingIfNeeded).
func (s *State) judge(node slots.Owner) {
	if s.hot[node].flags&(PFAIL|FAIL) != PFAIL {
		return
	}
	failures := s.countReports(node)
	if s.counts(s.self) {
		failures++
	}
	if failures < s.quorum() {
		return
	}
	s.fail(node)
	s.tell(wire.Event{Kind: wire.EventFAIL, About: node, A: int64(failures)})
	if s.isPrimary(s.self) || s.env.ReplicasTell {
		p := s.packet(Fail)
		p.About = node
		s.broadcast(p)
	}
}

// fail flags a node FAIL.
func (s *State) fail(node slots.Owner) {
	s.setFlag(node, PFAIL, false)
	s.setFlag(node, FAIL, true)
	s.failAt[node] = s.t
	s.todo |= todoHealth | todoSave
}

// failureTold takes over a FAIL that another node has found.
func (s *State) failureTold(p *Packet) {
	if !s.isKnown(p.About) || p.About == s.self || s.failed(p.About) {
		return
	}
	s.fail(p.About)
	s.tell(wire.Event{Kind: wire.EventFAIL, About: p.About})
}

// unsuspect clears PFAIL.
func (s *State) unsuspect(node slots.Owner) {
	s.setFlag(node, PFAIL, false)
	s.tell(wire.Event{Kind: wire.EventPFAILCleared, About: node})
	s.todo |= todoHealth | todoSave
}

// clearFailure lifts the FAIL of a node that answers again: of a replica, or a
// primary without slots, at once; of others if nobody has taken their slots for
// twice the node timeout (clearNodeFailureIfNeeded).
func (s *State) clearFailure(node slots.Owner) {
	reason := wire.IsReplica
	if s.isVoter(node) {
		if s.t-s.failAt[node] <= 2*s.timeout() {
			return
		}
		reason = wire.NobodyTook
	}
	s.setFlag(node, FAIL, false)
	s.tell(wire.Event{Kind: wire.EventFAILCleared, About: node, Reason: reason})
	s.todo |= todoHealth | todoSave
}
