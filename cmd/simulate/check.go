package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hotslot/scenarios"
)

func (m *Main) checkVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Check scenario files without running them",
		Long: `Check scenario files without running them. All that is wrong with a file is told
at once, with the line, the path to the value, and what to write instead.`,
		Example: `  simulate check scenarios/hot-counter.toml
  simulate check scenarios/*.toml`,
		Args:              atLeastOne("a scenario FILE"),
		ValidArgsFunction: completeFiles,
		RunE:              func(_ *cobra.Command, files []string) error { return m.check(files) },
	}
}

func (m *Main) check(files []string) error {
	loaded, status := m.load(files, scenarios.Options{})
	var valid strings.Builder
	for i, s := range loaded {
		if s != nil {
			fmt.Fprintf(&valid, "%s: valid: %s, %s, %s\n", files[i],
				plural(len(s.Strategies), "strategy", "strategies"),
				plural(s.Seeds, "seed", "seeds"), plural(len(s.Thresholds), "threshold", "thresholds"))
		}
	}
	if err := m.print(valid.String()); err != nil {
		return err
	}
	if status != exitHold {
		return status
	}
	return nil
}
