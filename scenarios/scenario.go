package scenarios

// A Scenario is one file: a question, the strategies that answer it, and what
// is claimed of each.
type Scenario struct {
	File       string // base name of the file
	Hash       string // of the file's bytes, 16 hexadecimal digits
	Title      string `toml:"title"`
	About      string `toml:"about"`
	Seed       uint64 `toml:"seed"`
	Seeds      int    `toml:"seeds"`
	Strategies []Strategy
	Thresholds []Threshold
}

// A Strategy is a named patch of the scenario.
type Strategy struct {
	Name     string
	Changes  []Change // in the order of the file
	Settings Settings // of the scenario with the patch applied
}

// A Change is one value that a strategy sets.
type Change struct {
	Path  string // such as "workload.page-views.shards"
	Value any    // bool, int64, float64, string, or a list of them
}

// A Threshold is a statement that holds or fails.
type Threshold struct {
	Strategy string // whose value it is about
	Expr     string // as written
	Quantity Quantity
	Op       string // "<", "<=", ">", ">=", "==", "!=", "in", "within"
	// The right side: Factor * a reference, or Low (and High, for "in") as plain
	// numbers in the metric's base unit. For "within", Tolerance is the share
	// by which the value may be off.
	Low, High float64
	Factor    float64
	Reference *Reference
	Tolerance float64
}

// A Quantity is what can be measured of a run: a metric, of all or of a part of
// it, over the whole run or a window.
type Quantity struct {
	Metric   string
	Selector map[string]string // such as workload: page-views, node: primary 0
	Window   Window
}

// A Window is a part of a run, in time from the beginning of the run, warm-up
// included. The zero Window is the measured part of the run.
type Window struct {
	From, To  float64 // seconds
	Event     string  // From and To count from this event, where not empty
	WholeSpan bool    // the whole measured part
}

// A Reference is another strategy's value, of the same quantity unless it
// names one of its own.
type Reference struct {
	Strategy string
	Quantity *Quantity
}
