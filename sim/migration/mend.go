package migration

import (
	"slices"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

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

// decide plans what is to be done for an open slot.
func (f *Fixer) decide() {
	slot := f.open[0]
	f.todo, f.stage = f.todo[:0], closing
	if f.close(slot, f.standingOf(slot)) {
		f.begin()
		return
	}
	f.Unfixed = append(f.Unfixed, slot)
	f.survey()
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
				f.do(wire.SETSLOT, i, slot, wire.ToNode, s.owner)
				f.do(wire.SETSLOT, i, slot, wire.Importing, s.owner)
				s.importing, s.migrating = append(drop(s.importing, i), i), drop(s.migrating, i)
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
func (f *Fixer) cover() {
	slot := f.bare[f.place].slot
	copy(f.counts, f.bare[f.place].counts)
	to := f.most()
	if to < 0 {
		to = int(slot) % len(f.Primaries)
	}
	f.todo = f.todo[:0]
	f.give(slot, to)
	for i, n := range f.counts {
		if i != to && n > 0 {
			f.do(wire.SETSLOT, i, slot, wire.ToNode, to)
			f.do(wire.SETSLOT, i, slot, wire.Importing, to)
			f.move(slot, i, to, true)
			f.do(wire.SETSLOT, i, slot, wire.Stable, -1)
		}
	}
	f.begin()
}
