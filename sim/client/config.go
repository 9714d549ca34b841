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
	RefreshOnAsk  bool          `toml:"refresh_on_ask"`  // an ASK reply has the slot map fetched again
	Asking        Asking        `toml:"asking"`          // for which commands ASKING is sent after ASK
	SlotMap       string        `toml:"slot_map"`        // at the start: "current", "shifted" or "primaries:N"
	Split         Split         `toml:"split"`           // of operations on several slots; a workload may say otherwise
	Chunk         int           `toml:"chunk"`           // most keys of one command; 0: no limit
	ChunkFirst    bool          `toml:"chunk_first"`     // cut into chunks before grouping, not after
	CPUPerCommand time.Duration `toml:"cpu_per_command"` // of the process, for sending one and reading its reply
	Cores         int           `toml:"cores"`           // of a process

	// A command that fails is tried again up to Retries times, where it failed
	// with one of RetryOn, or with any of RetryKinds but TIMEOUT where that is
	// empty: after a pause that starts with RetryBackoff and doubles up to
	// RetryBackoffMax (0: no limit), less up to a half of it by chance.
	Retries         int           `toml:"retries"`
	RetryOn         []string      `toml:"retry_on"`
	RetryBackoff    time.Duration `toml:"retry_backoff"`
	RetryBackoffMax time.Duration `toml:"retry_backoff_max"`

	// RefreshOnError has a process fetch the slot map after a broken connection, a
	// timeout or CLUSTERDOWN, from a random node that it knows, but not from the
	// one that failed; not before RefreshMinInterval has passed since it asked
	// last. RefreshEvery has it fetch the map without a cause; 0: never.
	RefreshOnError     bool          `toml:"refresh_on_error"`
	RefreshMinInterval time.Duration `toml:"refresh_min_interval"`
	RefreshEvery       time.Duration `toml:"refresh_every"`

	// Stateless has each operation fetch the slot map for itself, from a random
	// one of the first primaries, before it sends anything. The fetch counts as a
	// command of the operation.
	Stateless bool `toml:"stateless"`

	// WaitTimeout is how long a write waits for replicas, where its load says for
	// how many (WAIT); 0: as long as it takes.
	WaitTimeout time.Duration `toml:"wait_timeout"`

	// Zones says in which zone each process is, by its number modulo their number;
	// empty: all in zone 0.
	Zones []int `toml:"zones"`
}

// Zone returns the zone that a process is in.
func (c *Config) Zone(process int) int {
	if len(c.Zones) == 0 {
		return 0
	}
	return c.Zones[process%len(c.Zones)]
}

// ReadFrom says which node a read goes to.
type ReadFrom string

// OnMoved says what a client does with a MOVED reply beside following it.
type OnMoved string

// Asking says for which of several commands that are sent together, and are redirected
// by ASK to one node, a client sends ASKING.
type Asking string

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

	AskingEach Asking = "each" // for each of them
	// AskingOnce: for the first alone, which uses it up. The others come back with MOVED,
	// then with ASK, until there have been too many redirections.
	AskingOnce Asking = "once"

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
