package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hotslot/scenarios"
	"hotslot/sim"
	"hotslot/sim/cluster"
)

// A dumpFlag is what nodes are asked, and when. It is the value of a flag that can
// be given several times.
type dumpFlag struct {
	all   []cluster.Dump
	words []string // as given
}

// String implements pflag.Value.
func (f *dumpFlag) String() string { return strings.Join(f.words, " ") }

// Type implements pflag.Value.
func (f *dumpFlag) Type() string { return "dump" }

// Append, Replace and GetSlice implement pflag.SliceValue, by which the command
// that repeats a run is told.
func (f *dumpFlag) Append(word string) error { return f.Set(word) }

// Replace implements pflag.SliceValue.
func (f *dumpFlag) Replace(words []string) error {
	*f = dumpFlag{}
	for _, word := range words {
		if err := f.Set(word); err != nil {
			return err
		}
	}
	return nil
}

// GetSlice implements pflag.SliceValue.
func (f *dumpFlag) GetSlice() []string { return f.words }

// Set implements pflag.Value: "t=12s,node=primary 1,what=cluster nodes", with or
// without quotes around what stands behind a "=".
func (f *dumpFlag) Set(word string) error {
	const example = `write one such as 't=12s,node=primary 1,what=cluster nodes'`
	given := map[string]string{}
	for part := range strings.SplitSeq(word, ",") {
		key, value, is := strings.Cut(strings.TrimSpace(part), "=")
		if !is || !slices.Contains([]string{"t", "node", "what"}, key) || given[key] != "" {
			return fmt.Errorf("%q is not understood; %s", part, example)
		}
		given[key] = strings.Trim(value, `"'`)
	}
	for _, key := range []string{"t", "node", "what"} {
		if given[key] == "" {
			return fmt.Errorf("%s is missing; %s", key, example)
		}
	}
	at, err := time.ParseDuration(given["t"])
	if err != nil || at < 0 {
		return fmt.Errorf("%q is no time; %s", given["t"], example)
	}
	place, err := scenarios.ParsePlace(given["node"])
	if err != nil {
		return err
	}
	if what := given["what"]; !slices.Contains(cluster.Dumps(), what) {
		return fmt.Errorf("no node can be asked for %q; choose one of %s%s", what,
			strings.Join(cluster.Dumps(), ", "), didYouMean(what, cluster.Dumps()))
	}
	f.all = append(f.all, cluster.Dump{At: sim.Time(at), Node: place, What: given["what"]})
	f.words = append(f.words, word)
	return nil
}
