package scenarios

import (
	"reflect"
	"slices"
	"strings"
)

// baselineName is the strategy that changes nothing, where a file has none of
// its own.
const baselineName = "baseline"

// strategiesMax is how many strategies a scenario may have.
const strategiesMax = 100

// merge returns a table with a patch upon it: tables are merged key by key, all
// else is replaced. Neither argument changes.
func merge(base, patch *value) *value {
	below, isTable := base.data.(*table)
	above, patchIsTable := patch.data.(*table)
	if !isTable || !patchIsTable {
		return patch
	}
	merged := newTable()
	for _, key := range below.keys {
		if !superseded(key, above) {
			merged.set(key, below.values[key])
		}
	}
	for _, key := range above.keys {
		v := above.values[key]
		if old := merged.values[key]; old != nil && key != "mix" { // a mix is one value: its shares add up to 1
			v = merge(old, v)
		}
		merged.set(key, v)
	}
	return base.with(merged)
}

// superseded reports whether a patch sets what takes the place of a key: a rate
// that of workers, a list of keys that of a pattern's count.
func superseded(key string, patch *table) bool {
	sets := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return patch.values[k] != nil })
	}
	switch key {
	case "rate":
		return sets("workers")
	case "workers":
		return sets("rate")
	case "template", "per_primary":
		return sets("count")
	case "count", "fields", "tags":
		return replacesNames(key, patch.values["keys"]) || key == "count" && sets("template", "per_primary")
	}
	return false
}

// replacesNames reports whether new names of keys leave no use for a key beside
// them: a list for any, a pattern for the fields or tags that it does not name.
func replacesNames(key string, keys *value) bool {
	if keys == nil {
		return false
	}
	switch names := keys.data.(type) {
	case []*value:
		return true
	case string:
		verbs := verbsOf(names)
		return key == "tags" && !strings.Contains(verbs, "t") || key == "fields" && !strings.Contains(verbs, "f")
	}
	return false
}

// expandShorthands writes out what a file may abbreviate: a cost profile's name
// for a table of costs, a number of tags for a table of tags.
func expandShorthands(settings *value) *value {
	if !isTable(settings) {
		return settings
	}
	expanded := newTable()
	for _, key := range settings.table().keys {
		v := settings.get(key)
		switch key {
		case "node":
			v = expand(v, "costs", "profile")
		case "workload":
			all := newTable()
			for _, name := range v.table().keys {
				all.set(name, expand(v.get(name), "tags", "count"))
			}
			if isTable(v) {
				v = v.with(all)
			}
		}
		expanded.set(key, v)
	}
	return settings.with(expanded)
}

// expand turns the value at a key of a table into a table with one key of its
// own, if it is not a table yet.
func expand(v *value, key, inner string) *value {
	short := v.get(key)
	if short == nil || isTable(short) {
		return v
	}
	long := newTable()
	long.set(inner, short)
	copied := newTable()
	for _, k := range v.table().keys {
		copied.set(k, v.get(k))
	}
	copied.set(key, short.with(long))
	return v.with(copied)
}

// checkPatch notes what a patch cannot change and returns what is left of it.
// Keys that no table has are noted when the patched tables are read.
func (b *binder) checkPatch(patch, base *value, what string) *value {
	if !isTable(patch) {
		b.fail(patch, "a strategy is a table of changes, not %s", kindOf(patch.data))
		return patch.with(newTable())
	}
	settings := keysOf(reflect.TypeFor[Settings]())
	left := newTable()
	for _, key := range patch.table().keys {
		v := patch.get(key)
		switch {
		case key == "workload":
			left.set(key, b.checkNames(v, base.get(key), key))
		case slices.Contains(settings, key):
			left.set(key, v)
		case slices.Contains(topKeys(), key):
			b.fail(v, "%s cannot change %s, which holds for all strategies", what, key)
		default:
			b.fail(v, "unknown key%s", didYouMean(key, settings))
		}
	}
	return patch.with(left)
}

// checkNames notes workloads, or strategies, that a patch changes and the base does not
// have. It returns what is left of the patch.
func (b *binder) checkNames(patch, base *value, what string) *value {
	if !isTable(patch) {
		return patch
	}
	left := newTable()
	for _, name := range patch.table().keys {
		if base.has(name) {
			left.set(name, patch.get(name))
		} else {
			b.fail(patch.get(name), "there is no such %s to change%s", what, didYouMean(name, base.table().keys))
		}
	}
	return patch.with(left)
}

// changesOf returns the values that a patch sets and that stand in the settings
// in the end.
func changesOf(patch, settings *value, path string) []Change {
	var changes []Change
	switch data := patch.data.(type) {
	case *table:
		for _, key := range data.keys {
			if final := settings.get(key); final != nil {
				changes = append(changes, changesOf(data.values[key], final, joinPath(path, key))...)
			}
		}
	case []*value:
		if patch == settings {
			changes = append(changes, changesOfList(patch, path)...)
		}
	default:
		if patch == settings {
			changes = append(changes, Change{Path: path, Value: data})
		}
	}
	return changes
}

// changesOfList returns a list as one change, or the values of the tables in it.
func changesOfList(list *value, path string) []Change {
	var changes []Change
	var plain []any
	for i, element := range list.data.([]*value) {
		switch element.data.(type) {
		case *table, []*value:
			changes = append(changes, changesOf(element, element, elementPath(path, i))...)
		default:
			plain = append(plain, element.data)
		}
	}
	if changes == nil {
		changes = []Change{{Path: path, Value: plain}}
	}
	return changes
}
