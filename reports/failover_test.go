package reports

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"hotslot/experiment"
)

// failover returns a made-up result in which a primary is killed: a strategy that
// replaces it, one that does so in nine of ten seeds, and one without an event.
func failover() *experiment.Result {
	r := single()
	r.Title, r.File, r.Seeds = "A primary dies", "failover.toml", []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	never := experiment.Mean{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	r.Strategies = append(r.Strategies, r.Strategies[0], r.Strategies[0])
	for i := range r.Strategies {
		s := &r.Strategies[i]
		s.Name, s.Seeds = []string{"baseline", "short-timeout", "calm"}[i], 10
		s.Series.Throughput, s.Series.P99 = s.Series.Throughput[:2], s.Series.P99[:2]
		s.Latency.Curve, s.Workloads[0].Latency.Curve = nil, nil
	}
	r.Strategies[0].Series.Errors = []float64{0, 12}
	r.Strategies[0].Findings = []experiment.Finding{{Rule: "failover", Subject: "primary 0", Value: 3.43,
		Text: "primary 0 was killed at 5.00 s; replica 0.0 served its slots 3.43 s later"}}
	c := experiment.Control{PFAIL: around(2_015_000, 9_000), Quorum: around(2_060_000, 9_000),
		FAIL: around(2_526_000, 90_000), Scheduled: around(2_620_000, 90_000), Election: around(3_426_000, 99_000), Won: around(3_427_000, 99_000),
		Owner: around(3_427_100, 99_000), OK: around(3_427_200, 99_000), SlotSeconds: around(25_200, 1_300),
		Slots: around(16_384, 0), Longest: around(3_427_000, 99_000), Recovery: around(3_427_000, 99_000),
		Elections: around(1, 0), ElectionsWon: around(1, 0), Promotions: around(1, 0), FullResyncs: around(0, 0),
		PartialResyncs: around(0, 0), LostWrites: around(1_343, 0), LostKeys: around(326, 0), Down: around(0, 0),
		Marks: []experiment.Mark{{Name: "kill-a", Seconds: 5}, {Name: "election-won", Seconds: 8.427}},
		Steps: []experiment.Step{
			{Seconds: 4, Until: 4, Since: -1, Kind: "meet", Node: "added 0", Nodes: 1, Times: 1, Text: "meets primary 0"},
			{Seconds: 5, Until: 5, Kind: "kill", Node: "primary 0", Nodes: 1, Times: 1, Text: "is killed"},
			{Seconds: 7.015493, Until: 7.088475, Since: 2.015493, Kind: "pfail", Nodes: 5, Times: 5,
				Text: "*** NODE primary 0 possibly failing"},
			{Seconds: 8.427, Until: 8.427, Since: 3.427, Kind: "vote-refused", Nodes: 2, Times: 6,
				Text: "Failover auth denied to replica 0.0: its master is up"},
			{Seconds: 9, Until: 9, Since: 4, Kind: "partition", Text: "the partition cut begins"}}}
	r.Strategies[0].Control = &c
	part := c
	part.Won, part.Owner, part.OK = experiment.Mean{Mean: 2e6, Low: 1.9e6, High: 2.1e6, N: 9}, never, never
	part.Steps, part.Marks = nil, nil
	part.LostWrites = around(12.4, 3)
	r.Strategies[1].Control = &part
	r.Lines = []experiment.Line{
		{Seed: 1, Strategy: "baseline", Micros: 5_000_000, Node: "primary 0", Kind: "kill"},
		{Seed: 1, Strategy: "baseline", Micros: 7_619_885, Node: "replica 0.0", Kind: "election-scheduled",
			About: "primary 0", Numbers: []experiment.Number{{Name: "delay_ms", Value: 758}, {Name: "rank"},
				{Name: "offset", Value: 146706}}},
		{Seed: 2, Strategy: "a \"b\"", Micros: 9, Kind: "heal", Event: "cut"},
		{Seed: 2, Strategy: "baseline", Micros: 9, Node: "primary 1", Kind: "vote-refused", About: "replica 0.0",
			Reason: "primary-is-up", Numbers: []experiment.Number{{Name: "epoch", Value: 4}}},
	}
	r.Dumped = []experiment.Dumped{{Strategy: "baseline", At: 12 * time.Second, Node: "primary 1", What: "cluster info",
		Text: "cluster_state:ok\r\ncluster_slots_assigned:16384\r\n"},
		{Strategy: "calm", At: 12 * time.Second, Node: "primary 1", What: "cluster nodes", Text: "a\x1b[2J b\n"}}
	return r
}

// A long story is cut, and says how much of it is left.
func TestLongStory(t *testing.T) {
	r := failover()
	c := r.Strategies[0].Control
	for i := range 40 {
		at := float64(10 + i)
		c.Steps = append(c.Steps, experiment.Step{Seconds: at, Until: at, Text: fmt.Sprint("step ", i)})
	}
	rows := storyGrid(storyOf(r)).rows
	if len(rows) != stepsTold {
		t.Fatalf("%d rows, want %d", len(rows), stepsTold)
	}
	if last := rows[len(rows)-1][3]; !strings.HasPrefix(last, "… and 21 more ") {
		t.Errorf("the last row is %q", last)
	}
}

// Where something happened there is a picture of the errors, and the events are
// marked; where nothing did, neither.
func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		r        *experiment.Result
		pictures int
	}{{failover(), 5}, {hotCounter(), 4}} {
		all := pictures(tt.r)
		if len(all) != tt.pictures {
			t.Errorf("%s has %d pictures, want %d", tt.r.Title, len(all), tt.pictures)
		}
		var svg strings.Builder
		if err := all[0].svg(&svg); err != nil {
			t.Fatal(err)
		}
		if marked := strings.Contains(svg.String(), ">kill-a<"); marked != (tt.pictures == 5) {
			t.Errorf("%s: marked %v", tt.r.Title, marked)
		}
	}
}
