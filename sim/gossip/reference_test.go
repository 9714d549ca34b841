package gossip

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// phases are the parts of failovers, in milliseconds: until the first suspicion, from
// that to FAIL, from FAIL to the start of an election.
type phases struct{ suspicion, failure, election []float64 }

// failovers has clusters lose a primary at any instant.
func failovers(t *testing.T, primaries, replicas int, timeout time.Duration, trials int) (p phases) {
	phase := sim.NewStream(1, "test/phase")
	for seed := range uint64(trials) {
		w := newWorld(t, "redis-7.0", seed, primaries, replicas, 0, config(timeout))
		killed := 20*time.Second + time.Duration(sim.Below(phase.At(seed), int(5*time.Second)))
		w.run(killed)
		w.kill(0)
		w.run(killed + 3*timeout + 6*time.Second)
		suspected, ok1 := w.first(wire.EventPFAIL, -1)
		failed, ok2 := w.first(wire.EventFAIL, -1)
		started, ok3 := w.first(wire.EventElectionStarted, -1)
		if !ok1 || !ok2 || !ok3 {
			t.Fatalf("%dx%d at %v, seed %d: no failover", primaries, replicas, timeout, seed)
		}
		p.suspicion = append(p.suspicion, inMS(suspected.At, sim.Time(killed)))
		p.failure = append(p.failure, inMS(failed.At, suspected.At))
		p.election = append(p.election, inMS(started.At, failed.At))
	}
	return p
}

func inMS(a, b sim.Time) float64 { return float64(a-b) / float64(time.Millisecond) }

// measured reads what was measured on a real cluster.
func measured(t *testing.T, name string) (p phases) {
	file, err := os.Open("testdata/redis-7.0.15/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(row []string, name string) float64 {
		v, _ := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64)
		return v
	}
	for _, row := range rows[1:] {
		pfail, fail := column(row, "t_first_pfail_ms"), column(row, "t_fail_ms")
		p.suspicion = append(p.suspicion, pfail)
		p.failure = append(p.failure, fail-pfail)
		p.election = append(p.election, column(row, "t_election_start_ms")-fail)
	}
	return p
}

// distance is the largest difference of two distributions (Kolmogorov and Smirnov).
func distance(a, b []float64) (d float64) {
	below := func(list []float64, x float64) float64 {
		n := 0
		for _, v := range list {
			if v <= x {
				n++
			}
		}
		return float64(n) / float64(len(list))
	}
	for _, x := range append(slices.Clone(a), b...) {
		d = max(d, below(a, x)-below(b, x), below(b, x)-below(a, x))
	}
	return d
}

func median(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }

// The phases of failovers are distributed as on a real cluster, as far as so many
// trials can tell: the limit is that of a test at one in a thousand.
func TestFailoversAsMeasured(t *testing.T) {
	const trials = 200
	for _, tt := range []struct {
		name                string
		primaries, replicas int
		timeout             time.Duration
	}{{"failover_3x1_1000.csv", 3, 1, time.Second}, {"failover_3x1_2000.csv", 3, 1, 2 * time.Second},
		{"failover_3x1_5000.csv", 3, 1, 5 * time.Second}, {"failover_3x2_2000.csv", 3, 2, 2 * time.Second},
		{"failover_5x1_2000_stop.csv", 5, 1, 2 * time.Second}} {
		want := measured(t, tt.name)
		got := failovers(t, tt.primaries, tt.replicas, tt.timeout, trials)
		for _, p := range []struct {
			name      string
			got, want []float64
		}{{"suspicion", got.suspicion, want.suspicion}, {"suspicion to FAIL", got.failure, want.failure},
			{"FAIL to election", got.election, want.election}} {
			n := float64(len(p.want))
			limit := 1.95 * math.Sqrt((trials+n)/(trials*n))
			d := distance(p.got, p.want)
			tell := t.Logf
			if d > limit {
				tell = t.Errorf
			}
			tell("%s, %s: median %.0f ms, measured %.0f; distance %.3f, limit %.3f", tt.name, p.name,
				median(p.got), median(p.want), d, limit)
		}
	}
}
