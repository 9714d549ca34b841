package experiment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
)

// shard is three primaries with a replica each under a light load.
const shard = `
duration = "19s"
warmup   = "1s"
[cluster]
primaries    = 3
replicas     = 1
node_timeout = "1s"
replica_validity_factor  = 2
repl_ping_replica_period = "1s"
[workload.a]
kind  = "keys"
keys  = "k:%d"
count = 1000
rate  = "500/s"
mix   = { get = 0.5, set = 0.5 }
`

var numeral = regexp.MustCompile(`\b\d+(\.\d+)? m?s\b|: \d+,|\d+ keys|\d+ms`)

// What became of a cluster in trouble is told in these words and no others.
func TestTroubles(t *testing.T) {
	tests := []struct {
		name, events string
		want         []string
	}{
		{"nothing", "", nil},
		{"failover", `
[event.kill]
at = "5s"
do = "kill"
node = "primary 0"
`, []string{"failover primary 0: primary 0 was killed at #; replica 0.0 served its slots # later"}},
		{"lost host", `
[event.lose]
at = "5s"
do = "lose"
node = "primary 1"
`, []string{"failover primary 1: primary 1 was lost with its host at #; replica 1.0 served its slots # later"}},
		{"frozen", `
[event.freeze]
at = "5s"
do = "freeze"
node = "primary 2"
`, []string{"failover primary 2: primary 2 was frozen at #; replica 2.0 served its slots # later"}},
		{"cut off", `
[event.cut]
at = "5s"
do = "partition"
node = "primary 0"
for = "6s"
`, []string{"false-failover primary 0: replica 0.0 took the place of primary 0 at #, though its process was alive: " +
			"it was cut off",
			"lost-writes cluster: acknowledged writes are gone# to #"}},
		{"slow command", `
[event.slow]
at = "5s"
do = "slow"
node = "primary 0"
length = "6s"
`, []string{"false-failover primary 0: replica 0.0 took the place of primary 0 at #, though its process was alive: " +
			"its thread stood still from # to #",
			"lost-writes cluster: acknowledged writes are gone# to #"}},
		{"by order", `
[event.order]
at = "5s"
do = "failover"
node = "replica 0.0"
`, []string{"manual-failover primary 0: replica 0.0 took the place of primary 0 by order, at #"}},
		{"no replica", `
[event.kill]
at = "5s"
do = "kill"
nodes = ["primary 0", "replica 0.0"]
`, []string{"cluster-down primary 0: primary 0 is down, and nobody serves its 5461 slots when the run ends: " +
			"it has no replica that is up"}},
		{"no quorum", `
[event.kill]
at = "5s"
do = "kill"
nodes = ["primary 0", "primary 1"]
`, []string{"cluster-down primary 0: primary 0 is down, and nobody serves its 5461 slots when the run ends: " +
			"there is no quorum, with 1 of 3 primaries up",
			"cluster-down primary 1: primary 1 is down, and nobody serves its 5462 slots when the run ends: " +
				"there is no quorum, with 1 of 3 primaries up"}},
		{"old data", `
[event.cut]
at = "1s"
do = "cut-replication"
node = "replica 0.0"
for = "60s"
[event.kill]
at = "10s"
do = "kill"
node = "primary 0"
`, []string{"cluster-down primary 0: primary 0 is down, and nobody serves its 5461 slots when the run ends: " +
			"its replica's data is too old"}},
		{"told not to", `
[event.kill]
at = "5s"
do = "kill"
node = "primary 0"
[strategy.x.cluster]
replica_no_failover = true
`, []string{"cluster-down primary 0: primary 0 is down, and nobody serves its 5461 slots when the run ends: " +
			"its replica is told not to"}},
		{"no election yet", `
[event.kill]
at = "18.4s"
do = "kill"
node = "primary 0"
`, []string{"cluster-down primary 0: primary 0 is down, and nobody serves its 5461 slots when the run ends: " +
			"no replica has won an election yet"}},
		{"not failed yet", `
[event.kill]
at = "19.5s"
do = "kill"
node = "primary 0"
`, []string{"cluster-down primary 0: primary 0 is down, and nobody serves its 5461 slots when the run ends: " +
			"no majority has agreed that it has failed"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range run(t, parse(t, shard+test.events), Options{}).Strategies[0].Findings {
				got = append(got, f.Rule+" "+f.Subject+": "+numeral.ReplaceAllString(f.Text, "#"))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%q, want\n%q", got, test.want)
			}
		})
	}
}

// What nodes tell of themselves is what they believe then, in the run of the first
// seed; to ask does not change its course.
func TestDumps(t *testing.T) {
	s := parse(t, shard+`
[event.kill]
at = "5s"
do = "kill"
node = "primary 0"
[strategy.baseline]
[strategy.calm.event.kill]
at = "never"
`)
	s.Seeds = 2
	ask := func(at time.Duration, kind cluster.PlaceKind, i int, what string) cluster.Dump {
		return cluster.Dump{At: sim.Time(at), Node: cluster.Place{Kind: kind, I: i}, What: what}
	}
	dumps := []cluster.Dump{
		ask(30*time.Second, cluster.AtPrimary, 1, "cluster info"),
		ask(15*time.Second, cluster.AtPrimaryOfSlot, 0, "info replication"),
		ask(4*time.Second, cluster.AtPrimary, 1, "cluster nodes"),
		ask(7*time.Second, cluster.AtPrimary, 1, "cluster info"),
		ask(6*time.Second, cluster.AtPrimary, 0, "cluster info"),
		ask(6*time.Second, cluster.AtPrimary, 9, "cluster info"),
	}
	asked, plain := run(t, s, Options{Dumps: dumps}), run(t, s, Options{})
	for i := range plain.Strategies {
		if asked.Strategies[i].Fingerprint != plain.Strategies[i].Fingerprint {
			t.Errorf("%s takes another course when it is looked at", plain.Strategies[i].Name)
		}
	}
	want := []string{
		"baseline 4s primary 1|myself,master - 0 ", "baseline 6s primary 0|no answer: the process does not run",
		"baseline 6s nobody|no answer: there is no such node", "baseline 7s primary 1|cluster_state:fail\r\n",
		"baseline 15s replica 0.0|role:master\r\n", "baseline 30s nobody|no answer: the run is over by then",
		"calm 4s primary 1|myself,master - 0 ", "calm 6s primary 0|cluster_state:ok\r\n",
		"calm 6s nobody|no answer: there is no such node", "calm 7s primary 1|cluster_state:ok\r\n",
		"calm 15s primary 0|role:master\r\n", "calm 30s nobody|no answer: the run is over by then",
	}
	if len(asked.Dumped) != len(want) {
		t.Fatalf("%d dumps, want %d", len(asked.Dumped), len(want))
	}
	for i, d := range asked.Dumped {
		head, text, _ := strings.Cut(want[i], "|")
		if got := fmt.Sprintf("%s %v %s", d.Strategy, d.At, d.Node); got != head || !strings.Contains(d.Text, text) {
			t.Errorf("dump %d is of %s, want %s, and says %q", i, got, head, d.Text)
		}
	}
}
