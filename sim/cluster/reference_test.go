package cluster

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/wire"
	"hotslot/workloads"
)

// long skips a test of millions of operations in short mode, which is for the race
// detector: a run is one goroutine, and many times slower there.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("millions of operations")
	}
}

// measured is a row of redis-benchmark against redis-server 7.0.15.
type measured struct {
	command                  string
	clients, pipeline, value int
	least, most              float64 // µs of the server's CPU per command, of two passes
	best                     float64 // of the pass with the higher throughput: user and system
}

func measurements(t *testing.T) []measured {
	t.Helper()
	f, err := os.Open("../node/testdata/redis-7.0.15/bench_single.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	var all []measured
	for _, row := range rows[1:] {
		number := func(name string) float64 {
			x, err := strconv.ParseFloat(row[column[name]], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		all = append(all, measured{
			command: row[column["cmd"]], clients: int(number("clients")), pipeline: int(number("pipeline")),
			value: int(number("value_bytes")),
			least: number("server_cpu_us_per_cmd_min"), most: number("server_cpu_us_per_cmd_max"),
			best: number("server_cpu_user_us") + number("server_cpu_sys_us"),
		})
	}
	return all
}

// cpuPerCommand runs redis-benchmark's load.
func (m measured) cpuPerCommand(t *testing.T) float64 {
	t.Helper()
	spec := workloads.Spec{
		Kind: "keys", KeyPattern: "key:%016d", Count: 1000, Mix: []workloads.Share{{Command: m.command, Share: 1}},
		Workers: m.clients, Pipeline: m.pipeline, ValueSize: int64(m.value),
	}
	if m.command == "MGET" || m.command == "MSET" {
		spec.Kind, spec.Mix, spec.Command, spec.Size, spec.KeyPattern = "batch", nil, m.command, 10, "{k}:%d"
	}
	c := setup(t, 1, spec)
	c.Costs, _, _ = node.Profile("redis-7.0.15")
	c.Network.OneWay = sim.Constant(20 * time.Microsecond)
	c.Warmup, c.Duration = 10*time.Millisecond, 60*time.Millisecond
	cl := New(c)
	run(t, cl)
	l := cl.Nodes[0].Load()
	return float64(l.Busy) / float64(l.Commands) / 1e3
}

// off returns how far x is from an interval, relative to its nearer end.
func off(x, least, most float64) float64 {
	switch {
	case x < least:
		return x/least - 1
	case x > most:
		return x/most - 1
	}
	return 0
}

// TestServerCPU holds the profile redis-7.0.15 against measured CPU. The rows that
// it was fitted to, 50 clients and a single one that sends command by command,
// must lie between what the two passes gave, or within 15 % of it. The others, and
// how far a row is from the better pass, are for information.
func TestServerCPU(t *testing.T) {
	long(t)
	rows, worst := 0, 0.0
	for _, m := range measurements(t) {
		x := m.cpuPerCommand(t)
		d := off(x, m.least, m.most)
		row := fmt.Sprintf("%5s of %5d bytes, %3d clients, pipeline %2d: %7.3f µs, measured %7.3f to %7.3f, "+
			"%+.0f %%; better pass %7.3f, %+.0f %%",
			m.command, m.value, m.clients, m.pipeline, x, m.least, m.most, 100*d, m.best, 100*(x/m.best-1))
		if fitted := m.clients == 50 || m.clients == 1 && m.pipeline == 1; !fitted || m.value > 1000 {
			t.Log("not fitted: ", row)
			continue
		}
		t.Log("fitted:     ", row)
		rows++
		worst = max(worst, math.Abs(d))
		if math.Abs(d) > 0.15 {
			t.Error(row)
		}
	}
	if t.Logf("%d rows fitted, the worst is %.0f %% off", rows, 100*worst); rows != 48 {
		t.Errorf("%d rows were held against the profile, want 48", rows)
	}
}

// TestCapacity saturates a node of round-100k with 50 workers: it answers 100,000
// a second, whatever the simple command. A span begins and ends within a turn of
// at most 50 commands, so 50,000 of them leave room for 0.1 %.
func TestCapacity(t *testing.T) {
	for _, command := range []string{"get", "set", "incr", "lpush"} {
		c := setup(t, 1, workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 1000,
			Mix: []workloads.Share{{Command: command, Share: 1}}, Workers: 50})
		c.Warmup, c.Duration = 10*time.Millisecond, 500*time.Millisecond
		cl := New(c)
		run(t, cl)
		if n := float64(cl.Nodes[0].Load().Commands) * 2; math.Abs(n/1e5-1) > 0.001 {
			t.Errorf("%s: %.0f commands a second, want 100000", command, n)
		}
	}
}

// TestPublishedTurns holds a run, and the theory of turns, against what an
// independent program gave for 240,000 operations a second on three nodes of
// 10 µs each and 100 µs of network either way. The tolerances are about twice the
// standard error of a run of one second, which that was: at a load of 0.8 each of
// the four rests on few busy periods.
func TestPublishedTurns(t *testing.T) {
	long(t)
	cl := New(threePrimaries(t, 4*time.Second, network.Config{OneWay: sim.Constant(oneWay)}))
	run(t, cl)
	h := cl.Recorders[0].Latency
	chain := newTurns(0.8)
	const delay = service * 0.8 / 2 / (1 - 0.8) * (1 + 2*0.8) / (1 + 0.8) // see TestOpen
	for _, tt := range []struct {
		what                    string
		published               float64 // µs
		simulated, theory, most float64
	}{
		{"mean", 238.7, float64(h.Sum().Total()) / float64(h.Count()), service + delay, 0.005},
		{"P50", 228, float64(h.Quantile(0.5)), quantile(chain.longer, 0.5), 0.005},
		{"P99", 363, float64(h.Quantile(0.99)), quantile(chain.longer, 0.99), 0.02},
		{"P99.9", 444, float64(h.Quantile(0.999)), quantile(chain.longer, 0.999), 0.04},
	} {
		simulated, theory := tt.simulated/1e3, (tt.theory+float64(2*oneWay))/1e3
		t.Logf("%s: %.1f µs simulated, %.1f in theory, %.1f published", tt.what, simulated, theory, tt.published)
		if math.Abs(simulated/tt.published-1) > tt.most || math.Abs(theory/tt.published-1) > tt.most {
			t.Errorf("%s: %.1f µs simulated, %.1f in theory, published %.1f ± %v %%",
				tt.what, simulated, theory, tt.published, 100*tt.most)
		}
	}
}

// turns is the chain of turns under Poisson arrivals and a constant service time:
// of n commands, Poisson(ρn) come meanwhile and are the next turn, or one after a
// pause.
type turns struct {
	rho   float64
	share []float64 // of turns of n commands
}

const turnMax = 400 // far beyond what occurs at the loads here

func newTurns(rho float64) turns {
	c := turns{rho, make([]float64, turnMax)}
	c.share[1] = 1
	for range 200 { // ρ^200 of the beginning is left
		next := make([]float64, turnMax)
		for n, p := range c.share {
			if p == 0 {
				continue
			}
			for k, q := range poisson(rho * float64(n)) {
				next[max(1, k)] += p * q
			}
		}
		c.share = next
	}
	return c
}

// poisson returns the probabilities of 0, 1, 2, …
func poisson(mean float64) []float64 {
	p := make([]float64, turnMax)
	p[0] = math.Exp(-mean)
	for k := 1; k < turnMax; k++ {
		p[k] = p[k-1] * mean / float64(k)
	}
	return p
}

// longer returns the probability of a stay above x: what is left of the turn that
// a command meets, uniform, and the turn that it is in.
func (c turns) longer(x float64) float64 {
	total := 0.0
	for n, p := range c.share {
		total += float64(n) * p
	}
	longer := 0.0
	if x < service {
		longer = 1 - c.rho // a pause was met
	}
	for n, p := range c.share {
		if p < 1e-12 {
			continue
		}
		for k, q := range poisson(c.rho * float64(n)) {
			left := (x - service*float64(1+k)) / (service * float64(n))
			longer += c.rho * float64(n) * p / total * q * (1 - min(1, max(0, left)))
		}
	}
	return longer
}

// closedTurns returns the throughput, per second, by the chain's stationary law:
// commands in a turn over the length of a turn and of the pause after it.
func closedTurns(workers int) float64 {
	share := make([]float64, workers+1) // of turns of n commands
	share[1] = 1
	commands, length := 0.0, 0.0
	for range 2000 {
		next := make([]float64, workers+1)
		commands, length = 0, 0
		for n, p := range share {
			joins := binomial(workers-n, -math.Expm1(-float64(n)*service/float64(think)))
			commands += p * float64(n)
			length += p * (float64(n)*service + joins[0]*float64(think)/float64(workers))
			for k, q := range joins {
				next[max(1, k)] += p * q
			}
		}
		share = next
	}
	return commands / length * 1e9
}

// binomial returns the probabilities of 0 to n successes.
func binomial(n int, success float64) []float64 {
	p := make([]float64, n+1)
	p[0] = 1
	for i := 1; i <= n; i++ {
		for k := i; k > 0; k-- {
			p[k] = p[k]*(1-success) + p[k-1]*success
		}
		p[0] *= 1 - success
	}
	return p
}

// warmRuns are runs that use what there is of the client and the nodes. They
// begin with a rate higher than the one that they go on with.
func warmRuns(tb testing.TB) map[string]Config {
	keys := workloads.Spec{Kind: "keys", KeyPattern: "key:%d", Count: 10_000, Rate: 250_000,
		Steps: []workloads.Step{{At: 200 * time.Millisecond, Rate: 200_000}},
		Mix:   []workloads.Share{{Command: "get", Share: 0.8}, {Command: "set", Share: 0.2}}}
	batch := keys
	batch.Kind, batch.Mix, batch.Command, batch.Size, batch.Rate = "batch", nil, "mget", 10, 25_000
	batch.Steps = []workloads.Step{{At: 200 * time.Millisecond, Rate: 20_000}}
	pipeline := keys
	pipeline.Rate, pipeline.Steps, pipeline.Workers, pipeline.Pipeline = 0, nil, 50, 16

	with := func(spec workloads.Spec, change func(*Config)) Config {
		c := setup(tb, 3, spec)
		c.Client.Processes = 10
		c.Network.OneWay = sim.Distribution{Shape: sim.ShapeShifted, A: us(50), B: us(50)}
		c.Duration = time.Second
		change(&c)
		return c
	}
	return map[string]Config{
		"open":         with(keys, func(*Config) {}),
		"batches":      with(batch, func(c *Config) { c.Demands[0].Batch.Split = client.SplitSlot }),
		"node batches": with(batch, func(c *Config) { c.Demands[0].Batch.Split = client.SplitNode }),
		"pooled":       with(keys, func(c *Config) { c.Client.Connections = 5 }),
		"pipelined":    with(keys, func(c *Config) { c.Client.Pipelined, c.Client.Connections = true, 2 }),
		"timeouts":     with(keys, func(c *Config) { c.Client.Timeout = us(400) }),
		"replicas":     with(keys, func(c *Config) { c.Shape.Replicas, c.Client.ReadFrom = 1, client.FromAny }),
		// Redirections leave a node all at once, with their turn, and come to the next
		// one all at once. At a load of 0.9 that lets turns grow without end, where
		// first come, first served would be stable; so commands are cheaper here.
		"redirections": with(keys, func(c *Config) {
			c.Client.SlotMap, c.Client.OnMoved = client.SlotMapShifted, client.MovedIgnore
			c.Costs.Refuse, c.Costs.Commands[wire.GET].Base, c.Costs.Commands[wire.SET].Base = us(1), us(5), us(5)
		}),
		"pipelines":     with(pipeline, func(*Config) {}),
		"pool, timeout": with(keys, func(c *Config) { c.Client.Connections, c.Client.Timeout = 5, us(400) }),
	}
}

// TestLittle holds Little's law on all these runs but those with timeouts: what
// is given up is under way for a while, and has no latency.
func TestLittle(t *testing.T) {
	for name, c := range warmRuns(t) {
		if c.Client.Timeout > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c.Warmup, c.Duration = 100*time.Millisecond, 200*time.Millisecond
			cl := New(c)
			run(t, cl)
			holdLittle(t, cl)
		})
	}
}

// TestNoAllocation: a run that is warm allocates nothing.
func TestNoAllocation(t *testing.T) {
	for name, c := range warmRuns(t) {
		t.Run(name, func(t *testing.T) {
			cl := New(c)
			cl.Sched.Run(sim.Time(600 * time.Millisecond))
			before := cl.Recorders[0].Done
			allocations := testing.AllocsPerRun(1, func() { cl.Sched.Run(cl.Sched.Now().Add(100 * time.Millisecond)) })
			if n := cl.Recorders[0].Done - before; allocations > 0 || n < 2_000 {
				t.Errorf("%v allocations in %d operations", allocations, n/2)
			}
		})
	}
}

// TestMemoryDoesNotGrow: what a run keeps does not depend on how long it is.
func TestMemoryDoesNotGrow(t *testing.T) {
	long(t)
	for name, seconds := range map[string]time.Duration{"replicas": 20, "pool, timeout": 8} {
		c := warmRuns(t)[name]
		c.Duration = seconds * time.Second
		cl := New(c)
		after := func(d time.Duration) int64 {
			cl.Sched.Run(sim.Time(d))
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		first, last := after(time.Second), after(c.Duration)
		const room = 64 << 10
		if last > first+room {
			t.Errorf("%s: %d KiB after a second, %d KiB after %d", name, first>>10, last>>10, seconds)
		}
	}
}
