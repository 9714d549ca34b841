// Package golden runs tests that are written as text: stories.
//
// A file is a list of cases with blank lines between them. A case is a command
// with name=value arguments, a line of four dashes, and the output that is
// expected. Lines that start with # stand before a command, or alone: they are
// comments.
//
//	# A key that moved answers MOVED, once.
//	get client=0 key=foo
//	----
//	100µs  node 0    GET foo
//
// Run go test with -rewrite to replace what is expected by what came out; then
// read the diff, and keep it only if you can say why each line changed.
//
// It leaves out what no story has needed: values with spaces, and output with
// blank lines.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "replace the expected output in testdata")

// Run runs every file testdata/*.txt as a subtest. For each file, start returns
// the function that carries out its commands, in order, and returns the output.
func Run(t *testing.T, start func(t *testing.T) func(*Case) string) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no stories: there is no file testdata/*.txt")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := story{name: file, rewrite: *rewrite}
			told := s.tell(string(text), start(t))
			for _, problem := range s.problems {
				t.Error(problem)
			}
			if !*rewrite || t.Failed() {
				return
			}
			if err := os.WriteFile(file, []byte(told), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
