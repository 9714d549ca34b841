package experiment

import (
	"fmt"
	"time"

	"hotslot/sim/wire"
)

// words tells an event: what is done to the cluster in plain words, and what nodes
// make of it as the log of Redis 7.0 has it (cluster.c, replication.c), with
// nodes by their names here.
func (m *measurement) words(e wire.Event) string {
	if isFault(e.Kind) {
		return m.faultWords(e)
	}
	about := m.nameOf(e.About)
	switch e.Kind {
	case wire.EventPFAIL:
		return fmt.Sprintf("*** NODE %s possibly failing", about)
	case wire.EventPFAILCleared:
		return fmt.Sprintf("%s answers again", about)
	case wire.EventFAIL:
		if e.A == 0 {
			return fmt.Sprintf("FAIL message received about %s", about)
		}
		return fmt.Sprintf("Marking node %s as failing (quorum reached).", about)
	case wire.EventFAILCleared:
		if e.Reason == wire.NobodyTook {
			return fmt.Sprintf("Clear FAIL state for node %s: is reachable again and nobody is serving its slots "+
				"after some time.", about)
		}
		return fmt.Sprintf("Clear FAIL state for node %s: replica is reachable again.", about)
	case wire.EventStateFail:
		return fmt.Sprintf("Cluster state changed: fail%s", because(e.Reason))
	case wire.EventStateOK:
		return "Cluster state changed: ok"
	case wire.EventEpochCollision:
		return fmt.Sprintf("WARNING: configEpoch collision with node %s. configEpoch set to %d", about, e.A)
	case wire.EventReplicaMigrated:
		return fmt.Sprintf("Migrating to orphaned master %s", about)
	case wire.EventBecamePrimary:
		return fmt.Sprintf("configEpoch set to %d; serves the slots%s", e.A, of(about))
	case wire.EventBecameReplica:
		return fmt.Sprintf("Reconfiguring myself as a replica of %s", about)
	}
	if text, is := electionWords(e, about); is {
		return text
	}
	return m.dataWords(e, about)
}

// of names whose slots they were, where that is known.
func of(about string) string {
	if about == "" {
		return ""
	}
	return " of " + about
}

func because(r wire.Reason) string {
	if r == wire.NoReason {
		return ""
	}
	return fmt.Sprintf(" (%s)", r)
}

// faultWords tells what is done to the cluster.
func (m *measurement) faultWords(e wire.Event) string {
	switch e.Kind {
	case wire.EventKill:
		return "is killed"
	case wire.EventLose:
		return "is lost with its host"
	case wire.EventRestart:
		if e.A == 1 {
			return "is started again, with its data"
		}
		return "is started again, empty"
	case wire.EventPause:
		return "is frozen"
	case wire.EventResume:
		return "is thawed"
	case wire.EventBlock:
		return fmt.Sprintf("is busy for %v", time.Duration(e.A))
	case wire.EventFork:
		return fmt.Sprintf("forks, and stands still for %v", time.Duration(e.A))
	case wire.EventPartition:
		return fmt.Sprintf("the partition %s begins", m.eventOf(e))
	case wire.EventHeal:
		return fmt.Sprintf("%s is over", m.eventOf(e))
	case wire.EventLinkChange:
		return fmt.Sprintf("the bad link %s begins", m.eventOf(e))
	case wire.EventReplicationCut:
		return fmt.Sprintf("its replication link to %s is cut", m.nameOf(e.About))
	}
	return e.Kind.String()
}

// electionWords tells what belongs to an election.
func electionWords(e wire.Event, about string) (text string, is bool) {
	switch e.Kind {
	case wire.EventElectionScheduled:
		return fmt.Sprintf("Start of election delayed for %d milliseconds (rank #%d, offset %d).", e.A, e.B, e.C), true
	case wire.EventElectionDelayed:
		return fmt.Sprintf("Replica rank updated to #%d, added %d milliseconds of delay.", e.B, e.A), true
	case wire.EventElectionStarted:
		return fmt.Sprintf("Starting a failover election for epoch %d.", e.A), true
	case wire.EventElectionExpired:
		return "Currently unable to failover: Failover attempt expired.", true
	case wire.EventElectionWon:
		return "Failover election won: I'm the new master.", true
	case wire.EventVoteGranted:
		return fmt.Sprintf("Failover auth granted to %s for epoch %d", about, e.A), true
	case wire.EventVoteRefused:
		return fmt.Sprintf("Failover auth denied to %s: %s", about, refusal(e)), true
	case wire.EventNoElection:
		why := map[wire.Reason]string{
			wire.DataAge:    "Disconnected from master for longer than allowed.",
			wire.NoFailover: "cluster-replica-no-failover is set",
			wire.Waiting:    "Waiting the delay before I can start a new failover.",
		}
		if why[e.Reason] == "" {
			return fmt.Sprintf("Currently unable to failover: %s", e.Reason), true
		}
		return fmt.Sprintf("Currently unable to failover: %s", why[e.Reason]), true
	case wire.EventManualFailover:
		mode := map[int64]string{0: "Manual failover", 1: "Forced failover", 2: "Taking over the master"}[e.A]
		return fmt.Sprintf("%s user request accepted.", mode), true
	case wire.EventManualFailoverEnd:
		if e.Reason == wire.TimedOut {
			return "Manual failover timed out.", true
		}
		return fmt.Sprintf("Manual failover over: %s", e.Reason), true
	}
	return "", false
}

// refusal says why a vote was refused (clusterSendFailoverAuthIfNeeded).
func refusal(e wire.Event) string {
	switch e.Reason {
	case wire.OldEpoch:
		return fmt.Sprintf("reqEpoch (%d) is less than curEpoch", e.A)
	case wire.AlreadyVoted:
		return fmt.Sprintf("already voted for epoch %d", e.A)
	case wire.NotReplica:
		return "it is a master node"
	case wire.PrimaryUp:
		return "its master is up"
	case wire.VotedShard:
		return "can't vote about this master before twice the node timeout"
	case wire.StaleSlots:
		return fmt.Sprintf("a slot's epoch is larger than reqEpoch (%d)", e.A)
	}
	return e.Reason.String()
}

// dataWords tells what happens to data, and whatever has no words of its own.
func (m *measurement) dataWords(e wire.Event, about string) string {
	switch e.Kind {
	case wire.EventReplicationLost:
		return fmt.Sprintf("Connection with master lost.%s", because(e.Reason))
	case wire.EventPartialResync:
		return fmt.Sprintf("Successful partial resynchronization with master %s, %d bytes.", about, e.A)
	case wire.EventFullResync:
		return fmt.Sprintf("Full resync from master %s, %d bytes%s", about, e.A, because(e.Reason))
	case wire.EventSynced:
		return "MASTER <-> REPLICA sync: Finished with success"
	case wire.EventWriteLost:
		return fmt.Sprintf("acknowledged writes are gone: %d, to %d keys", e.A, e.B)
	case wire.EventKeysDropped:
		return fmt.Sprintf("drops %d keys of slots that it does not own any more", e.A)
	case wire.EventWritesPaused:
		return "pauses writes for a failover"
	case wire.EventWritesResumed:
		return "resumes writes"
	case wire.EventMeet:
		return fmt.Sprintf("meets %s", about)
	}
	if text, is := m.moveWords(e, about); is {
		return text
	}
	return e.Kind.String() + of(about) + because(e.Reason)
}
