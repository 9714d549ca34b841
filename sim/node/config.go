package node

import (
	"time"

	"hotslot/sim"
)

// Config is one Redis process, as a scenario sets it.
type Config struct {
	// Costs is a profile's name, or a table: profile = "…" and what differs.
	Costs CostSpec `toml:"costs"`
	// ReplicationLag is added to the time that the replication stream takes to
	// a replica anyway.
	ReplicationLag sim.Distribution `toml:"replication_lag"`
	// WriteBytesMax is the most that is written to one connection in one turn
	// (NET_MAX_WRITES_PER_EVENT, 64 KiB); 0 is no limit.
	WriteBytesMax int64 `toml:"max_write_per_turn"`
	Replication
}

// Replication is how a process replicates, most of it by the names of redis.conf.
// It matters where the control plane runs; without it, replicas are in sync for
// ever.
type Replication struct {
	ReplBacklogSize       int64         `toml:"repl_backlog_size"`        // bytes; 0: as the version has it
	ReplDisklessSync      *bool         `toml:"repl_diskless_sync"`       // nil: as the version has it
	ReplDisklessSyncDelay time.Duration `toml:"repl_diskless_sync_delay"` // from the first request for a snapshot
	ReplTimeout           time.Duration `toml:"repl_timeout"`             // of silence, either way
	ReplicaServeStale     bool          `toml:"replica_serve_stale_data"` // a replica serves reads without its primary
	ReplicaLazyFlush      *bool         `toml:"replica_lazy_flush"`       // nil: as the version has it
	MinReplicasToWrite    int           `toml:"min_replicas_to_write"`
	MinReplicasMaxLag     time.Duration `toml:"min_replicas_max_lag"` // of a replica that counts, whole seconds

	// The limits of client-output-buffer-limit replica: at once, and if it is
	// exceeded for so long. 0 is none.
	ReplicaBufferHard     int64         `toml:"client_output_buffer_limit_replica"`
	ReplicaBufferSoft     int64         `toml:"client_output_buffer_limit_replica_soft"`
	ReplicaBufferSoftTime time.Duration `toml:"client_output_buffer_limit_replica_soft_time"`

	// Dataset is what each primary holds beside the keys of the workloads, in
	// bytes of a snapshot.
	Dataset int64 `toml:"dataset"`
	// ForkStall is how long the thread stands still when it forks; 0: ForkPerGiB
	// for each GiB that the node holds (latest_fork_usec).
	ForkStall    time.Duration `toml:"fork_stall"`
	ForkPerGiB   time.Duration `toml:"fork_per_gib"`
	SnapshotRate int64         `toml:"snapshot_rate"` // bytes a second that the child writes; 0: no limit
	LoadRate     int64         `toml:"load_rate"`     // bytes a second that a replica loads; 0: no limit
	FlushRate    int64         `toml:"flush_rate"`    // bytes a second that are freed before that; 0: no limit

	// Of atomic slot migration: bytes a second of its snapshot that the child writes; in
	// Valkey, how many bytes may wait to be sent when writes are paused, -1: as many as
	// there are; in Redis, how many the target may lack then, and for how long they are
	// paused at most.
	SlotSnapshotRate    int64         `toml:"slot_snapshot_rate"`
	SlotMaxFailoverRepl int64         `toml:"slot_migration_max_failover_repl_bytes"`
	SlotHandoffMaxLag   int64         `toml:"cluster_slot_migration_handoff_max_lag_bytes"`
	SlotPauseTimeout    time.Duration `toml:"cluster_slot_migration_write_pause_timeout"`
}

// DefaultReplication returns the settings that Redis starts with, and rates of a
// machine of our day.
func DefaultReplication() Replication {
	return Replication{
		ReplDisklessSyncDelay: 5 * time.Second, ReplTimeout: 60 * time.Second, ReplicaServeStale: true,
		MinReplicasMaxLag: 10 * time.Second,
		ReplicaBufferHard: 256 << 20, ReplicaBufferSoft: 64 << 20, ReplicaBufferSoftTime: 60 * time.Second,
		ForkPerGiB: 10 * time.Millisecond, SnapshotRate: 200 << 20, LoadRate: 250 << 20, FlushRate: 2 << 30,
		SlotSnapshotRate: 1_100_000_000, SlotHandoffMaxLag: 1 << 20, SlotPauseTimeout: 10 * time.Second,
	}
}

// forkTime returns for how long the thread stands still when a node forks that
// holds so many bytes.
func (r *Replication) forkTime(dataset int64) time.Duration {
	if r.ForkStall > 0 {
		return r.ForkStall
	}
	return time.Duration(dataset>>20) * r.ForkPerGiB >> 10
}

// takes returns how long so many bytes take at a rate.
func takes(bytes, rate int64) time.Duration {
	if rate == 0 {
		return 0
	}
	return time.Duration(bytes/rate)*time.Second + time.Duration(bytes%rate*int64(time.Second)/rate)
}
