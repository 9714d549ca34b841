package tidy

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"hotslot/internal/golden"
)

// TestRules runs the stories in testdata, about the small modules beside them.
// Its command:
//
//	check module=DIR   what breaks the rules in testdata/DIR
func TestRules(t *testing.T) {
	golden.Run(t, func(t *testing.T) func(*golden.Case) string {
		return func(c *golden.Case) string {
			if c.Cmd != "check" {
				c.Errorf("unknown command")
				return ""
			}
			findings, err := Check(os.DirFS(path.Join("testdata", c.String("module"))))
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for _, f := range findings {
				fmt.Fprintln(&out, f)
			}
			return out.String()
		}
	})
}

func TestLengths(t *testing.T) {
	const function = "func f() {\n%s}\n"
	const head = "package sim_test\n"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"a file", strings.Repeat("//\n", 400), []string{"x.go:1: length: the file has 401 lines, and 400 are enough"}},
		{"a file that fits", strings.Repeat("//\n", 399), nil},
		{"a function", fmt.Sprintf(function, strings.Repeat("f()\n", 69)),
			[]string{"x.go:2: length: f has 71 lines, and 70 fit on a screen"}},
		{"a function that fits", fmt.Sprintf(function, strings.Repeat("f()\n", 68)), nil},
		{"a table", fmt.Sprintf(function, "_ = []int{\n"+strings.Repeat("1,\n", 90)+"}\n"), nil},
		{"a table of code", fmt.Sprintf(function, "_ = []func(){\n"+strings.Repeat("func() {},\n", 69)+"}\n"),
			[]string{"x.go:2: length: f has 73 lines, and 70 fit on a screen"}},
		{"a line", "//" + strings.Repeat("µ", 119), []string{"x.go:2: length: the line has 121 columns of 120"}},
		{"a line that fits", "//" + strings.Repeat("µ", 118), nil},
		{"a line with a tab", "\t//" + strings.Repeat("x", 115),
			[]string{"x.go:2: length: the line has 121 columns of 120"}},
		{"a row of a table", "var t = []string{\n\"" + strings.Repeat("x", 118) + "\",\n}", nil},
		{"a table of one line", "var t = []string{\"" + strings.Repeat("x", 101) + "\"}",
			[]string{"x.go:2: length: the line has 121 columns of 120"}},
		{"an address", "// https://" + strings.Repeat("x", 118), nil},
		{"a tag", "type t struct {\nf int `x:\"x\"` // " + strings.Repeat("x", 118) + "\n}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := lengths(t, "x.go", head+tt.body); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFunctionsOfTestsMayBeLong(t *testing.T) {
	text := "package sim\n\nfunc f() {\n" + strings.Repeat("f()\n", 100) + "}\n"
	if got := lengths(t, "x_test.go", text); got != nil {
		t.Errorf("findings %q", got)
	}
}

// lengths returns the findings about lengths in a file.
func lengths(t *testing.T, name, text string) (got []string) {
	t.Helper()
	findings, err := Check(fstest.MapFS{name: {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Rule == "length" {
			got = append(got, f.String())
		}
	}
	return got
}

func TestWhatIsSkipped(t *testing.T) {
	findings, err := Check(fstest.MapFS{
		"sim/testdata/x.go": {Data: []byte("package p\n\nfunc init() {}")},
		".cache/x.go":       {Data: []byte("package p\n\nfunc init() {}")},
		"README.md":         {Data: []byte("no Go")},
	})
	if err != nil || findings != nil {
		t.Errorf("findings %v, error %v", findings, err)
	}
}

func TestCheckRefusesWhatIsNotGo(t *testing.T) {
	_, err := Check(fstest.MapFS{"sim/x.go": {Data: []byte("package")}})
	if err == nil || !strings.Contains(err.Error(), "sim/x.go:1") {
		t.Errorf("error %v", err)
	}
}
