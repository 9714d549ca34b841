package experiment

import (
	"fmt"
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// failure tells why a migration did not come to its end; "" where it did.
func (m *measurement) failure(g *cluster.Migration) string {
	switch {
	case succeeded(g):
		return ""
	case g.Reason != wire.NoReason:
		return fmt.Sprintf("the export failed (%s)", g.Reason)
	case g.Failures > 0:
		return m.answerWords(g)
	case g.Refused != "":
		return g.Refused
	case len(g.Unfixed) > 0:
		return fmt.Sprintf("the tool does not know how to mend slot %d", g.Unfixed[0])
	case g.Ended == sim.Never && g.Moved == 0 && g.Waited > 0:
		return "it waited for its time until the run was over"
	case g.Ended == sim.Never:
		return "the run was over first"
	}
	return "it was stopped"
}

// answerWords tells which answer ended a move.
func (m *measurement) answerWords(g *cluster.Migration) string {
	a := &g.Failed
	text := a.Verdict.String()
	switch {
	case a.Refusal != wire.Accepted:
		text = a.Refusal.Text(g.At.First, m.nameOf(g.At.Target))
	case a.Verdict == wire.Timeout:
		text = "the tool has not waited any longer for the answer"
	case a.Verdict == wire.IOError:
		text = "IOERR error or timeout reading to target instance"
	case a.Remote:
		text = fmt.Sprintf("ERR Target instance replied with error: %s", a.Verdict)
	}
	return fmt.Sprintf("slot %d from %s to %s: %s", g.At.First, m.nameOf(g.At.Source), m.nameOf(g.At.Target), text)
}

// moveWords tells what happens to slots that move.
func (m *measurement) moveWords(e wire.Event, about string) (text string, is bool) {
	event, count := m.eventOf(e), plural(int(e.A), "slot")
	switch e.Kind {
	case wire.EventMigrationStarted:
		return fmt.Sprintf("%s begins to move %s", event, count), true
	case wire.EventMigrationDone:
		return fmt.Sprintf("%s is done: %s with %s", event, count, plural(int(e.B), "key")), true
	case wire.EventMigrationFailed:
		return fmt.Sprintf("%s has failed after %s: %s", event, count, m.whyOf(event)), true
	}
	return atomicWords(e, about)
}

// atomicWords tells how an atomic migration goes on.
func atomicWords(e wire.Event, about string) (text string, is bool) {
	switch e.Kind {
	case wire.EventAtomicStarted:
		return fmt.Sprintf("begins to export %s to %s", plural(int(e.A), "slot"), about), true
	case wire.EventAtomicSnapshot:
		return fmt.Sprintf("forks a child that writes a snapshot of the slots: %d bytes", e.A), true
	case wire.EventAtomicStreaming:
		return fmt.Sprintf("the snapshot has been sent; %d bytes of writes wait", e.A), true
	case wire.EventAtomicPaused:
		return "pauses writes", true
	case wire.EventAtomicDone:
		return fmt.Sprintf("the slots have changed owner, with %s; writes waited for %v", plural(int(e.A), "key"),
			time.Duration(e.C)), true
	case wire.EventAtomicFailed:
		return fmt.Sprintf("the export to %s has failed%s", about, because(e.Reason)), true
	}
	return "", false
}

// slotsMoved tells of slots that are opened or closed one after another, or of their
// keys.
func (m *measurement) slotsMoved(s *step) string {
	about := m.nameOf(s.first.About)
	switch s.first.Kind {
	case wire.EventSlotMigrating:
		return fmt.Sprintf("CLUSTER SETSLOT %s MIGRATING to %s", rangesOf(s.owned), about)
	case wire.EventSlotImporting:
		return fmt.Sprintf("CLUSTER SETSLOT %s IMPORTING from %s", rangesOf(s.owned), about)
	case wire.EventSlotStable:
		return fmt.Sprintf("slot %s is not open any more", rangesOf(s.owned))
	}
	return fmt.Sprintf("has sent %s of %s to %s", plural(int(s.keys), "key"), plural(s.times, "slot"), about)
}

// whyOf tells why the migration of an event did not come to its end.
func (m *measurement) whyOf(event string) string {
	for _, g := range m.cl.Migrations() {
		if g.Event == event {
			return m.failure(g)
		}
	}
	return ""
}

// plural counts something.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
