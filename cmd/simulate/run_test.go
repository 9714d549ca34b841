package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hotslot/experiment"
	"hotslot/scenarios"
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
