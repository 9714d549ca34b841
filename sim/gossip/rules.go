package gossip

import "time"

// Rules are how one version of Redis or Valkey differs from others, one field
// for each difference.
type Rules struct {
	// Gossip sections (clusterSendPing).
	EntriesFixed    bool // three entries in each, however large the cluster; else max(3, N/10)
	PFAILInEach     bool // all suspected nodes are told of in each
	SkipsReceiver   bool // the receiver is not told of itself
	PongTimes       bool // a pong that somebody else heard counts as heard (clusterProcessGossipSection)
	ExtensionBytes  int  // of a ping or pong: the shard's id, from 7.2 on
	LightPublish    bool // PUBLISH travels with a header of 16 bytes
	ReconnectEach   bool // a link to a dead node is tried at each tick; else twice in a node timeout
	LateBroadcast   bool // the winner of an election tells it after its configuration is saved, with the turn
	ReplicasTell    bool // a replica that counts a majority of failure reports broadcasts FAIL
	JudgesAtOnce    bool // failure reports are counted when a node is suspected, not only when gossip comes
	ReportsByVoters bool // only primaries with slots report, and count themselves

	// Elections (clusterHandleReplicaFailover).
	DelayFixed      time.Duration // before an election; as much again at random, twice as much for each rank
	DelayByTimeout  bool          // at most a thirtieth of the node timeout
	TiesByID        bool          // of two replicas with equal offsets the one with the smaller id is first
	RankBothWays    bool          // a rank that falls shortens the wait
	ShardRank       bool          // shards that fail together take turns
	NeedsSlots      bool          // no election for a primary without slots
	OneVotePerShard bool          // none for a sibling for twice the node timeout
	UpdatesRefused  bool          // who asks for a vote with stale slots is told the owner
	Nacks           bool          // a refusal is told, and one that cannot win any more tries again

	// Slots and roles (clusterUpdateSlotsConfigWith, clusterProcessPacket).
	Unclaimed         bool // a slot that its owner does not claim any more goes to whoever does
	EpochOfPrimaries  bool // only a primary's messages tell its configuration epoch
	SlotsFollowRole   bool // a primary that becomes a replica of its own shard leaves its slots to the new primary
	ImportProtected   bool // a slot that is being imported is not rebound
	PromotedIsTarget  bool // a promoted replica counts as one that had replicas, so that one may migrate to it
	PauseOutlives     bool // the pause of a manual failover goes on when the failover is over
	MeetRepair        bool // a node that does not connect back is met again
	DemotesWhenEmpty  bool // a primary that gives its last slot away follows the new owner at once
	ReplicatesOpen    bool // replicas know which slots are open
	PartialKeysTryNow bool // TRYAGAIN for a command whose keys are partly moved; else ASK

	// Replication.
	Disk        bool  // a full resync goes through a file, without delay; else diskless
	Backlog     int64 // bytes of repl-backlog-size by default
	LazyFlush   bool  // a replica frees its old data in the background
	AcceptsMax  int   // connections accepted in one turn
	SlotsCached bool  // the reply to CLUSTER SLOTS is kept until the topology changes
}

const mega = 1 << 20

// redis62 is what the others differ from.
func redis62() Rules {
	return Rules{PFAILInEach: true, PongTimes: true, ReconnectEach: true, ReplicasTell: true,
		DelayFixed: 500 * time.Millisecond, NeedsSlots: true, OneVotePerShard: true, ImportProtected: true,
		PromotedIsTarget: true, PauseOutlives: true, Disk: true, Backlog: mega, AcceptsMax: 1000}
}

func redis70() Rules {
	r := redis62()
	r.PauseOutlives, r.Unclaimed, r.DemotesWhenEmpty, r.PartialKeysTryNow, r.Disk = false, true, true, true, false
	return r
}

func redis72() Rules {
	r := redis70()
	r.ExtensionBytes = 48
	return r
}

func valkey80() Rules {
	r := redis72()
	r.SkipsReceiver, r.LightPublish, r.ReportsByVoters, r.TiesByID, r.RankBothWays = true, true, true, true, true
	r.NeedsSlots, r.ImportProtected, r.SlotsFollowRole, r.ReplicatesOpen = false, false, true, true
	r.EpochOfPrimaries = true
	r.Backlog, r.LazyFlush, r.AcceptsMax, r.SlotsCached = 10*mega, true, 10, true
	return r
}

func valkey81() Rules {
	r := valkey80()
	r.JudgesAtOnce, r.ShardRank, r.OneVotePerShard, r.UpdatesRefused = true, true, false, true
	r.LateBroadcast, r.MeetRepair = true, true
	return r
}

func valkey9() Rules {
	r := valkey81()
	r.DelayByTimeout, r.ReconnectEach = true, false
	return r
}

type version struct {
	name, about string
	rules       func() Rules
}

func versions() []version {
	return []version{
		{"redis-3.0rc1", "three gossip entries in a message, whatever the size of the cluster", func() Rules {
			r := redis62()
			r.EntriesFixed, r.PFAILInEach, r.PongTimes = true, false, false
			r.ReplicasTell, r.PromotedIsTarget = false, false
			return r
		}},
		{"redis-3.0", "a tenth of the nodes and all that are suspected in each message", func() Rules {
			r := redis62()
			r.PongTimes, r.ReplicasTell = false, false
			return r
		}},
		{"redis-6.0", "pongs heard by others count; replicas do not broadcast FAIL yet", func() Rules {
			r := redis62()
			r.ReplicasTell = false
			return r
		}},
		{"redis-6.2", "replicas broadcast FAIL too", redis62},
		{"redis-7.0", "diskless full resync; a manual failover ends its pause", redis70},
		{"redis-7.2", "shard ids in pings", redis72},
		{"redis-8", "as 7.2, and ten connections accepted a turn", func() Rules {
			r := redis72()
			r.SkipsReceiver, r.AcceptsMax = true, 10
			r.ExtensionBytes += 48 // the internal secret
			return r
		}},
		{"valkey-8.0", "shards know their members; ties by node id; light PUBLISH", valkey80},
		{"valkey-8.1", "failed shards take turns; reports are judged at once", valkey81},
		{"valkey-9", "election delay by the node timeout; fewer attempts to reconnect", valkey9},
		{"valkey-10", "as 9, and a refused vote is told", func() Rules {
			r := valkey9()
			r.Nacks = true
			return r
		}},
	}
}

// Versions returns the names of the versions, the oldest first.
func Versions() []string {
	var names []string
	for _, v := range versions() {
		names = append(names, v.name)
	}
	return names
}

// Version returns the rules of a version, and a sentence about it.
func Version(name string) (r Rules, about string, ok bool) {
	for _, v := range versions() {
		if v.name == name {
			return v.rules(), v.about, true
		}
	}
	return Rules{}, "", false
}
