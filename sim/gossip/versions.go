package gossip

import "time"

const mega = 1 << 20

// The sizes of what is at the end of a ping (clusterMsgPingExt), in bytes.
const (
	shardIDBytes   = 48
	secretBytes    = 48 // the cluster's internal secret
	forgottenBytes = 56
)

// A version is a release line. Its rules are those of its predecessor, changed.
type version struct {
	name, about string
	change      func(*Rules)
}

// versions are in order: each begins with the rules of the one before.
var versions = []version{
	{"redis-3.0rc1", "three gossip entries in a message, whatever the size of the cluster", func(r *Rules) {
		*r = Rules{PingsUnconnected: true, ReconnectEach: true, EntriesFixed: true,
			DelayFixed: 500 * time.Millisecond, NeedsSlots: true, OneVotePerShard: true, ImportProtected: true,
			ManualByTick: true, ForgetsHistory: true, Disk: true, Backlog: mega}
	}},
	{"redis-3.0", "a tenth of the nodes in each message, with a bias to those that fail", func(r *Rules) {
		r.EntriesFixed, r.PFAILBias = false, true
		r.PromotedIsTarget, r.MigrationDelay = true, 5*time.Second
	}},
	{"redis-6.0", "all suspects in each message; pongs heard by others count", func(r *Rules) {
		r.PingsUnconnected, r.DataCounts = false, true
		r.PFAILBias, r.PFAILInEach, r.PongTimes, r.GossipIntroduces = false, true, true, true
		r.FirstSlotIsTarget, r.ForgetsHistory = true, false // since 4.0
	}},
	{"redis-6.2", "replicas broadcast FAIL too; a manual failover does not wait for ticks", func(r *Rules) {
		r.ReplicasTell, r.MigrationOption, r.TellsImport = true, true, true
		r.ManualByTick, r.PauseOutlives = false, true
	}},
	{"redis-7.0", "a manual failover ends its pause; unclaimed slots; diskless full resync", func(r *Rules) {
		r.Unclaimed, r.NoSubReplicas, r.PauseOutlives = true, true, false
		r.PartialKeysTryAgain, r.DemotesWhenEmpty, r.PeersArePrimaries = true, true, true
		r.Disk = false
	}},
	{"redis-7.2", "shard ids in pings; FORGET spreads", func(r *Rules) {
		r.ForgetSpreads, r.JudgesAlone, r.ExtensionBytes = true, true, shardIDBytes
	}},
	{"redis-8", "slots follow a failover within their shard", func(r *Rules) {
		r.SkipsReceiver, r.SlotsFollowRole, r.SlotsMove, r.KeysScattered = true, true, true, true
		r.ExtensionBytes += secretBytes
	}},
	{"redis-8.4", "atomic slot migration, that the target asks for", func(r *Rules) { r.Atomic = AtomicPull }},
	{"valkey-8.0", "voting primaries report; ties by node id; light PUBLISH", func(r *Rules) {
		r.ExtensionBytes, r.SlotsMove = shardIDBytes, false // it was forked from Redis 7.2
		r.LightPublish, r.ReportsByVoters = true, true
		r.TiesByID, r.RankBothWays, r.NeedsSlots, r.ForgetsAttempt = true, true, false, true
		r.EpochOfPrimaries, r.ClaimsOfPrimaries, r.ShardsStay = true, true, true
		r.NoSubReplicas, r.ChainsCutByRole, r.ImportProtected = false, true, false
		r.OpenSlotsReplicate, r.Atomic = true, NotAtomic
		r.Backlog, r.LazyFlush = 10*mega, true
	}},
	{"valkey-8.1", "failed shards take turns; reports are judged at once", func(r *Rules) {
		r.MeetRepair, r.AnyoneWithdraws, r.JudgesAtOnce = true, true, true
		r.ShardRank, r.ClaimEndsAttempt, r.OneVotePerShard, r.UpdatesRefused = true, true, false, true
		r.StaleRolesEnd, r.LateBroadcast, r.ManualAtOnce = true, true, true
	}},
	{"valkey-9", "election delay by the node timeout; atomic slot migration", func(r *Rules) {
		r.ReconnectEach, r.DelayByTimeout, r.ElectsAtOnce = false, true, true
		r.Atomic = AtomicPush
		r.SlotsMove, r.HealthFirst = true, true
	}},
	{"valkey-10", "as 9, and a refused vote is told", func(r *Rules) { r.Nacks = true }},
}

// Versions returns the names of the versions, the oldest first.
func Versions() []string {
	var names []string
	for _, v := range versions {
		names = append(names, v.name)
	}
	return names
}

// Version returns the rules of a version, and a sentence about it.
func Version(name string) (r Rules, about string, ok bool) {
	for _, v := range versions {
		v.change(&r)
		if v.name == name {
			return r, v.about, true
		}
	}
	return Rules{}, "", false
}
