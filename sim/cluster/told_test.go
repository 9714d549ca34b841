package cluster

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
)

// How a real server writes CLUSTER INFO, and a line of CLUSTER NODES: see the
// samples in sim/gossip/testdata.
var (
	infoForm = regexp.MustCompile(`^cluster_state:(ok|fail)\r\ncluster_slots_assigned:\d+\r\ncluster_slots_ok:\d+\r\n` +
		`cluster_slots_pfail:\d+\r\ncluster_slots_fail:\d+\r\ncluster_known_nodes:\d+\r\ncluster_size:\d+\r\n` +
		`cluster_current_epoch:\d+\r\ncluster_my_epoch:\d+\r\n` +
		`(cluster_stats_messages_[a-z-]+_sent:[1-9]\d*\r\n)*cluster_stats_messages_sent:\d+\r\n` +
		`(cluster_stats_messages_[a-z-]+_received:[1-9]\d*\r\n)*cluster_stats_messages_received:\d+\r\n` +
		`total_cluster_links_buffer_limit_exceeded:0\r\n$`)
	nodeForm = regexp.MustCompile(`^[0-9a-f]{40} [0-9.]+:\d+@\d+ ` +
		`(myself,)?(master|slave)(,fail\?|,fail)?(,nofailover)? ` +
		`(-|[0-9a-f]{40}) \d+ \d+ \d+ (connected|disconnected)( \d+(-\d+)?)*$`)
)

// What a node tells of itself reads like what a real one tells, at any instant: it
// has the form, and the three replies do not contradict each other. Meanwhile nodes
// are killed, started, cut off and replaced, and slots taken away and given.
func TestToldAtAnyInstant(t *testing.T) {
	told, down, suspects, open := 0, 0, 0, 0
	for seed := range uint64(4) {
		c := controlled(t, seed, time.Second, 40*time.Second)
		place := func(kind PlaceKind, i, j int) []Place { return []Place{{Kind: kind, I: i, J: j}} }
		at := func(d time.Duration) When { return When{At: sim.Time(d)} }
		c.Events = []Event{
			{Name: "kill", When: at(3 * time.Second), Do: DoKill, Nodes: place(AtPrimary, 0, 0), For: 8 * time.Second},
			{Name: "cut", When: at(14 * time.Second), Do: DoPartition, Nodes: place(AtPrimary, 1, 0),
				For: 6 * time.Second},
			{Name: "take", When: at(25 * time.Second), Do: DoDelSlots, Nodes: place(AtAll, 0, 0),
				Ranges: []slots.Range{{First: 100, Last: 101}, {First: 9000, Last: 9000}}},
			{Name: "give", When: at(28 * time.Second), Do: DoAddSlots, Nodes: place(AtPrimary, 2, 0),
				Ranges: []slots.Range{{First: 100, Last: 101}}},
			{Name: "stop", When: at(32 * time.Second), Do: DoKill, Nodes: []Place{
				{Kind: AtPrimary, I: 2}, {Kind: AtReplica, I: 2}}},
		}
		cl := New(c)
		instants := sim.NewStream(seed, "instants")
		for i := range uint64(200) {
			cl.Sched.Run(sim.Time(i)*sim.Time(200*time.Millisecond) + sim.Time(sim.Below(instants.At(i), 2e8)))
			for id, n := range cl.Nodes {
				if !n.Up() {
					continue
				}
				facts := gossip.Facts{Offset: n.Offset()}
				info, nodes := n.State().ClusterInfo(), n.State().ClusterNodes()
				if err := consistent(info, nodes, n.State().ClusterSlots(&facts)); err != nil {
					t.Fatalf("seed %d, node %d at %v: %v\n%s%s", seed, id, cl.Sched.Now(), err, info, nodes)
				}
				told++
				down += strings.Count(info, "cluster_state:fail")
				suspects += strings.Count(nodes, "fail?")
				open += 1 - strings.Count(info, "cluster_slots_assigned:16384")
			}
		}
	}
	if told < 3000 || down < 100 || suspects < 50 || open < 100 {
		t.Errorf("of %d replies %d are of clusters that are down, %d have suspects, %d open slots: too few to tell",
			told, down, suspects, open)
	}
}

// consistent reports what is wrong with the replies of a node to CLUSTER INFO,
// NODES and SLOTS.
func consistent(info, nodes, ranges string) error {
	if !infoForm.MatchString(info) {
		return fmt.Errorf("CLUSTER INFO has another form")
	}
	numbers := map[string]int{}
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		numbers[strings.TrimPrefix(name, "cluster_")], _ = strconv.Atoi(value)
	}
	for _, way := range []string{"_sent", "_received"} {
		sum := 0
		for name, n := range numbers {
			if name != "stats_messages"+way && strings.HasSuffix(name, way) {
				sum += n
			}
		}
		if sum != numbers["stats_messages"+way] {
			return fmt.Errorf("%d messages%s, by type %d", numbers["stats_messages"+way], way, sum)
		}
	}
	owned := map[string]int{} // by what is thought of the owner
	owners := map[string]string{}
	myself, lines := 0, strings.Split(strings.TrimSuffix(nodes, "\n"), "\n")
	for _, line := range lines {
		if !nodeForm.MatchString(line) {
			return fmt.Errorf("a line of CLUSTER NODES has another form: %q", line)
		}
		f := strings.Fields(line)
		myself += strings.Count(f[2], "myself")
		health := "ok"
		switch {
		case strings.Contains(f[2], "fail?"):
			health = "pfail"
		case strings.Contains(f[2], "fail"):
			health = "fail"
		}
		for _, r := range f[8:] {
			first, last, two := strings.Cut(r, "-")
			if !two {
				last = first
			}
			a, _ := strconv.Atoi(first)
			z, _ := strconv.Atoi(last)
			owned[health] += z - a + 1
			if owners[first+"\n"+last] != "" {
				return fmt.Errorf("slots %s are told of twice", r)
			}
			owners[first+"\n"+last] = f[0]
		}
	}
	assigned := owned["ok"] + owned["pfail"] + owned["fail"]
	switch {
	case myself != 1 || len(lines) != numbers["known_nodes"]:
		return fmt.Errorf("%d lines, %d of them myself, and %d known nodes", len(lines), myself, numbers["known_nodes"])
	case assigned != numbers["slots_assigned"] || owned["ok"] != numbers["slots_ok"] ||
		owned["pfail"] != numbers["slots_pfail"] || owned["fail"] != numbers["slots_fail"]:
		return fmt.Errorf("CLUSTER NODES has %d slots: %v", assigned, owned)
	}
	for r, owner := range owners {
		at := strings.Index("\n"+ranges, "\n"+r+"\n")
		if at < 0 {
			return fmt.Errorf("slots %q are not in CLUSTER SLOTS", r)
		}
		if f := strings.Split(ranges[at:], "\n"); f[4] != owner {
			return fmt.Errorf("slots %q: CLUSTER SLOTS names %s first, CLUSTER NODES %s", r, f[4], owner)
		}
	}
	return nil
}
