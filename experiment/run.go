package experiment

import (
	"context"
	"math"
	"slices"

	"hotslot/scenarios"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
	"hotslot/workloads"
)

// A plan is a strategy made ready to run with any seed. Runs share it and do not
// change it.
type plan struct {
	strategy  scenarios.Strategy
	costs     node.Costs
	workloads []*workloads.Workload
	bases     []wire.Key // of each workload: the run's number of its first key; those with equal names share it
	keys      int        // of all workloads
	keysIn    []int      // by slot
	keySlots  []slots.Slot
	keyBytes  []int64  // by slot: of a snapshot
	keyValue  []uint32 // by key: bytes of its value
	elements  []uint32 // by key: of its value; nil where none is a collection
	wanted    []scenarios.Quantity
}

// newPlan builds the tables of a strategy, or takes them from the cache.
func newPlan(s scenarios.Strategy, wanted []scenarios.Quantity, cache *workloads.Cache) (*plan, error) {
	p := &plan{strategy: s, wanted: wanted, keysIn: make([]int, slotCount),
		keyBytes: make([]int64, slotCount)}
	var err error
	if p.costs, err = s.Settings.Node.Costs.Resolve(); err != nil {
		return nil, err
	}
	known := map[*workloads.Keys]wire.Key{}
	var elements []uint32
	for _, spec := range s.Settings.Workloads {
		w, err := workloads.Build(spec.Spec, s.Settings.Cluster.Primaries, cache)
		if err != nil {
			return nil, err
		}
		p.workloads = append(p.workloads, w)
		base, shared := known[w.Keys()]
		if !shared {
			base = wire.Key(p.keys)
			known[w.Keys()] = base
			p.keys += w.Keys().Len()
			for _, slot := range w.Keys().Slots {
				p.keysIn[slot]++
				p.keyBytes[slot] += spec.Stored() + wire.KeyBytes
			}
			p.keyValue = append(p.keyValue, slices.Repeat([]uint32{uint32(spec.Stored())}, w.Keys().Len())...)
			elements = append(elements, slices.Repeat([]uint32{uint32(spec.Elements)}, w.Keys().Len())...)
			p.keySlots = append(p.keySlots, w.Keys().Slots...)
		}
		p.bases = append(p.bases, base)
	}
	if slices.ContainsFunc(elements, func(n uint32) bool { return n > 0 }) {
		p.elements = elements
	}
	return p, nil
}

// lacking returns the keys that are not there when a run begins.
func (p *plan) lacking(seed uint64) (keys []wire.Key) {
	for i, w := range p.workloads {
		spec := &p.strategy.Settings.Workloads[i]
		if spec.Exists == nil || slices.Index(p.bases, p.bases[i]) < i {
			continue // they are there, or keys of a workload before it
		}
		there := int(math.Round(*spec.Exists * 1_000_000))
		draws := sim.NewStream(seed, "workload/exists/"+spec.Name)
		for k := range w.Keys().Len() {
			if sim.Below(draws.At(uint64(k)), 1_000_000) >= there {
				keys = append(keys, p.bases[i]+wire.Key(k))
			}
		}
	}
	return keys
}

// shape returns the shape of the plan's cluster.
func (p *plan) shape() client.Shape {
	c := &p.strategy.Settings.Cluster
	return client.Shape{Primaries: c.Primaries, Replicas: c.Replicas}
}

// run runs the plan with a seed, which may be the first one, and returns what was
// measured.
func (p *plan) run(ctx context.Context, seed uint64, o Options, first bool) (*sample, error) {
	var dumps []cluster.Dump
	if first {
		dumps = o.Dumps
	}
	cl, of := p.assemble(seed, dumps)
	if err := cl.Run(ctx); err != nil {
		return nil, err
	}
	m := newMeasurement(p, cl, of)
	sample := m.sample()
	if o.Lines {
		sample.lines = m.lines()
	}
	if first {
		sample.steps = m.steps()
	}
	return sample, nil
}

// assemble makes a run with a seed, and says of each of its demands to which
// workload it belongs.
func (p *plan) assemble(seed uint64, dumps []cluster.Dump) (cl *cluster.Cluster, of []int) {
	s := &p.strategy.Settings
	c := cluster.Config{
		Seed: seed, Shape: p.shape(), Node: s.Node, Costs: p.costs, Network: s.Network, Client: s.Client,
		Keys: p.keys, Warmup: s.Warmup, Duration: s.Duration,
		Gossip: s.Cluster.Gossip, Version: s.Cluster.Version, Control: s.Cluster.Config,
		Placement: cluster.Placement{Machines: s.Cluster.Machines, Zones: s.Cluster.Zones, Cores: s.Cluster.Cores},
		Events:    s.Events, KeySlots: p.keySlots, KeyBytes: p.keyBytes, KeyValue: p.keyValue,
		Elements: p.elements, Lacking: p.lacking(seed), Dumps: dumps,
	}
	for i, w := range p.workloads {
		for _, l := range w.Loads(seed, i*workloads.LoadsMax, p.bases[i]) {
			c.Demands = append(c.Demands, demand(l, s.Workloads[i], s.Client))
			of = append(of, i)
		}
	}
	return cluster.New(c), of
}

// demand gives the client a load, with what its workload says of batches.
func demand(l workloads.Load, w scenarios.Workload, c client.Config) client.Demand {
	d := client.Demand{Name: l.Name, Number: l.Number, Source: l.Source,
		Workers: l.Workers, Think: l.Think, Pipeline: l.Pipeline,
		Batch: client.Batching{Split: c.Split, Chunk: c.Chunk, ChunkFirst: c.ChunkFirst}}
	if l.Arrivals != nil {
		d.Arrivals = l.Arrivals
	}
	if w.Split != "" {
		d.Batch.Split = w.Split
	}
	if w.Chunk != nil {
		d.Batch.Chunk = *w.Chunk
	}
	if w.ChunkFirst != nil {
		d.Batch.ChunkFirst = *w.ChunkFirst
	}
	d.Acks = uint8(w.WaitReplicas)
	if w.Zone != nil {
		d.Zoned, d.Zone = true, *w.Zone
	}
	return d
}
