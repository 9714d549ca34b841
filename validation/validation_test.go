package validation

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hotslot/sim/node"
)

// TestAgainstRealServers is the short form of simulate validate: fewer trials, the
// same test.
func TestAgainstRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("hours of simulated time")
	}
	r, err := Run(t.Context(), Options{Trials: 240})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rejected() > 0 {
		t.Errorf("the simulator is not what was measured:\n%s", r.Text())
	}
	if len(r.Comparisons) != len(Designs())*int(Phases)+9 || len(r.Checks) != 5 {
		t.Errorf("%d comparisons and %d checks", len(r.Comparisons), len(r.Checks))
	}
}

// A model that is wrong by as little as one tick, or one constant, is found out.
func TestWrongModelsAreRejected(t *testing.T) {
	if testing.Short() {
		t.Skip("hours of simulated time")
	}
	d := Designs()[1]
	real, err := Measured(d)
	if err != nil {
		t.Fatal(err)
	}
	simulated, err := Simulated(t.Context(), d, 200)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Simulated(t.Context(), Design{Primaries: 3, Replicas: 1, Timeout: time.Second}, 200)
	if err != nil {
		t.Fatal(err)
	}
	late := func(p Phase, by float64) []float64 {
		var xs []float64
		for _, x := range sample(simulated, p) {
			xs = append(xs, x+by)
		}
		return xs
	}
	for _, c := range []struct {
		what string
		p    Phase
		xs   []float64
	}{
		{"another node timeout", FirstPFAIL, sample(other, FirstPFAIL)},
		{"suspicion two ticks late", FirstPFAIL, late(FirstPFAIL, 200)},
		{"a replica that acts at once", FailedToScheduled, late(FailedToScheduled, -50)},
		{"a longer election delay", Delay, late(Delay, 150)},
	} {
		if got := compare(d.Name(), c.what, "ms", sample(real, c.p), c.xs); !got.Rejected() {
			t.Errorf("%s is not found out: D %.3f, p %.4f", c.what, got.D, got.P)
		}
	}
}

// TestMeasured reads what was measured: known rows, and what must be true of each.
func TestMeasured(t *testing.T) {
	sizes := []int{110, 100, 80, 40, 90}
	for i, d := range Designs() {
		trials, err := Measured(d)
		if err != nil {
			t.Fatal(err)
		}
		if len(trials) != sizes[i] {
			t.Errorf("%s: %d trials, want %d", d.Name(), len(trials), sizes[i])
		}
		for n, trial := range trials {
			if trial[FirstPFAIL] < float64(d.Timeout.Milliseconds()) || trial[Failed] < trial[FirstPFAIL] ||
				trial[Scheduled] < trial[Failed]-1 || trial[Started] < trial[Scheduled]+trial[Delay] ||
				trial[Won] < trial[Started] || trial[AllOK] < trial[Won] {
				t.Errorf("%s, trial %d: %v", d.Name(), n+1, trial)
			}
		}
	}
	trials, _ := Measured(Designs()[1])
	want := Trial{2761.5, 2822.5, 3282.5, 3313.5, 4222.5, 4223.5, 4264.5 - delayedAck, 460, 31, 869, 40}
	for p, x := range want {
		if got := trials[0][p]; got < x-0.01 || got > x+0.01 {
			t.Errorf("%v: %v, want %v", Phase(p), got, x)
		}
	}
	if _, err := Measured(Design{Primaries: 9}); err == nil {
		t.Error("a design that was never measured is found")
	}
}

// A report is the same whoever makes it, and knows its sets.
func TestRunIsDeterministic(t *testing.T) {
	var reports []*Report
	for range 2 {
		r, err := Run(t.Context(), Options{Trials: 3, Only: partitionSet})
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	if !reflect.DeepEqual(reports[0], reports[1]) {
		t.Error("two reports differ")
	}
	if r, err := Run(t.Context(), Options{Trials: 1, Only: "nothing"}); err != nil || len(r.Comparisons) > 0 {
		t.Errorf("of a set that does not exist: %v, %v", r, err)
	}
	if names := strings.Join(Sets(), " "); !strings.Contains(names, "3x1_2000 3x1_5000") {
		t.Errorf("sets %s", names)
	}
}

// TestPictures draws a page and a table of made-up samples.
func TestPictures(t *testing.T) {
	r := &Report{Comparisons: []Comparison{
		compare("made-up", "same", "ms", []float64{1, 2, 3}, []float64{1, 2, 3}),
		compare("made-up", "missing", "", []float64{1, 2, 3}, nil),
		compare("more", "far", "ms", []float64{1, 2, 3, 4, 5}, []float64{11, 12, 13, 14, 15, 16}),
	}, Checks: []Check{{"made-up", "rate", 10, 10.5, 0.06}, {"made-up", "other", 10, 10.7, 0.06}}}
	dir := t.TempDir()
	paths, err := r.Plots(dir)
	if err != nil || len(paths) != 4 {
		t.Fatalf("%v, %v", paths, err)
	}
	for path, start := range map[string]string{"made-up.svg": "<?xml", "made-up.png": "\x89PNG"} {
		if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || !strings.HasPrefix(string(text), start) {
			t.Errorf("%s begins with %.10q, %v", path, text, err)
		}
	}
	if r.Rejected() != 3 {
		t.Errorf("%d rejected:\n%s", r.Rejected(), r.Text())
	}
	for _, want := range []string{"2 ms", "differs", "2 of 5 hold"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("no %q in\n%s", want, r.Text())
		}
	}
}

// The cost profile lies between what a busy thread and one that has just been woken
// were measured to spend.
func TestBusCosts(t *testing.T) {
	table, err := readTable("bus_cost.csv")
	if err != nil {
		t.Fatal(err)
	}
	least, most := map[string]float64{}, map[string]float64{}
	for row := range table.rows {
		what, err := table.text(row, "what")
		if err != nil {
			t.Fatal(err)
		}
		us, err := table.number(row, "us")
		if err != nil || us <= 0 {
			t.Fatalf("%s: %v µs, %v", what, us, err)
		}
		if what == "ping and pong" { // two messages
			what, us = "message", us/2
		}
		if _, known := least[what]; !known {
			least[what] = us
		}
		least[what], most[what] = min(least[what], us), max(most[what], us)
	}
	costs, _, _ := node.Profile("redis-7.0.15")
	for what, cost := range map[string]time.Duration{"cron": costs.Cron, "cron per other node": costs.CronNode,
		"message": costs.BusMessage, "entry read": costs.BusEntry, "connect and be refused": costs.Connect} {
		if us := float64(cost) / 1e3; us < least[what] || us > most[what] {
			t.Errorf("%s costs %v µs, and was measured to cost from %v to %v", what, us, least[what], most[what])
		}
	}
}
