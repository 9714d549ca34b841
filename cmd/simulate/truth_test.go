package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	o := call("validate", "--config", "partition_A", "--trials", "20", "--out", dir)
	if o.status != 0 {
		t.Fatalf("status %d: %s%s", o.status, o.out, o.err)
	}
	contains(t, "the table", o.out, "minority refuses", "lost, of what was acknowledged", "8 of 8 hold")
	if files, _ := filepath.Glob(filepath.Join(dir, "partition_A.*")); len(files) != 2 {
		t.Errorf("pictures: %v", files)
	}
}

func TestMisuseOfTruth(t *testing.T) {
	for args, want := range map[string]string{
		"validate --trials 0":           "at least one",
		"validate --config 3x1_200":     `did you mean "3x1_2000"`,
		"validate all":                  "too much",
		"swarm --seeds 0":               "at least one",
		"swarm --seeds 1 --duration 2h": "to an hour",
	} {
		if o := call(strings.Fields(args)...); o.status != int(exitUsage) || !strings.Contains(o.err, want) {
			t.Errorf("%s: status %d, %s%s", args, o.status, o.out, o.err)
		}
	}
}

func TestSwarm(t *testing.T) {
	a, b := call("swarm", "--seeds", "6", "--duration", "5s"), call("swarm", "--seeds", "6", "--duration", "5s")
	if a.status != 0 || a != b {
		t.Errorf("status %d, and then %d:\n%s%s\n%s%s", a.status, b.status, a.out, a.err, b.out, b.err)
	}
	contains(t, "the tally", a.out, "6 runs", "every invariant held", "elections won")
}
