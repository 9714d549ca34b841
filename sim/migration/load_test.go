package migration

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim/slots"
)

// A puzzle is a cluster of a few nodes and a few slots with a load, small enough to
// try every way to place them.
type puzzle struct {
	layout *Layout
	load   *Load
	hot    []slots.Slot
	home   []int // by slot of hot: the place of its node
}

func puzzles(t *rapid.T) puzzle {
	z := puzzle{layout: onFirst(rapid.IntRange(2, 4).Draw(t, "nodes")), load: new(Load)}
	for i := range z.layout.Owners {
		z.layout.Owners[i] = slots.Owner(i % len(z.layout.Nodes))
	}
	most := rapid.SampledFrom([]int64{1, 5, 100}).Draw(t, "largest load")
	for i := range rapid.IntRange(1, 6).Draw(t, "slots") {
		slot, at := slots.Slot(1000*i), rapid.IntRange(0, len(z.layout.Nodes)-1).Draw(t, "node")
		z.hot, z.home = append(z.hot, slot), append(z.home, at)
		z.layout.Owners[slot], z.load[slot] = slots.Owner(at), rapid.Int64Range(1, most).Draw(t, "load")
	}
	return z
}

// each calls try with every way to place the slots: what the busiest node then has,
// and how many slots moved.
func (z *puzzle) each(try func(busiest int64, moves int)) {
	n := len(z.layout.Nodes)
	ways := 1
	for range z.hot {
		ways *= n
	}
	for way := range ways {
		loads, moves := make([]int64, n), 0
		for i, slot := range z.hot {
			at := way % n
			way /= n
			loads[at] += z.load[slot]
			if at != z.home[i] {
				moves++
			}
		}
		try(slices.Max(loads), moves)
	}
}

func sum(x []int64) (total int64) {
	for _, n := range x {
		total += n
	}
	return total
}

// Level against every plan that there is.
func TestLevelAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := puzzles(t)
		percent := rapid.SampledFrom([]Decimal{0, 5 * One, 50 * One}).Draw(t, "percent")
		p, err := Level(z.layout, z.load, percent)
		end := valid(t, z.layout, p, err)
		loads, n := end.Loads(z.load), int64(len(z.layout.Nodes))
		total, busiest, heaviest := sum(loads), slices.Max(loads), slices.Max(z.load[:])
		above := int64(math.Ceil(float64(total) * float64(100*One+percent) / float64(100*int64(One)*n)))
		limit := max(above, heaviest)

		best, moves := int64(math.MaxInt64), math.MaxInt
		z.each(func(b int64, m int) {
			best = min(best, b)
			if b <= limit {
				moves = min(moves, m)
			}
		})
		if busiest > limit && busiest >= 2*best {
			t.Fatalf("the busiest node ends with %d, more than the limit, where %d is possible", busiest, best)
		}
		if busiest > limit && n*busiest > total+(n-1)*heaviest {
			t.Fatalf("the busiest node ends with %d: more than the limit of %d and the bound", busiest, limit)
		}
		if busiest > slices.Max(z.layout.Loads(z.load)) {
			t.Fatalf("the busiest node ends with %d, more than before", busiest)
		}
		s, _ := newScale(z.layout, z.load)
		if s.level(limit, heaviest); slices.Max(s.nodes) <= limit && p.Len() != moves {
			t.Fatalf("%d slots move to keep a limit that takes %d", p.Len(), moves)
		}
		checkOutcome(t, z, p)
	})
}

// loaded returns a layout and the loads of its slots, of which the nodes own a few
// each, numbered from 1000 times the node's number up, and of the rest the last.
func loaded(loads ...[]int64) (*Layout, *Load) {
	l, load := onFirst(len(loads)), new(Load)
	for i := range l.Owners {
		l.Owners[i] = slots.Owner(len(loads) - 1)
	}
	for node, own := range loads {
		for i, n := range own {
			l.Owners[1000*node+i], load[1000*node+i] = slots.Owner(node), n
		}
	}
	return l, load
}

// Plans by load whose moves can be told in advance.
func TestPlansByLoad(t *testing.T) {
	for name, tt := range map[string]struct {
		loads [][]int64
		plan  func(*Layout, *Load) (*Plan, error)
		want  []Move
	}{
		"the lightest slot that suffices leaves": {[][]int64{{60, 30, 12}, {50}},
			func(l *Layout, load *Load) (*Plan, error) { return Level(l, load, 0) }, []Move{{1, 1, 0, 1}}},
		// With the slot of 6 on the move, the other node would end with 7.
		"a slot that is too much stays": {[][]int64{{6, 1, 1, 1}, {1}},
			func(l *Layout, load *Load) (*Plan, error) { return Level(l, load, 0) },
			[]Move{{1, 1, 0, 1}, {2, 2, 0, 1}, {3, 3, 0, 1}}},
		// In the end node 1 is busiest, and slot 0 could go on from there to node 3.
		"a slot moves once": {[][]int64{{3, 3, 3, 3, 3, 3, 3}, {}, {4}, {10, 9}},
			func(l *Layout, load *Load) (*Plan, error) { return Hottest(l, load, 9) },
			[]Move{{0, 0, 0, 1}, {3000, 3000, 3, 1}, {1, 1, 0, 2}, {2, 2, 0, 2}}},
	} {
		l, load := loaded(tt.loads...)
		if p, err := tt.plan(l, load); err != nil || !slices.Equal(p.Moves, tt.want) {
			t.Errorf("%s: the moves are %v, want %v (%v)", name, p.Moves, tt.want, err)
		}
	}
}

// checkOutcome checks what a plan says of itself.
func checkOutcome(t *rapid.T, z puzzle, p *Plan) {
	total, heaviest := sum(z.load[:]), slices.Max(z.load[:])
	n := int64(len(z.layout.Nodes))
	want := Done
	switch {
	case n*heaviest > total:
		want = Bottleneck
	case len(p.Moves) == 0:
		want = Balanced
	}
	if p.Outcome != want || want == Bottleneck && z.load[p.Slot] != heaviest {
		t.Fatalf("the outcome is %v (slot %d), want %v", p.Outcome, p.Slot, want)
	}
}

// Hottest, move after move: it goes from the busiest node to the idlest, and no
// hotter slot could have gone; when it stops, none can go.
func TestHottestMoveByMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := puzzles(t)
		most := rapid.IntRange(1, 8).Draw(t, "moves at most")
		p, err := Hottest(z.layout, z.load, most)
		valid(t, z.layout, p, err)
		now, moved := z.layout, map[slots.Slot]bool{}
		// can returns the largest load that may go now, 0 where none may.
		can := func() (source, target slots.Owner, largest int64) {
			loads := now.Loads(z.load)
			busiest, idlest := slices.Max(loads), slices.Min(loads)
			source, target = slots.Owner(slices.Index(loads, busiest)), slots.Owner(slices.Index(loads, idlest))
			for _, slot := range z.hot {
				less := max(busiest-z.load[slot], idlest+z.load[slot]) < busiest
				if now.Owners[slot] == source && !moved[slot] && less {
					largest = max(largest, z.load[slot])
				}
			}
			return source, target, largest
		}
		for _, m := range p.Moves {
			source, target, largest := can()
			if m.Source != source || m.Target != target || m.First != m.Last || z.load[m.First] != largest {
				t.Fatalf("a move %+v, want one of load %d from %d to %d", m, largest, source, target)
			}
			moved[m.First] = true
			if now, err = now.After(&Plan{Moves: []Move{m}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, largest := can(); len(p.Moves) > most || len(p.Moves) < most && largest > 0 {
			t.Fatalf("it ends after %d moves of %d, with one of load %d to be made", len(p.Moves), most, largest)
		}
		checkOutcome(t, z, p)
	})
}

// An isolated slot has a node of its own; where its own node had to be cleared, the
// others share the load as a greedy plan can, and the slots without load evenly.
func TestIsolateLeavesTheSlotAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := puzzles(t)
		slot := rapid.SampledFrom(z.hot).Draw(t, "slot")
		home := z.layout.Owners[slot]
		empty := rapid.Bool().Draw(t, "an empty node")
		if empty {
			z.layout.Nodes = append(z.layout.Nodes, slots.Owner(len(z.layout.Nodes)))
		}
		p, err := Isolate(z.layout, z.load, slot)
		end := valid(t, z.layout, p, err)
		if own := slotsOf(end.Owners, end.Owners[slot]); len(own) != 1 {
			t.Fatalf("slot %d is among %d of its node", slot, len(own))
		}
		checkIsolated(t, z, p, slot)
		if empty {
			if p.Len() != 1 {
				t.Fatalf("%d slots move, where one goes to the empty node", p.Len())
			}
			return
		}
		before, loads, counts := z.layout.Loads(z.load), end.Loads(z.load), end.Counts()
		at := slices.Index(end.Nodes, home)
		heaviest := int64(0)
		for i, s := range z.hot {
			if s != slot && z.home[i] == at {
				heaviest = max(heaviest, z.load[s])
			}
		}
		rest, others := sum(loads)-z.load[slot], int64(len(loads)-1)
		was := slices.Max(slices.Delete(slices.Clone(before), at, at+1))
		busiest := slices.Max(slices.Delete(loads, at, at+1))
		if busiest > was && others*busiest > rest+(others-1)*heaviest {
			t.Fatalf("another node ends with %d of %d, which no greedy plan gives it", busiest, rest)
		}
		counts = slices.Delete(counts, at, at+1)
		if slices.Max(counts)-slices.Min(counts) > 1 {
			t.Fatalf("the others have %v slots", counts)
		}
	})
}

// checkIsolated checks what such a plan says of itself: it names the slot that is to
// be alone and no other.
func checkIsolated(t *rapid.T, z puzzle, p *Plan, slot slots.Slot) {
	n := int64(len(z.layout.Nodes))
	switch bottleneck := n*z.load[slot] > sum(z.load[:]); {
	case bottleneck != (p.Outcome == Bottleneck), bottleneck && p.Slot != slot:
		t.Fatalf("the outcome is %v of slot %d, whose load is %d", p.Outcome, p.Slot, z.load[slot])
	}
}

// A slot that is alone already stays.
func TestIsolateOfWhatIsAlone(t *testing.T) {
	l := onFirst(3)
	l.Owners[9] = 2
	if p, err := Isolate(l, new(Load), 9); err != nil || p.Outcome != Balanced || len(p.Moves) > 0 {
		t.Errorf("%+v, %v", p, err)
	}
}
