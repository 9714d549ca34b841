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
	return s.isPrimary(node) && (s.peer[node].owned > 0 || !s.env.ReportsByVoters)
}

// find returns where a node's report is, or would be: reports are in the order of
// who makes them.
func find(list []report, by slots.Owner) (int, bool) {
	return slices.BinarySearchFunc(list, by, func(r report, by slots.Owner) int { return int(r.by) - int(by) })
}

// report notes, or renews, what a node reports of another
// (clusterNodeAddFailureReport).
func (s *State) report(node, by slots.Owner) {
	list := s.reports[node]
	i, found := find(list, by)
	if found {
		list[i].at = s.t
		return
	}
	s.reports[node] = slices.Insert(list, i, report{by, s.t})
	s.set(node, reported)
	s.see(node)
}

// withdraw removes what a node reported of another (clusterNodeDelFailureReport).
func (s *State) withdraw(node, by slots.Owner) {
	if !s.is(node, reported) {
		return
	}
	list := s.reports[node]
	if i, found := find(list, by); found {
		s.reports[node] = slices.Delete(list, i, i+1)
		s.countReports(node)
	}
}

// countReports drops what is older than twice the node timeout, and counts the
// rest (clusterNodeFailureReportsCount).
func (s *State) countReports(node slots.Owner) int {
	if !s.is(node, reported) {
		return 0
	}
	oldest := s.t - 2*s.timeout()
	list := slices.DeleteFunc(s.reports[node], func(r report) bool { return r.at < oldest })
	s.reports[node] = list
	if len(list) == 0 {
		s.unset(node, reported)
		s.see(node)
	}
	return len(list)
}

// quorum returns how many primaries are a majority.
func (s *State) quorum() int { return s.size/2 + 1 }

// judge takes a node for failed that this one suspects, if a majority of the
// primaries does (markNodeAsFailingIfNeeded).
func (s *State) judge(node slots.Owner) {
	if s.flags[node]&(PFAIL|FAIL) != PFAIL {
		return
	}
	failures := s.countReports(node)
	if s.counts(s.self) {
		failures++
	}
	if failures < s.quorum() {
		return
	}
	s.fail(node, failures)
	if s.isPrimary(s.self) || s.env.ReplicasTell {
		p := s.packet(Fail)
		p.About = node
		s.broadcast(p)
	}
}

// fail flags a node FAIL, by so many reports or by somebody's word.
func (s *State) fail(node slots.Owner, failures int) {
	s.setFlag(node, PFAIL, false)
	s.setFlag(node, FAIL, true)
	s.peer[node].failAt = s.t
	s.todo |= todoHealth | todoSave
	if s.env.ElectsAtOnce && !s.isPrimary(s.self) && s.peer[s.self].of == node {
		s.todo |= todoFailover
	}
	s.tell(wire.Event{Kind: wire.EventFAIL, About: node, A: int64(failures)})
}

// failureTold takes over a FAIL that another node has found.
func (s *State) failureTold(node slots.Owner) {
	if s.isNamed(node) && node != s.self && !s.failed(node) {
		s.fail(node, 0)
	}
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
		if s.t-s.peer[node].failAt <= 2*s.timeout() {
			return
		}
		reason = wire.NobodyTook
	}
	s.setFlag(node, FAIL, false)
	s.tell(wire.Event{Kind: wire.EventFAILCleared, About: node, Reason: reason})
	s.todo |= todoHealth | todoSave
}
