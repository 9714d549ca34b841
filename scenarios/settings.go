package scenarios

import (
	"time"

	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/workloads"
)

// Settings is all that one run can be told, apart from its seed: the tables of
// a scenario file after a strategy's patch, with every default filled in and
// every value checked. A field's tag is its name in the file.
type Settings struct {
	Duration  time.Duration  `toml:"duration"` // measured, in virtual time; above 0
	Warmup    time.Duration  `toml:"warmup"`   // simulated before and not measured
	Cluster   Cluster        `toml:"cluster"`
	Node      node.Config    `toml:"node"`
	Network   network.Config `toml:"network"`
	Client    client.Config  `toml:"client"`
	Workloads []Workload     `toml:"workload"` // a table by name; here in the order of the file

	Events []cluster.Event `toml:"event"` // likewise
}

// Cluster is the shape of the cluster.
type Cluster struct {
	Version   string `toml:"version"`   // rules of the control plane, such as "redis-7.2"
	Primaries int    `toml:"primaries"` // 1 to 1000
	Replicas  int    `toml:"replicas"`  // of each primary, 0 to 10
	Gossip    bool   `toml:"gossip"`    // nodes run the control plane
	Machines  int    `toml:"machines"`  // that the nodes share; 0: each has its own
	Zones     int    `toml:"zones"`     // that the machines are in; 0: one
	Cores     int    `toml:"cores"`     // of each machine, shared by its processes; 0: one for each of them
	gossip.Config
}

// A Workload is one demand on the cluster, with what its application sets
// differently from the other users of the client library.
type Workload struct {
	workloads.Spec
	Split      client.Split `toml:"split"`       // as in [client], where not empty
	Chunk      *int         `toml:"chunk"`       // as in [client], where not nil
	ChunkFirst *bool        `toml:"chunk_first"` // as in [client], where not nil

	// Of each key: what it takes where it is stored, if that is more than a command reads
	// or writes of it; and of how many elements it is a collection, which matters where
	// keys move. Exists is the share of the keys that are there when the run begins.
	StoredSize int64    `toml:"stored_size"`
	Elements   int      `toml:"elements"`
	Exists     *float64 `toml:"exists"`

	WaitReplicas int  `toml:"wait_replicas"` // that have to acknowledge a write before it counts as done (WAIT)
	Zone         *int `toml:"zone"`          // only client processes there carry the load; nil: all
}

// Stored returns what a key takes where it is stored, in bytes.
func (w *Workload) Stored() int64 { return max(w.ValueSize, w.StoredSize) }
