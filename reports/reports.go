// Package reports renders the result of a scenario: a table for people, JSON
// for programs, Markdown for a pull request, CSV for a spreadsheet, JUnit for a
// build server, and plots. What it writes depends on the result alone: not on
// the time, the machine, its architecture (but for plots) or the order of a map.
//
// It measures nothing and it judges no threshold. The one conclusion that it
// draws itself is what limits a strategy and which strategies relieve that; the
// rules stand in limit.go and relief.go.
//
// What it leaves out: an HTML page, and plots of single workloads.
package reports

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hotslot/experiment"
)

// WriteFolder writes every report and plot of a result into a folder, which it
// makes where there is none.
func WriteFolder(dir string, r *experiment.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("reports: make folder %s: %w", dir, err)
	}
	files := []struct {
		name   string
		render func(io.Writer) error
	}{
		{"report.txt", func(w io.Writer) error { return Text(w, r, Style{}) }},
		{"result.json", func(w io.Writer) error { return JSON(w, r) }},
		{"report.md", func(w io.Writer) error { return Markdown(w, r) }},
		{"series.csv", func(w io.Writer) error { return CSV(w, r) }},
		{"junit.xml", func(w io.Writer) error { return JUnit(w, r) }},
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, f.name), f.render); err != nil {
			return err
		}
	}
	_, err := Plots(dir, r)
	return err
}

// writeFile makes a file of what render writes.
func writeFile(path string, render func(io.Writer) error) error {
	var body bytes.Buffer
	if err := render(&body); err != nil {
		return fmt.Errorf("reports: render %s: %w", path, err)
	}
	if err := os.WriteFile(path, body.Bytes(), 0o644); err != nil {
		return fmt.Errorf("reports: write %s: %w", path, err)
	}
	return nil
}

// verdicts counts the thresholds of a result by verdict.
func verdicts(r *experiment.Result) map[experiment.Verdict]int {
	n := make(map[experiment.Verdict]int)
	for _, t := range r.Thresholds {
		n[t.Verdict]++
	}
	return n
}

// byUrgency returns the thresholds with those that fail first, then the
// inconclusive ones, each in the order of the scenario.
func byUrgency(thresholds []experiment.Threshold) []experiment.Threshold {
	order := []experiment.Verdict{experiment.Fail, experiment.Inconclusive, experiment.Pass}
	sorted := slices.Clone(thresholds)
	slices.SortStableFunc(sorted, func(a, b experiment.Threshold) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	return sorted
}

// provenance says what the numbers of a result were taken from.
func provenance(r *experiment.Result) string {
	var parts []string
	if r.File != "" {
		parts = append(parts, r.File)
	}
	length := micros.short(float64(r.Duration.Microseconds()))
	if r.Warmup > 0 {
		length += fmt.Sprintf(" after %s of warm-up", micros.short(float64(r.Warmup.Microseconds())))
	}
	return strings.Join(append(parts, plural(float64(len(r.Seeds)), "seed"), length), " · ")
}

// partial says what is missing of an interrupted result; "" of a whole one.
func partial(r *experiment.Result) string {
	if !r.Partial {
		return ""
	}
	said := "PARTIAL RESULT: the run was interrupted"
	if r.Wanted > 0 {
		said += fmt.Sprintf("; of %s, %d %s finished under every strategy", plural(float64(r.Wanted), "seed"),
			len(r.Seeds), verb(len(r.Seeds), "was", "were"))
	}
	return said + "."
}
