package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A lineIndex knows where in a TOML text each key and each element of a list
// stands: the TOML library does not tell. A path is written as in errors:
// keys joined by dots, quoted where they have to be, elements as name[0].
type lineIndex struct {
	offsets  map[string]int // of a path, in bytes; also the order of the file
	newlines []int          // offsets of all line ends
	tooDeep  bool           // the text is nested deeper than nestingMax and was given up
}

// offset returns where the path stands; ok is false where it is not known.
func (x *lineIndex) offset(path string) (offset int, ok bool) {
	offset, ok = x.offsets[path]
	return offset, ok
}

// line returns the line of an offset, counted from 1.
func (x *lineIndex) line(offset int) int {
	n, _ := slices.BinarySearch(x.newlines, offset)
	return n + 1
}

// joinPath appends a key to a path.
func joinPath(path, key string) string {
	if !isName(key) {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// elementPath returns the path of a list's element.
func elementPath(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// isName reports whether s is what TOML takes as a bare key.
func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// nestingMax is how deep lists and inline tables may be nested and how many
// parts a key may have: far more than a scenario needs, and few enough for the
// parsers, which recurse.
const nestingMax = 64

// indexLines finds the keys of a TOML text. It checks nothing: what it finds in
// a text that is not valid TOML means nothing, but it ends on any text.
func indexLines(text string) *lineIndex {
	s := scanner{text: text, offsets: map[string]int{}, last: map[string]int{}}
	s.accept("\ufeff")
	s.document()
	index := &lineIndex{offsets: s.offsets, tooDeep: s.tooDeep}
	for i := range len(text) {
		if text[i] == '\n' {
			index.newlines = append(index.newlines, i)
		}
	}
	return index
}

// A scanner walks over a TOML text and notes where keys stand.
type scanner struct {
	text    string
	pos     int
	offsets map[string]int
	last    map[string]int // of an array of tables: its last index
	depth   int            // of the value that is scanned
	tooDeep bool
}

// document scans table headers and the keys below them.
func (s *scanner) document() {
	table := ""
	for s.blank(true); s.pos < len(s.text); s.blank(true) {
		start := s.pos
		switch {
		case s.accept("[["):
			table = s.header(start)
			n, more := s.last[table]
			if more {
				n++
			}
			s.last[table] = n
			table = elementPath(table, n)
			s.note(table, start)
			s.accept("]]")
		case s.accept("["):
			table = s.inArrays(s.header(start))
			s.accept("]")
		default:
			s.pair(table)
		}
		if s.pos == start { // not TOML
			s.pos++
		}
	}
}

// header scans the key of a table that starts at an offset.
func (s *scanner) header(start int) string {
	path := ""
	for _, key := range s.key() {
		path = joinPath(s.inArrays(path), key)
		s.note(path, start)
	}
	return path
}

// inArrays returns the path with the last index appended where it is an array
// of tables.
func (s *scanner) inArrays(path string) string {
	if n, is := s.last[path]; is {
		return elementPath(path, n)
	}
	return path
}

// pair scans key = value.
func (s *scanner) pair(path string) {
	start := s.pos
	for _, key := range s.key() {
		path = joinPath(path, key)
		s.note(path, start)
	}
	s.blank(false)
	if s.accept("=") {
		s.value(path)
	}
}

// value scans a value, in which there may be more keys.
func (s *scanner) value(path string) {
	s.blank(false)
	s.depth++
	defer func() { s.depth-- }()
	switch {
	case s.depth > nestingMax:
		s.giveUp()
	case s.accept("["):
		s.elements("]", func(i int) {
			element := elementPath(path, i)
			s.note(element, s.pos)
			s.value(element)
		})
	case s.accept("{"):
		s.elements("}", func(int) { s.pair(path) })
	case strings.HasPrefix(s.text[s.pos:], `"""`), strings.HasPrefix(s.text[s.pos:], "'''"):
		s.longString()
	case strings.HasPrefix(s.text[s.pos:], `"`), strings.HasPrefix(s.text[s.pos:], "'"):
		s.shortString()
	default:
		for s.pos < len(s.text) && !strings.ContainsRune(",]}#\n", rune(s.text[s.pos])) {
			s.pos++
		}
	}
}

// elements scans what stands between commas, up to the closing bracket.
func (s *scanner) elements(closing string, element func(i int)) {
	for i := 0; s.pos < len(s.text); i++ {
		s.blank(true)
		if s.accept(closing) {
			return
		}
		start := s.pos
		element(i)
		s.blank(true)
		s.accept(",")
		if s.pos == start { // not TOML
			return
		}
	}
}

// key scans a dotted key and returns its parts.
func (s *scanner) key() []string {
	var parts []string
	for {
		s.blank(false)
		start := s.pos
		if s.pos < len(s.text) && (s.text[s.pos] == '"' || s.text[s.pos] == '\'') {
			parts = append(parts, s.shortString())
		} else {
			for s.pos < len(s.text) && isNameByte(s.text[s.pos]) {
				s.pos++
			}
			parts = append(parts, s.text[start:s.pos])
		}
		s.blank(false)
		if !s.accept(".") {
			return parts
		}
		if len(parts) == nestingMax {
			s.giveUp()
			return parts
		}
	}
}

// giveUp ends the scan of a text that is nested too deeply.
func (s *scanner) giveUp() {
	s.tooDeep = true
	s.pos = len(s.text)
}

// shortString scans a string of one line and returns its content.
func (s *scanner) shortString() string {
	start, quote := s.pos, s.text[s.pos]
	for s.pos++; s.pos < len(s.text) && s.text[s.pos] != '\n'; s.pos++ {
		if s.text[s.pos] == '\\' && quote == '"' {
			s.pos++
		} else if s.text[s.pos] == quote {
			s.pos++
			break
		}
	}
	s.pos = min(s.pos, len(s.text))
	raw := s.text[start:s.pos]
	if quote == '\'' {
		return strings.Trim(raw, "'")
	}
	if content, err := strconv.Unquote(raw); err == nil {
		return content
	}
	return raw
}

// longString scans a string of several lines. It may end in up to two quotes
// of its own before the closing three.
func (s *scanner) longString() {
	quotes := s.text[s.pos : s.pos+3]
	for s.pos += 3; s.pos < len(s.text); s.pos++ {
		if s.text[s.pos] == '\\' && quotes == `"""` {
			s.pos++
		} else if s.accept(quotes) {
			for s.accept(quotes[:1]) {
			}
			return
		}
	}
	s.pos = len(s.text)
}

// blank skips spaces, and comments and line ends where there may be any.
func (s *scanner) blank(lines bool) {
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t':
		case lines && (c == '\n' || c == '\r'):
		case lines && c == '#':
			for s.pos < len(s.text)-1 && s.text[s.pos+1] != '\n' {
				s.pos++
			}
		default:
			return
		}
	}
}

// accept skips the token if it comes next.
func (s *scanner) accept(token string) bool {
	if !strings.HasPrefix(s.text[s.pos:], token) {
		return false
	}
	s.pos += len(token)
	return true
}

// note remembers where a path was first seen.
func (s *scanner) note(path string, offset int) {
	if _, seen := s.offsets[path]; !seen {
		s.offsets[path] = offset
	}
}
