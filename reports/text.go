package reports

import (
	"io"
	"strings"

	"hotslot/experiment"
)

// A Style is how a text is laid out.
type Style struct {
	Color bool // with the escape sequences of a terminal
	Width int  // in columns; 0 means 120
}

const defaultWidth = 120

// Text writes a result as tables made for people.
func Text(w io.Writer, r *experiment.Result, style Style) error {
	r = settled(r)
	if style.Width == 0 {
		style.Width = defaultWidth
	}
	var b strings.Builder
	b.WriteString(header(r, style))
	if len(r.Thresholds) > 0 {
		b.WriteString("\n" + style.bold("THRESHOLDS") + "  " + tally(r) + "\n")
		thresholdGrid(r).text(&b, "  ", style)
	}
	section(&b, strategyGrid(r), style)
	if said := strings.Join(explain(r), " "); said != "" {
		b.WriteString("\n" + paragraph(said, style.Width))
	}
	section(&b, moveGrid(r), style)
	section(&b, controlGrid(r), style)
	section(&b, notMovedGrid(r), style)
	if s := storyOf(r); s != nil {
		b.WriteString("\n" + style.bold("WHAT HAPPENED") + "  " + s.heading(r) + "\n")
		storyGrid(s).text(&b, "  ", style)
	}
	for _, g := range []*grid{blameGrid(r), workloadGrid(r), errorGrid(r), findingGrid(r)} {
		section(&b, g, style)
	}
	if told := dumps(r); told != "" {
		b.WriteString("\n" + told)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section writes a grid after an empty line, if it holds anything.
func section(b *strings.Builder, g *grid, style Style) {
	if len(g.rows) > 0 {
		b.WriteByte('\n')
		g.text(b, "", style)
	}
}

// header names the scenario at the left and its file, seeds and duration at the
// right, or below where they do not fit.
func header(r *experiment.Result, style Style) string {
	title, from := clean(r.Title), clean(provenance(r))
	between := style.Width - displayWidth(title) - displayWidth(from)
	separator := "\n"
	if between >= gap {
		separator = strings.Repeat(" ", between)
	}
	head := style.bold(title) + separator + from + "\n"
	if r.Partial {
		head += "\n" + style.red(paragraph(partial(r), style.Width))
	}
	return head
}

// paragraph breaks a text into lines.
func paragraph(s string, width int) string {
	return strings.Join(wrap(clean(s), width), "\n") + "\n"
}

func (s Style) bold(text string) string { return s.escape("1", text) }
func (s Style) red(text string) string  { return s.escape("31", text) }

// escape puts a text between an escape sequence of a terminal and its end.
func (s Style) escape(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// paintMark colours the mark of a verdict.
func paintMark(mark string) string {
	code := map[string]string{markPass: "32", markFail: "31", markInconclusive: "33"}[mark]
	return Style{Color: true}.escape(code, mark)
}
