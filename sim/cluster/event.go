package cluster

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// An Event is something that a scenario does to the cluster.
type Event struct {
	Name string
	When When
	Do   Do

	// Nodes are what it is done to, and Others the other side: of a partition or
	// a link (all other nodes where it is empty), or the node that is met,
	// followed or joined.
	Nodes, Others []Place

	For      time.Duration // how long it lasts; 0: for ever, or until another event ends it
	Length   time.Duration // of a slow command, a stall or a fork; the latency that a link gains
	Loss     float64       // of a link: share of the messages lost, 0 to 1
	OneWay   bool          // partition, link: only what goes from Nodes to Others
	BusOnly  bool          // partition, link: only the cluster bus
	KeepData bool          // restart: with the data that the process had
	Mode     gossip.FailoverMode
	Ranges   []slots.Range // claim, addslots, delslots
	Epoch    uint64        // claim
	Ends     string        // heal: the partition's or link's event; interrupt: that which moves slots

	Reshuffle Reshuffle      // of slots: which of them go where
	Tool      migration.Tool // and how
	Pace      Pace           // and how fast
}

// When says at which instant an event happens.
type When struct {
	At    sim.Time
	Until sim.Time // where it is later than At: at a random instant between the two
	// After is the name of another event, or the name of a kind of the timeline
	// such as "election-won", whose first occurrence (after the event AfterEvent,
	// where that is named) counts; At is then the delay after it.
	After      string
	AfterEvent string
	// Rule has the event happen once it has held for long enough; At is then the delay
	// after that.
	Rule *Rule
}

// Do is what an event does.
type Do string

// What events do.
const (
	DoKill           Do = "kill"            // the process ends (kill -9)
	DoLose           Do = "lose"            // the host vanishes: nothing comes back from it
	DoRestart        Do = "restart"         // the process starts again
	DoFreeze         Do = "freeze"          // SIGSTOP
	DoThaw           Do = "thaw"            // SIGCONT
	DoSlow           Do = "slow"            // one command that takes Length
	DoStall          Do = "stall"           // the thread stands still for Length: a page fault, a slow disk
	DoFork           Do = "fork"            // the process forks, and stands still for Length meanwhile
	DoPartition      Do = "partition"       // Nodes and Others do not hear each other
	DoHeal           Do = "heal"            // ends the partition or the bad link of the event Ends
	DoLink           Do = "link"            // latency and loss between Nodes and Others
	DoCutReplication Do = "cut-replication" // a replica's link to its primary breaks, and cannot be opened for For
	DoAdd            Do = "add"             // an empty node joins (CLUSTER MEET); Others is its primary, if any
	DoReplicate      Do = "replicate"       // CLUSTER REPLICATE: Nodes follow Others
	DoFailover       Do = "failover"        // CLUSTER FAILOVER on a replica, in a Mode
	DoTakeover       Do = "takeover"        // CLUSTER FAILOVER TAKEOVER
	DoAddSlots       Do = "addslots"        // CLUSTER ADDSLOTS: the node owns Ranges, which are nobody's
	DoDelSlots       Do = "delslots"        // CLUSTER DELSLOTS: for the node, Ranges are nobody's
	DoClaim          Do = "claim"           // the node owns Ranges with Epoch, by its own word

	// What an operator does with slots, by Reshuffle, Tool and Pace.
	DoMoveSlots Do = "move-slots" // moves Ranges to the node
	DoReshard   Do = "reshard"    // redis-cli --cluster reshard to the node, from Others or from all
	DoRebalance Do = "rebalance"  // redis-cli --cluster rebalance
	DoDrain     Do = "drain"      // moves all slots of Nodes away, to Others where that names one
	DoScaleOut  Do = "scale-out"  // adds Nodes, with Others as their replicas, and fills them
	DoHottest   Do = "hottest"    // moves the hottest slots from the busiest to the idlest node
	DoIsolate   Do = "isolate"    // gives the slot of Ranges a node of its own
	DoBalance   Do = "balance"    // balances by load, with few moves
	DoFix       Do = "fix"        // redis-cli --cluster fix
	DoInterrupt Do = "interrupt"  // ends the tool that the event Ends has begun, wherever it stands
)

// reshuffles are what moves slots.
var reshuffles = []Do{DoMoveSlots, DoReshard, DoRebalance, DoDrain, DoScaleOut, DoHottest, DoIsolate, DoBalance, DoFix}

// A Place is one node, or several that belong together.
type Place struct {
	Kind PlaceKind
	I, J int // numbers: of the primary and its replica, of the slot, machine or zone
}

// PlaceKind is the kind of a Place.
type PlaceKind uint8

// The kinds of places.
const (
	AtPrimary       PlaceKind = iota // the node that was primary I at the beginning
	AtPrimaries                      // those that were primaries I to J
	AtReplica                        // the node that was replica J of primary I at the beginning
	AtPrimaryOfSlot                  // whoever is primary of slot I when the event happens, as a majority sees it
	AtReplicaOfSlot                  // its replica J then
	AtMachine                        // all nodes on machine I
	AtZone                           // all nodes in zone I
	AtAdded                          // the I-th node that is added in the run
	AtClients                        // the client processes: all, or those of zone I if that is not negative
	AtAll                            // all nodes
)

// A Dump asks for what a node tells of itself at an instant.
type Dump struct {
	At   sim.Time
	Node Place
	What string // "cluster info", "cluster nodes", "cluster slots", "cluster shards" or "info replication"
}

// Dumps returns what can be asked for.
func Dumps() []string {
	return []string{"cluster info", "cluster nodes", "cluster slots", "cluster shards", "info replication"}
}

// A Dumped is the answer to a Dump.
type Dumped struct {
	Dump
	Name string // of the node
	Text string
}

// Placement is where nodes are. Primary i is on machine i, its replica j on
// machine i+j+1, each modulo Machines, and machine m in zone m modulo Zones.
type Placement struct {
	Machines int // 0: one for each node
	Zones    int // 0 or 1: all in one
	Cores    int // of each machine, that its processes share; 0: as many as there are
}

// moves reports whether slots may move in a run.
func (c *Config) moves() bool {
	return slices.ContainsFunc(c.Events, func(e Event) bool { return slices.Contains(reshuffles, e.Do) })
}
