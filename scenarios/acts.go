package scenarios

import "hotslot/sim/cluster"

// whenKeys are the keys that say when an event happens and what it does, and doKeys
// those that what it does takes.
var (
	whenKeys = []string{"at", "after", "of", "delay", "do"}
	doKeys   = map[cluster.Do][]string{
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
	}
	// needs are the keys that an act cannot do without, with an example of each.
	needs = map[cluster.Do][]string{
		cluster.DoSlow: {"length", `"3s"`}, cluster.DoStall: {"length", `"3s"`}, cluster.DoFork: {"length", `"200ms"`},
		cluster.DoHeal: {"ends", `"cut"`}, cluster.DoReplicate: {"to", `"primary 0"`},
		cluster.DoClaim: {"slots", `"0-5460"`}, cluster.DoAddSlots: {"slots", `"0-5460"`},
		cluster.DoDelSlots: {"slots", `"0-5460"`}, cluster.DoCutReplication: {"for", `"60s"`},
	}
)

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
