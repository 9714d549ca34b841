package node

import (
	"os"
	"strings"
	"testing"
	"time"

	"hotslot/sim"
)

// Nodes that are in the state of real ones say of themselves what those said, but
// for the names of histories, addresses, and where the backlog begins: Redis trims
// it by blocks.
func TestInfoReplication(t *testing.T) {
	now := sim.Time(100 * time.Second)
	for file, prepare := range map[string]func(p *player) *Node{
		"info_replication.txt": func(p *player) *Node {
			n := p.nodes[0]
			n.offset, n.history.first = 1898410, 838040
			n.followers[0].state = waitStart
			return n
		},
		"info_replication_replica.txt": func(p *player) *Node {
			n := p.nodes[1]
			n.offset, n.history.first = 78, 78
			n.upstream.lastIO = now.Add(-2 * time.Second)
			return n
		},
		"info_replication_down.txt": func(p *player) *Node {
			n := p.nodes[1]
			n.offset, n.history.first = 132, 78
			n.upstream.state, n.upstream.downSince = toConnect, now.Add(-time.Second)
			return n
		},
	} {
		text, err := os.ReadFile("testdata/redis-7.0.15/" + file)
		if err != nil {
			t.Fatal(err)
		}
		n := prepare(newPlayer(cast{Replication: DefaultReplication(), replicas: 1, version: "redis-7.0"}))
		got, want := strings.Split(n.InfoReplication(now), "\r\n"), strings.Split(string(text), "\r\n")
		if len(got) != len(want) {
			t.Fatalf("%s: %d lines, want %d:\n%s", file, len(got), len(want), n.InfoReplication(now))
		}
		for i := range want {
			if one, other := known(got[i]), known(want[i]); one != other {
				t.Errorf("%s: %q, want %q", file, one, other)
			}
		}
	}
}

// known returns what a line says that does not depend on names and blocks.
func known(line string) string {
	name, value, _ := strings.Cut(line, ":")
	switch name {
	case "master_replid", "master_host", "master_port":
		return name + ":"
	case "slave0":
		return name + ":" + value[strings.Index(value, ",state"):]
	case "repl_backlog_first_byte_offset", "repl_backlog_histlen":
		if len(value) > 3 {
			return name + ":"
		}
	}
	return line
}
