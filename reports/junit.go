package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"hotslot/experiment"
)

// JUnit writes the thresholds as test cases, a suite for each scenario, in the
// form that build servers read. An inconclusive threshold is a skipped case.
// Cases carry no time, since the clock of the machine is no part of a result.
func JUnit(w io.Writer, results ...*experiment.Result) error {
	all := junitSuites{Name: "hotslot"}
	for _, r := range results {
		s := suite(settled(r))
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
	}
	body, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, body)
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

// suite converts a result.
func suite(r *experiment.Result) junitSuite {
	n := verdicts(r)
	s := junitSuite{
		Name: r.Title, Tests: len(r.Thresholds),
		Failures: n[experiment.Fail], Skipped: n[experiment.Inconclusive],
		Properties: []junitProperty{{"file", r.File}, {"hash", r.Hash}, {"from", provenance(r)}},
	}
	if r.Partial {
		s.Properties = append(s.Properties, junitProperty{"partial", partial(r)})
	}
	for _, t := range r.Thresholds {
		c := junitCase{Class: t.Strategy, Name: t.Expr}
		said := measured(t)
		switch t.Verdict {
		case experiment.Fail:
			c.Failure = &junitMessage{said}
		case experiment.Inconclusive:
			c.Skipped = &junitMessage{said}
		default:
			c.Output = said
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// measured says what was measured for a threshold, and why it does not hold.
func measured(t experiment.Threshold) string {
	said := "not measured"
	if finite(t.Value.Mean) {
		value, interval := quantity(t)
		said = strings.TrimSpace("measured " + value + " " + interval)
	}
	if t.Why != "" {
		said += "; " + t.Why
	}
	return said
}
