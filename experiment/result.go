// Package experiment runs a scenario: every strategy with every seed, on as
// many workers as there are cores, and says what differs and how surely.
package experiment

import "time"

// A Result is what came out of one scenario. It depends on the scenario and the
// seeds alone.
type Result struct {
	Title, About string
	File         string // base name of the scenario file
	Hash         string
	Duration     time.Duration
	Warmup       time.Duration
	Seeds        []uint64
	Wanted       int  // how many seeds were asked for
	Partial      bool // interrupted: only Seeds were finished, of those that were wanted
	Strategies   []Strategy
	Thresholds   []Threshold
	Operations   uint64  // simulated, over all runs
	Events       uint64  //
	VirtualTime  float64 // seconds, over all runs
	Lines        []Line  // the timeline of every run, where it was asked for
	Dumped       []Dumped
}

// Dumped is what a node told of itself, in the run of the first seed.
type Dumped struct {
	Strategy string
	At       time.Duration
	Node     string
	What     string // such as "cluster nodes"
	Text     string
}

// A Mean is a mean over seeds with its 95 % confidence interval. Where N is 1,
// there is no interval and Low and High equal Mean.
type Mean struct {
	Mean, Low, High float64
	N               int
}

// A Strategy is what came out under one strategy. Numbers are means over its
// seeds.
type Strategy struct {
	Name    string
	Changes []Change
	Seeds   int // finished

	Offered    float64 // operations per second that open loads brought; 0 for closed loads alone
	Throughput Mean    // operations per second that succeeded
	Latency    Latency
	Blame      Blame // of all operations
	Slowest    Blame // of the slowest 1 %
	Errors     Errors
	Redirects  Redirects
	Workloads  []Workload
	Nodes      []Node
	Slots      []Slot // the hottest, hottest first
	Client     Client
	Bill       Bill
	Findings   []Finding
	Series     Series
	Against    *Comparison // with the baseline; nil for that one
	Overloaded bool        // latency grows for as long as the run lasts
	Control    *Control    // nil where nothing happened
	Migrations []Migration // in the order in which they began
	Uncovered  []Uncovered // when the run of the first seed ended
	Idle       bool        // it has no workload: nobody asks for anything

	Fingerprint string // of all its runs, 16 hexadecimal digits
}

// A Change is a setting that the strategy changes, as path and value.
type Change struct {
	Path  string
	Value any // bool, int64, float64, string, or a list of them
}

// Latency of operations in microseconds, from when each was due to start.
type Latency struct {
	Mean, P50, P90, P95 float64
	P99                 Mean
	P999, P9999, Max    float64
	// Curve is latency by percentile for a plot.
	Curve []CurvePoint
}

// A CurvePoint is one point of a latency distribution.
type CurvePoint struct {
	Quantile float64 // from 0 up to, and never as much as, 1
	Micros   float64
}

// Blame is how the time of a mean operation splits up, in microseconds.
type Blame struct {
	Client     float64 // waiting for a connection or the process's CPU
	Network    float64
	ServerWait float64 // for the server's thread, and for its batch to end
	Execution  float64
	Redirect   float64 // earlier hops
}

// Errors of operations.
type Errors struct {
	Rate  float64            // share of the finished operations
	Kinds map[string]float64 // how many, by kind
}

// Redirects is how many replies of each kind clients got.
type Redirects struct{ Moved, Ask, TryAgain float64 }

// A Workload is one workload's part.
type Workload struct {
	Name       string
	Offered    float64 // operations per second; 0 for a closed load
	Throughput Mean
	Latency    Latency
	Errors     Errors
	// CommandsPerRead and CommandsPerWrite are the price of an operation in
	// commands; 0 where there are none of the kind.
	CommandsPerRead, CommandsPerWrite float64
}

// A Node is one node's part.
type Node struct {
	ID          string  // such as "primary 0" or "replica 0.1"
	Role        string  // "primary" or "replica"
	Utilization float64 // share of the time that its thread was busy, 0 to 1
	Commands    float64 // per second
	QueueMean   float64 // requests waiting or in service, on average
	BytesIn     float64 // per second
	BytesOut    float64
	NIC         float64   // share of its NIC's bandwidth in use, the busier direction; 0 where unlimited
	HottestKey  string    // most asked for here
	KeyShare    float64   // its share of the node's commands
	Load        []float64 // utilization over time, by the buckets of Series
}

// A Slot is one hash slot's part.
type Slot struct {
	Slot     int
	Node     string
	Share    float64 // of all commands
	CPUShare float64 // of all execution time
	Keys     int     // stored in it
	Key      string  // most asked for
	KeyShare float64 // its share of the slot's commands
}

// Client is what the application processes spent.
type Client struct {
	Processes   int
	Utilization float64 // of their cores, 0 to 1; 0 where commands cost them nothing
	PoolWaits   float64 // share of the commands and pipelines that waited for a connection of a pool
}

// Bill is the price of a strategy.
type Bill struct {
	CommandsPerOp   float64
	RoundTripsPerOp float64
	BytesPerOp      float64 // requests and replies
	StaleRate       float64 // share of the reads that returned old data
	StaleAge        float64 // of those, mean age in microseconds
	LostWrites      float64
	Primaries       int
	Machines        int     // primaries and replicas
	StoredKeys      float64 // with all copies and shards, without replicas
	CrossSlot       float64 // operations refused because their keys do not share a slot
}

// A Finding is a rule of thumb of operators that spoke up.
type Finding struct {
	Rule    string // such as "node-above-3x-mean"
	Subject string // such as "primary 1", "slot 3219", "key page:view:count"
	Value   float64
	Text    string // one sentence
}

// Series is what happened over time, in buckets of BucketSeconds from the
// beginning of the run, warm-up included.
type Series struct {
	BucketSeconds float64
	Throughput    []float64 // operations per second
	P99           []float64 // microseconds; 0 in an empty bucket
	Errors        []float64 // operations per second that failed
}

// A Comparison is the strategy's throughput and P99 over those of the baseline,
// seed by seed.
type Comparison struct {
	With       string
	Throughput Mean // a ratio
	P99        Mean // a ratio
}

// A Verdict is what became of a threshold.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
)

// A Threshold is a statement of the scenario with what was measured.
type Threshold struct {
	Strategy string
	Expr     string
	Unit     string // of Value: "us", "/s", "" for a bare number
	Value    Mean
	Verdict  Verdict
	Why      string // where it is not a plain pass
}
