package scenarios

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever a file holds, it loads or is an error, with a setting of the command
// line and without.
func FuzzScenario(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "cluster.primaries=5")
	}
	f.Fuzz(func(t *testing.T, data []byte, set string) {
		for _, opts := range []Options{{}, {Set: []string{set}}} {
			s, err := Parse("fuzz.toml", data, opts)
			if (s == nil) == (err == nil) {
				t.Fatalf("got scenario %v and error %v, want either", s, err)
			}
			if s != nil && len(s.Strategies) == 0 {
				t.Fatal("a scenario without strategies")
			}
		}
	})
}
