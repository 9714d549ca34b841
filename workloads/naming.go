package workloads

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hotslot/sim/slots"
)

// naming says how the keys of a workload are called. It numbers them: key
// (number*len(fields) + field)*copies + copy is that copy of that field of that
// number.
type naming struct {
	pattern []part
	list    []string // where not empty: the names by number, instead of the pattern
	count   int      // of numbers
	tags    []string // %t of number i is tag i mod len(tags)
	fields  []string // what %f stands for, at least one
	copies  int      // at least 1
}

// A part of a pattern is literal text or stands for something.
type part struct {
	verb  byte   // 'd', 't' or 'f'; 0 is literal text
	text  string // literal text
	width int    // of %d: filled up with zeros on the left
}

// widthMax bounds the width of %d: no number is longer.
const widthMax = 20

// names returns how the keys of s are called in a cluster of so many primaries.
// It is the only place that depends on their number: tags that are to spread
// over the primaries are searched for the slot ranges that a new cluster has.
func (s Spec) names(primaries int) (naming, error) {
	if s.Kind == counterKind {
		shards := shardNames(s.Key, s.shards(), s.KeepTag)
		return naming{list: shards, count: len(shards), fields: []string{""}, copies: 1}, nil
	}
	n := naming{list: s.KeyList, count: s.count(), fields: s.Fields, copies: s.copies()}
	if len(n.fields) == 0 {
		n.fields = []string{""}
	}
	var err error
	if n.pattern, err = parsePattern(s.KeyPattern); err != nil {
		return naming{}, err
	}
	if n.tags, err = s.Tags.names(primaries); err != nil {
		return naming{}, err
	}
	return n, nil
}

// names lists the tags.
func (t Tags) names(primaries int) ([]string, error) {
	if t.Template == "" {
		names := make([]string, t.Count)
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		return names, nil
	}
	found, _, err := slots.Tags(t.Template, slots.Even(primaries), primaries, t.PerPrimary)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(found))
	for i := range names {
		names[i] = found[i].Tag
	}
	return names, nil
}

// shardNames returns the keys that a counter is split over. One shard is the
// key itself, however it is called; of several, shard i ends in ":i".
//
// A hash tag in the key would keep the shards in one slot, so the tag's braces
// are dropped, unless keepTag says that this is wanted: then the tag stays, and
// a key without one becomes a tag as a whole.
func shardNames(key string, shards int, keepTag bool) []string {
	if shards == 1 {
		return []string{key}
	}
	if _, tagged := slots.Tag(key); keepTag && !tagged {
		key = "{" + key + "}"
	}
	for !keepTag {
		tag, tagged := slots.Tag(key)
		if !tagged {
			break
		}
		key = strings.Replace(key, "{"+tag+"}", tag, 1)
	}
	names := make([]string, shards)
	for i := range names {
		names[i] = key + ":" + strconv.Itoa(i)
	}
	return names
}

// parsePattern cuts a pattern into parts.
func parsePattern(pattern string) ([]part, error) {
	var parts []part
	for rest := pattern; rest != ""; {
		text, after, verb := strings.Cut(rest, "%")
		if text != "" {
			parts = append(parts, part{text: text})
		}
		if !verb {
			break
		}
		p, n := parseVerb(after)
		if n == 0 {
			return nil, fmt.Errorf("key pattern %q: after %% must come d, t, f or %%, or a width such as 016 and d",
				pattern)
		}
		parts = append(parts, p)
		rest = after[n:]
	}
	return parts, nil
}

// parseVerb reads what follows a percent sign and returns how long it is, 0 if
// it is nothing that is known.
func parseVerb(s string) (p part, n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == len(s) {
		return part{}, 0
	}
	verb, width := s[n], s[:n]
	switch {
	case verb == 'd' && width == "":
		return part{verb: 'd'}, 1
	case verb == 'd' && width[0] == '0':
		w, err := strconv.Atoi(width)
		if err != nil || w > widthMax {
			return part{}, 0
		}
		return part{verb: 'd', width: w}, n + 1
	case verb == '%' && width == "":
		return part{text: "%"}, 1
	case (verb == 't' || verb == 'f') && width == "":
		return part{verb: verb}, 1
	}
	return part{}, 0
}

// len returns how many keys there are.
func (n *naming) len() int { return n.count * len(n.fields) * n.copies }

// append appends the name of key i to buf, which must be empty.
func (n *naming) append(buf []byte, i int) []byte {
	i, replica := i/n.copies, i%n.copies
	number, field := i/len(n.fields), i%len(n.fields)
	if len(n.list) > 0 {
		buf = append(buf, n.list[number]...)
	}
	for _, p := range n.pattern {
		switch p.verb {
		case 'd':
			buf = appendNumber(buf, number, p.width)
		case 't':
			buf = append(buf, n.tags[number%len(n.tags)]...)
		case 'f':
			buf = append(buf, n.fields[field]...)
		default:
			buf = append(buf, p.text...)
		}
	}
	if n.copies > 1 {
		buf = appendCopy(buf, replica)
	}
	return buf
}

// appendNumber appends a number of at least so many digits.
func appendNumber(buf []byte, number, width int) []byte {
	var digits [widthMax]byte
	at := len(digits)
	for number > 0 || at == len(digits) {
		at--
		digits[at] = '0' + byte(number%10)
		number /= 10
	}
	for len(digits)-at < width {
		at--
		digits[at] = '0'
	}
	return append(buf, digits[at:]...)
}

// appendCopy makes name that of its i-th copy. Copies are there to be spread
// over slots, so the copy's number must be hashed: "user:1" becomes "user:1:2",
// but "{user:1}:name", where only the tag is hashed, becomes "{user:1#2}:name".
// That also keeps together, copy by copy, what shares a tag.
func appendCopy(name []byte, i int) []byte {
	tag, tagged := slots.Tag(string(name))
	if !tagged {
		return appendNumber(append(name, ':'), i, 0)
	}
	end := bytes.IndexByte(name, '{') + 1 + len(tag)
	return slices.Insert(name, end, appendNumber([]byte{'#'}, i, 0)...)
}
