package gossip

import "time"

// Rules are how one version of Redis or Valkey differs from others, one field
// for each difference. A field that is false or 0 stands for what Redis 6.2 does,
// or for what is older.
type Rules struct {
	// Links and pings (clusterCron, clusterLinkConnectHandler).

	// PingsUnconnected: a ping is sent on a link as soon as it is made, whether or
	// not anybody answers at the other end (until 3.2). Else when it is open.
	PingsUnconnected bool
	// DataCounts: whatever is heard of a node shows that it lives, not pongs alone.
	DataCounts bool
	// ReconnectEach: a link to a dead node is tried at each tick; else twice in a
	// node timeout.
	ReconnectEach bool
	// MeetRepair: a node that does not connect back is met again.
	MeetRepair bool

	// Gossip sections (clusterSendPing, clusterProcessGossipSection).

	// EntriesFixed: three entries in each, however large the cluster, and draws
	// until there are three; else max(3, N/10).
	EntriesFixed bool
	// PFAILBias: the first third of the draws takes nodes flagged PFAIL or FAIL only.
	PFAILBias bool
	// PFAILInEach: all nodes flagged PFAIL are told of in each section.
	PFAILInEach bool
	// SkipsReceiver: nobody is told of himself, and who is does not listen.
	SkipsReceiver bool
	// PongTimes: a pong that somebody else heard counts as heard.
	PongTimes bool
	// GossipIntroduces: a node that gossip tells of is known; else it is met first.
	GossipIntroduces bool
	// ForgetSpreads: CLUSTER FORGET is told in pings (clusterMsgPingExtForgottenNode).
	ForgetSpreads bool
	// ExtensionBytes is what is at the end of each ping and pong: the shard's id.
	ExtensionBytes int
	// LightPublish: PUBLISH travels with a header of 16 bytes.
	LightPublish bool

	// Failures (markNodeAsFailingIfNeeded).

	// ReplicasTell: a replica that counts a majority of failure reports broadcasts
	// FAIL; else it keeps that to itself.
	ReplicasTell bool
	// ReportsByVoters: only primaries with slots report, and count themselves.
	ReportsByVoters bool
	// AnyoneWithdraws: a report is withdrawn by whoever made it, a primary or not.
	AnyoneWithdraws bool
	// JudgesAlone: where one primary has all slots it counts reports when it
	// suspects a node, not only when gossip comes.
	JudgesAlone bool
	// JudgesAtOnce: every voting primary does.
	JudgesAtOnce bool

	// Elections (clusterHandleSlaveFailover, clusterSendFailoverAuthIfNeeded).

	// DelayFixed is the delay of an election; as much again at random, and twice as
	// much for each rank.
	DelayFixed time.Duration
	// DelayByTimeout: but not more than a thirtieth of the node timeout, and half a
	// second more for a replica without data.
	DelayByTimeout bool
	// TiesByID: of two replicas with equal offsets the one with the smaller id is first.
	TiesByID bool
	// RankBothWays: a rank that falls shortens the wait.
	RankBothWays bool
	// ShardRank: shards that fail together take turns (clusterGetFailedPrimaryRank).
	ShardRank bool
	// NeedsSlots: no election for a primary without slots.
	NeedsSlots bool
	// ElectsAtOnce: FAIL of its primary makes a replica begin with the turn, not
	// with the next tick.
	ElectsAtOnce bool
	// ForgetsAttempt: whoever follows a new primary may stand again at once.
	ForgetsAttempt bool
	// ClaimEndsAttempt: so may a replica that hears of a newer configuration epoch
	// than it stands for, and one that has won.
	ClaimEndsAttempt bool
	// OneVotePerShard: no vote for a sibling for twice the node timeout.
	OneVotePerShard bool
	// UpdatesRefused: who asks for a vote with stale slots is told the owner.
	UpdatesRefused bool
	// Nacks: a refusal is told, and a replica that cannot win any more begins anew.
	Nacks bool

	// Slots and roles (clusterProcessPacket, clusterUpdateSlotsConfigWith).

	// EpochOfPrimaries: only a primary's messages tell its configuration epoch.
	EpochOfPrimaries bool
	// ClaimsOfPrimaries: only a primary's slots are compared with the table.
	ClaimsOfPrimaries bool
	// Unclaimed: a slot that its owner does not claim any more goes to whoever does
	// (owner_not_claiming_slot).
	Unclaimed bool
	// SlotsFollowRole: a primary that becomes a replica of its own shard keeps its
	// slots until the new primary has them; else they have no owner meanwhile.
	SlotsFollowRole bool
	// SlotsMove: and the new primary has them at once.
	SlotsMove bool
	// StaleRolesEnd: a message with an older configuration epoch than that of the
	// primary it names is not read further.
	StaleRolesEnd bool
	// ShardsStay: where replicas may not migrate, a node follows the new owner of its
	// shard's slots if that is of the shard; else if it has no other slots.
	ShardsStay bool
	// NoSubReplicas: a replica of a replica follows that one's primary, when slots
	// change owner.
	NoSubReplicas bool
	// ChainsCutByRole: and when a role changes.
	ChainsCutByRole bool
	// ImportProtected: a slot that is being imported is not rebound.
	ImportProtected bool
	// HealthFirst: a turn ends with the state of the cluster, then elections; else
	// the other way round.
	HealthFirst bool
	// LateBroadcast: the winner of an election tells it when its configuration is
	// saved, with the turn.
	LateBroadcast bool

	// Slots on the move (clusterCommand, getNodeByQuery).

	// TellsImport: the node that has imported a slot tells all at once; else its next
	// pings do.
	TellsImport bool
	// PeersArePrimaries: SETSLOT refuses a replica.
	PeersArePrimaries bool
	// DemotesWhenEmpty: a primary whose last slot goes to another by SETSLOT NODE
	// becomes a replica of that one.
	DemotesWhenEmpty bool
	// PartialKeysTryAgain: of several keys some of which have moved, the source says
	// TRYAGAIN; else ASK, and the target says TRYAGAIN.
	PartialKeysTryAgain bool
	// OpenSlotsReplicate: SETSLOT is replicated before it is executed, so that a
	// replica that takes over goes on with what its primary had begun.
	OpenSlotsReplicate bool

	// KeysScattered: the keys of a slot are in a hash table of their own, not in the
	// order in which they came.
	KeysScattered bool
	// Atomic says which way slots move atomically, if they do.
	Atomic Atomic

	// Replica migration (clusterHandleSlaveMigration).

	// PromotedIsTarget: a promoted replica counts as one that had replicas, so that
	// one may migrate to it.
	PromotedIsTarget bool
	// FirstSlotIsTarget: so does whoever gets its first slot, where others have replicas.
	FirstSlotIsTarget bool
	// MigrationDelay is for how long a primary must have been without replicas.
	MigrationDelay time.Duration
	// MigrationOption: cluster-allow-replica-migration exists.
	MigrationOption bool

	// Manual failover.

	// ManualByTick: each step waits for the next tick.
	ManualByTick bool
	// ManualAtOnce: votes are asked for as soon as the failover can start, whatever
	// became of an earlier attempt.
	ManualAtOnce bool
	// PauseOutlives: the pause goes on when the failover is over.
	PauseOutlives bool

	// For others: replication.

	ForgetsHistory bool  // a change of primary takes a full resync (PSYNC as it was before 4.0)
	Disk           bool  // a full resync goes through a file, without delay; else diskless
	Backlog        int64 // bytes of repl-backlog-size by default
	LazyFlush      bool  // a replica frees its old data in the background
}

// Atomic says which of two nodes has slots move atomically.
type Atomic uint8

// The ways.
const (
	NotAtomic  Atomic = iota
	AtomicPush        // the source (cluster_migrateslots.c of Valkey 9)
	AtomicPull        // the target (cluster_asm.c of Redis 8.4)
)
