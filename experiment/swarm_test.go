package experiment

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"hotslot/scenarios"
	"hotslot/sim"
)

// A dice decides what happens in a swarm.
type dice struct {
	sim.Stream
	n uint64
}

func (d *dice) below(n int) int {
	d.n++
	return sim.Below(d.At(d.n), n)
}

func pick[T any](d *dice, all ...T) T { return all[d.below(len(all))] }

// anything returns a scenario in which anything happens.
func (d *dice) anything() string {
	var b strings.Builder
	more := fmt.Sprintf("zones = %d\nrequire_full_coverage = %v\n", 1+d.below(2), pick(d, true, false))
	b.WriteString(strings.Replace(shard, "node_timeout", more+"node_timeout", 1))
	place := func() string {
		return pick(d, "primary 0", "primary 1", "primary 2", "replica 0.0", "replica 2.0", "primary of slot 7",
			"replica of slot 7", "primary of key foo", "zone 0", "machine 3", "all", "added 0")
	}
	for i := range 1 + d.below(6) {
		when := fmt.Sprintf("at = \"%dms\"", d.below(15_000))
		if d.below(3) == 0 {
			after := pick(d, "election-won", "fail", "e0", "state-ok", "full-resync")
			when = fmt.Sprintf("after = %q\ndelay = \"%dms\"", after, d.below(3000))
		}
		what := pick(d, `do = "kill"`, `{ do = "kill", for = "3s" }`, `{ do = "lose", for = "2s" }`, `do = "restart"`,
			`{ do = "freeze", for = "4s" }`, `do = "thaw"`, `{ do = "slow", length = "3s" }`,
			`{ do = "stall", length = "2s" }`, `{ do = "fork", length = "300ms" }`, `{ do = "partition", for = "5s" }`,
			`{ do = "partition", direction = "one-way" }`, `{ do = "link", latency = "20ms", loss = 0.2, for = "4s" }`,
			`{ do = "cut-replication", for = "3s" }`, `{ do = "failover", mode = "force" }`, `do = "takeover"`,
			`{ do = "add", to = "primary 0" }`, `{ do = "replicate", to = "primary 1" }`,
			`{ do = "claim", slots = "0-99", epoch = 9 }`)
		what = strings.NewReplacer("{ ", "", " }", "", ", ", "\n").Replace(what)
		fmt.Fprintf(&b, "[event.e%d]\n%s\n%s\nnode = %q\n", i, when, what, place())
	}
	return b.String()
}

// Whatever happens, a run is measured: each line of the timeline is in one step,
// each metric has a value, and the same seed tells the same story.
func TestSwarm(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 12
	}
	for n := range runs {
		d := &dice{Stream: sim.NewStream(uint64(n), "experiment/swarm")}
		text := d.anything()
		s, err := scenarios.Parse("swarm", []byte(text), scenarios.Options{})
		if err != nil {
			t.Fatalf("run %d: %v\n%s", n, err, text)
		}
		r := run(t, s, Options{Lines: true})
		c := r.Strategies[0].Control
		if c == nil {
			if len(r.Lines) > 0 {
				t.Errorf("run %d: %d lines and no control\n%s", n, len(r.Lines), text)
			}
			continue
		}
		told := 0
		for _, step := range c.Steps {
			told += step.Times
			if step.Text == "" || strings.Contains(step.Text, "%!") || step.Until < step.Seconds {
				t.Errorf("run %d: the step %+v", n, step)
			}
		}
		if told != len(r.Lines) {
			t.Errorf("run %d: %d lines, and %d in steps\n%s", n, len(r.Lines), told, text)
		}
		if again := run(t, s, Options{Lines: true}); fmt.Sprint(again.Lines, *again.Strategies[0].Control) !=
			fmt.Sprint(r.Lines, *c) {
			t.Errorf("run %d: another story the second time\n%s", n, text)
		}
		if lost := c.LostWrites.Mean; lost < 0 || math.IsNaN(lost) || c.Longest.Mean < 0 {
			t.Errorf("run %d: %+v", n, c)
		}
	}
}
