package reports

import (
	"cmp"
	"fmt"
	"slices"

	"hotslot/experiment"
)

const (
	findingsMost = 12 // rows of findings
	similarMost  = 3  // strategies that are named as having a similar one
)

// A findingRow is a finding with the strategies that have it.
type findingRow struct {
	rule, subject, text string
	names               []string // of those with the same text
	similar             []string // of the others where the rule says the same of the subject, but not as much
}

// findingGrid lists the findings with the strategies that they are about: all
// those of the first strategy, and of the others what they have beside.
func findingGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "FINDINGS", most: 2 * nameMost}, {}}}
	rows, firsts := findingRows(r)
	shown := rows
	if most := max(findingsMost, firsts); len(rows) > most {
		shown = rows[:max(findingsMost-1, firsts)]
	}
	for _, row := range shown {
		who := list(row.names)
		if len(row.names) == len(r.Strategies) && len(r.Strategies) > 1 {
			who = "all"
		}
		text := row.text
		switch n := len(row.similar); {
		case n > similarMost:
			text += fmt.Sprintf("; similar under %d other strategies", n)
		case n > 0:
			text += "; similar under " + list(row.similar)
		}
		g.add(who, text)
	}
	if left := len(rows) - len(shown); left > 0 {
		g.add("", fmt.Sprintf("… and %d more (see result.json)", left))
	}
	return g
}

// findingRows groups the findings of all strategies and returns them with how
// many of them, at the beginning, are the first strategy's.
func findingRows(r *experiment.Result) (rows []*findingRow, firsts int) {
	for i, s := range r.Strategies {
		for _, f := range s.Findings {
			text := cmp.Or(f.Text, fmt.Sprintf("%s: %s, %s", f.Rule, f.Subject, plain.number(f.Value)))
			same := slices.IndexFunc(rows, func(row *findingRow) bool { return row.text == text })
			akin := slices.IndexFunc(rows[:firsts], func(row *findingRow) bool {
				return row.rule == f.Rule && row.subject == f.Subject
			})
			switch {
			case same >= 0:
				rows[same].names = with(rows[same].names, s.Name)
			case akin >= 0 && i > 0:
				rows[akin].similar = with(rows[akin].similar, s.Name)
			default:
				rows = append(rows, &findingRow{rule: f.Rule, subject: f.Subject, text: text, names: []string{s.Name}})
			}
		}
		if i == 0 {
			firsts = len(rows)
		}
	}
	return rows, firsts
}

// with adds a name to a list that lacks it.
func with(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}
