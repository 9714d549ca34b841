package reports

import (
	"fmt"
	"io"
	"strings"

	"hotslot/experiment"
)

// controlGrid tells of each strategy in which something happened how a failover
// went on, how long slots were not served, and what was lost.
func controlGrid(r *experiment.Result) *grid {
	g := &grid{columns: []column{{head: "FAILOVER", most: nameMost}, {head: "SUSPECTED"}, {head: "FAILED"},
		{head: "ELECTION"}, {head: "WON"}, {head: "ALL KNOW"}, {head: "ALL OK"}, {head: "LONGEST OUTAGE"},
		{head: "SLOT-SECONDS"}, {head: "LOST WRITES"}}}
	for _, s := range r.Strategies {
		c := s.Control
		if c == nil || len(s.Migrations) > 0 && uneventful(c) {
			continue
		}
		row := []string{s.Name}
		for _, m := range []experiment.Mean{c.PFAIL, c.FAIL, c.Election, c.Won, c.Owner, c.OK} {
			row = append(row, reached(m, s.Seeds))
		}
		g.add(append(row, micros.mean(c.Longest), plain.mean(c.SlotSeconds), counted(c.LostWrites))...)
	}
	return g
}

// uneventful reports whether no node failed or was taken to have, and nothing was lost.
func uneventful(c *experiment.Control) bool {
	return c.PFAIL.N == 0 && c.Promotions.Mean == 0 && !(c.Longest.Mean > 0) && !(c.LostWrites.Mean > 0)
}

// outages says for how long slots were not served under the first strategy, what was
// lost, and under which others it surely was shorter or longer.
func outages(first *experiment.Strategy, others []*experiment.Strategy) []string {
	c := first.Control
	if c == nil || !(c.Longest.Mean > 0) && !(c.LostWrites.Mean > 0) {
		return nil
	}
	var what []string
	if c.Longest.Mean > 0 {
		what = append(what, fmt.Sprintf("a slot was not served for %s at most", micros.mean(c.Longest)))
		if c.Down.Mean > 0 {
			what[0] += ", and not when the run ended"
		}
	}
	if c.LostWrites.Mean > 0 {
		what = append(what, fmt.Sprintf("acknowledged writes are gone: %s", counted(c.LostWrites)))
	}
	said := fmt.Sprintf("Under %s %s", first.Name, strings.Join(what, "; "))
	var shorter, longer []string
	for _, s := range others {
		if s.Control == nil {
			continue
		}
		item := fmt.Sprintf("%s (%s)", s.Name, micros.mean(s.Control.Longest))
		switch {
		case s.Control.Longest.High < c.Longest.Low:
			shorter = append(shorter, item)
		case s.Control.Longest.Low > c.Longest.High:
			longer = append(longer, item)
		}
	}
	all := []string{said + "."}
	if len(shorter) > 0 {
		all = append(all, fmt.Sprintf("It is shorter under %s.", list(shorter)))
	}
	if len(longer) > 0 {
		all = append(all, fmt.Sprintf("It is longer under %s.", list(longer)))
	}
	return all
}

// counted tells how many there are of something, to the last one where every seed
// has as many.
func counted(m experiment.Mean) string {
	value, _ := quantity(experiment.Threshold{Value: m})
	return value
}

// reached tells a time that may not have come in every seed: "2.26 s (9 of 10)".
func reached(m experiment.Mean, seeds int) string {
	switch m.N {
	case 0:
		return "never"
	case seeds:
		return micros.mean(m)
	}
	return fmt.Sprintf("%s (%d of %d)", micros.mean(m), m.N, seeds)
}

// stepsTold is how many steps of a timeline are told.
const stepsTold = 25

// A story is the timeline of one strategy's first run.
type story struct {
	strategy string
	steps    []experiment.Step
	others   int // strategies in which something happened too
}

// storyOf returns the timeline of the first strategy in which something happened;
// nil where nothing did.
func storyOf(r *experiment.Result) *story {
	var s *story
	for i := range r.Strategies {
		switch c := r.Strategies[i].Control; {
		case c == nil || len(c.Steps) == 0:
		case s == nil:
			s = &story{strategy: r.Strategies[i].Name, steps: c.Steps}
		default:
			s.others++
		}
	}
	return s
}

// heading names the run that a story is of.
func (s *story) heading(r *experiment.Result) string {
	of := ""
	if len(r.Seeds) > 0 {
		of = fmt.Sprintf(", seed %d", r.Seeds[0])
	}
	return clean(s.strategy) + of
}

// storyGrid tells the first steps, one a row: when, how long after what was done
// to the cluster last, who, and what.
func storyGrid(s *story) *grid {
	g := &grid{columns: []column{{head: "AT", right: true}, {head: "SINCE", right: true}, {head: "WHO", most: nameMost},
		{head: "WHAT"}}}
	if s == nil {
		return g
	}
	shown := s.steps
	if len(shown) > stepsTold {
		shown = shown[:stepsTold-1]
	}
	for _, step := range shown {
		since := ""
		if step.Since > 0 {
			since = fmt.Sprintf("+%.3f s", step.Since)
		}
		g.add(fmt.Sprintf("%.3f s", step.Seconds), since, who(step), step.Text+until(step))
	}
	if left := len(s.steps) - len(shown); left > 0 {
		g.add("", "", "", fmt.Sprintf("… and %d more (see result.json, or every line with --events FILE)", left))
	}
	return g
}

// who tells the node, or how many they are.
func who(s experiment.Step) string {
	if s.Node == "" && s.Nodes > 0 {
		return fmt.Sprintf("%d nodes", s.Nodes)
	}
	return s.Node
}

// until tells how long a step goes on, and how often a node repeats it.
func until(s experiment.Step) string {
	var more []string
	switch {
	case s.Alike > 0:
		more = append(more, fmt.Sprintf("and %d like it", s.Alike))
	case s.Times > max(1, s.Nodes) && s.Kind != "slot-owner":
		more = append(more, fmt.Sprintf("%d times", s.Times))
	}
	if d := s.Until - s.Seconds; d >= 0.0005 {
		more = append(more, fmt.Sprintf("within %s", micros.short(roundTo(d*1e6, 3))))
	}
	if len(more) == 0 {
		return ""
	}
	return "  (" + strings.Join(more, ", ") + ")"
}

// Dumps writes what nodes told of themselves, and nothing else.
func Dumps(w io.Writer, r *experiment.Result) error {
	_, err := io.WriteString(w, dumps(r))
	return err
}

func dumps(r *experiment.Result) string {
	var b strings.Builder
	for _, d := range r.Dumped {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s, %s at %s: %s\n", clean(d.Strategy), clean(d.Node),
			micros.short(float64(d.At.Microseconds())), d.What)
		for line := range strings.Lines(d.Text) {
			b.WriteString(clean(strings.TrimRight(line, "\r\n")) + "\n")
		}
	}
	return b.String()
}
