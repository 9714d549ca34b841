package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"hotslot/scenarios"
	"hotslot/sim/node"
	"hotslot/workloads"
)

// scenarioFolder is where the shipped scenarios are, from the working directory.
const scenarioFolder = "scenarios"

// A topic is a kind of thing that can be listed, with rows of a name and what
// there is to say about it.
type topic struct {
	name, title string
	rows        func() ([][]string, error)
}

func topics() []topic {
	return []topic{
		{"scenarios", "Scenarios in " + scenarioFolder + string(filepath.Separator), listScenarios},
		{"profiles", "Cost profiles of nodes", listProfiles},
		{"versions", "Versions", listNames(scenarios.Versions)},
		{"libraries", "Client libraries", listNames(scenarios.Libraries)},
		{"curves", "Popularity curves", listNames(workloads.Curves)},
		{"metrics", "Metrics of thresholds", listMetrics},
		{"events", "What events do", listActs},
		{"kinds", "Kinds of lines of a timeline", listNames(scenarios.EventKinds)},
	}
}

func (m *Main) listVerb() *cobra.Command {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return &cobra.Command{
		Use:   "list [" + strings.Join(names, "|") + "]",
		Short: "List what there is: scenarios, profiles, versions, metrics and more",
		Long: `List the scenarios in the folder scenarios of the working directory and what
scenarios can name: cost profiles of nodes, versions of Redis and Valkey, client
libraries, popularity curves measured in production, the metrics that thresholds
can be about, what events can do to the cluster, and the kinds of lines that a
timeline has, which events and thresholds can wait for and count.`,
		Example: `  simulate list
  simulate list metrics`,
		ValidArgs: names,
		Args:      cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return m.listAll()
			case 1:
				return m.list(args[0], names)
			}
			return fmt.Errorf("list takes one topic, not %d", len(args))
		},
	}
}

// list prints the rows of one topic.
func (m *Main) list(name string, names []string) error {
	for _, t := range topics() {
		if t.name == name {
			rows, err := t.rows()
			if err != nil {
				return m.fail(err)
			}
			return m.print(table(rows))
		}
	}
	return fmt.Errorf("%q cannot be listed; choose one of %s%s",
		name, strings.Join(names, ", "), didYouMean(name, names))
}

// listAll prints every topic under its title.
func (m *Main) listAll() error {
	var sections []string
	for _, t := range topics() {
		rows, err := t.rows()
		if err != nil {
			return m.fail(err)
		}
		if len(rows) == 0 {
			rows = [][]string{{"none"}}
		}
		for _, row := range rows {
			row[0] = "  " + row[0]
		}
		sections = append(sections, t.title+"\n"+table(rows))
	}
	return m.print(strings.Join(sections, "\n"))
}

// listScenarios finds the scenarios below the folder, but for those that tests
// read.
func listScenarios() ([][]string, error) {
	var rows [][]string
	err := filepath.WalkDir(scenarioFolder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == scenarioFolder:
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != extension:
			return nil
		}
		about := "(invalid: simulate check says why)"
		if s, err := scenarios.Load(path, scenarios.Options{}); err == nil {
			about = printable(s.Title)
		}
		rows = append(rows, []string{printable(path), about})
		return nil
	})
	return rows, err
}

func listProfiles() ([][]string, error) {
	var rows [][]string
	for _, name := range node.Profiles() {
		_, about, _ := node.Profile(name)
		rows = append(rows, []string{name, about})
	}
	return rows, nil
}

// listActs tells of each thing that an event can do its meaning and its keys.
func listActs() ([][]string, error) {
	var rows [][]string
	for _, a := range scenarios.Acts() {
		rows = append(rows, []string{a.Name, a.Meaning + "; takes " + strings.Join(a.Keys, ", ")})
	}
	return rows, nil
}

// listNames lists what there is nothing to say about.
func listNames(names func() []string) func() ([][]string, error) {
	return func() ([][]string, error) {
		var rows [][]string
		for _, name := range names() {
			rows = append(rows, []string{name})
		}
		return rows, nil
	}
}

// listMetrics tells of each metric its meaning, its unit, and what a threshold
// can restrict it to.
func listMetrics() ([][]string, error) {
	var rows [][]string
	for _, m := range scenarios.Metrics() {
		about := m.Meaning
		if m.Unit != scenarios.Plain {
			about += ", in " + string(m.Unit)
		}
		var restrictions []string
		for _, s := range m.Selectors {
			if s == m.Needs {
				s += " (always)"
			}
			restrictions = append(restrictions, s)
		}
		if m.Window {
			restrictions = append(restrictions, "window")
		}
		if len(restrictions) > 0 {
			about += "; by " + strings.Join(restrictions, ", ")
		}
		rows = append(rows, []string{m.Name, about})
	}
	return rows, nil
}
