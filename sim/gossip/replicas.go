package gossip

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// migrationDelay is for how long a primary must be without working replicas
// before one is lent to it (CLUSTER_SLAVE_MIGRATION_DELAY).
const migrationDelay = 5000

// replicas is how the replicas of the cluster are spread, as clusterCron counts
// them at a replica.
type replicas struct {
	working []uint16 // by primary: replicas that have not failed
	most    int      // of any primary that has not failed
	orphans int      // primaries with slots that could get one and have none
}

// countReplicas brings the count up to date, if anything has changed.
func (s *State) countReplicas() {
	if !s.lentOutdated {
		return
	}
	s.lentOutdated = false
	if s.lent.working == nil {
		s.lent.working = make([]uint16, s.count())
	}
	working := s.lent.working
	clear(working)
	for node, of := range s.of {
		if of != slots.None && int(of) != node && !s.failed(slots.Owner(node)) {
			working[of]++
		}
	}
	s.lent.most, s.lent.orphans = 0, 0
	for node := range slots.Owner(s.count()) {
		if !s.isPrimary(node) || s.failed(node) || node == s.self {
			continue
		}
		if working[node] == 0 && s.isOrphan(node) {
			s.lent.orphans++
		}
		s.lent.most = max(s.lent.most, int(working[node]))
	}
}

// isOrphan reports whether a primary without working replicas may get one.
func (s *State) isOrphan(node slots.Owner) bool {
	return s.owned[node] > 0 && s.hot[node].flags&MigrateTo != 0
}

// migrateReplica makes this replica one of an orphaned primary's, if its own
// primary has the most, and it is the one among all candidates with the smallest
// id (clusterHandleReplicaMigration).
func (s *State) migrateReplica() {
	mine := s.of[s.self]
	if mine == slots.None || !s.env.AllowReplicaMigration {
		return
	}
	s.countReplicas()
	l := &s.lent
	if l.orphans == 0 || l.most < 2 || int(l.working[mine]) != l.most || !s.ok ||
		l.most <= s.env.MigrationBarrier {
		return
	}
	target, candidate := slots.None, s.self
	for node := range slots.Owner(s.count()) {
		if !s.isPrimary(node) || node == s.self {
			continue
		}
		if l.working[node] > 0 || s.failed(node) || !s.isOrphan(node) {
			s.orphanAt[node] = never
		} else {
			if s.orphanAt[node] == never {
				s.orphanAt[node] = s.t
			}
			if target == slots.None {
				target = node
			}
		}
		if int(l.working[node]) == l.most {
			candidate = s.smallestReplica(node, candidate)
		}
	}
	if target == slots.None || candidate != s.self || s.t-s.orphanAt[target] <= migrationDelay {
		return
	}
	s.tell(wire.Event{Kind: wire.EventReplicaMigrated, About: target})
	s.follow(target)
}

// smallestReplica returns the replica of a primary with the smallest id, or the
// candidate there was if that is smaller. Redis does not ask whether it works.
func (s *State) smallestReplica(primary, candidate slots.Owner) slots.Owner {
	for node, of := range s.of {
		if n := slots.Owner(node); of == primary && n != primary && s.precedes(n, candidate) {
			candidate = n
		}
	}
	return candidate
}
