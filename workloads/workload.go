// Package workloads says what is asked of the cluster: which operation comes
// when, on which key, with which command.
//
// A workload has keys (Keys: names, and the slots that they hash to), a
// popularity (which number is asked for how often), and one or two loads (Load:
// what operation n is, and when it starts). All of it is a function of the
// scenario and the seed. Operation n asks for the same key number with the same
// command under every strategy; a strategy that adds shards, copies, tags or
// nodes changes only where that lands.
//
// The kinds of workload:
//
//   - counter: INCR on one key, or on a random one of the shards that it is
//     split over, and now and then a read of all shards;
//   - keys: one key at a time by popularity, with a mix of commands;
//   - batch: several keys at a time in one operation;
//   - burst: many operations at once, every now and then, as batch jobs do.
//
// Popularity is a law (uniform, Zipf, a hot set) or was measured: Curves are
// those that Meta published with CacheLib. Scrambled Zipf follows YCSB, the
// Yahoo! Cloud Serving Benchmark (Cooper et al., SoCC 2010).
//
// Left out: traces of single requests; correlation in time beyond the rate's
// (a key's turn does not make its next turn likelier); keys that come and go
// (under "latest" the newest key stays the same); sizes that differ from value
// to value; several names for one key, which would share its slot but not its
// value.
package workloads

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// A Workload is a Spec with its tables. It does not change: any number of runs,
// at the same time, take their loads from it.
type Workload struct {
	spec    Spec
	keys    *Keys
	popular sampler
	mix     []choice // kinds but counter; one choice for those that have one command
}

// A Load is a sequence of operations: open, so that they start at their
// arrivals, or closed, so that workers start them.
type Load struct {
	Name     string // the workload's
	Number   int    // the load of the operations' OpIDs
	Source   Source
	Arrivals *Arrivals        // nil for a closed load
	Workers  int              // closed: how many there are; 0 for an open load
	Think    sim.Distribution // closed: from a worker's reply to its next operation
	Pipeline int              // closed: operations that a worker starts at once
}

// LoadsMax is how many loads a workload has at most. Who gives each workload as
// many numbers, used or not, keeps the chance of the others as it is when a
// strategy adds a load.
const LoadsMax = 2

// Build prepares the workload of a spec for a cluster of so many primaries.
// What is large is taken from the cache, or built and put there: workloads with
// the same keys share one *Keys.
func Build(spec Spec, primaries int, cache *Cache) (*Workload, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	names, err := spec.names(primaries)
	if err != nil {
		return nil, err
	}
	return &Workload{
		spec:    spec,
		keys:    cache.keysOf(names),
		popular: spec.popularity().sampler(spec.count(), cache),
		mix:     newMix(spec.shares()),
	}, nil
}

// Keys returns the workload's keys.
func (w *Workload) Keys() *Keys { return w.keys }

// Loads returns the loads of one run, numbered from first on. base is the run's
// number of the workload's first key.
func (w *Workload) Loads(seed uint64, first int, base wire.Key) []Load {
	o := origin{seed: seed, load: first, base: base,
		slots: w.keys.Slots, valueBytes: uint32(w.spec.ValueSize)}
	switch w.spec.Kind {
	case counterKind:
		loads := []Load{w.load(o, newIncrements(o))}
		if w.spec.Reads > 0 {
			o.load++
			loads = append(loads, w.reads(o))
		}
		return loads
	case batchKind:
		return []Load{w.load(o, newBatch(o, w.spec, w.mix[0].command, w.popular))}
	}
	return []Load{w.load(o, newKeyspace(o, w.spec, w.mix, w.popular))}
}

// load returns the load that the spec describes.
func (w *Workload) load(o origin, source Source) Load {
	l := Load{Name: w.spec.Name, Number: o.load, Source: source}
	if w.spec.Workers > 0 && w.spec.Kind != burstKind {
		l.Workers, l.Think, l.Pipeline = w.spec.Workers, w.spec.Think, max(1, w.spec.Pipeline)
	} else {
		l.Arrivals = NewArrivals(w.spec, o.seed, o.load)
	}
	return l
}

// reads returns the load that reads a counter. It is open and its rate does not
// change, whatever the increments do.
func (w *Workload) reads(o origin) Load {
	steady := Spec{Rate: w.spec.Reads, Arrivals: w.spec.Arrivals}
	return Load{Name: w.spec.Name, Number: o.load, Source: &total{o}, Arrivals: NewArrivals(steady, o.seed, o.load)}
}
