package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"hotslot/experiment"
	"hotslot/reports"
	"hotslot/scenarios"
	"hotslot/sim/cluster"
)

// A batch is what one call of the verb run does: one scenario or several.
type batch struct {
	*Main
	flags     *runFlags
	files     []string
	scenarios []*scenarios.Scenario
	folders   []string // where the reports of each are written; empty without --out
}

// makeFolders makes a folder for each file and tries to write there: better now
// than after the simulation.
func (b *batch) makeFolders() error {
	if b.flags.out == "" {
		return nil
	}
	b.folders = foldersOf(b.flags.out, b.files)
	for _, folder := range b.folders {
		if err := makeFolder(folder); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	return nil
}

// makeEvents makes the file of events, empty as yet.
func (b *batch) makeEvents() error {
	if b.flags.events == "" {
		return nil
	}
	if err := os.WriteFile(b.flags.events, nil, 0o644); err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	return nil
}

// writeEvents writes the timelines of what results there are.
func (b *batch) writeEvents(results []*experiment.Result) error {
	if b.flags.events == "" {
		return nil
	}
	results = slices.DeleteFunc(slices.Clone(results), func(r *experiment.Result) bool { return r == nil })
	file, err := os.Create(b.flags.events)
	if err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	return errors.Join(reports.Events(file, results...), file.Close())
}

func makeFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(folder, ".probe-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// foldersOf returns the folder of each file: out itself for a single one, else
// one in it of the scenario's name, numbered where names are the same.
func foldersOf(out string, files []string) []string {
	if len(files) == 1 {
		return []string{out}
	}
	taken := map[string]bool{}
	var folders []string
	for _, file := range files {
		name := stem(file)
		if strings.Trim(name, ".") == "" {
			name = filepath.Base(file) // such as "...toml", whose stem is the folder above
		}
		folder := filepath.Join(out, name)
		for n := 2; taken[folder]; n++ {
			folder = filepath.Join(out, name+"-"+strconv.Itoa(n))
		}
		taken[folder] = true
		folders = append(folders, folder)
	}
	return folders
}

// run runs the scenarios one after another, prints what came out, and returns
// how the command ends. After an interrupt no further one is begun.
func (b *batch) run(ctx context.Context) error {
	out := &printer{w: b.Stdout, format: b.flags.format, files: b.files,
		dumps: b.flags.quiet && len(b.flags.dumps.all) > 0, style: reports.Style{
			Color: b.Width > 0 && b.Env("NO_COLOR") == "" && b.Env("TERM") != "dumb", Width: b.Width}}
	status := exitHold
	for i := range b.files {
		if ctx.Err() != nil {
			status = worse(status, exitInterrupted)
			break
		}
		r, end := b.simulate(ctx, i)
		if err := out.add(r, end); err != nil {
			end = worse(end, b.fail(err))
		}
		status = worse(status, end)
	}
	if err := errors.Join(out.finish(), b.writeEvents(out.results)); err != nil {
		status = worse(status, b.fail(err))
	}
	fmt.Fprintln(b.notes(), "reproduce:", reproduce(b.files, b.flags.given(decisive...)...))
	if status != exitHold {
		return status
	}
	return nil
}

// notes returns where what is no result and no error goes.
func (b *batch) notes() io.Writer {
	if b.flags.quiet {
		return io.Discard
	}
	return b.Stderr
}

// simulate runs the i-th scenario and writes its folder. The result is nil where
// there is none.
func (b *batch) simulate(ctx context.Context, i int) (*experiment.Result, exit) {
	s, file := b.scenarios[i], b.files[i]
	bar := b.newBar(s)
	began := time.Now()
	var r *experiment.Result
	err := b.guard(b.reproduceFrom(file, s.Seed, s.Seeds, b.flags.given("strategy")...), func() (err error) {
		r, err = b.Simulate(ctx, s, experiment.Options{
			Jobs:     b.flags.jobs,
			Lines:    b.flags.events != "",
			Dumps:    b.flags.dumps.all,
			Progress: func(done, _ int) { bar.Set(done) },
		})
		return err
	})
	elapsed := time.Since(began)
	bar.Clear()
	switch {
	case r != nil && r.Partial && len(r.Seeds) == 0:
		b.complain("%s: interrupted before any seed was finished under every strategy", file)
		return nil, exitInterrupted
	case r == nil:
		return nil, b.fail(fmt.Errorf("%s: %w%s", file, err, b.hint(file, err)))
	}
	fmt.Fprintf(b.notes(), "%s: %s\n", file, speed(r, elapsed))
	end := exitOfResult(r)
	if b.folders != nil {
		if err := reports.WriteFolder(b.folders[i], r); err != nil {
			end = worse(end, b.fail(err))
		}
	}
	return r, end
}

// newBar returns a bar of the runs of a scenario, which shows nothing where it
// could not move.
func (b *batch) newBar(s *scenarios.Scenario) *progressbar.ProgressBar {
	return progressbar.NewOptions(len(s.Strategies)*s.Seeds,
		progressbar.OptionSetVisibility(b.Live && !b.flags.quiet),
		progressbar.OptionSetWriter(b.Stderr),
		progressbar.OptionSetDescription(printable(s.File)),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// reproduceFrom returns the command that runs one file with some seeds.
func (b *batch) reproduceFrom(file string, seed uint64, seeds int, flags ...string) string {
	flags = append(flags, "--seed", strconv.FormatUint(seed, 10), "--seeds", strconv.Itoa(seeds))
	return reproduce([]string{file}, append(flags, b.flags.given("duration", "set")...)...)
}

// hint returns how to repeat what is a fault of the simulator: the one run is
// enough. HOTSLOT_DEBUG=1 shows where it panicked.
func (b *batch) hint(file string, err error) string {
	var run *experiment.RunError
	if !errors.As(err, &run) || errors.Is(err, cluster.ErrOverrun) {
		return ""
	}
	hint := "; please report this line: " + b.reproduceFrom(file, run.Seed, 1, "--strategy", run.Strategy)
	var fault *experiment.Panic
	if errors.As(err, &fault) && b.Env("HOTSLOT_DEBUG") == "1" {
		hint += "\n" + string(fault.Stack)
	}
	return hint
}

// speed says how fast a result came about, which is no part of it.
func speed(r *experiment.Result, elapsed time.Duration) string {
	seconds := max(elapsed, time.Microsecond).Seconds()
	return fmt.Sprintf("%d operations in %.2f s: %.2f million simulated operations per second, "+
		"%.2f virtual seconds per real second", r.Operations, seconds,
		float64(r.Operations)/1e6/seconds, r.VirtualTime/seconds)
}
