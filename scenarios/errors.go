package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Error is one thing that is wrong with a scenario.
type Error struct {
	File string // as it was asked for, or the flag that the value came from
	Line int    // from 1; 0 where no line is to blame
	Path string // of the value, such as "workload.page-views.rate"
	Msg  string // what is wrong and what to write instead
}

// Error returns the error as compilers print theirs.
func (e Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Path != "" {
		b.WriteString(": " + e.Path)
	}
	return b.String() + ": " + e.Msg
}

// Errors is all that is wrong with a scenario, in the order of its lines.
type Errors []Error

// Error returns the errors, one a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted returns the errors by line, each once.
func (e Errors) sorted() Errors {
	var sorted Errors
	seen := map[Error]bool{}
	for _, one := range e {
		if !seen[one] {
			seen[one] = true
			sorted = append(sorted, one)
		}
	}
	slices.SortStableFunc(sorted, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return sorted
}

// orNil returns e as an error, which is nil where there is nothing wrong.
func (e Errors) orNil() error {
	if len(e) == 0 {
		return nil
	}
	return e.sorted()
}

// didYouMean returns a hint to append to a message about an unknown word, empty
// where no known word is near.
func didYouMean(word string, known []string) string {
	best, least := "", len(word)/3+1
	for _, k := range known {
		if d := distance(word, k, least); d <= least && d < len(word) && (best == "" || d < least) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// oneOf returns the words as a sentence lists them.
func oneOf(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	last := len(quoted) - 1
	if last < 1 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// distance returns how many letters must be inserted, deleted, replaced or
// swapped with their neighbour to turn a into b (optimal string alignment), or
// some number above limit where that many do not suffice.
func distance(a, b string, limit int) int {
	if abs(len(a)-len(b)) > limit || len(a) > 64 {
		return limit + 1
	}
	var before []int // the row above the one above
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := above[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(above[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

func abs(n int) int { return max(n, -n) }
