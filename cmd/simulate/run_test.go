package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hotslot/experiment"
	"hotslot/scenarios"
	"hotslot/sim"
	"hotslot/sim/cluster"
)

func TestRunPrintsAReport(t *testing.T) {
	file := write(t, t.TempDir(), "tiny.toml", tiny)
	got := call("run", file)
	if got.status != 0 {
		t.Errorf("exit status %d", got.status)
	}
	contains(t, "report", got.out, "A tiny counter", "tiny.toml · 2 seeds", "2 hold, 0 fail", "sharded")
	contains(t, "notes", got.err, "million simulated operations per second", "virtual seconds per real second")
	if strings.ContainsAny(got.out+got.err, "\x1b\r") || strings.Contains(got.out, "SCENARIO") {
		t.Errorf("colours, a bar or a summary:\n%q\n%q", got.out, got.err)
	}
	lines := strings.Split(strings.TrimSpace(got.err), "\n")
	if got, want := lines[len(lines)-1], "reproduce: simulate run "+file; got != want {
		t.Errorf("the last line is %q, want %q", got, want)
	}
}

func TestExitStatus(t *testing.T) {
	folder := t.TempDir()
	holds := write(t, folder, "holds.toml", tiny)
	fails := write(t, folder, "fails.toml", tiny, failing)
	unclear := write(t, folder, "unclear.toml", tiny, inconclusive)
	for _, tt := range []struct {
		files []string
		want  exit
	}{
		{[]string{holds}, exitHold},
		{[]string{fails}, exitFail},
		{[]string{unclear}, exitInconclusive},
		{[]string{unclear, holds}, exitInconclusive},
		{[]string{fails, unclear, holds}, exitFail},
		{[]string{holds, filepath.Join(folder, "missing.toml")}, exitUsage},
	} {
		if got := call(append([]string{"run"}, tt.files...)...); got.status != int(tt.want) {
			t.Errorf("%v: exit status %d, want %d\n%s", tt.files, got.status, tt.want, got.out)
		}
	}
}

func TestInvalidScenarioAmongSeveral(t *testing.T) {
	folder := t.TempDir()
	m := newMain()
	m.Simulate = func(context.Context, *scenarios.Scenario, experiment.Options) (*experiment.Result, error) {
		t.Error("a scenario is run")
		return &experiment.Result{}, nil
	}
	good := write(t, folder, "good.toml", tiny)
	bad := write(t, folder, "bad.toml", "seeds = 0\n")
	worse := write(t, folder, "worse.toml", "seed = -1\n")
	got := m.call(context.Background(), "run", bad, good, worse)
	if got.status != int(exitUsage) || got.out != "" {
		t.Errorf("exit status %d, results %q", got.status, got.out)
	}
	contains(t, "errors", got.err, bad+":1: seeds", worse+":1: seed")
}

// A tiny cluster whose primary dies.
const dying = `
title    = "A primary dies"
seeds    = 2
duration = "5s"
[cluster]
primaries    = 3
replicas     = 1
node_timeout = "1s"
[event.kill-a]
at   = "2s"
do   = "kill"
node = "primary 0"
[strategy.baseline]
[strategy.calm.event.kill-a]
at = "never"
[thresholds]
baseline = ["time.won < 3s in every seed"]
calm     = ["time.won == never"]
`

func TestEvents(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "dying.toml", dying)
	events := filepath.Join(folder, "events.jsonl")
	got := call("run", file, "--events", events, "--quiet")
	if got.status != 0 {
		t.Fatalf("exit status %d: %s%s", got.status, got.out, got.err)
	}
	contains(t, "report", got.out, "WHAT HAPPENED  baseline, seed 1", "Failover election won: I'm the new master.",
		"primary 0 was killed at 2.00 s")
	data, err := os.ReadFile(events)
	if err != nil {
		t.Fatal(err)
	}
	wins := map[string]int{}
	for line := range strings.Lines(string(data)) {
		var e struct {
			Seed                 uint64
			Strategy, Kind, Node string
			Micros               int64 `json:"t_us"`
			Epoch                int64
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Kind == "election-won" && e.Epoch == 4 && e.Node == "replica 0.0" && e.Micros > 3_000_000 {
			wins[fmt.Sprint(e.Strategy, e.Seed)]++
		}
	}
	if len(wins) != 2 || wins["baseline1"] != 1 || wins["baseline2"] != 1 {
		t.Errorf("elections that were won: %v in\n%s", wins, data)
	}
	again := filepath.Join(folder, "again.jsonl")
	call("run", file, "--events", again, "--jobs", "1")
	if same, err := os.ReadFile(again); err != nil || string(same) != string(data) {
		t.Errorf("another run writes other events: %v", err)
	}
	got = call("run", file, "--events", filepath.Join(folder, "none", "x"))
	if got.status != int(exitInternal) || !strings.Contains(got.err, "--events: ") {
		t.Errorf("a file that cannot be written: exit status %d, %s", got.status, got.err)
	}
}

// What is dumped is asked of the run of the first seed, and printed.
func TestDump(t *testing.T) {
	file := write(t, t.TempDir(), "dying.toml", dying)
	m := newMain()
	m.Simulate = func(_ context.Context, _ *scenarios.Scenario, o experiment.Options) (*experiment.Result, error) {
		want := []cluster.Dump{
			{At: sim.Time(1500 * time.Millisecond), Node: cluster.Place{Kind: cluster.AtReplica, I: 1}, What: "cluster info"},
			{At: sim.Time(2 * time.Second), Node: cluster.Place{Kind: cluster.AtAll}, What: "info replication"},
		}
		if !slices.Equal(o.Dumps, want) {
			t.Errorf("dumps %+v", o.Dumps)
		}
		return &experiment.Result{Dumped: []experiment.Dumped{{Strategy: "s", Node: "n", What: "w", Text: "told"}}}, nil
	}
	got := m.call(context.Background(), "run", file, "--dump", `t=1.5s,node="replica 1.0",what="cluster info"`,
		"--dump", "t=2s,node=all,what=info replication")
	contains(t, "output", got.out, "s, n at 0: w\ntold\n")
	contains(t, "notes", got.err, `--dump 't=1.5s,node="replica 1.0",what="cluster info"' --dump 't=2s,node=all,`)
	got = m.call(context.Background(), "run", file, "--quiet",
		"--dump", `t=1.5s,node="replica 1.0",what="cluster info"`, "--dump", "t=2s,node=all,what=info replication")
	if want := "s, n at 0: w\ntold\n"; got.out != want {
		t.Errorf("quietly it prints %q, want %q", got.out, want)
	}
	for word, want := range map[string]string{
		"t=1s,node=all": "what is missing", "t=1,node=all,what=cluster info": `"1" is no time`,
		"t=1s,node=prim 0,what=cluster info": `"prim 0" is nowhere`, "t=1s,node=all,what=cluster infos": `did you mean "cluster info"?`,
		"t=1s,t=2s,node=all,what=cluster info": `"t=2s" is not understood`, "now": `"now" is not understood`,
	} {
		if got := call("run", file, "--dump", word); got.status != int(exitUsage) || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit status %d, %s", word, got.status, got.err)
		}
	}
}

func TestWorseExit(t *testing.T) {
	order := []exit{exitViolation, exitInternal, exitUsage, exitInterrupted, exitFail, exitInconclusive, exitHold}
	for i, a := range order {
		for j, b := range order {
			if got, want := worse(a, b), order[min(i, j)]; got != want {
				t.Errorf("of %d and %d: %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	folder := t.TempDir()
	one := write(t, folder, "one.toml", tiny)
	two := write(t, folder, "two.toml", tiny)
	for _, tt := range []struct {
		format string
		check  func(out string, scenarios int) error
	}{
		{"text", func(out string, n int) error {
			return count(out, "THRESHOLDS  2 hold", n)
		}},
		{"markdown", func(out string, n int) error {
			return errors.Join(count(out, "tiny counter", n), count(out, "\n\n---\n\n", n-1))
		}},
		{"json", func(out string, n int) error {
			if n == 1 {
				out = "[" + out + "]"
			}
			var results []struct{ Schema string }
			err := json.Unmarshal([]byte(out), &results)
			if err == nil && (len(results) != n || results[0].Schema != "hotslot.result/1") {
				err = fmt.Errorf("results %v", results)
			}
			return err
		}},
		{"csv", func(out string, n int) error {
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			files := map[string]bool{}
			for _, row := range rows {
				files[row[0]] = true
			}
			if len(files) != n+1 { // with the head
				err = errors.Join(err, fmt.Errorf("scenarios %v", files))
			}
			return err
		}},
		{"junit", func(out string, n int) error {
			var suites struct {
				Suites []struct{} `xml:"testsuite"`
			}
			err := xml.Unmarshal([]byte(out), &suites)
			if len(suites.Suites) != n {
				err = errors.Join(err, fmt.Errorf("%d suites", len(suites.Suites)))
			}
			return err
		}},
	} {
		for _, files := range [][]string{{one}, {one, two}} {
			got := call(append([]string{"run", "--seeds", "1", "--format", tt.format}, files...)...)
			if err := tt.check(got.out, len(files)); err != nil || got.status != 0 {
				t.Errorf("%s of %d: %v, exit status %d, results:\n%s", tt.format, len(files), err, got.status, got.out)
			}
			contains(t, "notes", got.err,
				"reproduce: simulate run "+strings.Join(files, " ")+" --seeds 1 --format "+tt.format+"\n")
		}
	}
}

// count returns an error unless a text holds a part so many times.
func count(text, part string, want int) error {
	if got := strings.Count(text, part); got != want {
		return fmt.Errorf("%q stands there %d times, not %d", part, got, want)
	}
	return nil
}

func TestSummaryOfSeveralFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, folder, "a.toml", tiny)
	write(t, folder, "b.toml", tiny, failing)
	m := newMain()
	m.Width = 60
	got := m.call(context.Background(), "run", "a.toml", "b.toml", "--seeds", "1")
	rule := "\n" + strings.Repeat("─", 60) + "\n\n"
	want := rule + `SCENARIO  THRESHOLDS  HOLD  FAIL  INCONCLUSIVE
a.toml    holds       2     0     0
b.toml    fails       2     1     0
`
	if !strings.HasSuffix(got.out, want) || count(got.out, rule, 2) != nil {
		t.Errorf("results:\n%s\nwant at the end:\n%s", got.out, want)
	}
}

func TestResultsAreTheSameBytes(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "tiny.toml", tiny)
	for _, format := range formats() {
		once := call("run", file, file, "--format", format)
		again := call("run", file, file, "--format", format, "--jobs", "1", "--quiet")
		if once.out != again.out || once.out == "" {
			t.Errorf("%s: once\n%s\nand again\n%s", format, once.out, again.out)
		}
	}
}

func TestFlagsReachTheScenario(t *testing.T) {
	file := write(t, t.TempDir(), "tiny.toml", tiny)
	m := newMain()
	var got *scenarios.Scenario
	var options experiment.Options
	m.Simulate = func(_ context.Context, s *scenarios.Scenario, opts experiment.Options) (*experiment.Result, error) {
		got, options = s, opts
		return &experiment.Result{Seeds: []uint64{7}}, nil
	}
	flags := []string{"--strategy", "sharded", "--seed", "7", "--seeds", "3", "--duration", "1m30s",
		"--set", "cluster.primaries=4", "--set", "workload.views.key={a} b"}
	said := m.call(context.Background(), slices.Concat([]string{"run"}, flags, []string{"--jobs", "5", file})...)
	if got == nil {
		t.Fatal(said.err)
	}
	settings := got.Strategies[0].Settings
	if len(got.Strategies) != 1 || got.Strategies[0].Name != "sharded" || got.Seed != 7 || got.Seeds != 3 ||
		settings.Duration.Seconds() != 90 || settings.Cluster.Primaries != 4 || settings.Workloads[0].Key != "{a} b" {
		t.Errorf("scenario %+v", got)
	}
	if options.Jobs != 5 {
		t.Errorf("%d jobs", options.Jobs)
	}
	flags[len(flags)-1] = "'workload.views.key={a} b'"
	contains(t, "notes", said.err, "reproduce: simulate run "+file+" "+strings.Join(flags, " ")+"\n")
}

func TestReproduceFileLikeAFlag(t *testing.T) {
	if got, want := reproduce([]string{"-x.toml", "y.toml"}), "simulate run ./-x.toml y.toml"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestQuiet(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "tiny.toml", tiny, failing)
	m := newMain()
	m.Live = true
	if got := m.call(context.Background(), "run", "--quiet", file); got.err != "" || got.status != int(exitFail) {
		t.Errorf("exit status %d, errors %q", got.status, got.err)
	}
	if got := call("run", "--quiet", filepath.Join(folder, "missing.toml")); got.err == "" {
		t.Error("no word about a missing file")
	}
}

func TestTerminal(t *testing.T) {
	file := write(t, t.TempDir(), "tiny.toml", tiny)
	m := newMain()
	m.Live, m.Width = true, 80
	got := m.call(context.Background(), "run", file)
	contains(t, "results", got.out, "\x1b[")
	contains(t, "notes", got.err, "tiny.toml", "\r")
	if strings.Contains(got.err, "\x1b[3") {
		t.Errorf("colours in the bar: %q", got.err)
	}
	for _, line := range strings.Split(got.out, "\n") {
		if strings.HasPrefix(line, "SCENARIO") {
			t.Errorf("a summary of a single file: %q", line)
		}
	}
	for _, environment := range []map[string]string{{"NO_COLOR": "1"}, {"TERM": "dumb"}} {
		m.Env = func(name string) string { return environment[name] }
		if got := m.call(context.Background(), "run", file); strings.Contains(got.out, "\x1b") {
			t.Errorf("%v: colours in %q", environment, got.out)
		}
	}
}
