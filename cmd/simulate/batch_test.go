package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"hotslot/experiment"
	"hotslot/scenarios"
	"hotslot/sim/cluster"
)

func TestOut(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "tiny.toml", tiny)
	other := filepath.Join(folder, "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	namesake := write(t, other, "tiny.toml", tiny, failing)

	out := filepath.Join(folder, "one", "deep")
	got := call("run", file, "--seeds", "1", "--out", out, "--format", "json")
	if got.status != 0 {
		t.Fatalf("exit status %d: %s", got.status, got.err)
	}
	if written, err := os.ReadFile(filepath.Join(out, "result.json")); err != nil || string(written) != got.out {
		t.Errorf("result.json differs from standard output: %v", err)
	}
	for _, name := range []string{"report.txt", "report.md", "series.csv", "junit.xml"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".probe-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}

	out = filepath.Join(folder, "two")
	call("run", file, namesake, "--seeds", "1", "--out", out)
	for _, name := range []string{"tiny", "tiny-2"} {
		if _, err := os.Stat(filepath.Join(out, name, "result.json")); err != nil {
			t.Error(err)
		}
	}
}

func TestFolders(t *testing.T) {
	for _, tt := range []struct{ files, want []string }{
		{[]string{"a/x.toml"}, []string{"out"}},
		{[]string{"a/x.toml", "b/y.toml"}, []string{"out/x", "out/y"}},
		{[]string{"a/x.toml", "b/x.toml", "x"}, []string{"out/x", "out/x-2", "out/x-3"}},
		{[]string{"x-2.toml", "x.toml", "a/x.toml"}, []string{"out/x-2", "out/x", "out/x-3"}},
		{[]string{"...toml", ".toml"}, []string{"out/...toml", "out/.toml"}},
	} {
		got := foldersOf("out", tt.files)
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v go to %v, want %v", tt.files, got, tt.want)
		}
	}
}

func TestOutIsTriedFirst(t *testing.T) {
	file := write(t, t.TempDir(), "tiny.toml", tiny)
	m := newMain()
	m.Simulate = func(context.Context, *scenarios.Scenario, experiment.Options) (*experiment.Result, error) {
		t.Error("a scenario is run")
		return &experiment.Result{}, nil
	}
	got := m.call(context.Background(), "run", file, "--out", file) // which is no folder
	if got.status != int(exitInternal) || got.out != "" {
		t.Errorf("exit status %d, results %q", got.status, got.out)
	}
	contains(t, "errors", got.err, "--out: ", file)
}

func TestOutThatIsLost(t *testing.T) {
	folder := t.TempDir()
	file := write(t, folder, "tiny.toml", tiny)
	out := filepath.Join(folder, "out")
	m := newMain()
	m.Simulate = func(ctx context.Context, s *scenarios.Scenario, opts experiment.Options) (*experiment.Result, error) {
		if err := os.Remove(out); err != nil {
			return nil, err
		}
		write(t, folder, "out", "in the way")
		return experiment.Run(ctx, s, opts)
	}
	got := m.call(context.Background(), "run", file, "--seeds", "1", "--out", out)
	if got.status != int(exitInternal) {
		t.Errorf("exit status %d", got.status)
	}
	contains(t, "results", got.out, "A tiny counter") // they are not lost with the folder
	contains(t, "errors", got.err, out)
}

// interrupted returns a command whose context is done once so many runs are
// over.
func interrupted(after int) (*Main, context.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	m := newMain()
	m.Simulate = func(ctx context.Context, s *scenarios.Scenario, opts experiment.Options) (*experiment.Result, error) {
		report := opts.Progress
		opts.Progress = func(done, of int) {
			if report(done, of); done == after {
				cancel()
			}
		}
		if after == 0 {
			cancel()
		}
		return experiment.Run(ctx, s, opts)
	}
	return m, ctx
}

func TestInterrupted(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, folder, "a.toml", tiny, failing)
	write(t, folder, "b.toml", tiny)
	m, ctx := interrupted(4)
	got := m.call(ctx, "run", "a.toml", "b.toml", "--seeds", "1000", "--jobs", "1", "--out", "out")
	if got.status != int(exitInterrupted) {
		t.Errorf("exit status %d", got.status)
	}
	contains(t, "results", got.out, "PARTIAL RESULT", "a.toml · 2 seeds",
		"a.toml    interrupted  2     1     0\n", "b.toml    not run      -     -     -\n")
	contains(t, "notes", got.err, "reproduce: simulate run a.toml b.toml --seeds 1000\n")
	if _, err := os.Stat(filepath.Join("out", "a", "result.json")); err != nil {
		t.Error(err)
	}

	m, ctx = interrupted(2)
	got = m.call(ctx, "run", "a.toml", "b.toml", "--seeds", "1000", "--jobs", "1", "--format", "json")
	var results []struct{ Partial bool }
	if err := json.Unmarshal([]byte(got.out), &results); err != nil || len(results) != 1 || !results[0].Partial {
		t.Errorf("error %v, results %+v", err, results)
	}
}

func TestInterruptedAtOnce(t *testing.T) {
	file := write(t, t.TempDir(), "tiny.toml", tiny)
	for _, format := range formats() {
		m, ctx := interrupted(0)
		got := m.call(ctx, "run", file, "--jobs", "1", "--format", format)
		if got.status != int(exitInterrupted) || got.out != "" {
			t.Errorf("%s: exit status %d, results %q", format, got.status, got.out)
		}
		contains(t, format, got.err, "interrupted before any seed was finished")
	}
}

func TestInterruptedBetweenFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, folder, "a.toml", tiny)
	write(t, folder, "b.toml", tiny)
	ctx, cancel := context.WithCancel(context.Background())
	m := newMain()
	m.Simulate = func(ctx context.Context, s *scenarios.Scenario, o experiment.Options) (*experiment.Result, error) {
		defer cancel() // when all runs are over
		return experiment.Run(ctx, s, o)
	}
	got := m.call(ctx, "run", "a.toml", "b.toml")
	if got.status != int(exitInterrupted) {
		t.Errorf("exit status %d", got.status)
	}
	contains(t, "results", got.out, "a.toml    holds       2     0     0\n", "b.toml    not run     -     -     -\n")
}

// failOn returns an experiment that ends with an error for one of the files.
func failOn(file string, err error) simulator {
	return func(ctx context.Context, s *scenarios.Scenario, opts experiment.Options) (*experiment.Result, error) {
		if s.File == file {
			return nil, err
		}
		return experiment.Run(ctx, s, opts)
	}
}

func TestErrorsOfRuns(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, folder, "bad.toml", tiny)
	write(t, folder, "good.toml", tiny)
	for _, tt := range []struct {
		err  error
		want exit
		told string
		row  string
	}{
		{&experiment.RunError{Strategy: "split", Seed: 9, Err: &cluster.Violation{Seed: 9, What: "a key is lost"}},
			exitViolation, "with seed 9: a key is lost; please report this line: " +
				"simulate run bad.toml --strategy split --seed 9 --seeds 1 --duration 100ms\n",
			"invariant violated  -     -     -\n"},
		{&experiment.RunError{Strategy: "split", Seed: 9, Err: &experiment.Panic{Value: "index out of range"}},
			exitInternal, "internal error: index out of range; please report this line: " +
				"simulate run bad.toml --strategy split --seed 9 --seeds 1 --duration 100ms\n",
			"error       -     -     -\n"},
		{fmt.Errorf("%w: far too much", cluster.ErrOverrun), exitInternal,
			"simulate: bad.toml: the run is too large: far too much\n",
			"error       -     -     -\n"},
	} {
		m := newMain()
		m.Simulate = failOn("bad.toml", tt.err)
		got := m.call(context.Background(), "run", "bad.toml", "good.toml", "--duration", "100ms")
		if got.status != int(tt.want) {
			t.Errorf("%v: exit status %d, want %d", tt.err, got.status, tt.want)
		}
		contains(t, "errors", got.err, tt.told)
		contains(t, "results", got.out, "A tiny counter", tt.row) // the other file is run all the same
	}
}
