package reports

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hotslot/experiment"
)

func TestFolderHoldsEverything(t *testing.T) {
	many := manyNodes()
	for name, r := range map[string]*experiment.Result{
		"hot counter": hotCounter(), "single": single(), "odd": odd(), "empty": {}, "many nodes": many,
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a", "b")
			if err := WriteFolder(dir, r); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"report.txt", "result.json", "report.md", "series.csv", "junit.xml",
				"throughput.svg", "throughput.png", "p99.svg", "p99.png", "percentiles.svg", "percentiles.png",
				"load.svg", "load.png"} {
				body, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(file, ".png") {
					if _, err := png.Decode(bytes.NewReader(body)); err != nil {
						t.Errorf("%s: %v", file, err)
					}
				}
				if strings.HasSuffix(file, ".svg") && bytes.Contains(body, []byte("NaN")) {
					t.Errorf("%s draws to NaN", file)
				}
			}
		})
	}
}

func TestPlotsDependOnTheResultAlone(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	paths, err := Plots(first, hotCounter())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Plots(second, hotCounter()); err != nil {
		t.Fatal(err)
	}
	if len(paths) != 8 {
		t.Errorf("%d files, want 8", len(paths))
	}
	for _, path := range paths {
		a, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(second, filepath.Base(path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs from one time to the next", filepath.Base(path))
		}
	}
}

// manyNodes returns a result with more nodes than a panel shows and more
// strategies than there are colours.
func manyNodes() *experiment.Result {
	r := hotCounter()
	for i := range r.Strategies {
		f := fakeStrategy{name: r.Strategies[i].Name + " with a rather long name indeed",
			rate: 2.1e6, p99: 9_000, load: 0.7, primaries: 40}
		r.Strategies[i] = f.make()
	}
	for i := range 4 {
		f := fakeStrategy{name: fmt.Sprint("more-", i), rate: float64(1_000_000 * i), p99: 300, load: 0.3, primaries: 9}
		r.Strategies = append(r.Strategies, f.make())
	}
	return r
}
