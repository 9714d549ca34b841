package reports

import (
	"fmt"
	"io"
	"strings"

	"hotslot/experiment"
)

// Markdown writes a result as the comment of a pull request: what matters at a
// glance, the rest folded away.
func Markdown(w io.Writer, r *experiment.Result) error {
	r = settled(r)
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escape(r.Title))
	if r.Partial {
		fmt.Fprintf(&b, "> [!WARNING]\n> %s\n\n", escape(partial(r)))
	}
	if len(r.Thresholds) > 0 {
		fmt.Fprintf(&b, "**%s %s** · ", mark(overall(r)), tally(r))
	}
	fmt.Fprintf(&b, "%s\n", escape(provenance(r)))
	thresholdGrid(r).markdown(&b, "", "STRATEGY", "THRESHOLD", "MEASURED", "95 % INTERVAL", "WHY")
	strategyGrid(r).markdown(&b)
	if said := strings.Join(explain(r), " "); said != "" {
		fmt.Fprintf(&b, "\n%s\n", escape(said))
	}
	moveGrid(r).markdown(&b)
	controlGrid(r).markdown(&b)
	notMovedGrid(r).markdown(&b, "LEFT BEHIND", "WHAT")
	if s := storyOf(r); s != nil {
		details(&b, "What happened: "+escape(s.heading(r)), storyGrid(s))
	}
	details(&b, "Where the time goes", blameGrid(r))
	details(&b, "Workloads", workloadGrid(r))
	details(&b, "Errors", errorGrid(r), "STRATEGY", "ERRORS")
	details(&b, "Findings", findingGrid(r), "STRATEGY", "FINDING")
	details(&b, "What each strategy changes", changeGrid(r))
	_, err := io.WriteString(w, b.String())
	return err
}

// overall returns the worst verdict of all thresholds.
func overall(r *experiment.Result) experiment.Verdict {
	return byUrgency(r.Thresholds)[0].Verdict
}

// details writes a grid, if it holds anything, folded away under a summary.
func details(b *strings.Builder, summary string, g *grid, heads ...string) {
	if len(g.rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n", summary)
	g.markdown(b, heads...)
	b.WriteString("\n</details>\n")
}

// changeGrid lists the settings that each strategy changes.
func changeGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "STRATEGY"}, {head: "SETTING"}, {head: "VALUE"}}}
	for _, s := range r.Strategies {
		for _, c := range s.Changes {
			g.add(s.Name, c.Path, fmt.Sprint(c.Value))
		}
	}
	return g
}

// markdown writes a grid, if it holds anything, as a table. Its heads, which
// Markdown needs, are those of the columns unless they are given.
func (g *grid) markdown(b *strings.Builder, heads ...string) {
	if len(g.rows) == 0 {
		return
	}
	if heads == nil {
		for _, c := range g.columns {
			heads = append(heads, c.head)
		}
	}
	rules := make([]string, len(g.columns))
	for i, c := range g.columns {
		rules[i] = "---"
		if c.right {
			rules[i] = "--:"
		}
	}
	b.WriteByte('\n')
	tableRow(b, heads)
	b.WriteString("| " + strings.Join(rules, " | ") + " |\n")
	for _, row := range g.rows {
		tableRow(b, row)
	}
}

// tableRow writes a row of a table.
func tableRow(b *strings.Builder, cells []string) {
	for _, cell := range cells {
		b.WriteString("| ")
		if cell = escape(cell); cell != "" {
			b.WriteString(cell + " ")
		}
	}
	b.WriteString("|\n")
}

// escape protects what Markdown would take for markup, and joins blanks.
func escape(s string) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	return markup.Replace(s)
}

// markup protects the characters that mean something to Markdown or, within it,
// to HTML; an at sign would notify whoever has that name.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"|", `\|`, "~", `\~`, "#", `\#`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@\u200b")
