package workloads

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"testing"

	"hotslot/sim"
	"hotslot/sim/wire"
)

var (
	zipf99   = Popularity{Kind: "zipf", Theta: 0.99}
	products = Spec{Name: "products", Kind: "keys", KeyPattern: "product:%d", Count: 1000,
		Popularity: zipf99, Mix: getSet, ValueSize: 200}
	mget = Spec{Name: "lists", Kind: "batch", KeyPattern: "product:%d", Count: 1000,
		Popularity: zipf99, Command: "mget", Size: 10}
)

// with returns a changed copy of a spec, as a strategy makes one.
func with(spec Spec, change func(*Spec)) Spec {
	change(&spec)
	return spec
}

// everyKind returns specs that take all paths through the sources.
func everyKind() map[string]Spec {
	counter := Spec{Kind: "counter", Key: "page", Shards: 16, Reads: 10}
	return map[string]Spec{
		"counter":          counter,
		"counter, unsplit": with(counter, func(s *Spec) { s.Shards = 1 }),
		"keys":             products,
		"keys, list":       with(products, func(s *Spec) { s.KeyList = []string{"a", "{b}", "c"} }),
		"keys, copies":     with(products, func(s *Spec) { s.Copies = 4 }),
		"keys, fields": with(products, func(s *Spec) {
			s.KeyPattern, s.Fields = "{u:%d}:%f", []string{"a", "b", "c"}
		}),
		"keys, profile": with(products, func(s *Spec) {
			s.Steps, s.Ramp = []Step{{At: 3e8, Rate: 50}}, &Ramp{To: 9000, From: 1e8, Over: 1e8}
			s.OnOff = &OnOff{On: 2e7, Off: 1e7}
		}),
		"keys, sequential": with(products, func(s *Spec) { s.Popularity = Popularity{Kind: "sequential"} }),
		"batch":            mget,
		"batch, given":     with(mget, func(s *Spec) { s.Order = "given" }),
		"batch, shuffled":  with(mget, func(s *Spec) { s.Order = "shuffled" }),
		"batch, copies":    with(mget, func(s *Spec) { s.Copies = 4 }),
		"batch, one key":   with(mget, func(s *Spec) { s.Size, s.Copies = 1, 4 }),
		"batch, writes":    with(mget, func(s *Spec) { s.Command, s.Copies = "mset", 4 }),
		"batch, fields": with(mget, func(s *Spec) {
			s.KeyPattern, s.Fields, s.Size = "{u:%d}:%f", []string{"a", "b", "c"}, 3
		}),
		"burst": {Kind: "burst", KeyPattern: "{job}:%d", Count: 300, Command: "set", Size: 100, Every: 1e9},
	}
}

func TestOperationsArePure(t *testing.T) {
	const base = 5000
	for name, spec := range everyKind() {
		w := build(t, spec)
		slots := w.Keys().Slots
		for i, load := range w.Loads(7, 3, base) {
			var ops []wire.Op
			var refs [][]wire.KeyRef
			for n := range uint64(500) {
				op := opOf(load.Source, n)
				keys := load.Source.Keys(op, nil)
				ops, refs = append(ops, op), append(refs, keys)
				if op.ID != wire.NewOpID(3+i, n) || int(op.Keys) != len(keys) {
					t.Fatalf("%s: operation %d is %+v with keys %v", name, n, op, keys)
				}
				if op.Keys == 1 && (wire.KeyRef{Key: op.Key, Slot: op.Slot}) != keys[0] {
					t.Fatalf("%s: operation %d is %+v with keys %v", name, n, op, keys)
				}
				if (op.Kind == wire.WriteOp) != op.Command.Writes() {
					t.Fatalf("%s: %v is of kind %d", name, op.Command, op.Kind)
				}
				for _, k := range keys {
					if k.Key < base || int(k.Key-base) >= len(slots) || slots[k.Key-base] != k.Slot {
						t.Fatalf("%s: operation %d has key %+v", name, n, k)
					}
				}
			}
			again := w.Loads(7, 3, base)[i].Source
			for n := uint64(500); n > 0; n-- {
				op := opOf(again, n-1)
				if op != ops[n-1] || !slices.Equal(again.Keys(wire.Op{ID: op.ID}, nil), refs[n-1]) {
					t.Fatalf("%s: operation %d depends on those before it", name, n-1)
				}
			}
		}
	}
}

// The demand of a seed is pinned: it must not change by accident, nor differ
// between machines.
func TestDemandIsPinned(t *testing.T) {
	want := map[string]uint64{
		"batch":            0x2da9f8dba234e975,
		"batch, copies":    0x562433e7c76ccae2,
		"batch, fields":    0xcfc9c8428339ce9f,
		"batch, given":     0xd02dba2feb34a4e0,
		"batch, one key":   0xa088917f793dca6c,
		"batch, shuffled":  0xdb975be8f181fd28,
		"batch, writes":    0x7122526ab05ae79d,
		"burst":            0x67fac82194ff7785,
		"counter":          0x5888421067819ab4,
		"counter, unsplit": 0xca2519ec6ed1bc57,
		"keys":             0xb71a7668456a8bcf,
		"keys, copies":     0xfc1ef3137b3df0eb,
		"keys, fields":     0xd5383ebf9c65a4ee,
		"keys, list":       0xdf06b63842c73dd9,
		"keys, profile":    0x417b714782a573e8,
		"keys, sequential": 0x9384c13001855aa0,
	}
	for name, spec := range everyKind() {
		spec.Rate = 1000
		h := fnv.New64a()
		for _, load := range build(t, spec).Loads(7, 0, 0) {
			for n := range uint64(1000) {
				op := opOf(load.Source, n)
				fmt.Fprintln(h, load.Arrivals.Next(), op.Command, load.Source.Keys(op, nil))
			}
		}
		if got := h.Sum64(); got != want[name] {
			t.Errorf("%q: %#x, want %#x", name, got, want[name])
		}
	}
}

// Any number of goroutines may build workloads with one cache, and run them.
func TestWorkloadsAreShared(t *testing.T) {
	cache := NewCache()
	shared, err := Build(products, 3, cache)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			own, err := Build(products, 3, cache)
			if err != nil {
				t.Error(err)
				return
			}
			a, b := shared.Loads(1, 0, 0)[0], own.Loads(1, 0, 0)[0]
			for n := range uint64(100) {
				if opOf(a.Source, n) != opOf(b.Source, n) || a.Arrivals.Next() != b.Arrivals.Next() {
					t.Errorf("operation %d differs", n)
				}
			}
		})
	}
	group.Wait()
}

func TestOperationsDoNotAllocate(t *testing.T) {
	for name, spec := range everyKind() {
		for _, load := range build(t, spec).Loads(1, 0, 0) {
			buf := make([]wire.KeyRef, 0, 256)
			n := uint64(0)
			var op wire.Op
			if got := testing.AllocsPerRun(100, func() {
				load.Source.Op(n, &op)
				buf = load.Source.Keys(op, buf[:0])
				n++
			}); got != 0 {
				t.Errorf("%s: %v allocations an operation", name, got)
			}
		}
	}
}

func TestSeedsAndLoadsDiffer(t *testing.T) {
	w := build(t, products)
	sample := func(seed uint64, load int) (keys []wire.Key) {
		source := w.Loads(seed, load, 0)[0].Source
		for n := range uint64(20) {
			keys = append(keys, opOf(source, n).Key)
		}
		return keys
	}
	if slices.Equal(sample(1, 0), sample(2, 0)) || slices.Equal(sample(1, 0), sample(1, 1)) {
		t.Error("another seed or load has the same operations")
	}
}

// Strategies change where an operation lands, not what is asked for.
func TestDemandIsTheSameUnderEveryStrategy(t *testing.T) {
	plain := build(t, products).Loads(1, 0, 0)[0].Source
	copied := build(t, with(products, func(s *Spec) { s.Copies = 4 })).Loads(1, 0, 0)[0].Source
	tagged := build(t, with(products, func(s *Spec) {
		s.KeyPattern, s.Tags = "{%t}:%d", Tags{Template: "p%d", PerPrimary: 2}
	})).Loads(1, 0, 0)[0].Source
	list := build(t, mget).Loads(1, 0, 0)[0].Source
	listOfCopies := build(t, with(mget, func(s *Spec) { s.Copies = 4 })).Loads(1, 0, 0)[0].Source
	for n := range uint64(1000) {
		a, b, c := opOf(plain, n), opOf(copied, n), opOf(tagged, n)
		if a.Key != b.Key/4 || a.Key != c.Key || a.Command != b.Command || a.Command != c.Command {
			t.Fatalf("operation %d is %v of key %d; with copies %v of %d, with tags %v of %d",
				n, a.Command, a.Key, b.Command, b.Key/4, c.Command, c.Key)
		}
		as, bs := list.Keys(opOf(list, n), nil), listOfCopies.Keys(opOf(listOfCopies, n), nil)
		for i := range as {
			if as[i].Key != bs[i].Key/4 {
				t.Fatalf("batch %d has keys %v; with copies %v", n, as, bs)
			}
		}
	}
}

func TestMix(t *testing.T) {
	mix := []Share{{"get", 0.6}, {"SET", 0.3}, {"lpush", 0.1}}
	source := build(t, with(products, func(s *Spec) { s.Mix = mix })).Loads(1, 0, 0)[0].Source
	const n = 100_000
	var seen [wire.Commands]int
	for i := range uint64(n) {
		op := opOf(source, i)
		seen[op.Command]++
		if op.ValueBytes != 200 {
			t.Fatalf("%d bytes", op.ValueBytes)
		}
	}
	for command, share := range map[wire.Command]float64{wire.GET: 0.6, wire.SET: 0.3, wire.LPUSH: 0.1} {
		if got := float64(seen[command]) / n; math.Abs(got-share) > 0.005 {
			t.Errorf("%v has %v, want %v", command, got, share)
		}
	}
}

// A read of a key with copies picks one, and each as often; a write goes to all.
func TestCopies(t *testing.T) {
	const copies, n = 4, 100_000
	source := build(t, with(products, func(s *Spec) { s.Copies = copies })).Loads(1, 0, 0)[0].Source
	var picked [copies]int
	reads := 0
	for i := range uint64(n) {
		op := opOf(source, i)
		if op.Kind == wire.ReadOp {
			picked[op.Key%copies]++
			reads++
			if op.Keys != 1 {
				t.Fatalf("a read of %d keys", op.Keys)
			}
			continue
		}
		keys := source.Keys(op, nil)
		if len(keys) != copies || keys[0].Key%copies != 0 || keys[3].Key != keys[0].Key+3 {
			t.Fatalf("a write to %v", keys)
		}
	}
	for c, got := range picked {
		if math.Abs(float64(got)/float64(reads)-1./copies) > 0.005 {
			t.Errorf("copy %d has %d of %d reads", c, got, reads)
		}
	}
}

func TestCounter(t *testing.T) {
	spec := Spec{Name: "views", Kind: "counter", Key: "page", Shards: 16, Rate: 50_000, Reads: 10}
	loads := build(t, spec).Loads(1, 4, 0)
	if len(loads) != LoadsMax || loads[0].Number != 4 || loads[1].Number != 5 || loads[1].Name != "views" {
		t.Fatalf("loads %+v", loads)
	}
	const n = 160_000
	var seen [16]int
	for i := range uint64(n) {
		op := opOf(loads[0].Source, i)
		if op.Command != wire.INCR || op.Keys != 1 {
			t.Fatalf("operation %d is %+v", i, op)
		}
		seen[op.Key]++
	}
	for shard, got := range seen {
		if math.Abs(float64(got)-n/16) > 500 {
			t.Errorf("shard %d has %d of %d increments", shard, got, n)
		}
	}
	if op := opOf(loads[1].Source, 0); op.Command != wire.MGET || op.Keys != 16 || op.Kind != wire.ReadOp {
		t.Errorf("the total is read by %+v", op)
	}
	if got := count(loads[1].Arrivals, 10e9); got < 70 || got > 130 {
		t.Errorf("%d reads in 10 s, want about 100", got)
	}

	spec.Shards = 1
	if op := opOf(build(t, spec).Loads(1, 0, 0)[1].Source, 0); op.Command != wire.GET || op.Keys != 1 {
		t.Errorf("the total of one shard is read by %+v", op)
	}
	spec.Reads = 0
	if loads := build(t, spec).Loads(1, 0, 0); len(loads) != 1 {
		t.Errorf("%d loads of a counter that nobody reads", len(loads))
	}
}

func TestFieldsAreAskedForAlike(t *testing.T) {
	source := build(t, with(products, func(s *Spec) {
		s.KeyPattern, s.Fields = "{u:%d}:%f", []string{"a", "b", "c"}
	})).Loads(1, 0, 0)[0].Source
	plain := build(t, products).Loads(1, 0, 0)[0].Source
	const n = 30_000
	var seen [3]int
	for i := range uint64(n) {
		key := opOf(source, i).Key
		seen[key%3]++
		if key/3 != opOf(plain, i).Key {
			t.Fatalf("operation %d asks for number %d, without fields %d", i, key/3, opOf(plain, i).Key)
		}
	}
	for f, got := range seen {
		if math.Abs(float64(got)-n/3) > 400 {
			t.Errorf("field %d came %d times of %d", f, got, n)
		}
	}
}

func TestBurstWritesOneKeyAfterAnother(t *testing.T) {
	source := build(t, everyKind()["burst"]).Loads(1, 0, 0)[0].Source
	for n := range uint64(700) {
		if op := opOf(source, n); op.Command != wire.SET || op.Key != wire.Key(n%300) {
			t.Fatalf("operation %d is %+v", n, op)
		}
	}
}

func TestClosedLoad(t *testing.T) {
	spec := with(products, func(s *Spec) { s.Workers, s.Think = 50, sim.Constant(1e6) })
	load := build(t, spec).Loads(1, 0, 0)[0]
	if load.Arrivals != nil || load.Workers != 50 || load.Pipeline != 1 || load.Think != sim.Constant(1e6) {
		t.Errorf("load %+v", load)
	}
	if load := build(t, products).Loads(1, 0, 0)[0]; load.Arrivals == nil || load.Workers != 0 {
		t.Errorf("open load %+v", load)
	}
}

// opOf returns operation n of a source.
func opOf(s Source, n uint64) wire.Op {
	var op wire.Op
	s.Op(n, &op)
	return op
}
