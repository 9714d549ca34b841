package gossip

import (
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hotslot/sim/slots"
)

// sample returns a reply of a real server, as if it had been taken in the first
// minutes of a run.
func sample(t *testing.T, name string) string {
	text, err := os.ReadFile("testdata/redis-7.0.15/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\b179607(\d{7})\b`).ReplaceAllString(string(text), "170000$1")
}

// fromSample returns the State of the node that a reply to CLUSTER NODES calls
// myself.
func fromSample(t *testing.T, text string) *State {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	rules, _, _ := Version("redis-7.0")
	env := &Env{Config: DefaultConfig(), Rules: rules}
	layout := &Layout{Slots: new(slots.Table), Epochs: make([]uint64, len(lines))}
	numbers, self := map[string]slots.Owner{"-": slots.None}, slots.None
	for i, line := range lines {
		f := strings.Fields(line)
		var name Name
		id, err := hex.DecodeString(f[0])
		if err != nil {
			t.Fatal(err)
		}
		copy(name.ID[:], id)
		host, port, _ := strings.Cut(f[1], ":")
		port, _, _ = strings.Cut(port, "@")
		name.Host = host
		name.Port, _ = strconv.Atoi(port)
		env.Names = append(env.Names, name)
		numbers[f[0]] = slots.Owner(i)
		if strings.Contains(f[2], "myself") {
			self = slots.Owner(i)
		}
	}
	for i, line := range lines {
		f := strings.Fields(line)
		of := slots.Owner(i)
		if f[3] != "-" {
			of = numbers[f[3]]
		}
		layout.PrimaryOf = append(layout.PrimaryOf, of)
		if of == slots.Owner(i) {
			layout.Epochs[i], _ = strconv.ParseUint(f[6], 10, 64)
		}
		for _, r := range f[8:] {
			first, last, _ := strings.Cut(r, "-")
			a, _ := strconv.Atoi(first)
			b, _ := strconv.Atoi(last)
			for slot := a; slot <= b; slot++ {
				layout.Slots[slot] = slots.Owner(i)
			}
		}
	}
	s := New(env, self, layout)
	for i, line := range lines {
		node, f := slots.Owner(i), strings.Fields(line)
		ping, _ := strconv.ParseInt(f[4], 10, 64)
		pong, _ := strconv.ParseInt(f[5], 10, 64)
		s.pong[i] = millis(pong - Epoch)
		if ping > 0 {
			s.setPing(node, millis(ping-Epoch))
		}
		s.setFlag(node, FAIL, strings.Contains(f[2]+",", "fail,"))
		if f[7] == "disconnected" {
			s.dropLink(node)
		}
	}
	s.currentEpoch = 6
	return s
}

// recount has a State have sent and received what a reply to CLUSTER INFO says.
func (s *State) recount(info string) {
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		count, _ := strconv.ParseUint(value, 10, 64)
		for _, m := range messages {
			switch name {
			case "cluster_stats_messages_" + m.name + "_sent":
				s.Sent[m.is] = count
			case "cluster_stats_messages_" + m.name + "_received":
				s.Taken[m.is] = count
			}
		}
	}
}

// What a State tells of itself is what Redis 7.0.15 told, byte for byte.
func TestSamples(t *testing.T) {
	nodes, info := sample(t, "cluster_nodes.txt"), sample(t, "cluster_info.txt")
	s := fromSample(t, nodes)
	s.recount(info)
	shards := sample(t, "cluster_shards_resp2_raw.txt")
	offsets := regexp.MustCompile(`(?s)id\n([0-9a-f]{40})\n.*?replication-offset\n(\d+)`)
	facts := Facts{}
	for _, m := range offsets.FindAllStringSubmatch(shards, -1) {
		offset, _ := strconv.ParseUint(m[2], 10, 64)
		for _, node := range s.roster {
			if s.id(node) != m[1] {
				continue
			}
			s.peer[node].offset = offset
			if node == s.self {
				facts.Offset = offset
			}
		}
	}
	for _, tt := range []struct{ name, got, want string }{
		{"CLUSTER NODES", s.ClusterNodes(), nodes},
		{"CLUSTER INFO", s.ClusterInfo(), info},
		{"CLUSTER SLOTS", s.ClusterSlots(&facts), sample(t, "cluster_slots_raw.txt")},
		{"CLUSTER SHARDS", s.ClusterShards(&facts), shards},
	} {
		if tt.got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, tt.got, tt.want)
		}
	}
}

// So it is when a primary and its replica have failed, and the cluster is down.
func TestSamplesDown(t *testing.T) {
	nodes, info := sample(t, "cluster_nodes_down.txt"), sample(t, "cluster_info_down.txt")
	s := fromSample(t, nodes)
	s.recount(info)
	s.out = new(Out)
	s.updateHealth()
	if got := s.ClusterNodes(); got != nodes {
		t.Errorf("CLUSTER NODES:\n%s\nwant\n%s", got, nodes)
	}
	if got := s.ClusterInfo(); got != info {
		t.Errorf("CLUSTER INFO:\n%s\nwant\n%s", got, info)
	}
}
