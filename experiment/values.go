package experiment

import (
	"fmt"
	"math"
	"slices"
	"time"

	"hotslot/scenarios"
	"hotslot/sim/wire"
)

// value returns what a quantity of a threshold came to in this run, in the unit
// of its metric: not a number if it is of operations and none has ended, and
// unknowable if it is about the time around what never happened.
func (m *measurement) value(q scenarios.Quantity) float64 {
	g := &m.all
	if name := q.Selector["workload"]; name != "" {
		for i, w := range m.strategy.Settings.Workloads {
			if w.Name == name {
				g = &m.groups[i]
			}
		}
	}
	if q.Window != (scenarios.Window{}) {
		from, to, happened := m.bounds(q.Window)
		if !happened {
			return unknowable
		}
		if q.Metric != "events" {
			return m.windowValue(g, q, from, to)
		}
	}
	for _, of := range []func(*group, scenarios.Quantity) (float64, bool){
		m.operations, m.control, m.threads, m.space, m.data, m.price, m.moveValue,
	} {
		if v, ok := of(g, q); ok {
			return v
		}
	}
	panic(fmt.Sprintf("experiment: metric %q is known to scenarios and not to be had", q.Metric))
}

// percentiles are the metrics that are quantiles of latency.
var percentiles = map[string]float64{"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99.9": 0.999, "p99.99": 0.9999}

// windowValue returns a quantity of a part of the run.
func (m *measurement) windowValue(g *group, q scenarios.Quantity, from, to time.Duration) float64 {
	w, due, length := g.window(from, to)
	switch q.Metric {
	case "errors.rate", "errors.count":
		failed := float64(g.failedIn(from, to, q.Selector["kind"]))
		if q.Metric == "errors.count" {
			return failed
		}
		all := float64(g.failedIn(from, to, "")) + float64(w.Count())
		if all == 0 {
			return math.NaN()
		}
		return failed / all
	case "throughput":
		return ratio(float64(w.Count()), length.Seconds())
	case "offered":
		return ratio(float64(due), length.Seconds())
	}
	if w.Count() == 0 {
		return math.NaN()
	}
	switch q.Metric {
	case "mean":
		return micros(w.Mean())
	case "max":
		return micros(w.Max())
	}
	return micros(w.Quantile(percentiles[q.Metric]))
}

// operations returns what clients see.
func (m *measurement) operations(g *group, q scenarios.Quantity) (float64, bool) {
	n := float64(g.latency.Count())
	p, quantile := percentiles[q.Metric]
	latency := quantile || q.Metric == "mean" || q.Metric == "max"
	if latency && n == 0 || q.Metric == "errors.rate" && n == 0 && g.failed() == 0 {
		return math.NaN(), true
	}
	if quantile {
		return micros(g.latency.Quantile(p)), true
	}
	switch q.Metric {
	case "throughput":
		return n / m.duration(), true
	case "offered":
		return m.offered(g), true
	case "mean":
		return ratio(micros(g.latency.Sum().Total()), n), true
	case "max":
		return micros(g.latency.Max()), true
	case "errors.rate":
		failed := g.failed()
		if kind := q.Selector["kind"]; kind != "" {
			failed = g.failedWith(kind)
		}
		return ratio(float64(failed), float64(g.failed())+n), true
	case "errors.count":
		if kind := q.Selector["kind"]; kind != "" {
			return float64(g.failedWith(kind)), true
		}
		return float64(g.failed()), true
	case "crossslot.count":
		return float64(g.Failed[wire.CrossSlot]), true
	case "moved.count":
		return float64(g.Replies[wire.Moved]), true
	case "ask.count":
		return float64(g.Replies[wire.Ask]), true
	case "tryagain.count":
		return float64(g.Replies[wire.TryAgain]), true
	case "overloaded":
		return indicator(m.all.overloaded()), true
	}
	return m.blamed(g, q)
}

// blamed returns where the time of a mean operation went.
func (m *measurement) blamed(g *group, q scenarios.Quantity) (float64, bool) {
	b, n := g.latency.Sum(), float64(g.latency.Count())
	for name, part := range map[string]time.Duration{
		"blame.client": b.Client, "blame.network": b.Network, "blame.server_wait": b.ServerWait,
		"blame.execution": b.Execution, "blame.redirect": b.Redirect,
	} {
		if name == q.Metric {
			return ratio(micros(part), n), true
		}
	}
	return 0, false
}

// threads returns what nodes and network cards do.
func (m *measurement) threads(_ *group, q scenarios.Quantity) (float64, bool) {
	number, _ := m.node(q.Selector["node"])
	commands := m.primaries(m.commandsOf)
	switch q.Metric {
	case "node.utilization":
		return m.utilization(number), true
	case "node.utilization.max":
		return largest(m.primaries(m.utilization)), true
	case "node.utilization.mean":
		return mean(m.primaries(m.utilization)), true
	case "node.utilization.min":
		return smallest(m.primaries(m.utilization)), true
	case "replica.utilization.max":
		return largest(m.replicas(m.utilization)), true
	case "replica.utilization.mean":
		return mean(m.replicas(m.utilization)), true
	case "node.commands":
		return m.commandsOf(number) / m.duration(), true
	case "node.share.max":
		return ratio(largest(each(0, len(m.cl.Nodes), m.commandsOf)), m.executed()), true
	case "node.max_over_mean":
		return ratio(largest(commands), mean(commands)), true
	case "nodes.used":
		return float64(len(slices.DeleteFunc(commands, func(n float64) bool { return n == 0 }))), true
	case "nic.utilization.max":
		return largest(each(0, len(m.cl.Nodes), m.nic)), true
	case "bytes.out":
		return m.bytes(false) / m.duration(), true
	}
	return 0, false
}

// space returns what is known of slots and keys.
func (m *measurement) space(_ *group, q scenarios.Quantity) (float64, bool) {
	total := m.totals()
	switch q.Metric {
	case "slots.used":
		return float64(len(m.hot.slots)), true
	case "slot.share.max":
		var most uint64
		for i := range m.cl.Meter.Slots {
			most = max(most, m.cl.Meter.Slots[i].Commands)
		}
		return ratio(float64(most), float64(total.Commands)), true
	case "slot.cpu_share.max":
		var most time.Duration
		for i := range m.cl.Meter.Slots {
			most = max(most, m.cl.Meter.Slots[i].Work)
		}
		return ratio(float64(most), float64(total.Work)), true
	case "slot.keys.max":
		return float64(slices.Max(m.keysIn)), true
	case "slot.keys.median":
		return float64(m.medianKeys()), true
	case "key.share.max":
		return largest(m.primaries(m.nodeShare)), true
	}
	return 0, false
}

// data returns what became of data.
func (m *measurement) data(g *group, q scenarios.Quantity) (float64, bool) {
	l := m.cl.Ledger
	switch q.Metric {
	case "stale.rate":
		return m.staleRate(), true
	case "stale.count":
		return float64(l.Stale), true
	case "stale.age":
		return m.staleAge(), true
	case "counter.lost":
		return m.counterLost(q.Selector["workload"]), true
	case "findings":
		return float64(m.count(q.Selector)), true
	}
	return 0, false
}

// price returns what operations cost.
func (m *measurement) price(g *group, q scenarios.Quantity) (float64, bool) {
	ops := float64(g.latency.Count())
	switch q.Metric {
	case "commands.count":
		return m.executed(), true
	case "commands_per_op":
		return ratio(float64(g.Commands[wire.ReadOp]+g.Commands[wire.WriteOp]), ops), true
	case "commands_per_read":
		return perOp(g, wire.ReadOp), true
	case "commands_per_write":
		return perOp(g, wire.WriteOp), true
	case "round_trips_per_op":
		return ratio(float64(g.RoundTrips), ops), true
	case "bytes_per_op":
		return ratio(m.bytes(true)+m.bytes(false), ops), true
	case "stored_keys":
		return float64(m.keys), true
	case "machines":
		return float64(m.machines()), true
	case "client.utilization":
		return m.clientUtilization(), true
	case "client.pool_waits":
		return m.poolWaits(), true
	}
	return 0, false
}

// offered returns the operations per second that open loads brought.
func (m *measurement) offered(g *group) float64 {
	n := 0.0
	for _, r := range g.recorders {
		if !r.Closed {
			n += float64(r.Measured.Begun)
		}
	}
	return n / m.duration()
}

func perOp(g *group, kind wire.OpKind) float64 {
	return ratio(float64(g.Commands[kind]), float64(g.Ops[kind]))
}

// executed returns how many commands all nodes executed.
func (m *measurement) executed() (n float64) {
	for i := range m.cl.Nodes {
		n += m.commandsOf(i)
	}
	return n
}

// bytes returns what all nodes received, or sent.
func (m *measurement) bytes(in bool) (n float64) {
	for i := range m.cl.Nodes {
		if in {
			n += float64(m.load(i).BytesIn)
		} else {
			n += m.bytesOut(i)
		}
	}
	return n
}

func (m *measurement) staleRate() float64 {
	reads := m.all.Commands[wire.ReadOp]
	return ratio(float64(m.cl.Ledger.Stale), float64(reads))
}

func (m *measurement) staleAge() float64 {
	return ratio(micros(m.cl.Ledger.StaleAge), float64(m.cl.Ledger.Stale))
}

func (m *measurement) clientUtilization() float64 {
	c := &m.strategy.Settings.Client
	return m.all.CPU.Seconds() / m.duration() / float64(c.Processes*max(1, c.Cores))
}

func (m *measurement) poolWaits() float64 {
	return ratio(float64(m.all.PoolWaits), float64(m.all.Borrows))
}

// counterLost returns how many acknowledged increments the total of a counter
// lacks, of all counters if the name is empty.
func (m *measurement) counterLost(name string) float64 {
	lost := 0.0
	for i, w := range m.strategy.Settings.Workloads {
		if w.Kind != "counter" || name != "" && w.Name != name {
			continue
		}
		increments := m.groups[i].recorders[0]
		executed := uint64(0)
		for j := range m.workloads[i].Keys().Len() {
			executed += uint64(m.cl.Ledger.Writes[int(m.bases[i])+j])
		}
		if acknowledged := increments.Done + increments.Late; acknowledged > executed {
			lost += float64(acknowledged - executed)
		}
	}
	return lost
}

// medianKeys returns the median number of keys of the slots that hold any.
func (m *measurement) medianKeys() int {
	used := slices.DeleteFunc(slices.Clone(m.keysIn), func(n int) bool { return n == 0 })
	if len(used) == 0 {
		return 0
	}
	slices.Sort(used)
	return used[(len(used)-1)/2]
}

// failedIn returns how many operations failed, with an error code or with any, in
// the buckets that begin in a part of the run.
func (g *group) failedIn(from, to time.Duration, code string) (n uint64) {
	for _, r := range g.recorders {
		for i := range r.Broken {
			if begin := time.Duration(i) * r.Bucket; begin < from || begin >= to {
				continue
			}
			for v, failed := range r.Broken[i] {
				if code == "" || wire.Verdict(v).String() == code {
					n += uint64(failed)
				}
			}
		}
	}
	return n
}

// failedWith returns how many operations of the group failed with an error code,
// which several verdicts may share.
func (g *group) failedWith(code string) (n uint64) {
	for v, failed := range g.Failed {
		if wire.Verdict(v).String() == code {
			n += failed
		}
	}
	return n
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
