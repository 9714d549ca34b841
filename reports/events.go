package reports

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"hotslot/experiment"
)

// Events writes the timelines of results, one event a line, as JSON: seed,
// strategy, t_us, node, kind and about, then reason and event where there are
// any, and then the numbers that belong to the kind. Of several results each line
// begins with the file.
func Events(w io.Writer, results ...*experiment.Result) error {
	b := bufio.NewWriter(w)
	for _, r := range results {
		for i := range r.Lines {
			file := ""
			if len(results) > 1 {
				file = r.File
			}
			writeLine(b, file, &r.Lines[i])
		}
	}
	return b.Flush()
}

// writeLine writes an event. That a writer fails is seen when it is flushed.
func writeLine(b *bufio.Writer, file string, l *experiment.Line) {
	between := byte('{')
	field := func(key string, value []byte) {
		b.WriteByte(between)
		between = ','
		b.WriteString(strconv.Quote(key) + ":")
		b.Write(value)
	}
	text := func(key, value string) {
		quoted, _ := json.Marshal(value) // of a string, which cannot fail
		field(key, quoted)
	}
	if file != "" {
		text("file", file)
	}
	field("seed", strconv.AppendUint(nil, l.Seed, 10))
	text("strategy", l.Strategy)
	field("t_us", strconv.AppendInt(nil, l.Micros, 10))
	text("node", l.Node)
	text("kind", l.Kind)
	text("about", l.About)
	if l.Reason != "" {
		text("reason", l.Reason)
	}
	if l.Event != "" {
		text("event", l.Event)
	}
	for _, n := range l.Numbers {
		field(n.Name, strconv.AppendInt(nil, n.Value, 10))
	}
	b.WriteString("}\n")
}
