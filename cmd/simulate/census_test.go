package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"hotslot/sim/cluster"
	"hotslot/sim/slots"
)

// nodesLine makes a line of CLUSTER NODES of a node whose id is a letter repeated.
func nodesLine(letter, address, flags, rest string) string {
	return fmt.Sprintf("%s %s %s - 0 0 1 %s\n", strings.Repeat(letter, 40), address, flags, rest)
}

func TestParseNodes(t *testing.T) {
	c, err := parseNodes(nodesLine("a", "10.0.0.1:7000@17000", "master", "connected 0-99 200") +
		nodesLine("b", "::1:7001@17001,b.example", "slave", "connected") +
		nodesLine("c", ":7002@17002", "myself,master", "connected 300") +
		nodesLine("d", "10.0.0.4:7003", "master,fail?", "connected") + "\n" +
		nodesLine("e", ":0@0", "master,noaddr", "disconnected") +
		nodesLine("f", "10.0.0.5:7000@17000", "master,fail", "connected"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, m := range c.members {
		got = append(got, fmt.Sprintf("%s %s %s", m.name, m.id[:1], slots.Ranges(c.layout.Owners, slots.Owner(i))))
	}
	want := "127.0.0.1:7002 c [300]; 10.0.0.1:7000 a [0-99 200]; 10.0.0.4:7003 d []"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), want)
	}
}

func TestParseNodesRefuses(t *testing.T) {
	text, err := os.ReadFile("testdata/cluster_nodes_open.txt")
	if err != nil {
		t.Fatal(err)
	}
	good := nodesLine("a", "h:1@2", "myself,master", "connected 0-16383")
	for want, text := range map[string]string{
		"6: slot 100 is open, and redis-cli moves nothing then; redis-cli --cluster fix 127.0.0.1:17202": string(text),
		"1: there is no primary here":                                           nodesLine("a", "h:1@2", "myself,slave", "connected"),
		"1: this is no line of CLUSTER NODES":                                   "ERR This instance has cluster support disabled\n",
		"2: node aaaa":                                                          good + good,
		"2: two nodes say that they are myself":                                 good + nodesLine("b", "h:2@2", "myself,master", "connected"),
		"2: h:2 has slots and cannot be reached":                                good + nodesLine("b", "h:2@2", "master", "disconnected 5"),
		"2: h:3 has slots and cannot be reached":                                good + nodesLine("b", "h:3@2", "master,fail", "connected 5"),
		"2: slot 5 belongs to h:1 already":                                      good + nodesLine("b", "h:2@2", "master", "connected 5"),
		`2: "5x" is no slot`:                                                    good + nodesLine("b", "h:2@2", "master", "connected 5x"),
		`2: "h" is no address; it would have a port`:                            good + nodesLine("b", "h", "master", "connected"),
		`2: "70000" is no port`:                                                 good + nodesLine("b", "h:70000", "master", "connected"),
		"1: there is no primary here; give what redis-cli CLUSTER NODES prints": "\n",
	} {
		if _, err := parseNodes(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("an error of %v, want %s", err, want)
		}
	}
}

func TestFindMember(t *testing.T) {
	c, err := parseNodes(nodesLine("a", "h:1@2", "myself,master", "connected") +
		strings.Replace(nodesLine("a", "h:2@2", "master", "connected"), "aaa", "aab", 1))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]slots.Owner{"h:1": 0, "aaa": 0, "aab": 1, strings.Repeat("a", 40): 0} {
		if got, err := c.find(text); got != want || err != nil {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"aa": "can be h:1 or h:2: give more of the id", "": "no primary is", "0": "no primary is",
	} {
		if _, err := c.find(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: an error of %v", text, err)
		}
	}
}

// Answers to CLUSTER SLOT-STATS of two nodes, as redis-cli writes them into a file and
// onto a terminal.
const (
	statsRaw = "12182\nkey-count\n1\ncpu-usec\n27\nnetwork-bytes-in\n93\n" +
		"7\nkey-count\n0\ncpu-usec\n2\nnetwork-bytes-in\n5\n"
	statsTTY = "1) 1) (integer) 12182\n   2) 1) \"key-count\"\n      2) (integer) 1\n      3) \"cpu-usec\"\n" +
		"      4) (integer) 27\n2) 1) (integer) 7\n   2) 1) \"key-count\"\n      2) (integer) 0\n" +
		"      3) \"cpu-usec\"\n      4) (integer) 2\n"
	statsMap = "1) 1) (integer) 12182\n   2) 1# \"key-count\" => (integer) 1\n      2# \"cpu-usec\" => (integer) 27\n" +
		"2) 1) (integer) 7\n   2) 1# \"key-count\" => (integer) 0\n      2# \"cpu-usec\" => (integer) 2\n"
)

func TestParseLoad(t *testing.T) {
	for _, text := range []string{
		statsRaw, statsTTY, statsMap, "# us\nslot\tload\n12182 27\n 7;2\n", "12182,27\r\n7,2\r\n",
	} {
		load, err := parseLoad(text, cluster.ByWork)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if load[12182] != 27 || load[7] != 2 || load[0] != 0 {
			t.Errorf("%q: loads of %d and %d", text, load[12182], load[7])
		}
	}
	keys, err := parseLoad(statsRaw, cluster.ByKeys)
	if err != nil || keys[12182] != 1 || keys[7] != 0 {
		t.Errorf("%d keys, %v", keys[12182], err)
	}
}

func TestParseLoadRefuses(t *testing.T) {
	for _, tt := range []struct {
		text string
		by   cluster.Quantity
		want string
	}{
		{"0,1\n1\n", cluster.ByWork, "2: write a slot and its load in each line"},
		{"slot,load\nslot,load\n", cluster.ByWork, `2: "slot" is no slot`},
		{"0,1\n16384,1\n", cluster.ByWork, `2: "16384" is no slot`},
		{"0,-1\n", cluster.ByWork, `1: "-1" is no load`},
		{"0,1.5\n", cluster.ByWork, `1: "1.5" is no load`},
		{"0,1\n0,1\n", cluster.ByWork, "2: slot 0 is there twice"},
		{statsRaw + statsRaw, cluster.ByWork, "19: slot 12182 is there twice"},
		{statsRaw, cluster.ByCommands, "1: CLUSTER SLOT-STATS does not tell commands"},
		{statsRaw, cluster.ByBytes, "1: these slots have no memory-bytes, which tells bytes"},
	} {
		if _, err := parseLoad(tt.text, tt.by); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: an error of %v, want %s", tt.text, err, tt.want)
		}
	}
}
