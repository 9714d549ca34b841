package gossip

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// The delays of a primary that would take the cluster to be up again, in
// milliseconds.
const (
	writableDelay  = 2000 // after its start (CLUSTER_WRITABLE_DELAY)
	rejoinDelayMin = 500  // after it was in a minority
	rejoinDelayMax = 5000
)

// updateHealth finds whether the cluster is up (clusterUpdateState).
func (s *State) updateHealth() {
	s.todo &^= todoHealth
	if s.firstCall == never {
		s.firstCall = s.t
	}
	primary := s.isPrimary(s.self)
	if primary && !s.ok && s.t-s.firstCall < writableDelay {
		return
	}
	up, reason := true, wire.NoReason
	if s.env.RequireFullCoverage && !s.covered() {
		up, reason = false, wire.Coverage
	}
	reachable := s.countVoters()
	if reachable < s.quorum() {
		up, reason = false, wire.Minority
		s.amongMinority = s.t
	}
	if up == s.ok {
		return
	}
	rejoin := min(max(s.timeout(), rejoinDelayMin), rejoinDelayMax)
	if up && primary && s.t-s.amongMinority < rejoin {
		return
	}
	s.ok = up
	if up {
		s.tell(wire.Event{Kind: wire.EventStateOK, About: slots.None})
	} else {
		s.tell(wire.Event{Kind: wire.EventStateFail, About: slots.None, Reason: reason})
	}
}

// countVoters finds the size of the cluster, primaries with slots, and returns how
// many of them have not failed and are not suspected.
func (s *State) countVoters() (reachable int) {
	s.size = 0
	for _, flags := range s.flags {
		if flags&(Primary|slotted) == Primary|slotted {
			s.size++
			if flags&(PFAIL|FAIL) == 0 {
				reachable++
			}
		}
	}
	return reachable
}

// covered reports whether every slot has an owner that has not failed.
func (s *State) covered() bool {
	if s.open > 0 {
		return false
	}
	if s.gone == 0 {
		return true
	}
	for _, flags := range s.flags {
		if flags&(FAIL|slotted) == FAIL|slotted {
			return false
		}
	}
	return true
}
