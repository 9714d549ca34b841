package scenarios

import (
	"math"
	"slices"
	"strings"
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// A reshuffleText is what a file says of slots that move.
type reshuffleText struct {
	Key       string             `toml:"key"` // whose slot moves
	Count     int                `toml:"count"`
	With      placesText         `toml:"with"`    // scale-out: the replicas
	Weights   map[string]float64 `toml:"weights"` // by place
	Threshold *float64           `toml:"threshold"`
	UseEmpty  bool               `toml:"use_empty"`
	Planner   string             `toml:"planner"`
	By        string             `toml:"by"`
	Within    float64            `toml:"within"`

	Tool       string        `toml:"tool"` // "redis-cli", "thrifty" or "atomic"
	Batch      *int          `toml:"batch"`
	Timeout    time.Duration `toml:"timeout"`
	Answer     time.Duration `toml:"answer_timeout"`
	Replace    bool          `toml:"replace"`
	Parallel   *int          `toml:"parallel"`
	Pause      time.Duration `toml:"pause"`
	LowTraffic []string      `toml:"low_traffic"` // such as "5s-10s"
	Below      string        `toml:"below"`       // a rate
	SlowAt     time.Duration `toml:"slow_at"`
	StopAt     time.Duration `toml:"stop_at"`
	OnError    string        `toml:"on_error"` // "stop" or "skip"
}

// Limits of what moves slots.
const (
	batchMax    = 100_000
	parallelMax = 1000
)

// isReshuffle reports whether an act moves slots.
func isReshuffle(do cluster.Do) bool {
	return slices.Contains(doKeys[do], "batch")
}

// reshuffle reads which slots move, and how.
func (b *binder) reshuffle(v *value, text *reshuffleText, e *cluster.Event) {
	b.which(v, text, e)
	b.balancing(v, text, e.Do, &e.Reshuffle)
	b.tool(v, text, &e.Tool)
	b.pace(v, text, &e.Pace)
}

// which reads which slots move.
func (b *binder) which(v *value, text *reshuffleText, e *cluster.Event) {
	takesSlots := slices.Contains(doKeys[e.Do], "key")
	switch {
	case text.Key != "" && len(e.Ranges) > 0:
		b.fail(v.at("key"), "the slot is given by slots already; remove one of the two")
	case text.Key != "":
		e.Ranges = []slots.Range{{First: slots.Of(text.Key), Last: slots.Of(text.Key)}}
	case takesSlots && len(e.Ranges) == 0 && !v.has("slots"):
		b.fail(v, `slots is missing; write one such as slots = "0-5460" or key = "user:1"`)
	case e.Do == cluster.DoIsolate && len(e.Ranges) > 0 && len(e.Ranges)+e.Ranges[0].Len() > 2:
		b.fail(v.at("slots"), "one slot can be alone, not several")
	}
	e.Others = append(e.Others, b.places(v.at("with"), nil, text.With)...)
	e.Reshuffle.Count = text.Count
	if v.has("count") {
		within(b, v.at("count"), text.Count, 1, slots.Count)
	}
	for _, p := range e.Nodes {
		if e.Do == cluster.DoScaleOut && p.Kind != cluster.AtAdded {
			b.fail(v.at("node"), `these are nodes that join; write node = "added 0"`)
		}
	}
}

// balancing reads the rules and the weights of a rebalancing, and what load is.
func (b *binder) balancing(v *value, text *reshuffleText, e cluster.Do, r *cluster.Reshuffle) {
	rules, _, known := migration.RulesOf(text.Planner)
	if text.Planner == "" {
		rules = migration.DefaultRules()
	} else if !known {
		b.fail(v.at("planner"), "unknown planner %q%s", text.Planner, suggest(text.Planner, migration.RulesNames()))
	}
	r.Balancing = migration.Rebalancing{Rules: rules, Threshold: migration.DefaultThreshold,
		UseEmpty: text.UseEmpty || e == cluster.DoScaleOut}
	if text.Threshold != nil {
		r.Balancing.Threshold = b.decimal(v.at("threshold"), *text.Threshold, 100)
	}
	r.Within = b.decimal(v.at("within"), text.Within, 100)
	if weights := v.get("weights"); weights != nil && weights.table() != nil {
		for _, name := range weights.table().keys {
			p, err := ParsePlace(name)
			if err != nil {
				b.fail(weights.get(name), "%v", err)
				continue
			}
			r.Weights = append(r.Weights, cluster.Weight{Place: p,
				Weight: b.decimal(weights.get(name), text.Weights[name], float64(migration.DecimalMax/migration.One))})
		}
	}
	if r.By = cluster.Quantity(text.By); text.By == "" {
		r.By = cluster.ByWork
	} else if !slices.Contains(cluster.Quantities(), r.By) {
		var names []string
		for _, q := range cluster.Quantities() {
			names = append(names, string(q))
		}
		b.fail(v.at("by"), "load is not measured in %q%s", text.By, suggest(text.By, names))
	}
}

// decimal reads a number from 0 to a limit.
func (b *binder) decimal(v *value, x, most float64) migration.Decimal {
	if x < 0 || x > most {
		b.fail(v, "this cannot be %v; write a number from 0 to %v", x, most)
		return 0
	}
	return migration.Decimal(math.Round(x * float64(migration.One)))
}

// tool reads how the tool moves slots.
func (b *binder) tool(v *value, text *reshuffleText, t *migration.Tool) {
	*t = migration.RedisCLI()
	switch text.Tool {
	case "", "redis-cli":
	case "thrifty":
		t.Thrifty = true
	case "atomic":
		t.Atomic = true
	default:
		b.fail(v.at("tool"), `unknown tool %q; write "redis-cli", "thrifty" or "atomic"`, text.Tool)
	}
	if text.Batch != nil {
		within(b, v.at("batch"), *text.Batch, 1, batchMax)
		t.Batch = *text.Batch
	}
	if v.has("timeout") {
		within(b, v.at("timeout"), text.Timeout, time.Millisecond, 24*time.Hour)
		t.Timeout = text.Timeout
	}
	if v.has("answer_timeout") {
		within(b, v.at("answer_timeout"), text.Answer, time.Millisecond, 24*time.Hour)
		t.Answer = text.Answer
	}
	t.Replace = text.Replace
}

// pace reads how hard the operator drives the tool.
func (b *binder) pace(v *value, text *reshuffleText, p *cluster.Pace) {
	if text.Parallel != nil {
		within(b, v.at("parallel"), *text.Parallel, 1, parallelMax)
		p.Lanes = *text.Parallel
	}
	for _, d := range []struct {
		key string
		d   time.Duration
	}{{"pause", text.Pause}, {"slow_at", text.SlowAt}, {"stop_at", text.StopAt}} {
		if v.has(d.key) {
			within(b, v.at(d.key), d.d, 0, 24*time.Hour)
		}
	}
	p.Pause, p.SlowAt, p.StopAt, p.Skip = text.Pause, text.SlowAt, text.StopAt, text.OnError == "skip"
	if text.OnError != "" && text.OnError != "stop" && text.OnError != "skip" {
		b.fail(v.at("on_error"), `%q cannot be done about an error; write "stop" or "skip"`, text.OnError)
	}
	for _, span := range text.LowTraffic {
		from, to, _ := strings.Cut(span, "-")
		a, err1 := parseDuration(strings.TrimSpace(from))
		z, err2 := parseDuration(strings.TrimSpace(to))
		if err1 != nil || err2 != nil || a < 0 || z <= a {
			b.fail(v.at("low_traffic"), `%q is no time of low traffic; write one such as "5s-10s"`, span)
			continue
		}
		p.Low = append(p.Low, cluster.Interval{From: sim.Time(a), To: sim.Time(z)})
	}
	if text.Below != "" {
		rate, err := parseRate(text.Below)
		if err != nil {
			b.fail(v.at("below"), "%v", err)
		}
		p.Below = rate
	}
}
