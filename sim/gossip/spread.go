package gossip

import (
	"slices"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// spread is how the replicas of the cluster are spread over its primaries, as
// clusterCron counts them at a replica.
type spread struct {
	working []uint16 // by primary: replicas that have not failed
	most    int      // of any primary that has not failed
	orphans int      // primaries with slots that could get one and have none
}

// countReplicas brings the count up to date, if anything has changed.
func (s *State) countReplicas() {
	if !s.spreadOutdated {
		return
	}
	s.spreadOutdated = false
	if s.spread.working == nil {
		s.spread.working = make([]uint16, s.count())
	}
	working := s.spread.working
	clear(working)
	for _, node := range s.roster {
		if of := s.peer[node].of; of != slots.None && of != node && !s.failed(node) {
			working[of]++
		}
	}
	s.spread.most, s.spread.orphans = 0, 0
	for _, node := range s.roster {
		if !s.isPrimary(node) || s.is(node, FAIL|Handshake|NoAddr) || node == s.self {
			continue
		}
		if working[node] == 0 && s.is(node, slotted) && s.is(node, MigrateTo) {
			s.spread.orphans++
		}
		s.spread.most = max(s.spread.most, int(working[node]))
	}
}

// migrateReplica makes this replica one of an orphaned primary's, if its own
// primary has the most, and it is the one among all candidates with the smallest
// id (clusterHandleSlaveMigration).
func (s *State) migrateReplica() {
	mine := s.peer[s.self].of
	if mine == slots.None || !s.env.AllowReplicaMigration && s.env.MigrationOption {
		return
	}
	s.countReplicas()
	l := &s.spread
	if l.orphans == 0 || l.most < 2 || s.failed(mine) || !s.isPrimary(mine) || int(l.working[mine]) != l.most ||
		!s.ok || s.reachableSiblings(mine) <= s.env.MigrationBarrier {
		return
	}
	target, candidate := slots.None, s.self
	for _, node := range s.roster {
		primary := s.isPrimary(node)
		switch {
		case !primary || s.failed(node) || !s.is(node, MigrateTo) || l.working[node] > 0:
			s.peer[node].orphanAt = never
		default:
			if target == slots.None && s.peer[node].owned > 0 {
				target = node
			}
			if s.peer[node].orphanAt == never {
				s.peer[node].orphanAt = s.t
			}
		}
		if primary && int(l.working[node]) == l.most {
			candidate = s.smallestReplica(node, candidate)
		}
	}
	if target == slots.None || candidate != s.self ||
		s.env.MigrationDelay > 0 && s.t-s.peer[target].orphanAt <= inMillis(s.env.MigrationDelay) {
		return
	}
	s.tell(wire.Event{Kind: wire.EventReplicaMigrated, About: target})
	s.follow(target)
}

// reachableSiblings returns how many replicas of a primary, this node included,
// have not failed and are not suspected.
func (s *State) reachableSiblings(primary slots.Owner) (n int) {
	for _, node := range s.roster {
		if s.peer[node].of == primary && node != primary && !s.is(node, PFAIL|FAIL) {
			n++
		}
	}
	return n
}

// smallestReplica returns the replica of a primary with the smallest id, or the
// candidate there was if that is smaller. Redis does not ask whether it works.
func (s *State) smallestReplica(primary, candidate slots.Owner) slots.Owner {
	for _, node := range s.roster {
		if s.peer[node].of == primary && node != primary && s.precedes(node, candidate) {
			candidate = node
		}
	}
	return candidate
}

// primariesHaveReplicas reports whether any primary has one
// (clusterMastersHaveSlaves).
func (s *State) primariesHaveReplicas() bool {
	return slices.ContainsFunc(s.roster, func(n slots.Owner) bool { return s.isPrimary(n) && s.peer[n].replicas > 0 })
}
