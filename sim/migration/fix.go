package migration

import (
	"slices"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Fixer closes slots that a migration has left open, and gives those to somebody
// that nobody owns: redis-cli --cluster fix (clusterManagerFixOpenSlot,
// clusterManagerFixSlotsCoverage). It asks all primaries what they own and what is
// open, then takes one slot after another, asks each how many keys of it there are,
// and decides by what they say.
//
// Of a key that is in two places the copy of the node that keeps the slot counts
// only if the tool does not replace keys; redis-cli compares the two, and gives up if
// they differ, unless it is told to replace.
type Fixer struct {
	Tool      Tool
	Primaries []slots.Owner // that can be reached

	views   []View // by primary
	counts  []int  // by primary: keys of the slot
	asked   int    // primaries that have been asked
	stage   stage
	slots   []slots.Slot // that are to be fixed, the present one first
	todo    []task       // for it
	mover   Mover
	Keys    int          // that have been moved
	Bytes   int64        // of their values
	Fixed   int          // slots
	Unfixed []slots.Slot // that redis-cli does not know how to fix
	Failed  Answer       // the answer that ended it, if one did
	failed  bool
}

type stage uint8

const (
	viewing  stage = iota // what do they own?
	counting              // how many keys do they have?
	fixing
	fixed
)

// A task is a command, or keys that are to be moved.
type task struct {
	order    Order
	moves    bool // from order.To to order.Node
	cold     bool
	optional bool // it does not matter whether it is refused
}

// NewFixer returns what fixes a cluster of which so many primaries can be reached, at
// least one.
func NewFixer(tool Tool, primaries []slots.Owner) *Fixer {
	tool.Replace = true
	return &Fixer{Tool: tool, Primaries: primaries, views: make([]View, len(primaries)),
		counts: make([]int, len(primaries))}
}

// Next writes the next command on an Order. It returns false when there is none any
// more.
func (f *Fixer) Next(o *Order) bool {
	keys, answer := o.Keys[:0], o.Answer.Keys[:0]
	switch f.stage {
	case viewing:
		*o = Order{Command: wire.CLUSTERNODES, To: f.Primaries[f.asked]}
	case counting:
		*o = Order{Command: wire.COUNTKEYSINSLOT, To: f.Primaries[f.asked], Slot: f.slots[0]}
	case fixing:
		if t := &f.todo[0]; t.moves {
			return f.mover.Next(o)
		} else {
			*o = t.order
		}
	default:
		return false
	}
	o.Keys, o.Answer.Keys = keys, answer
	return true
}

// Take takes the answer to the command.
func (f *Fixer) Take(o *Order) {
	a := &o.Answer
	switch f.stage {
	case viewing:
		f.views[f.asked] = a.View
		if f.asked++; f.asked == len(f.Primaries) {
			f.list()
			f.next()
		}
	case counting:
		f.counts[f.asked] = a.Count
		if f.asked++; f.asked == len(f.Primaries) {
			f.decide()
		}
	case fixing:
		f.took(o)
	}
	if a.Verdict == wire.Connection {
		f.fail(a)
	}
}

// took takes the answer to what was to be done for a slot.
func (f *Fixer) took(o *Order) {
	t := &f.todo[0]
	if t.moves {
		keys, bytes := f.mover.Keys, f.mover.Bytes
		f.mover.Take(o)
		f.Keys += f.mover.Keys - keys
		f.Bytes += f.mover.Bytes - bytes
		over, failed := f.mover.Over()
		if failed {
			f.fail(&f.mover.Failed)
		}
		if !over || failed {
			return
		}
	} else if o.Answer.Failed() && !t.optional {
		f.fail(&o.Answer)
		return
	}
	f.todo = f.todo[1:]
	f.begin()
}

// fail ends the work.
func (f *Fixer) fail(a *Answer) { f.Failed, f.failed, f.stage = *a, true, fixed }

// Over reports whether nothing is left to be done, or something has kept it from being
// done.
func (f *Fixer) Over() (over, failed bool) { return f.stage == fixed, f.failed }

// Progress returns how many keys have been moved, and the bytes of their values.
func (f *Fixer) Progress() (keys int, bytes int64) { return f.Keys, f.Bytes }

// Failure returns the answer that ended the work, if one did.
func (f *Fixer) Failure() *Answer { return &f.Failed }

// list finds the slots that are open, then those that nobody owns.
func (f *Fixer) list() {
	var covered, listed [slots.Count]bool
	add := func(slot slots.Slot) {
		if !listed[slot] {
			listed[slot] = true
			f.slots = append(f.slots, slot)
		}
	}
	for i := range f.views {
		for _, o := range f.views[i].Open {
			add(o.Slot)
		}
		for _, r := range f.views[i].Owned {
			for slot := int(r.First); slot <= int(r.Last); slot++ {
				covered[slot] = true
			}
		}
	}
	slices.Sort(f.slots)
	for slot := range covered {
		if !covered[slot] {
			add(slots.Slot(slot))
		}
	}
}

// next goes on to the next slot.
func (f *Fixer) next() {
	f.asked, f.stage = 0, counting
	if len(f.slots) == 0 {
		f.stage = fixed
	}
}

// begin begins the next task for the slot.
func (f *Fixer) begin() {
	if len(f.todo) == 0 {
		f.slots = f.slots[1:]
		f.Fixed++
		f.next()
		return
	}
	f.stage = fixing
	t := &f.todo[0]
	if !t.moves {
		return
	}
	f.mover.Tool = f.Tool
	if t.cold {
		f.mover.Drain(t.order.Slot, t.order.To, t.order.Node)
		return
	}
	f.mover.Start(t.order.Slot, t.order.To, t.order.Node, f.others(t.order.To, t.order.Node))
}

// others returns the primaries but two.
func (f *Fixer) others(a, b slots.Owner) (others []slots.Owner) {
	for _, p := range f.Primaries {
		if p != a && p != b {
			others = append(others, p)
		}
	}
	return others
}

// A standing is what primaries say of a slot, by their places among the primaries.
type standing struct {
	owners, migrating, importing []int
	owner                        int // the only one; -1 if there is none
}

// standingOf goes through what primaries say of a slot, as clusterManagerFixOpenSlot
// does: who holds keys of it without owning it is suspected of importing it.
func (f *Fixer) standingOf(slot slots.Slot) standing {
	s := standing{owner: -1}
	for i := range f.views {
		if f.views[i].owns(slot) || f.counts[i] > 0 {
			s.owners = append(s.owners, i)
		}
	}
	if len(s.owners) == 1 {
		s.owner = s.owners[0]
	}
	for i := range f.views {
		_, out := f.views[i].open(slot, false)
		_, in := f.views[i].open(slot, true)
		switch {
		case out:
			s.migrating = append(s.migrating, i)
		case in, i != s.owner && f.counts[i] > 0:
			s.importing = append(s.importing, i)
		}
	}
	return s
}

// decide plans what is to be done for a slot.
func (f *Fixer) decide() {
	slot := f.slots[0]
	s := f.standingOf(slot)
	f.todo = f.todo[:0]
	if len(s.migrating)+len(s.importing) == 0 || !f.open(slot) {
		f.cover(slot)
	} else if !f.close(slot, s) {
		f.Unfixed = append(f.Unfixed, slot)
		f.todo = f.todo[:0]
		f.Fixed--
	}
	f.begin()
}

// open reports whether a slot is open anywhere.
func (f *Fixer) open(slot slots.Slot) bool {
	return slices.ContainsFunc(f.views, func(v View) bool {
		_, out := v.open(slot, false)
		_, in := v.open(slot, true)
		return out || in
	})
}

// most returns the primary with most keys of the slot; -1 if nobody has any.
func (f *Fixer) most() int {
	best := -1
	for i, n := range f.counts {
		if n > 0 && (best < 0 || n > f.counts[best]) {
			best = i
		}
	}
	return best
}

// do adds a command for a slot to what is to be done.
func (f *Fixer) do(command wire.Command, to int, slot slots.Slot, action wire.SlotAction, node int) *task {
	t := task{order: Order{Command: command, To: f.Primaries[to], Slot: slot, Action: action, Node: slots.None}}
	if node >= 0 {
		t.order.Node = f.Primaries[node]
	}
	f.todo = append(f.todo, t)
	return &f.todo[len(f.todo)-1]
}

// move adds a move of a slot, or of its keys alone.
func (f *Fixer) move(slot slots.Slot, from, to int, cold bool) {
	t := f.do(wire.MIGRATE, from, slot, 0, to)
	t.moves, t.cold = true, cold
}

// give has a primary own a slot that nobody owns, or that others do too
// (clusterManagerSetSlotOwner, and BUMPEPOCH so that it spreads).
func (f *Fixer) give(slot slots.Slot, to int) {
	f.do(wire.SETSLOT, to, slot, wire.Stable, -1)
	f.do(wire.DELSLOTS, to, slot, 0, -1).optional = true
	f.do(wire.ADDSLOTS, to, slot, 0, -1)
	f.do(wire.BUMPEPOCH, to, slot, 0, -1)
}

// close plans how an open slot is closed; false if redis-cli cannot.
func (f *Fixer) close(slot slots.Slot, s standing) bool {
	drop := func(list []int, i int) []int { return slices.DeleteFunc(list, func(x int) bool { return x == i }) }
	if s.owner < 0 {
		if s.owner = f.most(); s.owner < 0 {
			return false
		}
		f.give(slot, s.owner)
		s.migrating, s.importing = drop(s.migrating, s.owner), drop(s.importing, s.owner)
	}
	if len(s.owners) > 1 {
		for _, i := range s.owners {
			if i != s.owner {
				f.do(wire.DELSLOTS, i, slot, 0, -1).optional = true
				f.do(wire.SETSLOT, i, slot, wire.Importing, s.owner).optional = true
				s.importing = append(drop(s.importing, i), i)
			}
		}
	}
	switch {
	case len(s.migrating) == 1 && len(s.importing) == 1:
		f.move(slot, s.migrating[0], s.importing[0], false)
	case len(s.migrating) == 0 && len(s.importing) > 0:
		f.gather(slot, s)
	case len(s.migrating) == 1 && len(s.importing) > 1:
		return f.choose(slot, s)
	case len(s.importing) == 0 && len(s.migrating) == 1 &&
		(s.owner == s.migrating[0] || f.counts[s.migrating[0]] == 0):
		f.do(wire.SETSLOT, s.migrating[0], slot, wire.Stable, -1)
	default:
		return false
	}
	return true
}

// gather moves the keys of those who import a slot, that nobody sends any more, to
// its owner.
func (f *Fixer) gather(slot slots.Slot, s standing) {
	for _, i := range s.importing {
		if i != s.owner {
			f.move(slot, i, s.owner, true)
			f.do(wire.SETSLOT, i, slot, wire.Stable, -1)
		}
	}
	for i := range f.Primaries {
		if i != s.owner {
			f.do(wire.SETSLOT, i, slot, wire.ToNode, s.owner).optional = true
		}
	}
}

// choose moves a slot that several import to the one that it migrates to, if none of
// the others has keys.
func (f *Fixer) choose(slot slots.Slot, s standing) bool {
	source, target := s.migrating[0], -1
	wanted, _ := f.views[source].open(slot, false)
	for _, i := range s.importing {
		if f.counts[i] > 0 {
			return false
		}
		if f.Primaries[i] == wanted {
			target = i
		}
	}
	if target >= 0 {
		f.move(slot, source, target, false)
	} else {
		f.do(wire.SETSLOT, source, slot, wire.Stable, -1)
	}
	for _, i := range s.importing {
		if i != target {
			f.do(wire.SETSLOT, i, slot, wire.Stable, -1)
		}
	}
	return true
}

// cover plans who gets a slot that nobody owns: who has most of its keys, else the
// primaries in turn, where redis-cli draws one. What keys the others have move there.
func (f *Fixer) cover(slot slots.Slot) {
	to := f.most()
	if to < 0 {
		to = int(slot) % len(f.Primaries)
	}
	f.give(slot, to)
	for i, n := range f.counts {
		if i != to && n > 0 {
			f.move(slot, i, to, true)
			f.do(wire.SETSLOT, i, slot, wire.Stable, -1)
		}
	}
}
