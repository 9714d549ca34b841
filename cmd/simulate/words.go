package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

// plural tells a number of things: "1 seed", "3 seeds".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// table lays out rows in aligned columns.
func table(rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush() // to a strings.Builder, which takes all
	return b.String()
}

// printable returns s, quoted as Go does it where it would not show as it is: a
// key may be any bytes.
func printable(s string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if s == "" || strings.TrimSpace(s) != s || s[0] == '"' || !utf8.ValidString(s) || strings.ContainsFunc(s, hidden) {
		return strconv.Quote(s)
	}
	return s
}

// plain matches words that a POSIX shell takes as they are.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// shellQuote returns a word as it is to be typed into a POSIX shell.
func shellQuote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// commandLine returns the line that calls this command with some arguments.
func commandLine(args ...string) string {
	line := "simulate"
	for _, arg := range args {
		line += " " + shellQuote(arg)
	}
	return line
}

// didYouMean returns a hint to append to a message about an unknown word; it is
// empty where no known word is near.
func didYouMean(word string, known []string) string { return suggest(nearest(word, known)) }

// suggest returns the hint that a word may be meant, nothing for "".
func suggest(word string) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", word)
}

// nearest returns the known word that is most like a word; "" where none is.
func nearest(word string, known []string) string {
	best, least := "", len(word)/3+2
	for _, k := range known {
		if d := distance(word, k); d < least && d < len(word) {
			best, least = k, d
		}
	}
	return best
}

// distance returns how many letters must be inserted, deleted or replaced to
// turn a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances of what was read of a to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, replaced)
		}
	}
	return row[len(b)]
}
