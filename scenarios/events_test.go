package scenarios

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
)

const idle = "[cluster]\nprimaries = 3\nreplicas = 2\nzones = 2\nmachines = 3\n"

func parse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("x", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What events can say, and what it means.
func TestEvents(t *testing.T) {
	s := parse(t, idle+`
[event.kill]
at   = "random(5s, 10s)"
do   = "kill"
node = ["primary 0", "machine 1"]
for  = "3s"
keep_data = true
[event.cut]
after = "kill"
delay = "1s"
do    = "partition"
nodes = ["primary of slot 12", "clients in zone 1"]
from  = ["primary of key foo", "replica 1 of slot 7"]
direction = "one-way"
bus_only  = true
[event.late]
after = "election-won"
of    = "kill"
do    = "link"
node  = "zone 1"
latency = "20ms"
loss    = 0.25
[event.heal]
at   = "30s"
do   = "heal"
ends = "cut"
[event.claim]
at = "31s"
do = "claim"
node = "replica 1.1"
slots = "0-99, 5461"
epoch = 9
[event.order]
at = "32s"
do = "failover"
node = "added 0"
mode = "force"
`)
	at := func(d time.Duration) sim.Time { return sim.Time(d) }
	place := func(kind cluster.PlaceKind, i, j int) cluster.Place { return cluster.Place{Kind: kind, I: i, J: j} }
	want := []cluster.Event{
		{Name: "kill", Do: cluster.DoKill, When: cluster.When{At: at(5 * time.Second), Until: at(10 * time.Second)},
			Nodes: []cluster.Place{place(cluster.AtPrimary, 0, 0), place(cluster.AtMachine, 1, 0)},
			For:   3 * time.Second, KeepData: true},
		{Name: "cut", Do: cluster.DoPartition, When: cluster.When{At: at(time.Second), After: "kill"},
			Nodes: []cluster.Place{place(cluster.AtPrimaryOfSlot, 12, 0), place(cluster.AtClients, 1, 0)},
			Others: []cluster.Place{place(cluster.AtPrimaryOfSlot, int(slots.Of("foo")), 0),
				place(cluster.AtReplicaOfSlot, 7, 1)},
			OneWay: true, BusOnly: true},
		{Name: "late", Do: cluster.DoLink, When: cluster.When{After: "election-won", AfterEvent: "kill"},
			Nodes: []cluster.Place{place(cluster.AtZone, 1, 0)}, Length: 20 * time.Millisecond, Loss: 0.25},
		{Name: "heal", Do: cluster.DoHeal, When: cluster.When{At: at(30 * time.Second)}, Ends: "cut"},
		{Name: "claim", Do: cluster.DoClaim, When: cluster.When{At: at(31 * time.Second)},
			Nodes: []cluster.Place{place(cluster.AtReplica, 1, 1)}, Epoch: 9,
			Ranges: []slots.Range{{First: 0, Last: 99}, {First: 5461, Last: 5461}}},
		{Name: "order", Do: cluster.DoFailover, When: cluster.When{At: at(32 * time.Second)},
			Nodes: []cluster.Place{place(cluster.AtAdded, 0, 0)}, Mode: gossip.FailoverForce},
	}
	got := s.Strategies[0].Settings.Events
	for i := range want {
		if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("event %d is %+v, want %+v", i, got[i:], want[i])
		}
	}
}

// A strategy patches an event, adds one, and switches one off, whatever it waits
// for.
func TestStrategiesPatchEvents(t *testing.T) {
	s := parse(t, idle+`
[event.kill]
at = "5s"
do = "kill"
node = "primary 0"
[event.back]
after = "kill"
delay = "9s"
do = "restart"
node = "primary 0"
[strategy.later.event.kill]
at = "6s"
[strategy.never.event.back]
at = "never"
[strategy.more.event.slow]
at = "1s"
do = "slow"
node = "all"
length = "2s"
`)
	for i, want := range []struct {
		kill sim.Time
		back cluster.When
		all  int
	}{
		{sim.Time(6 * time.Second), cluster.When{At: sim.Time(9 * time.Second), After: "kill"}, 2},
		{sim.Time(5 * time.Second), cluster.When{At: sim.Never}, 2},
		{sim.Time(5 * time.Second), cluster.When{At: sim.Time(9 * time.Second), After: "kill"}, 3},
	} {
		e := s.Strategies[i].Settings.Events
		if e[0].When.At != want.kill || e[1].When != want.back || len(e) != want.all {
			t.Errorf("strategy %s has the events %+v", s.Strategies[i].Name, e)
		}
	}
}

// Latencies within and between zones become a table.
func TestZones(t *testing.T) {
	n := parse(t, idle+`
gossip = true
[network]
one_way = { within = "100us", between = "2ms" }
`).Strategies[0].Settings.Network
	near, far := sim.Constant(100*time.Microsecond), sim.Constant(2*time.Millisecond)
	if n.OneWay != near || !reflect.DeepEqual(n.Zones, [][]sim.Distribution{{near, far}, {far, near}}) {
		t.Errorf("%+v", n)
	}
	one := "[cluster]\ngossip = true\n[network]\none_way = { within = \"1us\", between = \"2ms\" }\n"
	_, err := Parse("x", []byte(one), Options{})
	if err == nil || !strings.Contains(err.Error(), "nothing between zones") {
		t.Errorf("of one zone: %v", err)
	}
}

// Every place has a name that is read back.
func TestParsePlace(t *testing.T) {
	for _, bad := range []string{"", "primary", "primary -1", "primary 0 ", "replica 1", "replica 1.", "slot 7",
		"primary of slot", "zone one", "all nodes", "clients in zone"} {
		if p, err := ParsePlace(bad); err == nil {
			t.Errorf("%q is %+v", bad, p)
		}
	}
}

// What events can do has a meaning and keys, and nothing else can be done.
func TestActs(t *testing.T) {
	acts := Acts()
	if len(acts) != len(doKeys) {
		t.Errorf("%d acts are explained, of %d", len(acts), len(doKeys))
	}
	for _, a := range acts {
		if a.Meaning == "" || len(a.Keys) == 0 {
			t.Errorf("%q is not explained", a.Name)
		}
	}
}
