package scenarios

import (
	"cmp"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// A value is one value of a scenario file and where it was written. It keeps
// that through all patches, so that an error can name the line to blame.
type value struct {
	file string
	line int
	path string // as written: of a strategy's value it begins with "strategy."
	data any    // *table, []*value, string, int64, float64, bool or time.Time
}

// A table is the values of a TOML table in the order of the file.
type table struct {
	keys   []string
	values map[string]*value
}

func newTable() *table { return &table{values: map[string]*value{}} }

// set puts a value at a key, behind all others if the key is new.
func (t *table) set(key string, v *value) {
	if _, is := t.values[key]; !is {
		t.keys = append(t.keys, key)
	}
	t.values[key] = v
}

// isTable reports whether v is a table.
func isTable(v *value) bool {
	_, is := v.data.(*table)
	return is
}

// table returns the table that v is, or an empty one.
func (v *value) table() *table {
	if v != nil {
		if t, is := v.data.(*table); is {
			return t
		}
	}
	return newTable()
}

// get returns the value at a key, nil where there is none.
func (v *value) get(key string) *value { return v.table().values[key] }

// has reports whether there is a value at a key.
func (v *value) has(key string) bool { return v.get(key) != nil }

// at returns the value at a key or, where there is none, v itself: the place
// to blame for what is wrong about the key.
func (v *value) at(key string) *value {
	if child := v.get(key); child != nil {
		return child
	}
	return v
}

// element returns an element of the list at a key, or else the place to blame.
func (v *value) element(key string, i int) *value {
	if list, is := v.at(key).data.([]*value); is && i < len(list) {
		return list[i]
	}
	return v.at(key)
}

// with returns a value at the same place that holds something else.
func (v *value) with(data any) *value {
	other := *v
	other.data = data
	return &other
}

// bytesMax is the most that a file may hold.
const bytesMax = 256 << 10

// parseTree reads a TOML text.
func parseTree(file, text string) (*value, error) {
	switch {
	case len(text) > bytesMax:
		return nil, Errors{{File: file, Msg: "too long for a scenario: more than 256 KiB"}}
	case !utf8.ValidString(text):
		return nil, Errors{{File: file, Msg: "not a text file: a scenario is TOML in UTF-8"}}
	}
	index := indexLines(text)
	if index.tooDeep {
		return nil, Errors{{File: file, Msg: "lists and tables are nested too deeply"}}
	}
	var raw map[string]any
	if _, err := toml.Decode(text, &raw); err != nil {
		return nil, syntaxError(file, err)
	}
	b := treeBuilder{file: file, index: index}
	root := b.build("", 0, raw)
	root.line = 0
	return root, nil
}

// syntaxError gives a TOML library's error the form of ours.
func syntaxError(file string, err error) Errors {
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return Errors{{File: file, Line: syntax.Position.Line, Msg: syntax.Message}}
	}
	return Errors{{File: file, Msg: err.Error()}}
}

// A treeBuilder turns what the TOML library returns into values with places.
type treeBuilder struct {
	file  string
	index *lineIndex
}

// build returns the value of a path. Where the path's own place is not known it
// is that of what it stands in.
func (b *treeBuilder) build(path string, offset int, raw any) *value {
	if own, ok := b.index.offset(path); ok {
		offset = own
	}
	v := &value{file: b.file, line: b.index.line(offset), path: path, data: raw}
	switch raw := raw.(type) {
	case map[string]any:
		v.data = b.buildTable(path, offset, raw)
	case []any:
		v.data = buildList(b, path, offset, raw)
	case []map[string]any:
		v.data = buildList(b, path, offset, raw)
	}
	return v
}

func (b *treeBuilder) buildTable(path string, offset int, raw map[string]any) *table {
	keys := make([]string, 0, len(raw))
	for key := range raw {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y string) int {
		atX, _ := b.index.offset(joinPath(path, x))
		atY, _ := b.index.offset(joinPath(path, y))
		return cmp.Or(cmp.Compare(atX, atY), cmp.Compare(x, y))
	})
	t := newTable()
	for _, key := range keys {
		t.set(key, b.build(joinPath(path, key), offset, raw[key]))
	}
	return t
}

func buildList[T any](b *treeBuilder, path string, offset int, raw []T) []*value {
	list := make([]*value, len(raw))
	for i, element := range raw {
		list[i] = b.build(elementPath(path, i), offset, element)
	}
	return list
}
