package wire

import (
	"hotslot/sim"
	"hotslot/sim/slots"
)

// An Event is something that happened to a node, or that a node did or came to
// believe: a line of the timeline.
type Event struct {
	At    sim.Time
	Kind  EventKind
	Node  slots.Owner // where it happened: whose belief, whose act
	About slots.Owner // which node it is about; slots.None where there is none
	// Reason says why, for the kinds that have one.
	Reason Reason
	// A, B and C are numbers whose meaning depends on the kind.
	A, B, C int64
}

// EventKind is the kind of an Event.
type EventKind uint8

// The kinds of events, with what About, A, B and C mean where they mean
// something.
const (
	// Done to the cluster by a scenario.
	EventKill           EventKind = iota // the process is gone
	EventLose                            // the host is gone
	EventRestart                         // A: 1 if it kept its data
	EventPause                           // the process is frozen
	EventResume                          // and thawed
	EventBlock                           // one command takes A ns
	EventPartition                       // A: number of the partition
	EventHeal                            // A: number of the partition
	EventLinkChange                      // About: the other end; A: latency added, ns; B: loss in parts per million
	EventReplicationCut                  // About: the primary
	EventFork                            // A: how long the thread stands still, ns

	// Failure detection and state.
	EventPFAIL        // About is suspected
	EventPFAILCleared // About answers again
	EventFAIL         // About has failed; A: failure reports that decided it, 0 if it was told
	EventFAILCleared  // About is back; Reason says why it counts as such
	EventStateFail    // the node takes the cluster to be down; Reason: coverage or minority
	EventStateOK      // and up again

	// Elections and roles.
	EventElectionScheduled // A: delay in ms; B: rank; C: replication offset
	EventElectionDelayed   // A: ms added; B: new rank
	EventElectionStarted   // A: epoch
	EventElectionExpired   // A: epoch
	EventNoElection        // Reason says what keeps a replica of a failed primary from it
	EventVoteGranted       // About: who asked; A: epoch
	EventVoteRefused       // About: who asked; A: epoch; Reason
	EventElectionWon       // A: epoch
	EventEpochCollision    // About: the other primary; A: the new epoch
	EventBecamePrimary     // About: whose place it takes, if any; A: configuration epoch
	EventBecameReplica     // About: its primary
	EventReplicaMigrated   // About: the orphaned primary that it joins
	EventSlotOwner         // About: the new owner in the node's view; A, B: first and last slot; C: configuration epoch
	EventManualFailover    // About: the primary; A: 0 default, 1 FORCE, 2 TAKEOVER
	EventManualFailoverEnd // About: the primary; Reason: won, timed out
	EventWritesPaused      // A: until, ns
	EventWritesResumed     //
	EventMeet              // About: the node that is met

	// Replication and data.
	EventReplicationLost // About: the primary; Reason
	EventPartialResync   // About: the primary; A: bytes
	EventFullResync      // About: the primary; A: bytes of the snapshot
	EventSynced          // About: the primary; A: offset
	EventWriteLost       // A: acknowledged writes that are gone; B: keys that they were to
	EventKeysDropped     // A: keys of slots that the node does not own any more

	// Slot migration.
	EventSlotMigrating // About: the target; A, B: first and last slot
	EventSlotImporting // About: the source; A, B: first and last slot
	EventSlotStable    // A, B: first and last slot that is not open any more
	EventKeysMoved     // About: the target; A: keys; B: bytes; C: slot

	// Atomic migration, at the node that has the slots; About: the target.
	EventAtomicStarted   // A: slots; B: number of the task
	EventAtomicSnapshot  // the child begins; A: bytes; B: number of the task
	EventAtomicStreaming // the snapshot has been sent; A: bytes of writes that wait; B: number of the task
	EventAtomicPaused    // writes wait from here on; B: number of the task
	EventAtomicDone      // the slots have changed owner; A: keys; B: number of the task; C: ns that writes waited
	EventAtomicFailed    // Reason; A: 1 if the target asks again; B: number of the task

	// What an operator does with slots.
	EventMigrationStarted // A: slots that are to be moved; B: number of the scenario's event
	EventMigrationDone    // A: slots that have been moved; B: keys; C: number of the scenario's event
	EventMigrationFailed  // the same, and it stops there

	EventKinds // how many there are
)

var eventNames = [EventKinds]string{
	EventKill: "kill", EventLose: "lose", EventRestart: "restart", EventPause: "pause", EventResume: "resume",
	EventBlock: "block", EventPartition: "partition", EventHeal: "heal", EventLinkChange: "link",
	EventReplicationCut: "replication-cut", EventFork: "fork",
	EventPFAIL: "pfail", EventPFAILCleared: "pfail-cleared", EventFAIL: "fail", EventFAILCleared: "fail-cleared",
	EventStateFail: "state-fail", EventStateOK: "state-ok",
	EventElectionScheduled: "election-scheduled", EventElectionDelayed: "election-delayed",
	EventElectionStarted: "election-started", EventElectionExpired: "election-expired",
	EventNoElection: "no-election", EventVoteGranted: "vote-granted", EventVoteRefused: "vote-refused",
	EventElectionWon: "election-won", EventEpochCollision: "epoch-collision",
	EventBecamePrimary: "became-primary", EventBecameReplica: "became-replica",
	EventReplicaMigrated: "replica-migrated", EventSlotOwner: "slot-owner",
	EventManualFailover: "manual-failover", EventManualFailoverEnd: "manual-failover-end",
	EventWritesPaused: "writes-paused", EventWritesResumed: "writes-resumed", EventMeet: "meet",
	EventReplicationLost: "replication-lost", EventPartialResync: "partial-resync",
	EventFullResync: "full-resync", EventSynced: "synced", EventWriteLost: "write-lost",
	EventKeysDropped: "keys-dropped", EventSlotMigrating: "slot-migrating",
	EventSlotImporting: "slot-importing", EventSlotStable: "slot-stable", EventKeysMoved: "keys-moved",
	EventMigrationStarted: "migration-started", EventMigrationDone: "migration-done",
	EventMigrationFailed: "migration-failed",
	EventAtomicStarted:   "atomic-started", EventAtomicSnapshot: "atomic-snapshot",
	EventAtomicStreaming: "atomic-streaming", EventAtomicPaused: "atomic-paused", EventAtomicDone: "atomic-done",
	EventAtomicFailed: "atomic-failed",
}

// String returns the kind's name, as the timeline and thresholds write it.
func (k EventKind) String() string { return eventNames[k] }

// ParseEventKind returns the kind of a name.
func ParseEventKind(name string) (EventKind, bool) {
	for k, n := range eventNames {
		if n == name {
			return EventKind(k), true
		}
	}
	return 0, false
}

// Reason says why something happened or did not.
type Reason uint8

// The reasons.
const (
	NoReason Reason = iota
	// Of a cluster state.
	Coverage // a slot has no owner, or one that has failed
	Minority // fewer than half of the primaries are within reach
	// Of a FAIL that is lifted.
	IsReplica  // a replica, or a primary without slots, is reachable again
	NobodyTook // a primary is reachable again, and nobody took its slots for twice the node timeout
	// Of a replica that does not stand for election.
	DataAge    // its data is older than the validity factor allows
	NoFailover // it is told not to (cluster-replica-no-failover)
	Waiting    // a failed attempt has to expire first
	// Of a vote that is refused.
	NotVoting    // the voter is a replica, or has no slots
	OldEpoch     // the voter's current epoch is larger
	AlreadyVoted // in this epoch
	NotReplica   // who asks is not known as a replica
	PrimaryUp    // its primary has not failed, as the voter sees it
	VotedShard   // for a replica of the same primary, less than twice the node timeout ago
	StaleSlots   // a slot it claims has an owner with a larger configuration epoch
	// Of a manual failover that ends, or is refused.
	Won
	TimedOut
	Unreachable // the primary has failed, or the replication link is down
	// Of a replication link that is lost.
	Reset        // the other end closed it, or its process is gone
	RoleChange   // the primary has changed
	BufferLimit  // the primary dropped the replica: its output buffer was too long
	Silence      // nothing was heard for repl-timeout
	BacklogShort // what the replica lacks is not in the backlog any more
	OtherHistory // the replica has something that the primary does not
	Empty        // the replica has nothing yet
	// Of an atomic migration that fails.
	PauseTimeout // the pause of writes was over before the slots had changed owner
	SlotsLost    // the source does not own them any more
	NotThere     // the other node is no primary, or has no such task
	Reasons      // how many there are
)

var reasonNames = [Reasons]string{
	Coverage: "coverage", Minority: "minority", IsReplica: "replica", NobodyTook: "nobody-took-its-slots",
	DataAge: "data-age", NoFailover: "no-failover", Waiting: "waiting-to-retry",
	NotVoting: "not-voting", OldEpoch: "old-epoch", AlreadyVoted: "already-voted", NotReplica: "not-a-replica",
	PrimaryUp: "primary-is-up", VotedShard: "voted-for-this-shard", StaleSlots: "stale-slots",
	Won: "won", TimedOut: "timed-out", Unreachable: "unreachable",
	Reset: "reset", RoleChange: "role-change", BufferLimit: "output-buffer-limit", Silence: "silence",
	BacklogShort: "backlog-too-short", OtherHistory: "other-history", Empty: "empty",
	PauseTimeout: "pause-timeout", SlotsLost: "slots-lost", NotThere: "not-there",
}

// String returns the reason in one word.
func (r Reason) String() string { return reasonNames[r] }
