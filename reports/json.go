package reports

import (
	"encoding/json"
	"io"

	"hotslot/experiment"
)

// schema names the format. Fields may be added to it, and none is renamed,
// removed or changed in meaning without a new name.
const schema = "hotslot.result/1"

// JSON writes a result as an object of the schema hotslot.result/1, and several
// results as an array of such objects. Numbers have nine digits at most; one
// that was not measured is null.
func JSON(w io.Writer, results ...*experiment.Result) error {
	objects := make([]jsonResult, len(results))
	for i, r := range results {
		objects[i] = jsonOf(settled(r))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if len(objects) == 1 {
		return e.Encode(objects[0])
	}
	return e.Encode(objects)
}

// A number is a float64 that JSON can hold.
type number float64

// MarshalJSON writes null for what is not finite, for which JSON has no number.
func (n number) MarshalJSON() ([]byte, error) {
	if !finite(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// numbers converts a series; no series at all is an empty one.
func numbers(vs []float64) []number {
	ns := make([]number, len(vs))
	for i, v := range vs {
		ns[i] = number(v)
	}
	return ns
}

// The types below are the schema. The fields that the contract names come
// first, in its order.

type jsonResult struct {
	Schema     string          `json:"schema"`
	Scenario   jsonScenario    `json:"scenario"`
	Seeds      []uint64        `json:"seeds"`
	Strategies []jsonStrategy  `json:"strategies"`
	Thresholds []jsonThreshold `json:"thresholds"`
	Simulated  jsonSimulated   `json:"simulated"`
	Partial    bool            `json:"partial"`
	DurationS  number          `json:"duration_s"`
	WarmupS    number          `json:"warmup_s"`
	Dumped     []jsonDumped    `json:"dumped,omitempty"`
}

// jsonDumped is what a node told of itself.
type jsonDumped struct {
	Strategy string `json:"strategy"`
	Seconds  number `json:"s"`
	Node     string `json:"node"`
	What     string `json:"what"`
	Text     string `json:"text"`
}

type jsonScenario struct {
	Title string `json:"title"`
	File  string `json:"file"`
	Hash  string `json:"hash"`
	About string `json:"about"`
}

type jsonStrategy struct {
	Name        string          `json:"name"`
	Changes     map[string]any  `json:"changes"`
	Throughput  jsonMean        `json:"throughput"`
	Latency     jsonLatency     `json:"latency"`
	Blame       jsonBlames      `json:"blame"`
	Errors      jsonErrors      `json:"errors"`
	Redirects   jsonRedirects   `json:"redirects"`
	Workloads   []jsonWorkload  `json:"workloads"`
	Nodes       []jsonNode      `json:"nodes"`
	Slots       jsonSlots       `json:"slots"`
	Bill        jsonBill        `json:"bill"`
	Findings    []jsonFinding   `json:"findings"`
	Series      jsonSeries      `json:"series"`
	Fingerprint string          `json:"fingerprint"`
	Seeds       int             `json:"seeds_finished"`
	Offered     number          `json:"offered"`
	Overloaded  bool            `json:"overloaded"`
	Against     *jsonComparison `json:"against"`
	Client      jsonClient      `json:"client"`
	Control     *jsonControl    `json:"control"`  // null where nothing happened
	Timeline    []jsonStep      `json:"timeline"` // of the first seed
	Migrations  []jsonMigration `json:"migrations"`
	Uncovered   []jsonUncovered `json:"uncovered"` // when the run of the first seed ended
}

type jsonMean struct {
	Mean number    `json:"mean"`
	CI95 [2]number `json:"ci95"` // both are the mean where n is 1
	N    int       `json:"n"`    // seeds
}

type jsonLatency struct {
	Mean  number      `json:"mean_us"`
	P50   number      `json:"p50_us"`
	P90   number      `json:"p90_us"`
	P95   number      `json:"p95_us"`
	P99   jsonMean    `json:"p99_us"`
	P999  number      `json:"p999_us"`
	Max   number      `json:"max_us"`
	P9999 number      `json:"p9999_us"`
	Curve []jsonPoint `json:"curve"`
}

type jsonPoint struct {
	Quantile number `json:"quantile"`
	Micros   number `json:"us"`
}

type jsonBlames struct {
	All     jsonBlame `json:"all"`
	Slowest jsonBlame `json:"slowest_1pct"`
}

type jsonBlame struct {
	Client     number `json:"client_us"`
	Network    number `json:"network_us"`
	ServerWait number `json:"server_wait_us"`
	Execution  number `json:"execution_us"`
	Redirect   number `json:"redirect_us"`
}

type jsonErrors struct {
	Rate  number            `json:"rate"`
	Kinds map[string]number `json:"kinds"`
}

type jsonRedirects struct {
	Moved    number `json:"moved"`
	Ask      number `json:"ask"`
	TryAgain number `json:"tryagain"`
}

type jsonWorkload struct {
	Name             string      `json:"name"`
	Throughput       number      `json:"throughput"`
	Latency          jsonLatency `json:"latency"`
	Errors           jsonErrors  `json:"errors"`
	Offered          number      `json:"offered"`
	CommandsPerRead  number      `json:"commands_per_read"`
	CommandsPerWrite number      `json:"commands_per_write"`
}

type jsonNode struct {
	ID          string   `json:"id"`
	Role        string   `json:"role"`
	Utilization number   `json:"utilization"`
	Commands    number   `json:"commands_per_s"`
	QueueMean   number   `json:"queue_mean"`
	BytesIn     number   `json:"bytes_in_per_s"`
	BytesOut    number   `json:"bytes_out_per_s"`
	NIC         number   `json:"nic_utilization"`
	HottestKey  string   `json:"hottest_key"`
	KeyShare    number   `json:"hottest_key_share"`
	Load        []number `json:"load"`
}

type jsonSlots struct {
	Hottest []jsonSlot `json:"hottest"`
}

type jsonSlot struct {
	Slot     int    `json:"slot"`
	Share    number `json:"share"`
	Node     string `json:"node"`
	CPUShare number `json:"cpu_share"`
	Keys     int    `json:"keys"`
	Key      string `json:"key"`
}

type jsonBill struct {
	CommandsPerOp   number `json:"commands_per_op"`
	RoundTripsPerOp number `json:"round_trips_per_op"`
	StaleRate       number `json:"stale_rate"`
	LostWrites      number `json:"lost_writes"`
	BytesPerOp      number `json:"bytes_per_op"`
	StaleAge        number `json:"stale_age_us"`
	Primaries       int    `json:"primaries"`
	Machines        int    `json:"machines"`
	StoredKeys      number `json:"stored_keys"`
	CrossSlot       number `json:"crossslot"`
}

type jsonFinding struct {
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	Value   number `json:"value"`
	Text    string `json:"text"`
}

type jsonSeries struct {
	BucketS    number   `json:"bucket_s"`
	Throughput []number `json:"throughput"`
	P99        []number `json:"p99_us"` // 0 in an empty bucket
	Errors     []number `json:"errors"` // operations per second that failed
}

type jsonComparison struct {
	With       string   `json:"with"`
	Throughput jsonMean `json:"throughput_ratio"`
	P99        jsonMean `json:"p99_ratio"`
}

type jsonClient struct {
	Processes   int    `json:"processes"`
	Utilization number `json:"utilization"`
	PoolWaits   number `json:"pool_waits"`
}

type jsonThreshold struct {
	Strategy string             `json:"strategy"`
	Expr     string             `json:"expr"`
	Value    number             `json:"value"`
	Verdict  experiment.Verdict `json:"verdict"`
	CI95     [2]number          `json:"ci95"`
	Unit     string             `json:"unit"`
	Why      string             `json:"why"`
}

type jsonSimulated struct {
	Operations uint64 `json:"operations"`
	Events     uint64 `json:"events"`
	VirtualS   number `json:"virtual_s"`
}
