package reports

import (
	"strings"
	"testing"

	"hotslot/experiment"
)

// primaries returns a strategy that served something, with nodes of these
// utilizations.
func primaries(name string, utilizations ...float64) experiment.Strategy {
	s := experiment.Strategy{Name: name, Seeds: 1, Throughput: exactly(100_000)}
	s.Blame = experiment.Blame{Client: 5, Network: 200, ServerWait: 10, Execution: 8}
	for i, u := range utilizations {
		s.Nodes = append(s.Nodes, experiment.Node{ID: "primary " + string(rune('0'+i)), Role: "primary",
			Utilization: u, Commands: 100_000 * u})
	}
	return s
}

func TestLimitOf(t *testing.T) {
	tests := []struct {
		name   string
		change func(*experiment.Strategy)
		want   limitKind
		says   string
	}{
		{"nothing is saturated", func(s *experiment.Strategy) { s.Nodes[1].Utilization = 0.5 }, limitNone,
			"Nothing is saturated under x: the busiest thread is that of primary 1, at 50 %; " +
				"the network's latency dominates (90 % of the mean latency)."},
		{"nothing is known", func(s *experiment.Strategy) { s.Nodes, s.Blame = nil, experiment.Blame{} }, limitNone,
			"Nothing is saturated under x."},
		{"a thread", func(s *experiment.Strategy) {}, limitThread,
			"Primary 1 is the limit; no slot takes most of its time"},
		{"a thread, under a load that it can just bear", func(s *experiment.Strategy) {
			s.Offered = 100_000
		}, limitThread, "Primary 1 is close to its limit, busy 95 % of the time; no slot"},
		{"all threads", func(s *experiment.Strategy) { s.Nodes[0].Utilization = 0.93 }, limitThreads,
			"Primary 1 is the limit, and so is every other primary."},
		{"a key", func(s *experiment.Strategy) { s.Nodes[1].HottestKey, s.Nodes[1].KeyShare = "k", 0.7 }, limitHotKey,
			"Primary 1 is the limit; 70 % of its commands are for k."},
		{"a key on a replica", func(s *experiment.Strategy) {
			s.Nodes[1].ID, s.Nodes[1].Role = "replica 0.0", "replica"
			s.Nodes[1].HottestKey, s.Nodes[1].KeyShare = "k", 0.7
		}, limitHotKey, "Replica 0.0 is the limit; 70 % of its commands are for k. " +
			"Only replicas of the same primary can share these reads."},
		{"overloaded for a while", func(s *experiment.Strategy) {
			s.Nodes[1].Utilization, s.Overloaded = 0.5, true
		}, limitNone, "Yet nothing is saturated on average: the busiest thread is that of primary 1, at 50 %"},
		{"a key that shares its slot", func(s *experiment.Strategy) {
			s.Nodes[1].HottestKey, s.Nodes[1].KeyShare = "k", 0.6
			s.Slots = []experiment.Slot{{Slot: 7, Node: "primary 1", Key: "k", Share: 0.6, CPUShare: 0.6}}
		}, limitHotKey, "commands are for slot 7, most of them for k."},
		{"a slot", func(s *experiment.Strategy) {
			s.Slots = []experiment.Slot{{Slot: 8, Node: "primary 0", Share: 0.2, CPUShare: 0.7},
				{Slot: 7, Node: "primary 1", Share: 0.6, CPUShare: 0.6}}
		}, limitHotSlot, "% of its commands are for slot 7, and no key stands out."},
		{"long commands", func(s *experiment.Strategy) {
			s.Slots = []experiment.Slot{{Slot: 7, Node: "primary 1", Key: "big", Share: 0.01, CPUShare: 0.7}}
		}, limitCostly, "of its time goes to slot 7, though only 1.3 % of its commands do, most for big."},
		{"a network card", func(s *experiment.Strategy) { s.Nodes[0].NIC = 0.98 }, limitNIC,
			"The network card of primary 0 is the limit, with 98 % of its bandwidth in use."},
		{"a thread before a card that is as busy", func(s *experiment.Strategy) {
			s.Nodes[0].NIC = 0.95
		}, limitThread, "Primary 1"},
		{"clients", func(s *experiment.Strategy) { s.Client.Utilization = 0.99 }, limitClient,
			"The clients are the limit: their processors are busy 99 % of the time."},
		{"connections", func(s *experiment.Strategy) {
			s.Nodes[1].Utilization, s.Client.PoolWaits, s.Blame.Client = 0.3, 0.8, 900
		}, limitPool, "Connections are the limit: 80 % of the operations wait for one"},
		{"connections that cost little", func(s *experiment.Strategy) {
			s.Nodes[1].Utilization, s.Client.PoolWaits = 0.3, 0.8
		}, limitNone, "Nothing is saturated"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := primaries("x", 0.3, 0.95)
			test.change(&s)
			l := limitOf(&s)
			if l.kind != test.want {
				t.Errorf("limit is %d, want %d", l.kind, test.want)
			}
			if said := strings.Join(diagnosis(&s, l), " "); !strings.Contains(said, test.says) {
				t.Errorf("diagnosis is\n%s\nwant in it\n%s", said, test.says)
			}
		})
	}
}

func TestReliefs(t *testing.T) {
	hot := func(name, key string) experiment.Strategy {
		s := primaries(name, 0.2, 1)
		s.Overloaded = true
		s.Nodes[1].HottestKey, s.Nodes[1].KeyShare = key, 0.8
		return s
	}
	with := func(s experiment.Strategy, change func(*experiment.Strategy)) experiment.Strategy {
		change(&s)
		return s
	}
	offered := func(s experiment.Strategy, load float64) experiment.Strategy {
		return with(s, func(s *experiment.Strategy) { s.Offered, s.Overloaded = load, false })
	}
	serving := func(s experiment.Strategy, rate float64) experiment.Strategy {
		return with(s, func(s *experiment.Strategy) { s.Throughput, s.Overloaded = exactly(rate), false })
	}
	idle := func(name string) experiment.Strategy { return primaries(name, 0.2, 0.4) }
	tests := []struct {
		name  string
		other experiment.Strategy
		want  string
	}{
		{"relieved", idle("b"), "b (primary 1 at 40 %) relieves it."},
		{"the same key", hot("b", "k"), "b does not: k still has one owner."},
		{"the same key, under a load that waits for it", serving(hot("b", "k"), 104_000),
			"b (1.04 times as much) changes little: k still has one owner."},
		{"the same key, which serves more", serving(hot("b", "k"), 300_000),
			"b (3 times as much) serves more, and is limited in turn: k still has one owner."},
		{"the same key, which serves all", offered(hot("b", "k"), 100_000),
			"b serves the 100 k/s that it is offered (primary 1 at 100 %)."},
		{"all keys of a slot", with(hot("b", "k"), func(s *experiment.Strategy) {
			s.Nodes[1].KeyShare = 0.1
			s.Slots = []experiment.Slot{{Slot: 7, Node: "primary 1", Share: 0.9, CPUShare: 0.9, Keys: 10_000}}
		}), "b does not: all the commands of primary 1 are for the 10,000 keys of slot 7, which has one owner."},
		{"another key", hot("b", "l"), "b does not: 80 % of the commands of primary 1 are for l."},
		{"another thread", primaries("b", 0.97, 0.2), "b serves no more: the thread of primary 0 is at 97 %."},
		{"all threads", primaries("b", 0.97, 0.98), "b serves no more: every primary is busy."},
		{"costly commands", with(primaries("b", 0.2, 1), func(s *experiment.Strategy) {
			s.Slots = []experiment.Slot{{Slot: 7, Node: "primary 1", Share: 0.01, CPUShare: 0.75}}
		}), "b serves no more: 90 % of the time of primary 1 goes to slot 7."},
		{"a card", with(idle("b"), func(s *experiment.Strategy) { s.Nodes[0].NIC = 1 }),
			"b serves no more: the network card of primary 0 is at 100 %."},
		{"clients", with(idle("b"), func(s *experiment.Strategy) { s.Client.Utilization = 0.97 }),
			"b serves no more: the clients' processors are at 97 %."},
		{"connections", with(idle("b"), func(s *experiment.Strategy) { s.Client.PoolWaits, s.Blame.Client = 0.5, 1e6 }),
			"b serves no more: 50 % of the operations wait for a connection."},
		{"errors", with(idle("b"), func(s *experiment.Strategy) { s.Errors.Rate = 0.3 }),
			"b does not: 30 % of the operations fail."},
		{"less", with(idle("b"), func(s *experiment.Strategy) { s.Throughput = exactly(50_000) }),
			"b (0.500 times as much) serves less: the network's latency dominates, and nothing is saturated."},
		{"overloaded all the same", with(idle("b"), func(s *experiment.Strategy) { s.Overloaded = true }),
			"b does not: latency grows, though no resource is saturated on average."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &experiment.Result{Strategies: []experiment.Strategy{hot("a", "k"), test.other}}
			said := explain(r)
			if got := said[len(said)-1]; got != test.want {
				t.Errorf("said %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhereNothingIsSaturated(t *testing.T) {
	against := func(name string, p99 experiment.Mean) experiment.Strategy {
		s := primaries(name, 0.2, 0.4)
		s.Against = &experiment.Comparison{With: "a", P99: p99}
		return s
	}
	r := &experiment.Result{Strategies: []experiment.Strategy{
		primaries("a", 0.2, 0.4),
		against("nearer", mean(0.5, 0.45, 0.55)),
		against("farther", mean(2, 1.9, 2.1)),
		against("unsure", mean(0.9, 0.7, 1.1)),
		primaries("fewer", 0.99),
		{Name: "not-run"},
	}}
	want := []string{
		"Nothing is saturated under a: the busiest thread is that of primary 1, at 40 %; " +
			"the network's latency dominates (90 % of the mean latency).",
		"fewer is at its limit: the thread of primary 0 is at 99 %.",
		"The P99 is lower under nearer (ratio 0.500).",
		"The P99 is higher under farther (ratio 2.00).",
	}
	if got := explain(r); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFailures(t *testing.T) {
	failing := func(name string, rate float64) experiment.Strategy {
		s := primaries(name, 0.2, 0.4)
		s.Errors = experiment.Errors{Rate: rate, Kinds: map[string]float64{"TIMEOUT": 1, "CLUSTERDOWN": 5}}
		return s
	}
	r := &experiment.Result{Strategies: []experiment.Strategy{
		failing("a", 0.04), failing("same", 0.0395), failing("fewer", 0.01), failing("none", 0)}}
	said := strings.Join(explain(r), " ")
	want := "Under a 4.0 % of the operations fail, most with CLUSTERDOWN. " +
		"Fewer fail under fewer (1.0 %) and none (0 %)."
	if !strings.Contains(said, want) {
		t.Errorf("said %q, want in it %q", said, want)
	}
}

func TestWhatDominates(t *testing.T) {
	for want, b := range map[string]experiment.Blame{
		"waiting in the client":  {Client: 1},
		"waiting for the server": {ServerWait: 1},
		"execution":              {Execution: 1},
		"following redirects":    {Redirect: 1},
	} {
		s := primaries("a", 0.1)
		s.Blame = b
		if said := nothingSaturated(&s, limitOf(&s)); !strings.Contains(said, want+" dominates") {
			t.Errorf("%q does not say that %s dominates", said, want)
		}
	}
}
