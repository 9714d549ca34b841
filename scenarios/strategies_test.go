package scenarios

import (
	"reflect"
	"testing"
)

const patched = `
[node]
costs = "round-100k"
[workload.w]
kind  = "keys"
keys  = "k:%d:%t"
count = 10
tags  = 4
rate  = "1k/s"
mix   = { get = 0.9, set = 0.1 }
`

// A patch merges tables, replaces the rest, and what it sets drives out what
// cannot stand beside it.
func TestPatches(t *testing.T) {
	tests := []struct {
		patch   string
		changes []Change
		check   func(*Settings) any
		want    any
	}{
		{"", nil,
			func(s *Settings) any { return s.Node.Costs.Profile }, "round-100k"},
		{`node.costs.key = "5us"`, []Change{{"node.costs.key", "5us"}},
			func(s *Settings) any { return s.Node.Costs.Profile }, "round-100k"},
		{`node.costs = "redis-7.0.15"`, []Change{{"node.costs.profile", "redis-7.0.15"}},
			func(s *Settings) any { return s.Node.Costs.Profile }, "redis-7.0.15"},
		{`workload.w.workers = 5`, []Change{{"workload.w.workers", int64(5)}},
			func(s *Settings) any { return s.Workloads[0].Rate }, 0.0},
		{`workload.w.mix = { get = 1 }`, []Change{{"workload.w.mix.get", int64(1)}},
			func(s *Settings) any { return len(s.Workloads[0].Mix) }, 1},
		{`workload.w.keys = ["a", "b"]`, []Change{{"workload.w.keys", []any{"a", "b"}}},
			func(s *Settings) any { return s.Workloads[0].Count }, 2},
		{`workload.w.tags = { template = "s%d", per_primary = 2 }`,
			[]Change{{"workload.w.tags.template", "s%d"}, {"workload.w.tags.per_primary", int64(2)}},
			func(s *Settings) any { return s.Workloads[0].Tags.Count }, 0},
		{`workload.w.steps = [{ at = "2s", rate = "5/s" }]`,
			[]Change{{"workload.w.steps[0].at", "2s"}, {"workload.w.steps[0].rate", "5/s"}},
			func(s *Settings) any { return s.Workloads[0].Steps[0].Rate }, 5.0},
		{`client.pipelined = true
		  client.connections = 1`, []Change{{"client.pipelined", true}, {"client.connections", int64(1)}},
			func(s *Settings) any { return s.Client.Pipelined }, true},
	}
	for _, test := range tests {
		s, err := Parse("p.toml", []byte(patched+"[strategy.x]\n"+test.patch), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.patch, err)
			continue
		}
		x := s.Strategies[0]
		if !reflect.DeepEqual(x.Changes, test.changes) {
			t.Errorf("%s: got changes %v, want %v", test.patch, x.Changes, test.changes)
		}
		if got := test.check(&x.Settings); got != test.want {
			t.Errorf("%s: got %v, want %v", test.patch, got, test.want)
		}
	}
}

// The base does not change when a strategy is read.
func TestPatchesLeaveTheBase(t *testing.T) {
	s := load(t, Options{})
	if got := s.Strategies[0].Settings.Workloads[0].Shards; got != 1 {
		t.Errorf("baseline has %d shards", got)
	}
	if got := s.Strategies[2].Settings.Cluster.Primaries; got != 6 {
		t.Errorf("six-primaries has %d", got)
	}
}

func TestBaseline(t *testing.T) {
	s := Scenario{Strategies: []Strategy{{Name: "a"}, {Name: "baseline"}}}
	if got := s.Baseline(); got != 1 {
		t.Errorf("got %d, want the one of that name", got)
	}
	s.Strategies[1].Name = "b"
	if got := s.Baseline(); got != 0 {
		t.Errorf("got %d, want the first", got)
	}
}

// TestNamesThatReplaceTags: a pattern without %t has no use for the tags that
// stand beside the pattern that it replaces, and so for fields.
func TestNamesThatReplaceTags(t *testing.T) {
	s, err := Parse("tags.toml", []byte(`
[workload.w]
kind   = "keys"
keys   = "{%t}:%d:%f"
count  = 100
tags   = 5
fields = ["cart", "profile"]
rate   = "10/s"
[strategy.baseline]
[strategy.plain.workload.w]
keys = "key:%d"
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := s.Strategies[1].Settings.Workloads[0]; w.Tags.Count != 0 || w.Fields != nil {
		t.Errorf("tags %v and fields %v are left over", w.Tags, w.Fields)
	}
}
