package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// A census is what there is to plan with: the primaries of a cluster, what each of
// them owns, and what each slot costs where that is known.
type census struct {
	layout  *migration.Layout // the owners are the places of members
	members []member
	real    bool            // members have addresses and ids
	load    *migration.Load // nil where not known
	by      string          // what it is measured in
}

// A member is a primary.
type member struct {
	name string // such as "primary 0" or "127.0.0.1:7000"
	host string
	port int
	id   string
}

// newCensus returns the census of so many primaries without slots.
func newCensus(primaries int) *census {
	c := &census{layout: &migration.Layout{Owners: new(slots.Table)}}
	for slot := range c.layout.Owners {
		c.layout.Owners[slot] = slots.None
	}
	for range primaries {
		c.add(member{name: fmt.Sprintf("primary %d", len(c.members))})
	}
	return c
}

// evenCensus returns the census of a cluster as redis-cli --cluster create makes it.
func evenCensus(primaries int) *census {
	c := newCensus(primaries)
	c.layout.Owners = slots.Even(primaries)
	return c
}

// add adds a primary without slots.
func (c *census) add(m member) {
	c.layout.Nodes = append(c.layout.Nodes, slots.Owner(len(c.members)))
	c.members = append(c.members, m)
}

// give gives slots to a member; first and last belong to them.
func (c *census) give(first, last slots.Slot, to int) error {
	for slot := int(first); slot <= int(last); slot++ {
		if owner := c.layout.Owners[slot]; owner != slots.None {
			return fmt.Errorf("slot %d belongs to %s already", slot, c.name(owner))
		}
		c.layout.Owners[slot] = slots.Owner(to)
	}
	return nil
}

// covered reports the first slot that nobody owns: redis-cli plans nothing then.
func (c *census) covered() error {
	if slot := slices.Index(c.layout.Owners[:], slots.None); slot >= 0 {
		return fmt.Errorf("slot %d belongs to no primary; all %d need an owner before any can move", slot, slots.Count)
	}
	return nil
}

func (c *census) name(n slots.Owner) string { return c.members[n].name }

// find returns the member that a user means: by its name or number or, in a real
// cluster, by its address or as much of its id as makes it the only one.
func (c *census) find(text string) (slots.Owner, error) {
	var found []slots.Owner
	for i, m := range c.members {
		switch {
		case text == m.name || text == m.id && m.id != "":
			return slots.Owner(i), nil
		case c.real && text != "" && strings.HasPrefix(m.id, text), !c.real && text == strconv.Itoa(i):
			found = append(found, slots.Owner(i))
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return 0, fmt.Errorf("%q can be %s or %s: give more of the id", text, c.name(found[0]), c.name(found[1]))
	case c.real:
		return 0, fmt.Errorf("no primary is %q; there are %s", text, c.some())
	}
	return 0, fmt.Errorf("there is no primary %q; they are numbered from 0 to %d", text, len(c.members)-1)
}

// some names the first few members.
func (c *census) some() string {
	var names []string
	for _, m := range c.members {
		if len(names) == 5 {
			return strings.Join(names, ", ") + " and more"
		}
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// findAll returns the members that a user lists.
func (c *census) findAll(list []string) ([]slots.Owner, error) {
	var all []slots.Owner
	for _, text := range list {
		n, err := c.find(text)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// total returns what all slots cost.
func (c *census) total() int64 {
	total := int64(0)
	for _, n := range c.load {
		total += n
	}
	return total
}

// parseRange reads slots as CLUSTER NODES writes them: "5" or "0-5460".
func parseRange(text string) (r slots.Range, err error) {
	first, last, several := strings.Cut(text, "-")
	if !several {
		last = first
	}
	if r.First, err = parseSlot(first); err != nil {
		return r, err
	}
	if r.Last, err = parseSlot(last); err != nil {
		return r, err
	}
	if r.Last < r.First {
		return r, fmt.Errorf("%q ends before it begins", text)
	}
	return r, nil
}

func parseSlot(text string) (slots.Slot, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= slots.Count {
		return 0, fmt.Errorf("%q is no slot; they are numbered from 0 to %d", text, slots.Count-1)
	}
	return slots.Slot(n), nil
}
