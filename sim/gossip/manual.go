package gossip

import (
	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// FailoverMode is the option of CLUSTER FAILOVER.
type FailoverMode uint8

// The modes.
const (
	FailoverDefault  FailoverMode = iota // the primary pauses, the replica catches up, a majority votes
	FailoverForce                        // without the primary
	FailoverTakeover                     // without anybody
)

// pauseMult is how much longer than the failover the pause lasts
// (CLUSTER_MF_PAUSE_MULT).
const pauseMult = 2

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
	primary := s.peer[s.self].of
	switch {
	case s.isPrimary(s.self) || primary == slots.None:
		return wire.NotReplica
	case mode == FailoverDefault && (s.failed(primary) || s.peer[primary].linkUp == linkNone):
		return wire.Unreachable
	}
	s.endManualFailover(wire.NoReason)
	s.tell(wire.Event{Kind: wire.EventManualFailover, About: primary, A: int64(mode)})
	s.manual.end = s.t + inMillis(s.env.ManualFailoverTimeout)
	switch mode {
	case FailoverTakeover:
		s.bumpEpoch()
		s.promote()
	case FailoverForce:
		s.canStartManual()
		if s.env.ManualAtOnce {
			s.todo |= todoManualFailover
		}
	default:
		s.send(primary, s.packet(MFStart))
	}
	return wire.NoReason
}

// canStartManual lets a manual failover begin (manualFailoverCanStart).
func (s *State) canStartManual() {
	s.manual.canStart = true
	if s.env.ManualAtOnce {
		s.election.at = longAgo
	}
}

// pauseFor makes a primary wait for a replica that is to take its place: clients'
// writes are paused, and the replica is told where the stream ends.
func (s *State) pauseFor(replica slots.Owner, link uint8, back bool) {
	if s.peer[replica].of != s.self {
		return
	}
	s.endManualFailover(wire.NoReason)
	length := s.env.ManualFailoverTimeout
	s.manual.end = s.t + inMillis(length)
	s.manual.replica = replica
	until := s.now.Add(pauseMult * length)
	s.act(Act{Kind: PauseWrites, Until: until})
	s.tell(wire.Event{Kind: wire.EventWritesPaused, About: replica, A: int64(until)})
	if !s.env.ManualByTick {
		s.reply(replica, link, back, s.heartbeat(Ping, replica))
	}
}

// stepManualFailover lets a replica start that has all of its primary's data
// (clusterHandleManualFailover).
func (s *State) stepManualFailover() {
	m := &s.manual
	if m.end == never || m.canStart || !m.known {
		return
	}
	if m.offset == s.f.Offset {
		s.canStartManual()
		if !s.env.ManualByTick {
			s.todo |= todoFailover
		}
	} else if !s.env.ManualByTick {
		s.todo |= todoManualFailover // look again when the next turn ends
	}
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
	paused := m.replica
	switch {
	case paused != slots.None && !s.env.PauseOutlives:
		s.act(Act{Kind: ResumeWrites})
		s.tell(wire.Event{Kind: wire.EventWritesResumed, About: paused})
	case paused == slots.None && reason != wire.NoReason:
		s.tell(wire.Event{Kind: wire.EventManualFailoverEnd, About: s.peer[s.self].of, Reason: reason})
	}
	*m = noManual()
}
