package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options are what the command line says over the file.
type Options struct {
	Set        []string       // path=value: of the file, and over every strategy
	Strategies []string       // the ones to run; all where empty
	Seed       *uint64        // where not nil, as Seeds and Duration
	Seeds      *int           //
	Duration   *time.Duration //
}

// Load reads and checks a scenario file. An error about its content is of type
// Errors and tells all that is wrong.
func Load(path string, opts Options) (*Scenario, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err // which names the file
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, bytesMax+1)) // one more, which Parse refuses
	if err != nil {
		return nil, err
	}
	return Parse(path, data, opts)
}

// Parse is Load for a file's content. The name stands in errors, and its last
// part in the scenario.
func Parse(name string, data []byte, opts Options) (*Scenario, error) {
	root, err := parseTree(name, string(data))
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(data)
	s := defaultScenario()
	s.File = filepath.Base(name)
	s.Hash = hex.EncodeToString(hash[:8])
	l := loader{scenario: &s, root: root}
	l.override(opts)
	l.header(opts)
	l.strategies()
	l.thresholds()
	l.choose(opts.Strategies)
	if err := l.errs.orNil(); err != nil {
		return nil, err
	}
	return &s, nil
}

// A loader makes a scenario of a tree.
type loader struct {
	binder
	scenario *Scenario
	root     *value
	sets     *value // the settings that the command line sets, nil where there are none
}

// topKeys returns the keys at the top of a file that are no settings.
func topKeys() []string {
	return append(keysOf(reflect.TypeFor[Scenario]()), "strategy", "thresholds")
}

// override puts the command line's values over the file's.
func (l *loader) override(opts Options) {
	for _, set := range opts.Set {
		l.set("--set", set)
	}
	if opts.Seeds != nil {
		l.set("--seeds", "seeds="+strconv.Itoa(*opts.Seeds))
	}
	if opts.Duration != nil {
		l.set("--duration", "duration="+opts.Duration.String())
	}
}

// set puts one path=value over the file's. What is not TOML is a text, so that
// no shell has to quote it twice.
func (l *loader) set(flag, text string) {
	path, setting, ok := strings.Cut(text, "=")
	if !ok || strings.ContainsAny(text, "\r\n") {
		l.reject(flag, text, `is no setting; write one such as "cluster.primaries=6"`)
		return
	}
	tree, err := parseTree(flag, path+" = "+setting)
	if err != nil {
		tree, err = parseTree(flag, path+" = "+strconv.Quote(setting))
	}
	if err != nil {
		l.reject(flag, path, `is no path; write one such as "cluster.primaries"`)
		return
	}
	patch := l.checkSet(unnumbered(tree))
	l.root = merge(expandShorthands(l.root), patch)
	settings, _ := l.split(patch)
	if l.sets != nil {
		settings = merge(l.sets, settings)
	}
	l.sets = settings
}

// reject notes what is wrong with a flag's text.
func (l *loader) reject(flag, text, why string) {
	l.errs = append(l.errs, Error{File: flag, Msg: strconv.Quote(text) + " " + why})
}

// unnumbered returns the tree of a flag, which has no lines.
func unnumbered(v *value) *value {
	plain := *v
	plain.line = 0
	switch data := v.data.(type) {
	case *table:
		t := newTable()
		for _, key := range data.keys {
			t.set(key, unnumbered(data.values[key]))
		}
		plain.data = t
	case []*value:
		list := make([]*value, len(data))
		for i := range data {
			list[i] = unnumbered(data[i])
		}
		plain.data = list
	}
	return &plain
}

// checkSet notes workloads and strategies that are set and not there, and
// returns what is left.
func (l *loader) checkSet(patch *value) *value {
	left := newTable()
	for _, key := range patch.table().keys {
		v := patch.get(key)
		if key == "workload" || key == "strategy" {
			v = l.checkNames(v, l.root.get(key), key)
		}
		left.set(key, v)
	}
	return expandShorthands(patch.with(left))
}

// split returns the settings in a tree, and what stands at its top beside them.
func (l *loader) split(root *value) (settings, top *value) {
	names := keysOf(reflect.TypeFor[Settings]())
	inner, outer := newTable(), newTable()
	for _, key := range root.table().keys {
		if slices.Contains(names, key) {
			inner.set(key, root.get(key))
		} else {
			outer.set(key, root.get(key))
		}
	}
	return expandShorthands(root.with(inner)), root.with(outer)
}

// header reads what holds for all strategies.
func (l *loader) header(opts Options) {
	_, top := l.split(l.root)
	plain := newTable()
	for _, key := range top.table().keys {
		v := top.get(key)
		switch {
		case key == "strategy" || key == "thresholds":
			if !isTable(v) {
				l.fail(v, "this must be a table, not %s", kindOf(v.data))
			}
		case slices.Contains(topKeys(), key):
			plain.set(key, v)
		default:
			l.fail(v, "unknown key%s", didYouMean(key, append(topKeys(), keysOf(reflect.TypeFor[Settings]())...)))
		}
	}
	header := l.root.with(plain)
	l.bind(header, l.scenario)
	within(&l.binder, header.at("seeds"), l.scenario.Seeds, 1, seedsMax)
	if opts.Seed != nil {
		l.scenario.Seed = *opts.Seed
	}
}

// errorsMax is after how many errors no further strategy is read.
const errorsMax = 1000

// strategies reads the settings as each strategy has them.
func (l *loader) strategies() {
	base, _ := l.split(l.root)
	baseErrs := settingsErrors(base)
	all := l.root.get("strategy").table()
	if len(all.keys) > strategiesMax {
		l.fail(l.root.get("strategy"), "%d strategies are too many; write at most %d", len(all.keys), strategiesMax)
		return
	}
	for _, name := range all.keys {
		if len(l.errs) > errorsMax {
			return
		}
		l.validateName(all.values[name], name)
		if name == ownName {
			l.fail(all.values[name], "in thresholds this name means the strategy itself; rename it")
		}
		patch := l.checkPatch(expandShorthands(all.values[name]), base, "a strategy")
		l.strategy(name, base, patch, baseErrs)
	}
	if len(all.keys) == 0 {
		l.strategy(baselineName, base, base.with(newTable()), baseErrs)
	}
}

// strategy adds the base with a patch and what the command line sets. What is
// wrong with it is noted; what is wrong only with this strategy and yet not in
// its own lines is noted with its name.
func (l *loader) strategy(name string, base, patch *value, baseErrs map[Error]bool) {
	tree := merge(base, patch)
	if l.sets != nil {
		tree = merge(tree, l.sets)
	}
	var own binder
	settings := own.settings(tree)
	for _, e := range own.errs {
		if !baseErrs[e] && !strings.HasPrefix(e.Path, patch.path+".") {
			e.Msg += " (strategy " + name + ")"
		}
		l.errs = append(l.errs, e)
	}
	l.scenario.Strategies = append(l.scenario.Strategies, Strategy{
		Name:     name,
		Changes:  changesOf(patch, tree, ""),
		Settings: settings,
	})
}

// settings reads and checks a tree of settings.
func (b *binder) settings(tree *value) Settings {
	s := defaultSettings()
	b.bind(tree, &s)
	spread(tree.get("network"), &s)
	b.validate(tree, &s)
	return s
}

// settingsErrors returns what is wrong with a tree of settings.
func settingsErrors(tree *value) map[Error]bool {
	var b binder
	b.settings(tree)
	set := map[Error]bool{}
	for _, e := range b.errs {
		set[e] = true
	}
	return set
}

// choose keeps the named strategies, in the order of the file, and the
// thresholds that can be judged by them alone.
func (l *loader) choose(names []string) {
	if len(names) == 0 {
		return
	}
	s := l.scenario
	known := make([]string, len(s.Strategies))
	for i := range s.Strategies {
		known[i] = s.Strategies[i].Name
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			l.reject("--strategy", name, "is no strategy"+suggest(name, known))
		}
	}
	s.Strategies = slices.DeleteFunc(s.Strategies, func(st Strategy) bool { return !slices.Contains(names, st.Name) })
	s.Thresholds = slices.DeleteFunc(s.Thresholds, func(t Threshold) bool {
		return !slices.Contains(names, t.Strategy) ||
			t.Reference != nil && !slices.Contains(names, t.Reference.Strategy)
	})
}
