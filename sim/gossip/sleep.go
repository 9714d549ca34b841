package gossip

import (
	"slices"

	"hotslot/sim"
	"hotslot/sim/slots"
)

// Pending reports whether BeforeSleep has something to do.
func (s *State) Pending() bool { return s.todo != 0 }

// BeforeSleep is clusterBeforeSleep: what was put off until the end of a turn.
// What it puts off itself waits for the end of the next.
func (s *State) BeforeSleep(now sim.Time, f *Facts, out *Out) {
	s.enter(now, f, out)
	do := s.todo
	s.todo = 0
	if do&todoHealth != 0 && s.env.HealthFirst {
		s.updateHealth()
	}
	switch {
	case s.isPrimary(s.self):
	case do&todoManualFailover != 0:
		s.stepManualFailover()
		s.stepElection()
	case do&todoFailover != 0:
		s.stepElection()
	}
	if do&todoHealth != 0 && !s.env.HealthFirst {
		s.updateHealth()
	}
	// Redis saves what was put off now before anything that was sent now leaves,
	// since nothing leaves before the end of the next turn's BeforeSleep.
	do |= s.todo & todoSaveSync
	s.todo &^= todoSaveSync
	if do&todoSave != 0 {
		s.save()
		s.out.Saved = do&todoSync != 0
	}
	if (do|s.todo)&todoBroadcast != 0 {
		s.todo &^= todoBroadcast
		s.broadcastPong(false)
	}
}

// disk is what nodes.conf has that a State may have changed since it was saved
// last. The rest is saved with the turn that changes it.
type disk struct {
	currentEpoch, lastVoteEpoch uint64
	suspects                    nodeset
	moving                      open
}

// save is clusterSaveConfig.
func (s *State) save() {
	s.disk.currentEpoch, s.disk.lastVoteEpoch = s.currentEpoch, s.lastVoteEpoch
	if len(s.suspects)+len(s.disk.suspects) > 0 {
		s.disk.suspects = append(s.disk.suspects[:0], s.suspects...)
	}
	s.disk.moving = append(s.disk.moving[:0], s.moving...)
}

// Restart is a start of the process, with the configuration file that it had
// (clusterLoadConfig): epochs, slots, those that are open, nodes and who has failed
// are kept, and who was suspected when the file was saved. Everything else begins anew.
func (s *State) Restart(now sim.Time, out *Out) {
	s.enter(now, nil, out)
	s.currentEpoch, s.lastVoteEpoch = s.disk.currentEpoch, s.disk.lastVoteEpoch
	s.moving = append(s.moving[:0], s.disk.moving...)
	for _, node := range slices.Clone(s.roster) {
		s.currentEpoch = max(s.currentEpoch, s.peer[node].epoch)
		switch {
		case s.is(node, Handshake): // they are not saved
			s.dropLink(node)
			s.forget(node)
		case node != s.self:
			s.reload(node)
		}
	}
	clear(s.reports)
	s.forgotten = s.forgotten[:0]
	s.unclaimed = Claim{}
	s.ok, s.size, s.firstCall, s.amongMinority = false, 1, never, longAgo
	s.manual, s.election, s.todo = noManual(), noElection(), 0
	s.iteration, s.told, s.soonUntil = 0, 0, longAgo
	s.unfollowed = !s.isPrimary(s.self) && s.peer[s.self].of != slots.None
	s.Sent, s.Taken = [Types]uint64{}, [Types]uint64{}
}

// reload makes of a node what nodes.conf says of it.
func (s *State) reload(node slots.Owner) {
	s.dropLink(node)
	s.unset(node, reported|meeting)
	s.see(node)
	s.setInbound(node, false)
	s.pong[node], s.peer[node].dataAt = s.t, longAgo
	s.peer[node].orphanAt, s.peer[node].votedAt, s.peer[node].offset, s.peer[node].since = never, longAgo, 0, s.t
	s.setFlag(node, PFAIL, s.disk.suspects.has(node) && !s.failed(node))
	s.setPing(node, never)
	if s.is(node, PFAIL|FAIL) {
		s.setPing(node, s.t) // the one that was not answered
	}
	s.peer[node].failAt = s.t
	if !s.isPrimary(node) {
		s.peer[node].epoch = 0
	}
	if s.peer[node].replicas == 0 && !(s.env.FirstSlotIsTarget && s.is(node, slotted) && s.primariesHaveReplicas()) {
		s.unset(node, MigrateTo)
	}
}
