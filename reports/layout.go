package reports

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// A grid is a table that is yet to be laid out, for a terminal or as Markdown.
type grid struct {
	columns []column
	rows    [][]string // a cell for each column
}

// A column of a grid.
type column struct {
	head  string
	right bool // aligned to the right
	most  int  // cells wrap at this width; 0: at no width. The last column takes what is left
	paint func(cell string) string
}

const (
	gap      = 2  // blanks between columns
	lastMost = 16 // the last column is never wrapped closer than this
)

// add adds a row. What comes from outside, such as a name, may hold control
// characters, which would move the terminal's cursor.
func (g *grid) add(cells ...string) {
	for i := range cells {
		cells[i] = clean(cells[i])
	}
	g.rows = append(g.rows, cells)
}

// drop removes a column.
func (g *grid) drop(i int) {
	g.columns = slices.Delete(g.columns, i, i+1)
	for y := range g.rows {
		g.rows[y] = slices.Delete(g.rows[y], i, i+1)
	}
}

// text lays a grid out for a terminal.
func (g *grid) text(b *strings.Builder, indent string, style Style) {
	widths := g.widths(style.Width - len(indent))
	heads := make([]string, len(g.columns))
	for i, c := range g.columns {
		heads[i] = c.head
	}
	if strings.Join(heads, "") != "" {
		g.line(b, indent, widths, heads, func(_ int, cell string) string { return style.bold(cell) })
	}
	for _, row := range g.rows {
		g.line(b, indent, widths, row, func(i int, cell string) string {
			if paint := g.columns[i].paint; paint != nil && style.Color {
				return paint(cell)
			}
			return cell
		})
	}
}

// widths returns the width of each column. The last one gets what the others
// leave, and no more than it needs.
func (g *grid) widths(all int) []int {
	widths := make([]int, len(g.columns))
	last := len(widths) - 1
	for i, c := range g.columns {
		widths[i] = displayWidth(c.head)
		for _, row := range g.rows {
			widths[i] = max(widths[i], displayWidth(row[i]))
		}
		if c.most > 0 {
			widths[i] = min(widths[i], c.most)
		}
		if i < last {
			all -= widths[i] + gap
		}
	}
	widths[last] = min(widths[last], max(all, lastMost))
	return widths
}

// line writes one row, over several lines where a cell has to wrap.
func (g *grid) line(b *strings.Builder, indent string, widths []int, row []string,
	paint func(i int, cell string) string) {
	wrapped := make([][]string, len(row))
	height := 1
	for i, cell := range row {
		wrapped[i] = wrap(cell, widths[i])
		height = max(height, len(wrapped[i]))
	}
	for y := range height {
		blanks := len(indent) // owed before the next cell; those at the end of a line are never paid
		for i := range row {
			cell := ""
			if y < len(wrapped[i]) {
				cell = wrapped[i][y]
			}
			pad := widths[i] - displayWidth(cell)
			if g.columns[i].right {
				blanks, pad = blanks+pad, 0
			}
			if cell != "" {
				b.WriteString(strings.Repeat(" ", blanks) + paint(i, cell))
				blanks = 0
			}
			blanks += pad + gap
		}
		b.WriteByte('\n')
	}
}

// wrap breaks a text into lines of at most a width.
func wrap(s string, width int) []string {
	if displayWidth(s) <= width {
		return []string{s}
	}
	var lines []string
	line := ""
	flush := func() {
		if line = strings.TrimRight(line, " "); line != "" {
			lines = append(lines, line)
		}
		line = ""
	}
	for _, piece := range pieces(s, width) {
		if displayWidth(line+strings.TrimRight(piece, " ")) > width {
			flush()
		}
		for displayWidth(strings.TrimRight(piece, " ")) > width {
			line, piece = cut(piece, width)
			flush()
		}
		line += piece
	}
	flush()
	return lines
}

// pieces splits a text at its blanks, and words that are too wide where Unicode
// allows a line to break, such as after a hyphen.
func pieces(s string, width int) []string {
	var all []string
	for _, word := range strings.SplitAfter(s, " ") {
		if n := len(all) - 1; n >= 0 && isUnit(word) && displayWidth(all[n]+word) <= width {
			all[n] += word
			continue
		}
		if displayWidth(word) <= width {
			all = append(all, word)
			continue
		}
		for segment, state := "", -1; word != ""; {
			segment, word, _, state = uniseg.FirstLineSegmentInString(word, state)
			all = append(all, segment)
		}
	}
	return all
}

// isUnit says whether a word, such as "%" or "ms,", is the unit of a number
// before it, from which no line may part it.
func isUnit(word string) bool {
	word = strings.TrimRight(word, " ,.;:)")
	return slices.Contains([]string{"%", "ns", "µs", "ms", "s", "/s", "k/s", "M/s"}, word)
}

// cut splits s after as many characters as fit a width, and at least one.
func cut(s string, width int) (head, tail string) {
	tail = s
	for used, state := 0, -1; tail != ""; {
		cluster, rest, w, next := uniseg.FirstGraphemeClusterInString(tail, state)
		if used += w; used > width && head != "" {
			break
		}
		head, tail, state = head+cluster, rest, next
	}
	return head, tail
}

// displayWidth is how many columns of a terminal a text takes.
func displayWidth(s string) int { return uniseg.StringWidth(s) }

// clean replaces control characters by blanks.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
