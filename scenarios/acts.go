package scenarios

import (
	"slices"

	"hotslot/sim/cluster"
)

// whenKeys are the keys that say when an event happens and what it does, and doKeys
// those that what it does takes.
var (
	whenKeys = []string{"at", "when", "after", "of", "delay", "do"}
	howKeys  = []string{"tool", "batch", "timeout", "answer_timeout", "replace", "parallel", "pause", "low_traffic",
		"below", "slow_at", "stop_at", "on_error"}
	doKeys = map[cluster.Do][]string{
		cluster.DoKill:           {"node", "nodes", "for", "keep_data"},
		cluster.DoLose:           {"node", "nodes", "for", "keep_data"},
		cluster.DoRestart:        {"node", "nodes", "keep_data"},
		cluster.DoFreeze:         {"node", "nodes", "for"},
		cluster.DoThaw:           {"node", "nodes"},
		cluster.DoSlow:           {"node", "nodes", "length"},
		cluster.DoStall:          {"node", "nodes", "length"},
		cluster.DoFork:           {"node", "nodes", "length"},
		cluster.DoPartition:      {"node", "nodes", "from", "for", "direction", "bus_only"},
		cluster.DoHeal:           {"ends"},
		cluster.DoLink:           {"node", "nodes", "from", "for", "direction", "bus_only", "latency", "loss"},
		cluster.DoCutReplication: {"node", "nodes", "for"},
		cluster.DoAdd:            {"node", "nodes", "to"},
		cluster.DoReplicate:      {"node", "nodes", "to"},
		cluster.DoFailover:       {"node", "nodes", "mode"},
		cluster.DoTakeover:       {"node", "nodes"},
		cluster.DoClaim:          {"node", "nodes", "slots", "epoch"},
		cluster.DoAddSlots:       {"node", "nodes", "slots"},
		cluster.DoDelSlots:       {"node", "nodes", "slots"},

		cluster.DoMoveSlots: moving("node", "slots", "key"),
		cluster.DoReshard:   moving("node", "from", "count"),
		cluster.DoRebalance: moving("weights", "threshold", "use_empty", "planner"),
		cluster.DoDrain:     moving("node", "nodes", "to", "threshold", "planner"),
		cluster.DoScaleOut:  moving("node", "nodes", "with", "count", "weights", "threshold", "planner"),
		cluster.DoHottest:   moving("count", "by"),
		cluster.DoIsolate:   moving("slots", "key", "by"),
		cluster.DoBalance:   moving("by", "within"),
		cluster.DoInterrupt: {"ends"},
		cluster.DoFix:       {"batch", "timeout", "answer_timeout"},
	}
	// needs are the keys that an act cannot do without, with an example of each.
	needs = map[cluster.Do][]string{
		cluster.DoSlow: {"length", `"3s"`}, cluster.DoStall: {"length", `"3s"`}, cluster.DoFork: {"length", `"200ms"`},
		cluster.DoHeal: {"ends", `"cut"`}, cluster.DoInterrupt: {"ends", `"move"`}, cluster.DoReplicate: {"to", `"primary 0"`},
		cluster.DoClaim: {"slots", `"0-5460"`}, cluster.DoAddSlots: {"slots", `"0-5460"`},
		cluster.DoReshard: {"count", "4096"}, cluster.DoHottest: {"count", "10"},
		cluster.DoDelSlots: {"slots", `"0-5460"`}, cluster.DoCutReplication: {"for", `"60s"`},
	}
)

// moving returns the keys of what moves slots.
func moving(keys ...string) []string { return slices.Concat(keys, howKeys) }

// An Act is something that an event can do.
type Act struct {
	Name    string
	Keys    []string // that it takes beside those that say when
	Meaning string
}

// Acts returns what events can do.
func Acts() []Act {
	meanings := []Act{
		{Name: "kill", Meaning: "the process ends (SIGKILL), and is started again after for"},
		{Name: "lose", Meaning: "the host vanishes: nothing comes back from it"},
		{Name: "restart", Meaning: "the process is started again, empty unless keep_data"},
		{Name: "freeze", Meaning: "the process is stopped (SIGSTOP), and goes on after for"},
		{Name: "thaw", Meaning: "it goes on (SIGCONT)"},
		{Name: "slow", Meaning: "one command takes length"},
		{Name: "stall", Meaning: "the thread stands still for length"},
		{Name: "fork", Meaning: "the process forks, and stands still for length"},
		{Name: "partition", Meaning: "the nodes and those in from, or all others, do not hear each other"},
		{Name: "link", Meaning: "latency and loss between the nodes and those in from, or all others"},
		{Name: "heal", Meaning: "the partition or link of the event in ends is over"},
		{Name: "cut-replication", Meaning: "a replica's link to its primary breaks, and cannot be opened for"},
		{Name: "add", Meaning: "an empty node joins, as a replica of the node in to"},
		{Name: "replicate", Meaning: "CLUSTER REPLICATE of the node in to"},
		{Name: "failover", Meaning: "CLUSTER FAILOVER in a mode: default, force or takeover"},
		{Name: "takeover", Meaning: "CLUSTER FAILOVER TAKEOVER"},
		{Name: "claim", Meaning: "the node owns slots with epoch, by its own word"},
		{Name: "addslots", Meaning: "CLUSTER ADDSLOTSRANGE"},
		{Name: "delslots", Meaning: "CLUSTER DELSLOTSRANGE"},
		{Name: "move-slots", Meaning: "an operator moves the slots in slots, or that of a key, to the node"},
		{Name: "reshard", Meaning: "redis-cli --cluster reshard: count slots to the node, from those in from or from all"},
		{Name: "rebalance", Meaning: "redis-cli --cluster rebalance, or by the rules of another planner"},
		{Name: "drain", Meaning: "all slots of the nodes move to the others, or to the one in to"},
		{Name: "scale-out", Meaning: "empty nodes join, with those in with as replicas, and get count slots or their share"},
		{Name: "hottest", Meaning: "up to count of the hottest slots move from the busiest to the idlest node"},
		{Name: "isolate", Meaning: "the slot in slots, or of a key, gets a node of its own"},
		{Name: "balance", Meaning: "few moves bring every node's load to the mean"},
		{Name: "interrupt", Meaning: "the tool that the event in ends has begun is stopped, wherever it stands"},
		{Name: "fix", Meaning: "redis-cli --cluster fix: open slots are closed, and what nobody owns is given away"},
	}
	for i := range meanings {
		meanings[i].Keys = doKeys[cluster.Do(meanings[i].Name)]
	}
	return meanings
}

// actNames returns the names of what events can do.
func actNames() []string {
	var names []string
	for _, a := range Acts() {
		names = append(names, a.Name)
	}
	return names
}
