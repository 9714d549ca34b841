package gossip

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A manual failover that is under way (mf_*).
type manual struct {
	end      millis      // when it is given up; never if there is none
	replica  slots.Owner // at the primary: who takes its place
	known    bool        // at the replica: the paused primary has told its offset
	offset   uint64      // which is this
	canStart bool        // the replica has caught up, or need not
}

func noManual() manual { return manual{end: never, replica: slots.None} }

// Failover is CLUSTER FAILOVER on a replica. It returns why it is refused.
func (s *State) Failover(now sim.Time, mode FailoverMode, f *Facts, out *Out) wire.Reason {
	s.enter(now, f, out)
	primary := s.of[s.self]
	switch {
	case s.isPrimary(s.self) || primary == slots.None:
		return wire.NotReplica
	case mode == FailoverDefault && (s.failed(primary) || !f.LinkUp || s.linkUp[primary] == linkNone):
		return wire.Unreachable
	}
	s.endManualFailover(wire.NoReason)
	s.tell(wire.Event{Kind: wire.EventManualFailover, About: primary, A: int64(mode)})
	s.manual.end = s.t + millis(s.env.ManualFailoverTimeout/time.Millisecond)
	switch mode {
	case FailoverTakeover:
		s.bumpEpoch()
		s.promote()
	case FailoverForce:
		s.manual.canStart = true
		s.todo |= todoManualFailover
	default:
		s.send(primary, s.packet(MFStart))
	}
	return wire.NoReason
}

// pauseFor makes a primary wait for a replica that is to take its place: clients'
// writes are paused, and the replica is told where the stream ends.
func (s *State) pauseFor(replica slots.Owner) {
	if !s.isPrimary(s.self) || s.of[replica] != s.self {
		return
	}
	s.endManualFailover(wire.NoReason)
	length := s.env.ManualFailoverTimeout
	s.manual.end = s.t + millis(length/time.Millisecond)
	s.manual.replica = replica
	until := s.now + sim.Time(2*length) // CLUSTER_MF_PAUSE_MULT
	s.act(Act{Kind: PauseWrites, Until: until})
	s.tell(wire.Event{Kind: wire.EventWritesPaused, About: replica, A: int64(until)})
	if s.linkUp[replica] != linkNone {
		s.ping(replica)
	}
}

// stepManualFailover lets a replica start that has all of its primary's data
// (clusterHandleManualFailover).
func (s *State) stepManualFailover() {
	m := &s.manual
	if m.end == never || m.canStart || !m.known || m.offset != s.f.Offset {
		return
	}
	m.canStart = true
	s.todo |= todoFailover
}

// checkManualFailover gives up a manual failover that takes too long
// (manualFailoverCheckTimeout).
func (s *State) checkManualFailover() {
	if s.manual.end != never && s.manual.end < s.t {
		s.endManualFailover(wire.TimedOut)
	}
}

// endManualFailover forgets a manual failover, and lets the clients of a paused
// primary go on (resetManualFailover). Where the pause outlives it they wait for
// its end.
func (s *State) endManualFailover(reason wire.Reason) {
	m := &s.manual
	if m.end == never {
		return
	}
	if m.replica != slots.None {
		if !s.env.PauseOutlives {
			s.act(Act{Kind: ResumeWrites})
			s.tell(wire.Event{Kind: wire.EventWritesResumed, About: m.replica})
		}
	}
	if reason != wire.NoReason && !s.isPrimaryPaused() {
		s.tell(wire.Event{Kind: wire.EventManualFailoverEnd, About: s.of[s.self], Reason: reason})
	}
	*m = noManual()
}

// isPrimaryPaused reports whether this node is the primary of a manual failover.
func (s *State) isPrimaryPaused() bool { return s.manual.replica != slots.None }
