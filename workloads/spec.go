package workloads

import (
	"time"

	"hotslot/sim"
)

// The kinds of workload.
const (
	counterKind = "counter"
	keysKind    = "keys"
	batchKind   = "batch"
	burstKind   = "burst"
)

// The ways in which the operations of an open load come.
const (
	poissonArrivals  = "poisson" // what empty means
	constantArrivals = "constant"
)

// A Spec is one demand on the cluster.
type Spec struct {
	Name string
	Kind string `toml:"kind"` // "counter", "keys", "batch" or "burst"

	// Keys. Key is a counter's one key. KeyPattern is any text with %d for the
	// key's number, 0 to Count-1 (%016d fills it up with zeros to 16 digits), %t
	// for its tag, %f for its field and %% for a percent sign; KeyList stands for
	// it where the file gives a list of names, which are taken as they are.
	Key        string     `toml:"key"`
	KeyPattern string     `toml:"keys"`
	KeyList    []string   // `toml:"keys"` where that is a list
	Count      int        `toml:"count"`
	Fields     []string   `toml:"fields"` // keys of one number, by what %f stands for
	Tags       Tags       `toml:"tags"`
	Popularity Popularity `toml:"popularity"`

	// Demand. Either Rate (open: operations come when they come) or Workers
	// (closed: each waits for its reply, thinks, and goes on).
	Rate     float64          `toml:"rate"`     // operations per second
	Arrivals string           `toml:"arrivals"` // "poisson" or "constant"
	Steps    []Step           `toml:"steps"`    // changes of the rate
	Ramp     *Ramp            `toml:"ramp"`
	OnOff    *OnOff           `toml:"on_off"`
	Workers  int              `toml:"workers"`
	Think    sim.Distribution `toml:"think"`
	Pipeline int              `toml:"pipeline"` // closed: commands that a worker sends at once

	// What an operation does.
	Mix       []Share `toml:"mix"`        // kind keys: command = share; shares add up to 1
	Reads     float64 `toml:"reads"`      // kind counter: reads of the total, per second
	ValueSize int64   `toml:"value_size"` // bytes
	Command   string  `toml:"command"`    // kinds batch and burst
	Size      int     `toml:"size"`       // keys of one operation (batch) or one burst (burst)
	Order     string  `toml:"order"`      // kind batch: "random" (by popularity), "given" (consecutive numbers) or "shuffled" (those, in random order)

	// Kind burst: every Every, Size operations are due, all at once or evenly
	// spread over Over.
	Every time.Duration `toml:"every"`
	Over  time.Duration `toml:"over"`

	// Mitigations.
	Shards  int  `toml:"shards"`   // kind counter: suffix keys that the counter is split over
	KeepTag bool `toml:"keep_tag"` // kind counter: the suffix is put outside a hash tag that all shards share
	Copies  int  `toml:"copies"`   // kinds keys and batch: copies of each key; reads pick one, writes go to all
}

// Tags says what %t in a key pattern stands for. A key of number i has tag
// i mod the number of tags.
type Tags struct {
	Count      int    `toml:"count"`       // tags 0 to Count-1
	Template   string `toml:"template"`    // text with %d: with PerPrimary, tags are searched so that each primary gets as many
	PerPrimary int    `toml:"per_primary"` //
}

// Popularity says how often each key number is asked for.
type Popularity struct {
	// Kind is "uniform" (what empty means), "zipf" (number 0 is the hottest),
	// "scrambled-zipf", "hot-set", "hot-key", "latest" (the last number is the
	// hottest), "sequential" or one of Curves.
	Kind  string
	Theta float64 // zipf, scrambled-zipf, latest: exponent, 0 to 5
	Hot   float64 // hot-set: share of the keys, 0 to 1, …
	Share float64 // … that gets this share of the operations; hot-key: share of number 0
}

// A Share is one command's part of a mix.
type Share struct {
	Command string
	Share   float64
}

// A Step changes the rate for the rest of the run.
type Step struct {
	At   time.Duration `toml:"at"` // from the beginning of the run
	Rate float64       `toml:"rate"`
}

// A Ramp lets the rate rise or fall in a straight line.
type Ramp struct {
	To   float64       `toml:"to"`   // the rate at the end
	From time.Duration `toml:"from"` // when it begins
	Over time.Duration `toml:"over"` // how long it takes
}

// OnOff lets operations come for On and stay away for Off, again and again. The
// rate is that during On.
type OnOff struct {
	On  time.Duration `toml:"on"`
	Off time.Duration `toml:"off"`
}

// The numbers below count as 1 where they are not given.

func (s Spec) shards() int { return max(1, s.Shards) }
func (s Spec) copies() int { return max(1, s.Copies) }

// count returns how many numbers there are.
func (s Spec) count() int {
	if len(s.KeyList) > 0 {
		return len(s.KeyList)
	}
	return max(1, s.Count)
}

// onOff returns when operations come; the zero value is always.
func (s Spec) onOff() OnOff {
	if s.OnOff == nil {
		return OnOff{}
	}
	return *s.OnOff
}

// popularity returns how often each number is asked for: a burst writes its
// keys one after another.
func (s Spec) popularity() Popularity {
	if s.Kind == burstKind {
		return Popularity{Kind: "sequential"}
	}
	return s.Popularity
}

// shares returns the commands of the operations: the mix, or the one command.
// A counter's are given by its kind.
func (s Spec) shares() []Share {
	switch s.Kind {
	case keysKind:
		return s.Mix
	case batchKind, burstKind:
		return []Share{{s.Command, 1}}
	}
	return nil
}
