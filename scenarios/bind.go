package scenarios

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/network"
	"hotslot/workloads"
)

// A binder fills structs from values and collects all that is wrong on the way.
// A field's tag "toml" is its key.
type binder struct {
	errs Errors
}

// unitOf returns what unit the number at a key is written with: "size",
// "bandwidth", "rate" or, where it is a plain number, "". A key means the same
// in every table.
func unitOf(key string) string {
	switch key {
	case "value_size", "stored_size", "max_write_per_turn", "repl_backlog_size", "client_output_buffer_limit_replica",
		"client_output_buffer_limit_replica_soft", "dataset",
		"cluster_slot_migration_handoff_max_lag_bytes":
		return "size"
	case "node_bandwidth", "client_bandwidth", "snapshot_rate", "slot_snapshot_rate", "load_rate", "flush_rate":
		return "bandwidth"
	case "rate", "reads", "to":
		return "rate"
	}
	return ""
}

// fail notes what is wrong with a value.
func (b *binder) fail(v *value, format string, args ...any) {
	b.errs = append(b.errs, Error{File: v.file, Line: v.line, Path: v.path, Msg: fmt.Sprintf(format, args...)})
}

// bind fills what target points to.
func (b *binder) bind(v *value, target any) { b.fill(v, reflect.ValueOf(target).Elem(), "") }

// fill sets one field. Types with a notation of their own come first, then the
// kinds of Go.
func (b *binder) fill(v *value, field reflect.Value, unit string) {
	switch p := field.Addr().Interface().(type) {
	case *time.Duration:
		fillText(b, v, p, parseDuration, `a duration needs a unit: write one such as "10s"`)
		return
	case *sim.Distribution:
		fillText(b, v, p, parseDistribution, `a duration needs a unit: write one such as "100us"`)
		return
	case *workloads.Popularity:
		fillText(b, v, p, parsePopularity, `write one such as "uniform" or "zipf(0.99)"`)
		return
	case *[]workloads.Share:
		b.mix(v, p)
		return
	case *network.Config:
		b.network(v, p)
		return
	case *client.Config:
		b.client(v, p)
		return
	case *[]Workload:
		b.workloads(v, p)
		return
	case *[]cluster.Event:
		b.events(v, p)
		return
	case *placesText:
		if _, is := v.data.(string); is {
			*p = placesText{""}
			b.bind(v, &(*p)[0])
			return
		}
	}
	switch field.Kind() {
	case reflect.Pointer:
		pointed, before := reflect.New(field.Type().Elem()), len(b.errs)
		if b.fill(v, pointed.Elem(), unit); len(b.errs) == before {
			field.Set(pointed)
		}
	case reflect.Struct:
		b.structure(v, field)
	case reflect.Slice:
		b.slice(v, field)
	case reflect.Map:
		b.mapping(v, field)
	default:
		b.scalar(v, field, unit)
	}
}

// scalar sets a text, a truth or a number.
func (b *binder) scalar(v *value, field reflect.Value, unit string) {
	switch unit {
	case "size":
		if n, is := v.data.(int64); is && n >= 0 {
			field.SetInt(n)
			return
		}
		fillText(b, v, field.Addr().Interface().(*int64), parseSize, `write a size such as "200B" or "64KiB"`)
		return
	case "bandwidth":
		fillText(b, v, field.Addr().Interface().(*int64), parseBandwidth,
			`a bandwidth needs a unit: write one such as "10Gbit/s"`)
		return
	case "rate":
		fillText(b, v, field.Addr().Interface().(*float64), parseRate, wantRate(v.data))
		return
	}
	switch data := v.data.(type) {
	case string:
		if field.Kind() == reflect.String {
			field.SetString(data)
			return
		}
	case bool:
		if field.Kind() == reflect.Bool {
			field.SetBool(data)
			return
		}
	case int64:
		switch {
		case field.Kind() == reflect.Int || field.Kind() == reflect.Int64:
			field.SetInt(data)
			return
		case field.Kind() == reflect.Uint64 && data >= 0:
			field.SetUint(uint64(data))
			return
		case field.Kind() == reflect.Float64:
			field.SetFloat(float64(data))
			return
		}
	case float64:
		if field.Kind() == reflect.Float64 && !math.IsNaN(data) && !math.IsInf(data, 0) {
			field.SetFloat(data)
			return
		}
	}
	b.fail(v, "this must be %s, not %s", wantKind(field.Kind()), kindOf(v.data))
}

// fillText sets what is written as text in a notation of its own.
func fillText[T any](b *binder, v *value, target *T, parse func(string) (T, error), want string) {
	text, is := v.data.(string)
	if !is {
		b.fail(v, "%s, not %s", want, kindOf(v.data))
		return
	}
	parsed, err := parse(text)
	if err != nil {
		b.fail(v, "%v", err)
		return
	}
	*target = parsed
}

// wantRate says how the rate that a bare number may have meant is written.
func wantRate(data any) string {
	example := "120k/s"
	if n, is := data.(int64); is && n > 0 {
		example = strconv.FormatInt(n, 10) + "/s"
	}
	return fmt.Sprintf("a rate needs its time: write one such as %q", example)
}

// structure sets the fields of a struct that the table has keys for.
func (b *binder) structure(v *value, target reflect.Value) {
	t, is := v.data.(*table)
	if !is {
		b.fail(v, "this must be a table, not %s", kindOf(v.data))
		return
	}
	fields := fieldsOf(target.Type())
	for _, key := range t.keys {
		field, known := fields[key]
		if !known {
			b.fail(t.values[key], "unknown key%s", didYouMean(key, keysOf(target.Type())))
			continue
		}
		b.fill(t.values[key], target.FieldByIndex(field.Index), unitOf(key))
	}
}

func (b *binder) slice(v *value, target reflect.Value) {
	list, is := v.data.([]*value)
	if !is {
		b.fail(v, "this must be a list, not %s", kindOf(v.data))
		return
	}
	target.Set(reflect.MakeSlice(target.Type(), len(list), len(list)))
	for i, element := range list {
		b.fill(element, target.Index(i), "")
	}
}

func (b *binder) mapping(v *value, target reflect.Value) {
	t, is := v.data.(*table)
	if !is {
		b.fail(v, "this must be a table, not %s", kindOf(v.data))
		return
	}
	target.Set(reflect.MakeMap(target.Type()))
	for _, key := range t.keys {
		element := reflect.New(target.Type().Elem()).Elem()
		b.fill(t.values[key], element, "")
		target.SetMapIndex(reflect.ValueOf(key), element)
	}
}

// mix sets the shares of the commands, in the order of the file.
func (b *binder) mix(v *value, mix *[]workloads.Share) {
	t, is := v.data.(*table)
	if !is {
		b.fail(v, "this must be a table such as { get = 0.9, set = 0.1 }, not %s", kindOf(v.data))
		return
	}
	*mix = nil
	for _, command := range t.keys {
		share := workloads.Share{Command: command}
		b.bind(t.values[command], &share.Share)
		*mix = append(*mix, share)
	}
}

// client sets what the library's profile says, then what stands beside it.
func (b *binder) client(v *value, c *client.Config) {
	if library := v.get("library"); library != nil {
		if name, is := library.data.(string); is && !applyLibrary(c, name) {
			b.fail(library, "unknown library %q%s", name, suggest(name, Libraries()))
		}
	}
	b.structure(v, reflect.ValueOf(c).Elem())
}

// workloads sets the workloads, each upon the defaults of its kind.
func (b *binder) workloads(v *value, all *[]Workload) {
	t, is := v.data.(*table)
	if !is {
		b.fail(v, "this must be tables such as [workload.NAME], not %s", kindOf(v.data))
		return
	}
	for _, name := range t.keys {
		settings := t.values[name]
		kind := ""
		if k := settings.get("kind"); k != nil {
			kind, _ = k.data.(string)
		}
		w := defaultWorkload(name, kind)
		if keys := settings.get("keys"); keys != nil {
			if list, is := keys.data.([]*value); is {
				b.bind(keys, &w.KeyList)
				w.Count = len(list)
				settings = without(settings, "keys")
			}
		}
		b.bind(settings, &w)
		*all = append(*all, w)
	}
}

// without returns a table less one key.
func without(v *value, key string) *value {
	rest := newTable()
	for _, k := range v.table().keys {
		if k != key {
			rest.set(k, v.get(k))
		}
	}
	return v.with(rest)
}

// fieldsOf returns the fields by key; embedded structs count as their fields.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, field := range reflect.VisibleFields(t) {
		if tag := field.Tag.Get("toml"); tag != "" {
			fields[tag] = field
		}
	}
	return fields
}

// keysOf returns the keys that a struct has fields for.
func keysOf(t reflect.Type) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(t) {
		if tag := field.Tag.Get("toml"); tag != "" {
			keys = append(keys, tag)
		}
	}
	return keys
}

// suggest returns the near word to append to a message about an unknown one, or
// all words where none is near.
func suggest(word string, known []string) string {
	if hint := didYouMean(word, known); hint != "" {
		return hint
	}
	return "; write " + oneOf(slices.Clone(known))
}

// wantKind names what a field of a kind is written as.
func wantKind(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Uint64:
		return "a whole number from 0"
	}
	return "a whole number"
}

// kindOf names what a value is.
func kindOf(data any) string {
	switch data := data.(type) {
	case string:
		return "a text"
	case bool:
		return fmt.Sprint(data)
	case int64, float64:
		return fmt.Sprintf("the number %v", data)
	case []*value:
		return "a list"
	case *table:
		return "a table"
	}
	return "a date"
}
