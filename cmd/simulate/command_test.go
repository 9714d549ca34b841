package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"hotslot/experiment"
	"hotslot/scenarios"
)

func TestEveryVerbHasHelpWithAnExample(t *testing.T) {
	for _, verb := range append(verbs(newMain().root()), newMain().root()) {
		if verb.Short == "" || verb.Long == "" || verb.Example == "" {
			t.Errorf("%s: short help %q, long help %q, example %q", verb.Name(), verb.Short, verb.Long, verb.Example)
		}
		args := append(strings.Fields(verb.CommandPath())[1:], "--help")
		got := call(args...)
		contains(t, verb.Name(), got.out, "Examples:", "Usage:")
		if got.status != 0 || got.err != "" {
			t.Errorf("%v: exit status %d, errors %q", args, got.status, got.err)
		}
	}
}

// verbs returns the verbs of a command, and the verbs below them.
func verbs(cmd *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, verb := range cmd.Commands() {
		all = append(all, verb)
		if verb.Name() != "completion" { // cobra's
			all = append(all, verbs(verb)...)
		}
	}
	return all
}

// TestExamples parses the examples of the help texts: what a user copies from
// there must at least be understood.
func TestExamples(t *testing.T) {
	for _, verb := range verbs(newMain().root()) {
		if verb.Name() == "completion" {
			continue // cobra's
		}
		for line := range strings.Lines(verb.Example) {
			line = line[strings.Index(line, "simulate"):] // behind a pipe
			args := shellWords(strings.TrimSpace(line))[1:]
			root := newMain().root()
			found, rest, err := root.Find(args)
			if err != nil || found.Name() != verb.Name() && found.Parent().Name() != verb.Name() {
				t.Errorf("%q is for %s: %v", line, found.Name(), err)
			} else if err := errors.Join(found.ParseFlags(rest), found.ValidateArgs(found.Flags().Args())); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
}

// shellWords splits a line as a shell does: not within single quotes.
func shellWords(line string) (words []string) {
	quoted := false
	for _, word := range strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	}) {
		words = append(words, strings.ReplaceAll(word, "'", ""))
	}
	return words
}

func TestBadUsage(t *testing.T) {
	folder := t.TempDir()
	good := write(t, folder, "hot-counter.toml", tiny)
	empty := write(t, folder, "empty.toml")
	binary := write(t, folder, "binary.toml", "\x7fELF\x02\xff\x00")
	wrong := write(t, folder, "wrong.toml", strings.Replace(tiny, "primaries", "primarys", 1))
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"no verb", nil, []string{"what is to be done? Choose one of check, ", "Run 'simulate --help'"}},
		{"an unknown verb", []string{"chek"}, []string{`unknown command "chek"; did you mean "check"?`}},
		{"nothing like a verb", []string{"frobnicate"}, []string{"unknown command \"frobnicate\"\n"}},
		{"an unknown flag", []string{"run", good, "--sed", "1"}, []string{`--sed; did you mean "--seed"?`, "'simulate run --help'"}},
		{"a flag without value", []string{"run", good, "--seed"}, []string{"flag needs an argument: --seed"}},
		{"no number", []string{"run", good, "--seeds", "many"}, []string{`"many" for "--seeds"`}},
		{"no shell", []string{"completion"}, []string{"Choose one of bash, fish"}},
		{"an unknown shell", []string{"completion", "bsh"}, []string{`did you mean "bash"?`}},

		{"run nothing", []string{"run"}, []string{"a scenario FILE is missing"}},
		{"an unknown format", []string{"run", good, "--format", "jsn"}, []string{`choose one of text, json, markdown, csv, junit; did you mean "json"?`}},
		{"negative jobs", []string{"run", good, "--jobs", "-1"}, []string{"--jobs -1: at least one"}},
		{"no seeds", []string{"run", good, "--seeds", "0"}, []string{"--seeds: seeds: "}},
		{"a negative duration", []string{"run", good, "--duration", "-1s"}, []string{"--duration: duration: "}},
		{"an unknown strategy", []string{"run", good, "--strategy", "shraded"}, []string{`--strategy: "shraded" is no strategy`}},
		{"no setting", []string{"run", good, "--set", "primaries"}, []string{`--set: "primaries" is no setting`}},
		{"an unknown setting", []string{"run", good, "--set", "cluster.primarys=3"}, []string{"--set: cluster.primarys: unknown key"}},
		{"a setting of two files", []string{"run", good, good, "--set", "x"}, []string{"(in " + good + ")"}},

		{"a missing file", []string{"run", filepath.Join(folder, "hot-conter.toml")},
			[]string{`does not exist; did you mean "` + good + `"?`}},
		{"a missing extension", []string{"run", filepath.Join(folder, "hot-counter")}, []string{good}},
		{"a missing folder", []string{"run", filepath.Join(folder, "none", "hot-counter.toml")}, []string{"does not exist\n"}},
		{"a folder", []string{"run", folder}, []string{folder + " is a folder; name the files in it"}},
		{"an empty file", []string{"run", empty}, []string{empty + " is empty\n"}},
		{"a binary file", []string{"check", binary}, []string{binary + ": not a text file"}},
		{"an invalid file", []string{"check", wrong}, []string{wrong + `:7: cluster.primarys: unknown key; did you mean "primaries"?`}},
		{"check nothing", []string{"check"}, []string{"a scenario FILE is missing"}},

		{"an unknown topic", []string{"list", "metrix"}, []string{`did you mean "metrics"?`}},
		{"two topics", []string{"list", "metrics", "curves"}, []string{"one topic, not 2"}},
		{"no key", []string{"slot"}, []string{"a KEY is missing"}},
		{"no primaries", []string{"slot", "--primaries", "0", "a"}, []string{"--primaries 0: a cluster has from 1 to 1000"}},
		{"too many primaries", []string{"tags", "--template", "%d", "--primaries", "1001"}, []string{"from 1 to 1000"}},
		{"no template", []string{"tags"}, []string{"--template is missing"}},
		{"no number in a template", []string{"tags", "--template", "x"}, []string{"%d must occur once"}},
		{"an argument of tags", []string{"tags", "x"}, []string{`"x" is too much`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := call(tt.args...)
			if got.status != int(exitUsage) || got.out != "" {
				t.Errorf("exit status %d, results %q", got.status, got.out)
			}
			contains(t, "standard error", got.err, tt.want...)
		})
	}
}

func TestFileThatCannotBeRead(t *testing.T) {
	file := write(t, t.TempDir(), "x.toml", tiny)
	for _, verb := range []string{"run", "check"} {
		got := call(verb, filepath.Join(file, "y.toml")) // a file is no folder
		if got.status != int(exitInternal) || got.out != "" {
			t.Errorf("%s: exit status %d, results %q", verb, got.status, got.out)
		}
		contains(t, verb, got.err, "y.toml")
	}
}

// A broken is a pipe that nobody reads.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestResultsThatCannotBeWritten(t *testing.T) {
	file := write(t, t.TempDir(), "x.toml", tiny)
	for _, args := range [][]string{
		{"run", file, "--seeds", "1"}, {"run", file, "--seeds", "1", "--format", "csv"},
		{"check", file}, {"list"}, {"list", "versions"}, {"slot", "a"}, {"tags", "--template", "%d"},
		{"plan", "rebalance", "--primaries", "3"}, {"plan", "create", "--hosts", "a,b,c"},
	} {
		var stderr strings.Builder
		m := newMain()
		m.Stdout, m.Stderr = broken{}, &stderr
		if got := m.Run(context.Background(), args); got != int(exitInternal) {
			t.Errorf("%v: exit status %d", args, got)
		}
		contains(t, args[0], stderr.String(), "no space left")
	}
}

func TestPanicIsNoStackTrace(t *testing.T) {
	file := write(t, t.TempDir(), "x.toml", tiny)
	m := newMain()
	m.Simulate = func(context.Context, *scenarios.Scenario, experiment.Options) (*experiment.Result, error) {
		panic("index out of range")
	}
	got := m.call(context.Background(), "run", file, "--seed", "7")
	if got.status != int(exitInternal) || got.out != "" {
		t.Errorf("exit status %d, results %q", got.status, got.out)
	}
	contains(t, "standard error", got.err, "internal error: index out of range",
		"simulate run "+file+" --seed 7 --seeds 2", "HOTSLOT_DEBUG=1")
	if lines := strings.Count(got.err, "\n"); lines != 2 { // with the one about reproduction
		t.Errorf("%d lines:\n%s", lines, got.err)
	}

	m.Env = func(name string) string { return map[string]string{"HOTSLOT_DEBUG": "1"}[name] }
	defer func() {
		if recover() == nil {
			t.Error("HOTSLOT_DEBUG=1 holds back the panic")
		}
	}()
	m.call(context.Background(), "run", file)
}

// A bomb is a terminal that panics: a fault outside any scenario.
type bomb struct{}

func (bomb) Write([]byte) (int, error) { panic("boom") }

func TestPanicOutsideScenarios(t *testing.T) {
	var stderr strings.Builder
	m := newMain()
	m.Stdout, m.Stderr = bomb{}, &stderr
	if got := m.Run(context.Background(), []string{"slot", "a b"}); got != int(exitInternal) {
		t.Errorf("exit status %d", got)
	}
	contains(t, "standard error", stderr.String(), "internal error: boom", "simulate slot 'a b'")
}

func TestCompletion(t *testing.T) {
	file := write(t, t.TempDir(), "x.toml", tiny)
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"run", ""}, []string{"toml", ":8"}}, // ShellCompDirectiveFilterFileExt
		{[]string{"run", "--format", ""}, formats()},
		{[]string{"run", "--out", ""}, []string{":16"}}, // ShellCompDirectiveFilterDirs
		{[]string{"run", file, "--strategy", ""}, []string{"baseline", "sharded"}},
		{[]string{"run", "none.toml", "--strategy", ""}, []string{":4"}}, // ShellCompDirectiveNoFileComp
		{[]string{"list", ""}, []string{"scenarios", "metrics"}},
	} {
		got := call(append([]string{cobra.ShellCompRequestCmd}, tt.args...)...)
		contains(t, strings.Join(tt.args, " "), got.out, tt.want...)
	}
	contains(t, "completion", call("completion", "bash").out, "__start_simulate")
}

func TestCheck(t *testing.T) {
	folder := t.TempDir()
	good := write(t, folder, "good.toml", tiny)
	bad := write(t, folder, "bad.toml", "cluster = 3\nseeds = 0\n")
	want := outcome{0, good + ": valid: 2 strategies, 2 seeds, 2 thresholds\n", ""}
	if got := call("check", good); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got := call("check", bad, good) // all files are checked
	if got.status != int(exitUsage) {
		t.Errorf("exit status %d", got.status)
	}
	contains(t, "results", got.out, good+": valid")
	contains(t, "errors", got.err, bad+":1: cluster", bad+":2: seeds")
}

func TestList(t *testing.T) {
	t.Chdir(t.TempDir())
	contains(t, "list", call("list").out, "Scenarios in scenarios", "  none\n",
		"round-100k    a node that serves 100,000",
		"redis-7.2\n", "go-redis\n", "meta-kvcache\n")
	if got := call("list", "scenarios"); got != (outcome{}) {
		t.Errorf("without a folder: %+v", got)
	}

	if err := os.MkdirAll(filepath.Join("scenarios", "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	good := write(t, "scenarios", "tiny.toml", tiny)
	bad := write(t, "scenarios", "bad.toml", "seeds = 0")
	write(t, "scenarios", "README.md", tiny)
	write(t, filepath.Join("scenarios", "testdata"), "test.toml", tiny)
	rows := bad + "   (invalid: simulate check says why)\n" + good + "  A tiny counter\n"
	if got := call("list", "scenarios").out; got != rows {
		t.Errorf("scenarios: %q, want %q", got, rows)
	}

	metrics := call("list", "metrics").out
	for _, m := range scenarios.Metrics() {
		contains(t, "metrics", metrics, m.Name+" ", m.Meaning)
	}
	contains(t, "metrics", metrics, "in us; by workload, window\n", "in %; by node (always)\n")
}

func TestSlot(t *testing.T) {
	got := call("slot", "foo", "{user:7}:cart", "{}x", "", "a b", "\x1b[2J", "--primaries", "3")
	want := `KEY            SLOT   TAG     PRIMARY
foo            12182  -       2
{user:7}:cart  2780   user:7  0
{}x            10595  -       1
""             0      -       0
a b            9817   -       1
"\x1b[2J"      8702   -       1
`
	if got.status != 0 || got.err != "" || got.out != want {
		t.Errorf("exit status %d, errors %q, results:\n%s\nwant:\n%s", got.status, got.err, got.out, want)
	}
	contains(t, "a key like a flag", call("slot", "--", "-x").out, "-x")
}

func TestTags(t *testing.T) {
	got := call("tags", "--template", "routing:v1:%d", "--primaries", "5", "--per-primary", "2")
	want := `PRIMARY  SLOT   TAG
0        2542   routing:v1:12
0        2410   routing:v1:16
1        3661   routing:v1:0
1        3785   routing:v1:4
2        7788   routing:v1:1
2        7912   routing:v1:5
3        11791  routing:v1:2
3        11915  routing:v1:6
4        15918  routing:v1:3
4        16042  routing:v1:7

17 numbers tried, 7 thrown away
`
	if got.status != 0 || got.err != "" || got.out != want {
		t.Errorf("exit status %d, errors %q, results:\n%s\nwant:\n%s", got.status, got.err, got.out, want)
	}
}

func TestShellQuote(t *testing.T) {
	for word, want := range map[string]string{
		"scenarios/x.toml":     "scenarios/x.toml",
		"cluster.primaries=6":  "cluster.primaries=6",
		"":                     "''",
		"two words":            "'two words'",
		"it's":                 `'it'\''s'`,
		"$HOME":                "'$HOME'",
		"~":                    "'~'",
		`workload.a.mix={a=1}`: "'workload.a.mix={a=1}'",
		"ümlaut":               "'ümlaut'",
	} {
		if got := shellQuote(word); got != want {
			t.Errorf("%q is quoted as %s, want %s", word, got, want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"scenarios", "profiles", "curves"}
	for word, want := range map[string]string{
		"scenario": "scenarios", "profile": "profiles", "cruves": "curves", "x": "", "": "", "versions": "",
	} {
		if got := nearest(word, known); got != want {
			t.Errorf("%q is taken for %q, want %q", word, got, want)
		}
	}
}
