package client

import "time"

// Config is the client library in each application process.
type Config struct {
	Library       string        `toml:"library"`         // a profile of the settings below
	Processes     int           `toml:"processes"`       // 1 to 10000
	Connections   int           `toml:"connections"`     // to each node, of each process; 0: as many as there are requests
	Pipelined     bool          `toml:"pipelined"`       // requests share the connections without waiting for replies
	ReadFrom      ReadFrom      `toml:"read_from"`       // which nodes answer reads
	Timeout       time.Duration `toml:"timeout"`         // of a command, from when it is sent; 0: none
	MaxRedirects  int           `toml:"max_redirects"`   // of a command, before it fails
	OnMoved       OnMoved       `toml:"on_moved"`        // what a MOVED reply teaches
	SlotMap       string        `toml:"slot_map"`        // at the start: "current", "shifted" or "primaries:N"
	Split         Split         `toml:"split"`           // of operations on several slots; a workload may say otherwise
	Chunk         int           `toml:"chunk"`           // most keys of one command; 0: no limit
	ChunkFirst    bool          `toml:"chunk_first"`     // cut into chunks before grouping, not after
	CPUPerCommand time.Duration `toml:"cpu_per_command"` // of the process, for sending one and reading its reply
	Cores         int           `toml:"cores"`           // of a process
}

// ReadFrom says which node a read goes to.
type ReadFrom string

// OnMoved says what a client does with a MOVED reply beside following it.
type OnMoved string

// Split says how an operation on keys of several slots becomes commands.
type Split string

// The policies.
const (
	FromPrimary ReadFrom = "primary"
	FromReplica ReadFrom = "replica" // any replica, the primary where there is none
	FromAny     ReadFrom = "any"     // the primary and its replicas alike

	MovedPatch   OnMoved = "patch"   // the one slot is corrected
	MovedRefresh OnMoved = "refresh" // the whole map is fetched again, by one request at a time
	MovedIgnore  OnMoved = "ignore"  // nothing is learnt

	SplitNone           Split = "none"                // one command, whatever its slots: CROSSSLOT
	SplitSlot           Split = "per-slot"            // one command for each slot, all at once
	SplitSlotSequential Split = "per-slot-sequential" // one after another
	SplitNode           Split = "per-node"            // one pipeline for each node, of one command for each slot
)

// The slot maps that a client may start with, beside SlotMapPrimaries and a
// number: the map as if there were that many primaries.
const (
	SlotMapCurrent   = "current"
	SlotMapShifted   = "shifted" // each slot at the next primary: all of it wrong
	SlotMapPrimaries = "primaries:"
)

// Batching is how operations on several keys become commands.
type Batching struct {
	Split      Split
	Chunk      int // most keys of one command; 0: no limit
	ChunkFirst bool
}
