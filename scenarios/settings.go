package scenarios

import (
	"time"

	"hotslot/sim"
)

// Settings is all that one run can be told, apart from its seed: the tables of
// a scenario file after a strategy's patch, with every default filled in and
// every value checked. A field's tag is its name in the file.
type Settings struct {
	Duration  time.Duration `toml:"duration"` // measured, in virtual time; above 0
	Warmup    time.Duration `toml:"warmup"`   // simulated before and not measured
	Cluster   Cluster       `toml:"cluster"`
	Node      Node          `toml:"node"`
	Network   Network       `toml:"network"`
	Client    Client        `toml:"client"`
	Workloads []Workload    `toml:"workload"` // a table by name; here in the order of the file
}

// Cluster is the shape of the cluster.
type Cluster struct {
	Version     string        `toml:"version"`      // rules of the control plane, such as "redis-7.2"
	Primaries   int           `toml:"primaries"`    // 1 to 1000
	Replicas    int           `toml:"replicas"`     // of each primary, 0 to 10
	NodeTimeout time.Duration `toml:"node_timeout"` // cluster-node-timeout
}

// Node is one Redis process.
type Node struct {
	// Costs is a profile's name, or a table: profile = "…" and what differs.
	Costs Costs `toml:"costs"`
	// ReplicationLag is added to the time that the replication stream takes to
	// a replica anyway.
	ReplicationLag sim.Distribution `toml:"replication_lag"`
	// WriteBytesMax is the most that is written to one connection in one turn
	// (NET_MAX_WRITES_PER_EVENT, 64 KiB); 0 is no limit.
	WriteBytesMax int64 `toml:"max_write_per_turn"`
}

// Costs overrides single costs of a profile. A nil field stands as the profile
// has it. Byte costs are in picoseconds per byte.
type Costs struct {
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

// Network is what lies between clients and nodes.
type Network struct {
	OneWay          sim.Distribution `toml:"one_way"`          // latency of one direction
	NodeBandwidth   int64            `toml:"node_bandwidth"`   // bytes per second of each node's NIC, each direction; 0 is no limit
	ClientBandwidth int64            `toml:"client_bandwidth"` // of each client process's NIC
}

// Client is the client library in each application process.
type Client struct {
	Library       string        `toml:"library"`         // a profile of the settings below
	Processes     int           `toml:"processes"`       // 1 to 10000
	Connections   int           `toml:"connections"`     // to each node, of each process; 0 is as many as there are requests
	Pipelined     bool          `toml:"pipelined"`       // requests share the connections without waiting for replies
	ReadFrom      ReadFrom      `toml:"read_from"`       //
	Timeout       time.Duration `toml:"timeout"`         // of a command, from when it is sent; 0 is none
	MaxRedirects  int           `toml:"max_redirects"`   //
	OnMoved       OnMoved       `toml:"on_moved"`        // what a MOVED reply teaches
	SlotMap       string        `toml:"slot_map"`        // at the start: "current", "shifted" (each slot at the next primary) or "primaries:N" (as if there were N)
	Split         Split         `toml:"split"`           // of multi-key operations; a workload may say otherwise
	Chunk         int           `toml:"chunk"`           // most keys of one command; 0 is no limit
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

// A Workload is one demand on the cluster.
type Workload struct {
	Name string
	Kind string `toml:"kind"` // "counter", "keys", "batch" or "burst"

	// Keys. Key is a counter's one key. KeyPattern is any text with %d for the
	// key's number, 0 to Count-1, %t for its tag and %f for its field; KeyList
	// stands for it where the file gives a list of names.
	Key        string     `toml:"key"`
	KeyPattern string     `toml:"keys"`
	KeyList    []string   // `toml:"keys"` where that is a list
	Count      int        `toml:"count"`
	Fields     []string   `toml:"fields"` // keys of one number, by what %f stands for
	Tags       Tags       `toml:"tags"`
	Popularity Popularity `toml:"popularity"`

	// Demand. Either Rate (open: operations come when they come) or Workers
	// (closed: each waits for its reply, thinks, and goes on).
	Rate     float64          `toml:"rate"`     // operations per second
	Arrivals string           `toml:"arrivals"` // "poisson" or "constant"
	Steps    []Step           `toml:"steps"`    // changes of the rate
	Ramp     *Ramp            `toml:"ramp"`
	OnOff    *OnOff           `toml:"on_off"`
	Workers  int              `toml:"workers"`
	Think    sim.Distribution `toml:"think"`
	Pipeline int              `toml:"pipeline"` // closed: commands that a worker sends at once

	// What an operation does.
	Mix       []Share `toml:"mix"`        // kind keys: command = share; shares add up to 1
	Reads     float64 `toml:"reads"`      // kind counter: reads of the total, per second
	ValueSize int64   `toml:"value_size"` // bytes
	Command   string  `toml:"command"`    // kinds batch and burst
	Size      int     `toml:"size"`       // keys of one operation (batch) or one burst (burst)
	Order     string  `toml:"order"`      // kind batch: "random" (by popularity), "given" (consecutive numbers) or "shuffled" (those, in random order)

	// Kind burst: every Every, Size operations are due, all at once or evenly
	// spread over Over.
	Every time.Duration `toml:"every"`
	Over  time.Duration `toml:"over"`

	// Mitigations.
	Shards     int   `toml:"shards"`   // kind counter: suffix keys that the counter is split over
	KeepTag    bool  `toml:"keep_tag"` // kind counter: the suffix is put outside a hash tag that all shards share
	Copies     int   `toml:"copies"`   // kinds keys and batch: copies of each key; reads pick one, writes go to all
	Split      Split `toml:"split"`    // as Client's, where not empty
	Chunk      *int  `toml:"chunk"`
	ChunkFirst *bool `toml:"chunk_first"`
}

// Tags says what %t in a key pattern stands for. A key of number i has tag
// i mod the number of tags.
type Tags struct {
	Count      int    `toml:"count"`       // tags 0 to Count-1
	Template   string `toml:"template"`    // text with %d: with PerPrimary, tags are searched so that each primary gets as many
	PerPrimary int    `toml:"per_primary"` //
}

// Popularity says how often each key number is asked for.
type Popularity struct {
	Kind  string  // "uniform", "zipf", "scrambled-zipf", "hot-set", "latest", "sequential"
	Theta float64 // zipf, scrambled-zipf, latest: exponent, 0 to 5
	Hot   float64 // hot-set: share of the keys, 0 to 1, …
	Share float64 // … that gets this share of the operations
}

// A Share is one command's part of a mix.
type Share struct {
	Command string
	Share   float64
}

// A Step changes the rate for the rest of the run.
type Step struct {
	At   time.Duration `toml:"at"` // from the beginning of the run
	Rate float64       `toml:"rate"`
}

// A Ramp lets the rate rise or fall in a straight line.
type Ramp struct {
	To   float64       `toml:"to"`   // the rate at the end
	From time.Duration `toml:"from"` // when it begins
	Over time.Duration `toml:"over"` // how long it takes
}

// OnOff lets operations come for On and stay away for Off, again and again. The
// rate is that during On.
type OnOff struct {
	On  time.Duration `toml:"on"`
	Off time.Duration `toml:"off"`
}
