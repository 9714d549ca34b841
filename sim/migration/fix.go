package migration

import (
	"slices"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Fixer closes slots that a migration has left open, and gives those to somebody
// that nobody owns: redis-cli --cluster fix (clusterManagerFixOpenSlot,
// clusterManagerFixSlotsCoverage). It asks all primaries what they own and what is
// open, then takes one open slot after another, asks each how many keys of it there
// are, and decides by what they say. At the first that it cannot close it leaves the
// others as they are. Then it counts the keys of all slots without an owner, and gives
// those away that have none, those that one primary has keys of, and the others, in
// that order; here it ends with the first that fails. What is left may take another
// run.
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
	open    []slots.Slot // that are to be closed, the present one first
	bare    []bare       // slots without an owner
	place   int          // in bare: the one that is counted, or given away
	todo    []task       // for the present slot
	mover   Mover
	Keys    int          // that have been moved
	Bytes   int64        // of their values
	Fixed   int          // slots
	Unfixed []slots.Slot // open ones that redis-cli does not know how to close
	Failed  Answer       // the first answer that it could not do with, if there was one
	failed  bool
}

// A bare is a slot without an owner.
type bare struct {
	slot    slots.Slot
	counts  []int // by primary: keys of it
	holders int   // primaries that have any
}

type stage uint8

const (
	viewing  stage = iota // what do they own?
	counting              // how many keys of an open slot do they have?
	closing
	surveying // how many keys of slots without an owner?
	covering
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
	case counting, surveying:
		*o = Order{Command: wire.COUNTKEYSINSLOT, To: f.Primaries[f.asked], Slot: f.present()}
	case closing, covering:
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

// present returns the slot that is being counted or fixed.
func (f *Fixer) present() slots.Slot {
	if f.stage == counting || f.stage == closing {
		return f.open[0]
	}
	return f.bare[f.place].slot
}

// Take takes the answer to the command.
func (f *Fixer) Take(o *Order) {
	a := &o.Answer
	switch {
	case a.Verdict == wire.Connection:
		f.fail(a)
		f.stage = fixed
	case f.stage == closing || f.stage == covering:
		f.took(o)
	case f.stage == viewing:
		f.views[f.asked] = a.View
	default:
		f.counts[f.asked] = a.Count
	}
	if f.stage == viewing || f.stage == counting || f.stage == surveying {
		if f.asked++; f.asked == len(f.Primaries) {
			f.asked = 0
			f.asks()
		}
	}
}

// asks goes on when all primaries have been asked.
func (f *Fixer) asks() {
	switch f.stage {
	case viewing:
		f.list()
		f.nextOpen()
	case counting:
		f.decide()
	case surveying:
		b := &f.bare[f.place]
		b.counts = slices.Clone(f.counts)
		for _, n := range b.counts {
			b.holders += min(n, 1)
		}
		if f.place++; f.place == len(f.bare) {
			slices.SortStableFunc(f.bare, func(a, b bare) int { return min(a.holders, 2) - min(b.holders, 2) })
			f.place, f.stage = 0, covering
			f.cover()
		}
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

// fail takes note that a slot cannot be fixed. The other open slots are left as they are,
// or all others that have no owner.
func (f *Fixer) fail(a *Answer) {
	if !f.failed {
		f.Failed, f.failed = *a, true
	}
	if f.stage == closing {
		f.survey()
		return
	}
	f.stage = fixed
}

// Over reports whether nothing is left to be done, or something has kept it from being
// done.
func (f *Fixer) Over() (over, failed bool) { return f.stage == fixed, f.failed }

// Progress returns how many keys have been moved, and the bytes of their values.
func (f *Fixer) Progress() (keys int, bytes int64) { return f.Keys, f.Bytes }

// Failure returns the answer that ended the work, if one did.
func (f *Fixer) Failure() *Answer { return &f.Failed }

// list finds the slots that are open, and those that nobody owns.
func (f *Fixer) list() {
	var covered, listed [slots.Count]bool
	for i := range f.views {
		for _, o := range f.views[i].Open {
			if !listed[o.Slot] {
				listed[o.Slot] = true
				f.open = append(f.open, o.Slot)
			}
		}
		for _, r := range f.views[i].Owned {
			for slot := int(r.First); slot <= int(r.Last); slot++ {
				covered[slot] = true
			}
		}
	}
	slices.Sort(f.open)
	for slot := range covered {
		if !covered[slot] {
			f.bare = append(f.bare, bare{slot: slots.Slot(slot)})
		}
	}
}

// nextOpen goes on to the next open slot, or to those without an owner.
func (f *Fixer) nextOpen() {
	if f.stage = counting; len(f.open) == 0 {
		f.survey()
	}
}

// survey has the keys of slots without an owner counted.
func (f *Fixer) survey() {
	f.todo = nil
	if f.stage = surveying; len(f.bare) == 0 {
		f.stage = fixed
	}
}

// begin begins the next task for the slot.
func (f *Fixer) begin() {
	if len(f.todo) == 0 {
		f.done()
		return
	}
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

// done goes on when a slot has been fixed.
func (f *Fixer) done() {
	f.Fixed++
	if f.stage == closing {
		slot := f.open[0]
		f.open = f.open[1:]
		f.bare = slices.DeleteFunc(f.bare, func(b bare) bool { return b.slot == slot }) // it has an owner now
		f.nextOpen()
		return
	}
	if f.place++; f.place == len(f.bare) {
		f.stage = fixed
		return
	}
	f.cover()
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
