package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// An outline is a plan as people and programs are told of it.
type outline struct {
	*census
	planner *planner
	flags   *planFlags
	plan    *migration.Plan
	steps   []step
	after   *migration.Layout
}

// A step is all slots that move from one node to another before others do: what
// redis-cli calls moving so many slots from one to the other.
type step struct {
	source, target slots.Owner
	ranges         []slots.Range // in the order in which they move
	slots          int
	load           int64
}

func newOutline(c *census, p *planner, f *planFlags, made *migration.Plan) (*outline, error) {
	after, err := c.layout.After(made)
	o := &outline{census: c, planner: p, flags: f, plan: made, after: after}
	for _, m := range made.Moves {
		if n := len(o.steps); n == 0 || o.steps[n-1].source != m.Source || o.steps[n-1].target != m.Target {
			o.steps = append(o.steps, step{source: m.Source, target: m.Target})
		}
		s := &o.steps[len(o.steps)-1]
		s.ranges = append(s.ranges, slots.Range{First: m.First, Last: m.Last})
		s.slots += m.Len()
		for slot := int(m.First); slot <= int(m.Last) && c.load != nil; slot++ {
			s.load += c.load[slot]
		}
	}
	return o, err
}

// summary says in a sentence or two what the plan comes to.
func (o *outline) summary() string {
	var said []string
	switch n := o.plan.Len(); {
	case o.plan.Outcome == migration.Endless:
		said = append(said, "redis-trib.rb would never come to an end, and move nothing: "+
			"rounding leaves slots over,\nand they are for primaries that get some anyway, of which there are none.")
	case n == 0 && o.plan.Outcome != migration.Bottleneck:
		said = append(said, "Nothing moves: "+o.planner.idle(o.flags)+".")
	case n == 0:
		said = append(said, "Nothing moves.")
	default:
		moves := "move"
		if n == 1 {
			moves = "moves"
		}
		said = append(said, fmt.Sprintf("%d of %d slots %s, in %s.", n, slots.Count, moves,
			plural(len(o.steps), "step", "steps")))
		said = append(said, o.relief()...)
	}
	if slot := o.plan.Slot; o.plan.Outcome == migration.Bottleneck {
		fair := percent(1, int64(len(o.members)))
		said = append(said, fmt.Sprintf("Slot %d alone is %s of the load (%s), more than a primary's fair share "+
			"of %s:\nwhoever owns it is the bottleneck, wherever slots move.", slot, o.share(o.load[slot]), o.by, fair))
	}
	return strings.Join(said, "\n")
}

// relief says what becomes of the busiest primary, where loads are known.
func (o *outline) relief() []string {
	if o.load == nil || o.total() == 0 {
		return nil
	}
	before, after := o.layout.Loads(o.load), o.after.Loads(o.load)
	was, is := slices.Index(before, slices.Max(before)), slices.Index(after, slices.Max(after))
	switch {
	case before[was] == after[is]:
		return []string{fmt.Sprintf("The busiest primary, %s, is left with %s of the load (%s).",
			o.members[is].name, o.share(after[is]), o.by)}
	case was == is:
		return []string{fmt.Sprintf("The busiest primary, %s, goes from %s of the load (%s) to %s.",
			o.members[was].name, o.share(before[was]), o.by, o.share(after[is]))}
	}
	return []string{fmt.Sprintf("The busiest primary was %s with %s of the load (%s); it will be %s with %s.",
		o.members[was].name, o.share(before[was]), o.by, o.members[is].name, o.share(after[is]))}
}

// share returns a part of the load.
func (o *outline) share(load int64) string { return percent(load, o.total()) }

// percent returns a part of a whole in per cent.
func percent(part, whole int64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// text returns the plan as tables.
func (o *outline) text() string {
	var b strings.Builder
	b.WriteString(o.summary() + "\n")
	head, loads := []string{"STEP", "FROM", "TO", "SLOTS"}, o.load != nil
	if loads {
		head = append(head, "LOAD")
	}
	rows := [][]string{append(head, "WHICH")}
	for i, s := range o.steps {
		row := []string{fmt.Sprint(i + 1), o.name(s.source), o.name(s.target), fmt.Sprint(s.slots)}
		if loads {
			row = append(row, o.share(s.load))
		}
		rows = append(rows, append(row, rangesText(s.ranges)))
	}
	if len(o.steps) > 0 {
		b.WriteString("\n" + table(rows))
	}
	rows = [][]string{{"PRIMARY", "SLOTS", "AFTER"}}
	if loads {
		rows[0] = append(rows[0], "LOAD", "AFTER")
	}
	before, after := o.layout.Counts(), o.after.Counts()
	for i, m := range o.members {
		row := []string{m.name, fmt.Sprint(before[i]), fmt.Sprint(after[i])}
		if loads {
			row = append(row, o.share(o.layout.Loads(o.load)[i]), o.share(o.after.Loads(o.load)[i]))
		}
		rows = append(rows, row)
	}
	b.WriteString("\n" + table(rows))
	return b.String()
}

// rangesWide is how many letters of ranges a table shows.
const rangesWide = 60

// rangesText lists ranges, and says how many more there are than have room.
func rangesText(ranges []slots.Range) string {
	var b strings.Builder
	for i, r := range ranges {
		if text := r.String(); b.Len()+1+len(text) > rangesWide {
			return fmt.Sprintf("%s … %d more", b.String(), len(ranges)-i)
		} else if i > 0 {
			b.WriteString(" " + text)
		} else {
			b.WriteString(text)
		}
	}
	return b.String()
}

// planSchema names the format of plans in JSON. Fields may be added to it.
const planSchema = "hotslot.plan/1"

type jsonPlan struct {
	Schema     string        `json:"schema"`
	Planner    string        `json:"planner"`
	Outcome    string        `json:"outcome"` // done, balanced, bottleneck, endless
	Bottleneck *int          `json:"bottleneck_slot,omitempty"`
	Slots      int           `json:"slots"` // that move
	Load       string        `json:"load,omitempty"`
	Steps      []jsonStep    `json:"steps"`
	Primaries  []jsonPrimary `json:"primaries"`
}

type jsonStep struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	FromID string   `json:"from_id,omitempty"`
	ToID   string   `json:"to_id,omitempty"`
	Slots  int      `json:"slots"`
	Load   *int64   `json:"load,omitempty"`
	Ranges [][2]int `json:"ranges"` // first and last slot, in the order in which they move
}

type jsonPrimary struct {
	Name        string `json:"name"`
	ID          string `json:"id,omitempty"`
	SlotsBefore int    `json:"slots_before"`
	SlotsAfter  int    `json:"slots_after"`
	LoadBefore  *int64 `json:"load_before,omitempty"`
	LoadAfter   *int64 `json:"load_after,omitempty"`
}

// json returns the plan as an object of the schema hotslot.plan/1.
func (o *outline) json() string {
	j := jsonPlan{Schema: planSchema, Planner: o.planner.name, Outcome: o.plan.Outcome.String(), Slots: o.plan.Len(),
		Steps: []jsonStep{}}
	if o.load != nil {
		j.Load = o.by
	}
	if o.plan.Outcome == migration.Bottleneck {
		slot := int(o.plan.Slot)
		j.Bottleneck = &slot
	}
	for _, s := range o.steps {
		js := jsonStep{From: o.name(s.source), To: o.name(s.target), FromID: o.members[s.source].id,
			ToID: o.members[s.target].id, Slots: s.slots}
		if o.load != nil {
			js.Load = &s.load
		}
		for _, r := range s.ranges {
			js.Ranges = append(js.Ranges, [2]int{int(r.First), int(r.Last)})
		}
		j.Steps = append(j.Steps, js)
	}
	before, after := o.layout.Counts(), o.after.Counts()
	for i, m := range o.members {
		p := jsonPrimary{Name: m.name, ID: m.id, SlotsBefore: before[i], SlotsAfter: after[i]}
		if o.load != nil {
			p.LoadBefore, p.LoadAfter = &o.layout.Loads(o.load)[i], &o.after.Loads(o.load)[i]
		}
		j.Primaries = append(j.Primaries, p)
	}
	return jsonText(j)
}

// jsonText returns a value as indented JSON.
func jsonText(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(value) // to a strings.Builder, which takes all
	return b.String()
}
