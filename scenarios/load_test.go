package scenarios

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/workloads"
)

var rewrite = flag.Bool("rewrite", false, "replace the expected errors in testdata")

// Each file in testdata/bad has beside it what is to be said of it.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no bad files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Parse(filepath.Base(file), data, Options{})
			var all Errors
			if s != nil || !errors.As(err, &all) {
				t.Fatalf("got scenario %v and error %v, want Errors", s, err)
			}
			checkGolden(t, strings.TrimSuffix(file, ".toml")+".errors", err.Error()+"\n")
		})
	}
}

func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLoadUnreadable(t *testing.T) {
	if s, err := Load(t.TempDir(), Options{}); s != nil || err == nil {
		t.Errorf("of a directory: got %v, %v", s, err)
	}
	if s, err := Load("testdata/none.toml", Options{}); s != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file that is not there: got %v, %v", s, err)
	}
	secret := filepath.Join(t.TempDir(), "secret.toml")
	if err := os.WriteFile(secret, nil, 0); err != nil {
		t.Fatal(err)
	}
	if s, err := Load(secret, Options{}); s != nil || err == nil {
		t.Errorf("of a file that must not be read: got %v, %v", s, err)
	}
	if s, err := Parse("long.toml", make([]byte, bytesMax+1), Options{}); s != nil || err == nil {
		t.Errorf("of a file that is too long: got %v, %v", s, err)
	}
}

// A file may be long and still not ask for the impossible.
func TestTooMany(t *testing.T) {
	const workload = "[workload.w%d]\nkind = \"counter\"\nkey = \"a\"\nrate = \"1/s\"\n"
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	one := fmt.Sprintf(workload, 0)
	tests := []struct{ text, want string }{
		{repeat(workloadsMax+1, workload), "x:1: workload: 33 workloads are too many; write at most 32"},
		{one + repeat(strategiesMax+1, "[strategy.s%d]\n"), "x:5: strategy: 101 strategies are too many; write at most 100"},
		{one + "thresholds.'*' = [" + repeat(thresholdsMax+1, "'p99 < %d', ") + "]",
			`x:5: workload.w0.thresholds: unknown key`},
		{one + "[thresholds]\n'*' = [" + repeat(thresholdsMax+1, "'p99 < %d', ") + "]",
			`x:6: thresholds."*": 201 thresholds are too many; write at most 200`},
	}
	for _, test := range tests {
		if _, err := Parse("x", []byte(test.text), Options{}); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	// With enough errors in one strategy, no other is read.
	text := repeat(errorsMax, "node.a%d = 1\n") + "node.b = 1\n" + one + repeat(2, "[strategy.s%d]\nx = 1\n")
	var all Errors
	if _, err := Parse("x", []byte(text), Options{}); !errors.As(err, &all) || len(all) != errorsMax+2 {
		t.Errorf("got %d errors, want %d", len(all), errorsMax+2)
	}
}

func load(t *testing.T, opts Options) *Scenario {
	t.Helper()
	s, err := Load("testdata/good/hot-counter.toml", opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoad(t *testing.T) {
	s := load(t, Options{})
	if s.File != "hot-counter.toml" || len(s.Hash) != 16 || s.Seed != 1 || s.Seeds != 10 {
		t.Errorf("header: got %q, %q, seed %d, %d seeds", s.File, s.Hash, s.Seed, s.Seeds)
	}
	var names []string
	for _, st := range s.Strategies {
		names = append(names, st.Name)
	}
	if want := []string{"baseline", "suffix-x16", "six-primaries", "closed"}; !reflect.DeepEqual(names, want) {
		t.Errorf("strategies: got %v, want %v", names, want)
	}

	base := s.Strategies[0].Settings
	if base.Warmup != 2*time.Second || base.Network.NodeBandwidth != 1_250_000_000 ||
		base.Node.WriteBytesMax != 65536 || base.Client.Connections != 40 || base.Client.Timeout != 5*time.Second {
		t.Errorf("base: got %+v", base)
	}
	want := sim.Distribution{Shape: sim.ShapeLognormal, A: 100 * time.Microsecond, B: 400 * time.Microsecond}
	if base.Network.OneWay != want {
		t.Errorf("one_way: got %v, want %v", base.Network.OneWay, want)
	}
	catalogue := base.Workloads[1]
	if catalogue.Rate != 60_000 || catalogue.ValueSize != 200 || catalogue.Steps[0].Rate != 90_000 ||
		len(catalogue.Mix) != 2 || catalogue.Mix[1] != (workloads.Share{Command: "set", Share: 0.1}) {
		t.Errorf("catalogue: got %+v", catalogue)
	}
	if feeds := base.Workloads[2]; feeds.Count != 3 || len(feeds.KeyList) != 3 || feeds.Command != "mget" {
		t.Errorf("feeds: got %+v", feeds)
	}
}

// Without strategies a scenario runs once, as it stands, on the defaults.
func TestDefaults(t *testing.T) {
	const text = `workload.w = { kind = "keys", keys = "k", rate = "1/s" }`
	s, err := Parse("dir/w.toml", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := defaultSettings()
	w := defaultWorkload("w", "keys")
	w.Kind, w.KeyPattern, w.Rate = "keys", "k", 1
	want.Workloads = []Workload{w}
	if got := s.Strategies; len(got) != 1 || got[0].Name != "baseline" || got[0].Changes != nil ||
		!reflect.DeepEqual(got[0].Settings, want) {
		t.Errorf("got %+v, want settings %+v", got, want)
	}
	if s.Seed != 1 || s.Seeds != 1 || s.File != "w.toml" {
		t.Errorf("got seed %d, %d seeds, file %q", s.Seed, s.Seeds, s.File)
	}
}

// Each kind of a curve, each library and each profile that can be listed can be
// written.
func TestListedNamesLoad(t *testing.T) {
	const text = `workload.w = { kind = "keys", keys = "k:%d", count = 10, rate = "1/s" }`
	var sets []string
	for _, name := range workloads.Curves() {
		sets = append(sets, "workload.w.popularity="+name)
	}
	for _, name := range Libraries() {
		sets = append(sets, "client.library="+name)
	}
	for _, name := range Profiles() {
		sets = append(sets, "node.costs="+name)
	}
	for _, name := range Versions() {
		sets = append(sets, "cluster.version="+name)
	}
	for _, set := range sets {
		if _, err := Parse("w.toml", []byte(text), Options{Set: []string{set}}); err != nil {
			t.Errorf("%s: %v", set, err)
		}
	}
}

func TestOptions(t *testing.T) {
	seed, seeds, duration := uint64(1)<<63, 3, 1500*time.Millisecond
	s := load(t, Options{
		Set: []string{
			"cluster.primaries=4",
			"workload.page-views.rate=10k/s",
			"workload.page-views.shards=8",
			"strategy.closed.client.library=lettuce",
			`thresholds."*"=["p50 < 1ms"]`,
			"thresholds.suffix-x16=[]",
		},
		Seed: &seed, Seeds: &seeds, Duration: &duration,
	})
	if s.Seed != seed || s.Seeds != seeds {
		t.Errorf("got seed %d, %d seeds", s.Seed, s.Seeds)
	}
	for _, st := range s.Strategies {
		w := st.Settings.Workloads[0]
		if st.Settings.Duration != duration || st.Settings.Cluster.Primaries != 4 ||
			w.Rate != 10_000 || w.Workers != 0 || w.Shards != 8 {
			t.Errorf("%s: got %v, %d primaries, rate %v, %d workers, %d shards", st.Name,
				st.Settings.Duration, st.Settings.Cluster.Primaries, w.Rate, w.Workers, w.Shards)
		}
	}
	if got := s.Strategies[1].Changes; got != nil {
		t.Errorf("a change that the command line overrides is one: %v", got)
	}
	if got := s.Strategies[3].Settings.Client.Library; got != "lettuce" {
		t.Errorf("library of a strategy: got %q", got)
	}
	if len(s.Thresholds) != 5 { // p50 of four strategies, and one of the baseline
		t.Errorf("got thresholds %v", s.Thresholds)
	}
}

func TestBadOptions(t *testing.T) {
	zero, negative := 0, -time.Second
	tests := []struct {
		opts Options
		want string
	}{
		{Options{Set: []string{"primaries"}}, `--set: "primaries" is no setting; write one such as "cluster.primaries=6"`},
		{Options{Set: []string{"a b=1"}}, `--set: "a b" is no path; write one such as "cluster.primaries"`},
		{Options{Set: []string{"cluster.primary=6"}}, `--set: cluster.primary: unknown key; did you mean "primaries"?`},
		{Options{Set: []string{"workload.page-view.rate=1/s"}},
			`--set: workload.page-view: there is no such workload to change; did you mean "page-views"?`},
		{Options{Set: []string{"strategy.sufix-x16.seed=1"}},
			`--set: strategy.sufix-x16: there is no such strategy to change; did you mean "suffix-x16"?`},
		{Options{Set: []string{`workload.catalogue.steps=[{at = "1s", rate = 5}]`}},
			`--set: workload.catalogue.steps[0].rate: a rate needs its time: write one such as "5/s", not the number 5`},
		{Options{Seeds: &zero}, "--seeds: seeds: this cannot be 0; write a number from 1 to 10000"},
		{Options{Duration: &negative}, "--duration: duration: a duration cannot be negative"},
		{Options{Strategies: []string{"baselin"}}, `--strategy: "baselin" is no strategy; did you mean "baseline"?`},
	}
	for _, test := range tests {
		s, err := Load("testdata/good/hot-counter.toml", test.opts)
		if s != nil || err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// Of the thresholds remain those that the chosen strategies can be judged by.
func TestChooseStrategies(t *testing.T) {
	s := load(t, Options{Strategies: []string{"closed", "suffix-x16"}})
	if len(s.Strategies) != 2 || s.Strategies[0].Name != "suffix-x16" || s.Baseline() != 0 {
		t.Errorf("got %d strategies, first %q", len(s.Strategies), s.Strategies[0].Name)
	}
	for _, th := range s.Thresholds {
		if th.Strategy == "baseline" || th.Reference != nil && th.Reference.Strategy == "baseline" {
			t.Errorf("%s: %s remains", th.Strategy, th.Expr)
		}
	}
	if len(s.Thresholds) != 5 {
		t.Errorf("%d thresholds remain, want 5", len(s.Thresholds))
	}
}
