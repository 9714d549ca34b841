package workloads

import (
	"math"
	"strings"
	"testing"
)

func TestValidSpecs(t *testing.T) {
	for name, spec := range everyKind() {
		if err := spec.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInvalidSpecs(t *testing.T) {
	counter := Spec{Kind: "counter", Key: "page"}
	burst := everyKind()["burst"]
	for _, tt := range []struct {
		spec   Spec
		change func(s *Spec)
		want   []string // parts of the error
	}{
		{Spec{}, func(s *Spec) { s.Kind = "queue" }, []string{`kind "queue"`}},

		{counter, func(s *Spec) { s.Key = "" }, []string{"needs a key"}},
		{counter, func(s *Spec) { s.Shards = 70_000 }, []string{"70000 shards"}},
		{counter, func(s *Spec) { s.Rate, s.Reads, s.Arrivals = math.NaN(), -1, "steady" },
			[]string{"rate is NaN", "reads is -1", `arrivals "steady"`}},
		{counter, func(s *Spec) { s.Steps = []Step{{-1, math.Inf(1)}} },
			[]string{"step is +Inf", "a step at -1ns"}},
		{counter, func(s *Spec) { s.Ramp = &Ramp{-1, -1, -1} },
			[]string{"leads to is -1", "a ramp at -1ns", "length of a ramp at -1ns"}},
		{counter, func(s *Spec) { s.OnOff = &OnOff{0, -1} }, []string{"on at 0s", "off at -1ns"}},

		{products, func(s *Spec) { s.KeyPattern = "%x" }, []string{"after % must come"}},
		{products, func(s *Spec) { s.KeyPattern = "p:%t:%f" },
			[]string{"needs %d: count is above 1", "has %t", "has %f"}},
		{products, func(s *Spec) { s.Fields, s.Tags = []string{"a"}, Tags{Count: 3, Template: "x%d"} },
			[]string{"needs %f", "needs %t", "either counted or found"}},
		{products, func(s *Spec) { s.Count, s.Copies = math.MaxInt, 100_000 },
			[]string{"keys: must", "100000 copies"}},
		{products, func(s *Spec) { s.KeyList, s.Fields = []string{"a"}, []string{"f"} }, []string{"not a list"}},
		{products, func(s *Spec) { s.Mix = nil }, []string{"no commands"}},
		{products, func(s *Spec) { s.Mix = []Share{{"hget", 0.5}, {"ping", 2}} },
			[]string{`command "hget"`, "PING takes no key", "share of ping is 2"}},
		{products, func(s *Spec) { s.Popularity.Theta = 6 }, []string{"zipf exponent is 6"}},

		{mget, func(s *Spec) { s.Order, s.Size = "sorted", 2000 },
			[]string{`order "sorted"`, "2000 keys of a batch"}},
		{mget, func(s *Spec) { s.KeyPattern, s.Fields, s.Size = "%d%f", []string{"a", "b"}, 3 },
			[]string{"not a multiple"}},
		{mget, func(s *Spec) { s.Size, s.Copies = 1000, 70 },
			[]string{"70000 keys of a batch, copies included"}},

		{burst, func(s *Spec) { s.Size = 0 }, []string{"burst of 0"}},
		{burst, func(s *Spec) { s.Every = 0 }, []string{"every 0s"}},
		{burst, func(s *Spec) { s.Over = 2e9 }, []string{"over 2s"}},
		{burst, func(s *Spec) { s.Copies = 2 }, []string{"no copies"}},
	} {
		spec := with(tt.spec, tt.change)
		err := spec.Validate()
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: error %v, want %q", spec, err, want)
			}
		}
		if _, built := Build(spec, 3, NewCache()); built == nil {
			t.Errorf("%+v: built", spec)
		}
	}
}

func TestBuildSearchesTags(t *testing.T) {
	spec := with(products, func(s *Spec) { s.KeyPattern, s.Tags = "{%t}:%d", Tags{Template: "v1"} })
	if _, err := Build(spec, 3, NewCache()); err == nil {
		t.Error("a template without a number is accepted")
	}
}

func TestCacheShares(t *testing.T) {
	cache := NewCache()
	build := func(spec Spec) *Workload {
		w, err := Build(spec, 3, cache)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	a, b := build(products), build(with(mget, func(s *Spec) { s.Size = 5 }))
	if a.Keys() != b.Keys() || a.popular != b.popular {
		t.Error("two workloads on the same keys do not share their tables")
	}
	other := build(with(products, func(s *Spec) { s.Copies = 2; s.Popularity.Theta = 1 }))
	if other.Keys() == a.Keys() || other.popular == a.popular {
		t.Error("different workloads share tables")
	}
}
