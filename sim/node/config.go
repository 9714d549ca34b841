package node

import (
	"time"

	"hotslot/sim"
)

// Config is one Redis process.
type Config struct {
	// Costs is a profile's name, or a table: profile = "…" and what differs.
	Costs CostSpec `toml:"costs"`
	// ReplicationLag is added to the time that the replication stream takes to
	// a replica anyway.
	ReplicationLag sim.Distribution `toml:"replication_lag"`
	// WriteBytesMax is the most that is written to one connection in one turn
	// (NET_MAX_WRITES_PER_EVENT, 64 KiB); 0 is no limit.
	WriteBytesMax int64 `toml:"max_write_per_turn"`
}

// CostSpec overrides single costs of a profile. A nil field stands as the profile
// has it. Byte costs are in picoseconds per byte.
type CostSpec struct {
	Profile      string                   `toml:"profile"`
	Turn         *time.Duration           `toml:"turn"`         // of one round of the event loop
	Connection   *time.Duration           `toml:"connection"`   // of reading from and writing to one connection in a turn
	Command      *time.Duration           `toml:"command"`      // parsing and executing any one command: replaces all of the profile's
	CommandTime  map[string]time.Duration `toml:"commands"`     // the same for single commands, by name
	Key          *time.Duration           `toml:"key"`          // each key of a command beyond the first
	ByteIn       *float64                 `toml:"byte_in_ns"`   // each byte of a request
	ByteOut      *float64                 `toml:"byte_out_ns"`  // each byte of a reply
	Distribution string                   `toml:"distribution"` // of a command's cost around its mean: "constant" or "exponential"
}
