package migration

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim/slots"
)

// valid checks what holds for every plan: a slot moves from the node that owns it
// and to another one of the cluster, and none moves twice. It returns what the plan
// leads to.
func valid(t *rapid.T, l *Layout, p *Plan, err error) *Layout {
	if err != nil {
		t.Fatal(err)
	}
	end, err := l.After(p)
	if err != nil {
		t.Fatal(err)
	}
	moved := make([]bool, slots.Count)
	for _, m := range p.Moves {
		if m.Source == m.Target || !l.has(m.Target) || m.Last < m.First {
			t.Fatalf("a move %+v", m)
		}
		for slot := int(m.First); slot <= int(m.Last); slot++ {
			if moved[slot] {
				t.Fatalf("slot %d moves twice", slot)
			}
			moved[slot] = true
		}
	}
	return end
}

// weights draws a weight of each node, not all 0.
func weights(t *rapid.T, nodes int) []Decimal {
	weight := rapid.SampledFrom([]Decimal{0, One, One, 3 * One / 2, 4 * One, One / 3})
	w := rapid.SliceOfN(weight, nodes, nodes).Draw(t, "weights")
	w[rapid.IntRange(0, nodes-1).Draw(t, "node that has weight")] = 2 * One
	return w
}

// The fair rules end with one of the two whole numbers next to each node's share,
// with as few moves as any such plan can have.
func TestFairIsFairAndFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := layouts(t)
		r := Rebalancing{Rules: rulesOf(t, "fair"), UseEmpty: true, Weights: weights(t, len(l.Nodes))}
		p, err := Rebalance(l, r)
		end := valid(t, l, p, err)
		total := Decimal(0)
		for _, w := range r.Weights {
			total += w
		}
		for i, n := range end.Counts() {
			if down := int(slots.Count * r.Weights[i] / total); n < down || n > down+1 ||
				n == down+1 && slots.Count*r.Weights[i]%total == 0 {
				t.Fatalf("node %d of weight %d has %d slots, its share is %d", i, r.Weights[i], n, down)
			}
		}
		if want := fewest(l.Counts(), r.Weights, total); p.Len() != want {
			t.Fatalf("%d slots move, where %d suffice", p.Len(), want)
		}
		if (p.Len() == 0) != (p.Outcome == Balanced) {
			t.Fatalf("%d slots move, and the outcome is %v", p.Len(), p.Outcome)
		}
	})
}

// fewest tries every way to round the shares, and returns how many slots move at
// least.
func fewest(counts []int, weights []Decimal, total Decimal) int {
	best := slots.Count + 1
	for up := range 1 << len(counts) {
		sum, moves := 0, 0
		for i, n := range counts {
			due := int(slots.Count * weights[i] / total)
			if up>>i&1 == 1 {
				due++
			}
			sum += due
			moves += max(0, n-due)
			if up>>i&1 == 1 && slots.Count*weights[i]%total == 0 {
				sum = -1 << 20 // nothing to round
			}
		}
		if sum == slots.Count {
			best = min(best, moves)
		}
	}
	return best
}

// Whatever programs do about rounding: who has too much ends with its share
// rounded down or, where slots are left over, with some more; of weight 0 in
// redis-cli, with none.
func TestProgramsRebalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := layouts(t)
		name := rapid.SampledFrom([]string{"redis-cli", "redis-trib-4", "redis-trib-3"}).Draw(t, "rules")
		r := Rebalancing{Rules: rulesOf(t, name), UseEmpty: rapid.Bool().Draw(t, "empty"),
			Weights: weights(t, len(l.Nodes)), Threshold: Decimal(rapid.IntRange(0, 5).Draw(t, "threshold")) * One}
		before, total := l.Counts(), Decimal(0)
		for i, w := range r.Weights {
			if before[i] > 0 || r.UseEmpty {
				total += w
			}
		}
		p, err := Rebalance(l, r)
		if total == 0 {
			if err == nil {
				t.Fatal("nobody has weight, and there is a plan")
			}
			return
		}
		end := valid(t, l, p, err)
		if p.Outcome != Done {
			if len(p.Moves) > 0 {
				t.Fatalf("%d moves, and the outcome is %v", len(p.Moves), p.Outcome)
			}
			return
		}
		for i, n := range end.Counts() {
			due := int(slots.Count * r.Weights[i] / total)
			switch {
			case before[i] == 0 && !r.UseEmpty:
				if n != 0 {
					t.Fatalf("node %d was empty and has %d slots", i, n)
				}
			case n < before[i] && n < due-1, n > before[i] && n > due+len(l.Nodes)+1:
				t.Fatalf("node %d had %d slots, has %d, its share is %d", i, before[i], n, due)
			case name == "redis-cli" && before[i] > due+1 && n > due+1:
				t.Fatalf("node %d had %d slots and keeps %d, its share is %d", i, before[i], n, due)
			}
		}
	})
}

// A drained node ends with nothing, under all rules that come to an end and leave
// nothing over.
func TestDrainLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := layouts(t)
		if len(l.Nodes) < 2 {
			return
		}
		node := rapid.SampledFrom(l.Nodes).Draw(t, "node")
		r := Rebalancing{Rules: rulesOf(t, rapid.SampledFrom([]string{"redis-cli", "fair"}).Draw(t, "rules")),
			Threshold: DefaultThreshold, UseEmpty: true}
		p, err := Drain(l, node, r)
		if own := slotsOf(valid(t, l, p, err).Owners, node); len(own) > 0 {
			t.Fatalf("node %d is left %d slots", node, len(own))
		}
		target := l.Nodes[(slices.Index(l.Nodes, node)+1)%len(l.Nodes)]
		p, err = DrainTo(l, node, target)
		if end := valid(t, l, p, err); slices.Contains(end.Owners[:], node) || p.Len() != len(slotsOf(l.Owners, node)) {
			t.Fatalf("%d slots of node %d go to node %d", p.Len(), node, target)
		}
	})
}

// Reshard moves what was asked for, but for less than a slot a source that rounding
// takes off, and never more than there is.
func TestReshardCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := layouts(t)
		if len(l.Nodes) < 2 {
			return
		}
		target := rapid.SampledFrom(l.Nodes).Draw(t, "target")
		var sources []slots.Owner
		for _, n := range l.Nodes {
			if n != target && rapid.Bool().Draw(t, "source") {
				sources = append(sources, n)
			}
		}
		count := rapid.IntRange(1, slots.Count).Draw(t, "count")
		p, err := Reshard(l, sources, target, count)
		valid(t, l, p, err)
		there := 0
		for i, n := range l.Counts() {
			if node := l.Nodes[i]; node != target && (sources == nil || slices.Contains(sources, node)) {
				there += n
			}
		}
		for _, m := range p.Moves {
			if m.Target != target || sources != nil && !slices.Contains(sources, m.Source) {
				t.Fatalf("a move %+v", m)
			}
		}
		if most := min(count, there); p.Len() > most || p.Len() < most-len(l.Nodes) {
			t.Fatalf("%d slots move, where %d were asked for and there are %d", p.Len(), count, there)
		}
	})
}

// What no plan can be made for is an error, and none is made.
func TestWhatCannotBePlanned(t *testing.T) {
	orphan := onFirst(2)
	orphan.Owners[77] = slots.None
	stranger := onFirst(2)
	stranger.Owners[77] = 5
	good := onFirst(3)
	twice := &Layout{new(slots.Table), []slots.Owner{0, 0}}
	usual := Rebalancing{Rules: DefaultRules(), Threshold: DefaultThreshold}
	with := func(weights ...Decimal) Rebalancing {
		return Rebalancing{Rules: DefaultRules(), Weights: weights, UseEmpty: true}
	}
	load := new(Load)
	negative := new(Load)
	negative[3] = -1
	huge := new(Load)
	huge[3], huge[4] = 1<<62, 1<<62
	for name, plan := range map[string]func() (*Plan, error){
		"nobody":              func() (*Plan, error) { return Rebalance(&Layout{Owners: new(slots.Table)}, usual) },
		"no owner":            func() (*Plan, error) { return Rebalance(orphan, usual) },
		"a stranger":          func() (*Plan, error) { return Rebalance(stranger, usual) },
		"a node twice":        func() (*Plan, error) { return Rebalance(twice, usual) },
		"no weight":           func() (*Plan, error) { return Rebalance(good, with(0, 0, 0)) },
		"a weight below 0":    func() (*Plan, error) { return Rebalance(good, with(1, 1, -1)) },
		"too few weights":     func() (*Plan, error) { return Rebalance(good, with(1, 1)) },
		"nobody's reshard":    func() (*Plan, error) { return Reshard(good, nil, 7, 10) },
		"from nobody":         func() (*Plan, error) { return Reshard(good, []slots.Owner{7}, 0, 10) },
		"to itself":           func() (*Plan, error) { return Reshard(good, []slots.Owner{0}, 0, 10) },
		"a source twice":      func() (*Plan, error) { return Reshard(good, []slots.Owner{0, 0}, 1, 10) },
		"no slots":            func() (*Plan, error) { return Reshard(good, nil, 0, 0) },
		"too many slots":      func() (*Plan, error) { return Reshard(good, nil, 0, slots.Count+1) },
		"drain of nobody":     func() (*Plan, error) { return Drain(good, 7, usual) },
		"drain to nobody":     func() (*Plan, error) { return DrainTo(good, 0, 7) },
		"drain of all":        func() (*Plan, error) { return Drain(onFirst(1), 0, usual) },
		"a load below 0":      func() (*Plan, error) { return Level(good, negative, 0) },
		"a load beyond count": func() (*Plan, error) { return Hottest(good, huge, 1) },
		"no moves":            func() (*Plan, error) { return Hottest(good, load, 0) },
		"a limit below 0":     func() (*Plan, error) { return Level(good, load, -1) },
		"no such slot":        func() (*Plan, error) { return Isolate(good, load, slots.Count) },
		"one alone":           func() (*Plan, error) { return Isolate(onFirst(1), load, 0) },
	} {
		if p, err := plan(); err == nil {
			t.Errorf("%s: a plan of %d moves", name, len(p.Moves))
		}
	}
}
