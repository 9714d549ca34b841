package experiment

import "testing"

// What is on the timeline can be counted at all primaries or all replicas, and a
// time can count from the first line of a kind.
func TestTimelineSelectors(t *testing.T) {
	r := run(t, parse(t, `
duration = "14s"
warmup   = "1s"
[cluster]
primaries    = 3
replicas     = 1
node_timeout = "1s"
[event.kill]
at = "5s"
do = "kill"
node = "primary 0"
[strategy.a]
[thresholds]
a = [
  "events{kind: fail} == 5",
  "events{kind: fail, node: primaries} == 2",
  "events{kind: fail, node: replicas} == 3",
  "events{kind: fail, node: primary 0} == 0",
  "first{kind: election-won, node: primaries} == never",
  "first{kind: election-won, node: replicas, event: kill} < 5s",
  "time.election{event: election-scheduled} in [500ms, 1110ms]",
  "time.won{event: election-started} < 100ms",
  "time.won{event: epoch-collision} == never",
]
`), Options{})
	for _, th := range r.Thresholds {
		if th.Verdict != Pass {
			t.Errorf("%s: %+v", th.Expr, th.Value)
		}
	}
	if len(r.Thresholds) != 9 {
		t.Errorf("%d thresholds", len(r.Thresholds))
	}
}
