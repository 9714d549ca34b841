package gossip

import "time"

// Config is the part of redis.conf that the control plane reads, by Redis's own
// names.
type Config struct {
	NodeTimeout              time.Duration `toml:"node_timeout"`                // cluster-node-timeout
	PingInterval             time.Duration `toml:"ping_interval"`               // cluster-ping-interval; 0: half the timeout
	RequireFullCoverage      bool          `toml:"require_full_coverage"`       // cluster-require-full-coverage
	AllowReadsWhenDown       bool          `toml:"allow_reads_when_down"`       // cluster-allow-reads-when-down
	AllowPubsubshardWhenDown bool          `toml:"allow_pubsubshard_when_down"` // cluster-allow-pubsubshard-when-down
	ReplicaNoFailover        bool          `toml:"replica_no_failover"`         // cluster-replica-no-failover
	ReplicaValidityFactor    int           `toml:"replica_validity_factor"`     // cluster-replica-validity-factor; 0: any age will do
	MigrationBarrier         int           `toml:"migration_barrier"`           // cluster-migration-barrier
	AllowReplicaMigration    bool          `toml:"allow_replica_migration"`     // cluster-allow-replica-migration
	ManualFailoverTimeout    time.Duration `toml:"manual_failover_timeout"`     // cluster-manual-failover-timeout
	ReplPingReplicaPeriod    time.Duration `toml:"repl_ping_replica_period"`    // repl-ping-replica-period, whole seconds
}

// DefaultConfig returns the settings that Redis starts with.
func DefaultConfig() Config {
	return Config{NodeTimeout: 15 * time.Second, RequireFullCoverage: true, AllowPubsubshardWhenDown: true,
		ReplicaValidityFactor: 10, MigrationBarrier: 1, AllowReplicaMigration: true,
		ManualFailoverTimeout: 5 * time.Second, ReplPingReplicaPeriod: 10 * time.Second}
}
