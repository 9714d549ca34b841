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

// mostOf tells a share of things, or of a thing: "88 % of its commands", "all its
// commands", and "nearly all its commands" where a percentage would hide the
// rest.
func mostOf(share float64, things string) string {
	switch {
	case share >= 1:
		return "all " + things
	case share >= 0.995:
		return "nearly all " + things
	}
	return percent(share) + " of " + things
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
