package reports

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plural tells a number of things: "1 machine", "3 machines".
func plural(n float64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return plain.short(n) + " " + thing + "s"
}

// list joins names as a sentence does: "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// verb chooses the form of a verb by the number of its subjects.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// capital returns s with its first letter as a capital.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
