package reports

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"hotslot/experiment"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files of testdata with what is written now")

func TestGolden(t *testing.T) {
	interrupted := hotCounter()
	interrupted.Partial, interrupted.Wanted = true, 25
	interrupted.Strategies[0].Seeds = 4
	interrupted.Strategies[5] = experiment.Strategy{Name: "local-batching-10ms"}
	tests := []struct {
		file   string
		render func(io.Writer) error
	}{
		{"hot-counter.txt", func(w io.Writer) error { return Text(w, hotCounter(), Style{}) }},
		{"hot-counter-color.txt", func(w io.Writer) error {
			return Text(w, hotCounter(), Style{Color: true, Width: 100})
		}},
		{"hot-counter.json", func(w io.Writer) error { return JSON(w, excerpt()) }},
		{"hot-counter.md", func(w io.Writer) error { return Markdown(w, hotCounter()) }},
		{"hot-counter.csv", func(w io.Writer) error { return CSV(w, excerpt()) }},
		{"hot-counter.xml", func(w io.Writer) error { return JUnit(w, hotCounter()) }},
		{"partial.txt", func(w io.Writer) error { return Text(w, interrupted, Style{}) }},
		{"partial.md", func(w io.Writer) error { return Markdown(w, interrupted) }},
		{"failover.txt", func(w io.Writer) error { return Text(w, failover(), Style{}) }},
		{"failover.md", func(w io.Writer) error { return Markdown(w, failover()) }},
		{"failover.json", func(w io.Writer) error { return JSON(w, failover()) }},
		{"failover.jsonl", func(w io.Writer) error { return Events(w, failover()) }},
		{"failovers.jsonl", func(w io.Writer) error { return Events(w, failover(), odd()) }},
		{"single.txt", func(w io.Writer) error { return Text(w, single(), Style{}) }},
		{"empty.txt", func(w io.Writer) error { return Text(w, &experiment.Result{}, Style{}) }},
		{"empty.json", func(w io.Writer) error { return JSON(w, &experiment.Result{}) }},
		{"odd.txt", func(w io.Writer) error { return Text(w, odd(), Style{}) }},
		{"odd.md", func(w io.Writer) error { return Markdown(w, odd()) }},
		{"odd.json", func(w io.Writer) error { return JSON(w, odd()) }},
		{"odd.csv", func(w io.Writer) error { return CSV(w, odd()) }},
		{"several.xml", func(w io.Writer) error { return JUnit(w, odd(), &experiment.Result{Title: "none"}) }},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			var got bytes.Buffer
			if err := test.render(&got); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", test.file)
			if *rewrite {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s differs; go test -rewrite writes what follows:\n%s", path, got.Bytes())
			}
		})
	}
}
