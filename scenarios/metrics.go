package scenarios

import "slices"

// A Unit is what a metric is measured in. It is the end of a printed value too.
type Unit string

// The units.
const (
	Plain          Unit = ""    // a number or a ratio
	Micros         Unit = "us"  // microseconds
	PerSecond      Unit = "/s"  //
	Share          Unit = "%"   // 0 to 1, written and printed as 0 % to 100 %
	Bytes          Unit = "B"   //
	BytesPerSecond Unit = "B/s" //
)

// A Metric is something that thresholds can be about.
type Metric struct {
	Name      string
	Unit      Unit
	Selectors []string // what it can be restricted to
	Needs     string   // the selector that it cannot do without, if any
	Window    bool     // it can be restricted to a part of the run
	Meaning   string   // one line
}

// Metrics returns all metrics in the order in which they are explained.
func Metrics() []Metric { return slices.Clone(metrics) }

// What metrics can be restricted to.
var (
	ofWorkload = []string{"workload"}
	ofNode     = []string{"node"}
)

var metrics = slices.Concat(
	[]Metric{
		{Name: "throughput", Unit: PerSecond, Selectors: ofWorkload, Window: true, Meaning: "operations that succeeded"},
		{Name: "offered", Unit: PerSecond, Selectors: ofWorkload, Window: true, Meaning: "operations that open loads brought"},
	},
	latencies(),
	[]Metric{
		{Name: "errors.rate", Unit: Share, Selectors: []string{"kind", "workload"}, Window: true,
			Meaning: "share of the finished operations that failed"},
		{Name: "errors.count", Selectors: []string{"kind", "workload"}, Window: true, Meaning: "operations that failed, of a kind such as CLUSTERDOWN"},
		{Name: "crossslot.count", Meaning: "operations refused because their keys do not share a slot"},
		{Name: "moved.count", Meaning: "MOVED replies"},
		{Name: "ask.count", Meaning: "ASK replies"},
		{Name: "tryagain.count", Meaning: "TRYAGAIN replies"},

		{Name: "node.utilization", Unit: Share, Selectors: ofNode, Needs: "node", Meaning: "time that the node's thread was busy"},
		{Name: "node.utilization.max", Unit: Share, Meaning: "time that the thread of the busiest primary was busy"},
		{Name: "node.utilization.mean", Unit: Share, Meaning: "mean over all primaries of the time that their threads were busy"},
		{Name: "node.utilization.min", Unit: Share, Meaning: "time that the thread of the idlest primary was busy"},
		{Name: "replica.utilization.max", Unit: Share, Meaning: "time that the thread of the busiest replica was busy"},
		{Name: "replica.utilization.mean", Unit: Share, Meaning: "mean over all replicas of the time that their threads were busy"},
		{Name: "node.commands", Unit: PerSecond, Selectors: ofNode, Needs: "node", Meaning: "commands that the node executed"},
		{Name: "node.share.max", Unit: Share, Meaning: "share of all commands that the busiest node executed"},
		{Name: "node.max_over_mean", Meaning: "commands of the busiest primary over those of the mean one"},
		{Name: "nodes.used", Meaning: "primaries that executed a command at least"},
		{Name: "nic.utilization.max", Unit: Share, Meaning: "bandwidth in use of the busiest network card"},
		{Name: "bytes.out", Unit: BytesPerSecond, Meaning: "what all nodes send"},

		{Name: "slots.used", Meaning: "slots that got a command at least"},
		{Name: "slot.share.max", Unit: Share, Meaning: "share of all commands that are for the hottest slot"},
		{Name: "slot.cpu_share.max", Unit: Share, Meaning: "share of all execution time that goes to the costliest slot"},
		{Name: "slot.keys.max", Meaning: "keys in the fullest slot"},
		{Name: "slot.keys.median", Meaning: "keys in the median of the slots that hold any"},
		{Name: "key.share.max", Unit: Share, Meaning: "largest share of a node's commands that one key has"},

		{Name: "stale.rate", Unit: Share, Meaning: "share of the reads that returned old data"},
		{Name: "stale.count", Meaning: "how many reads returned old data"},
		{Name: "stale.age", Unit: Micros, Meaning: "mean age of the old data that was read"},
		{Name: "lost_writes", Meaning: "acknowledged writes that are gone"},
		{Name: "lost_keys", Meaning: "keys that such writes were to"},
		{Name: "counter.lost", Selectors: ofWorkload, Meaning: "acknowledged increments that the counter's total lacks"},

		{Name: "commands.count", Meaning: "commands that nodes executed"},
		{Name: "commands_per_op", Selectors: ofWorkload, Meaning: "commands behind an operation"},
		{Name: "commands_per_read", Selectors: ofWorkload, Meaning: "commands behind a reading operation"},
		{Name: "commands_per_write", Selectors: ofWorkload, Meaning: "commands behind a writing operation"},
		{Name: "round_trips_per_op", Meaning: "round trips that an operation waits for"},
		{Name: "bytes_per_op", Unit: Bytes, Meaning: "requests and replies of an operation"},
		{Name: "stored_keys", Meaning: "keys with all copies and shards, without replicas"},
		{Name: "machines", Meaning: "machines that nodes are on: one for each node, unless they share some"},

		{Name: "client.utilization", Unit: Share, Meaning: "time that the cores of the application processes were busy"},
		{Name: "client.pool_waits", Unit: Share, Meaning: "share of the commands that waited for a connection"},
		{Name: "blame.client", Unit: Micros, Meaning: "a mean operation's wait for a connection or the client's CPU"},
		{Name: "blame.network", Unit: Micros, Meaning: "a mean operation's time on the network"},
		{Name: "blame.server_wait", Unit: Micros, Meaning: "a mean operation's wait for the server's thread"},
		{Name: "blame.execution", Unit: Micros, Meaning: "a mean operation's execution"},
		{Name: "blame.redirect", Unit: Micros, Meaning: "what earlier hops cost a mean operation"},
		{Name: "overloaded", Meaning: "1 where latency grows for as long as the run lasts, else 0"},
		{Name: "retries", Meaning: "commands that clients tried again"},
		{Name: "unreplicated", Meaning: "writes that too few replicas had acknowledged in time (WAIT)"},
		{Name: "findings", Selectors: []string{"rule", "subject"}, Meaning: "how many rules of thumb spoke up"},
	},
	controlMetrics(), moveMetrics())

// latencies returns the metrics of latency, which counts from when an operation
// was due to start.
func latencies() []Metric {
	var all []Metric
	for _, m := range []struct{ name, meaning string }{
		{"mean", "mean latency"},
		{"p50", "latency that half of the operations keep"},
		{"p90", "latency that 90 % keep"},
		{"p95", "latency that 95 % keep"},
		{"p99", "latency that 99 % keep"},
		{"p99.9", "latency that 99.9 % keep"},
		{"p99.99", "latency that 99.99 % keep"},
		{"max", "longest latency"},
	} {
		all = append(all, Metric{Name: m.name, Unit: Micros, Selectors: ofWorkload, Window: true, Meaning: m.meaning})
	}
	return all
}

// FindMetric returns the metric of a name.
func FindMetric(name string) (m Metric, ok bool) {
	i := slices.IndexFunc(metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return metrics[i], true
}

// metricNames returns the names of all metrics.
func metricNames() []string {
	var names []string
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return names
}
