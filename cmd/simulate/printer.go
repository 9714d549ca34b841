package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hotslot/experiment"
	"hotslot/reports"
)

// A format is a way to print results. It is the value of a flag.
type format string

const (
	textFormat     format = "text"
	jsonFormat     format = "json"
	markdownFormat format = "markdown"
	csvFormat      format = "csv"
	junitFormat    format = "junit"
)

// formats returns the names of all formats.
func formats() []string {
	return []string{
		string(textFormat), string(jsonFormat), string(markdownFormat), string(csvFormat), string(junitFormat),
	}
}

// String implements pflag.Value.
func (f *format) String() string { return string(*f) }

// Type implements pflag.Value.
func (f *format) Type() string { return "format" }

// Set implements pflag.Value.
func (f *format) Set(name string) error {
	if !slices.Contains(formats(), name) {
		return fmt.Errorf("choose one of %s%s", strings.Join(formats(), ", "), didYouMean(name, formats()))
	}
	*f = format(name)
	return nil
}

// A printer prints results in one format: those for people as they come, those
// for programs together at the end.
type printer struct {
	w      io.Writer
	format format
	style  reports.Style
	files  []string
	dumps  bool // print what was dumped, and no report

	ends    []exit               // of the files so far
	results []*experiment.Result // of those; nil where there is none
	printed bool                 // something was
}

// add takes what became of the next file; a result of nil is none.
func (p *printer) add(r *experiment.Result, end exit) error {
	p.ends, p.results = append(p.ends, end), append(p.results, r)
	switch {
	case r == nil:
		return nil
	case p.dumps && p.format == textFormat:
		return p.print(p.rule(), func(w io.Writer) error { return reports.Dumps(w, r) })
	case p.format == textFormat:
		return p.print(p.rule(), func(w io.Writer) error { return reports.Text(w, r, p.style) })
	case p.format == markdownFormat:
		return p.print("---", func(w io.Writer) error { return reports.Markdown(w, r) })
	}
	return nil
}

// finish prints what takes all results.
func (p *printer) finish() error {
	there := slices.DeleteFunc(slices.Clone(p.results), func(r *experiment.Result) bool { return r == nil })
	switch {
	case p.format == textFormat && len(p.files) > 1 && !p.dumps:
		return p.print(p.rule(), p.summary)
	case len(there) == 0:
		return nil
	case p.format == jsonFormat:
		return p.print("", func(w io.Writer) error { return p.json(w, there) })
	case p.format == csvFormat:
		return p.print("", func(w io.Writer) error { return reports.CSV(w, there...) })
	case p.format == junitFormat:
		return p.print("", func(w io.Writer) error { return reports.JUnit(w, there...) })
	}
	return nil
}

// print prints a part, with a line between it and the part before.
func (p *printer) print(line string, render func(io.Writer) error) error {
	var part bytes.Buffer
	if p.printed {
		part.WriteString("\n" + line + "\n\n")
	}
	if err := render(&part); err != nil {
		return err
	}
	p.printed = true
	_, err := p.w.Write(part.Bytes())
	return err
}

// rule returns a line across the page.
func (p *printer) rule() string { return strings.Repeat("─", cmp.Or(p.style.Width, 120)) }

// json renders an array for several files, also where only one of them came to
// a result.
func (p *printer) json(w io.Writer, there []*experiment.Result) error {
	if len(p.files) == 1 || len(there) > 1 {
		return reports.JSON(w, there...)
	}
	var one strings.Builder
	if err := reports.JSON(&one, there...); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "[\n%s]\n", one.String())
	return err
}

// summary renders a table of what became of each file.
func (p *printer) summary(w io.Writer) error {
	rows := [][]string{{"SCENARIO", "THRESHOLDS", "HOLD", "FAIL", "INCONCLUSIVE"}}
	for i, file := range p.files {
		row := []string{printable(file), "not run", "-", "-", "-"}
		if i < len(p.ends) {
			row[1] = p.ends[i].String()
		}
		if i < len(p.results) && p.results[i] != nil {
			n := verdicts(p.results[i])
			for j, v := range []experiment.Verdict{experiment.Pass, experiment.Fail, experiment.Inconclusive} {
				row[2+j] = strconv.Itoa(n[v])
			}
		}
		rows = append(rows, row)
	}
	_, err := io.WriteString(w, table(rows))
	return err
}
