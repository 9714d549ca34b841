package migration

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim/slots"
)

// onFirst returns a layout of so many nodes, of which the first has all slots.
func onFirst(nodes int) *Layout {
	l := &Layout{Owners: new(slots.Table)}
	for i := range nodes {
		l.Nodes = append(l.Nodes, slots.Owner(i))
	}
	return l
}

// after plans and returns what the plan leads to.
func after(t rapid.TB, l *Layout, r Rebalancing) (*Plan, *Layout) {
	t.Helper()
	p, err := Rebalance(l, r)
	if err != nil {
		t.Fatal(err)
	}
	end, err := l.After(p)
	if err != nil {
		t.Fatal(err)
	}
	return p, end
}

func rulesOf(t rapid.TB, name string) Rules {
	t.Helper()
	r, _, ok := RulesOf(name)
	if !ok {
		t.Fatalf("there are no rules %s", name)
	}
	return r
}

// All slots of one primary are spread over 201, and then one of them is to have
// none: what somebody reported of redis-trib.rb, which left 184 slots on the first
// primary, 81 on each of the others, and then never came to an end.
func TestRebalanceOf201(t *testing.T) {
	one := onFirst(201)
	_, trib := after(t, one,
		Rebalancing{Rules: rulesOf(t, "redis-trib-3"), Threshold: DefaultThreshold, UseEmpty: true})
	if got, want := trib.Counts(), append([]int{184}, slices.Repeat([]int{81}, 200)...); !slices.Equal(got, want) {
		t.Errorf("redis-trib leaves %v, want 184 and 81", got)
	}
	noSecond := slices.Repeat([]Decimal{One}, 201)
	noSecond[1] = 0
	endless := Rebalancing{Rules: rulesOf(t, "redis-trib-4"), Threshold: DefaultThreshold, Weights: noSecond}
	if p, _ := after(t, trib, endless); p.Outcome != Endless || len(p.Moves) > 0 {
		t.Errorf("redis-trib with weight 0: %v and %d moves, want endless and none", p.Outcome, len(p.Moves))
	}

	fair := Rebalancing{Rules: rulesOf(t, "fair"), UseEmpty: true}
	p, even := after(t, one, fair)
	counts := even.Counts()
	if least, most := slices.Min(counts), slices.Max(counts); least != 81 || most != 82 {
		t.Errorf("the fair rules leave %d to %d slots, want 81 and 82", least, most)
	}
	if surplus := slots.Count - counts[0]; p.Len() != surplus || counts[0] != 82 {
		t.Errorf("%d slots move, where the first node has a surplus of %d and keeps %d", p.Len(), surplus, counts[0])
	}
	for _, l := range []*Layout{trib, even} {
		fair.Weights = noSecond
		p, end := after(t, l, fair)
		others := slices.Delete(end.Counts(), 1, 2)
		least, most := slices.Min(others), slices.Max(others)
		if got := end.Counts()[1]; got != 0 || most-least > 1 {
			t.Errorf("weight 0 ends with %d slots, the others with %d to %d", got, least, most)
		}
		surplus := 0
		for i, before := range l.Counts() {
			surplus += max(0, before-end.Counts()[i])
		}
		if p.Len() != surplus {
			t.Errorf("%d slots move for surpluses of %d", p.Len(), surplus)
		}
	}
}

// Four primaries with 4096 slots each, of which the first is to have none:
// redis-trib.rb of Redis 3 left it slot 12287, as somebody showed in CLUSTER NODES.
func TestTribLeavesASlotBehind(t *testing.T) {
	l := layout(t, "N2 N3 N4", "0-1364 5461-6826 10923-12287", "12288-16383", "6827-10922", "1365-5460")
	_, end := after(t, l, Rebalancing{Rules: rulesOf(t, "redis-trib-3"), Threshold: DefaultThreshold,
		Weights: []Decimal{0, One, One, One}})
	if got := slots.Ranges(end.Owners, 0); !slices.Equal(got, []slots.Range{{First: 12287, Last: 12287}}) {
		t.Errorf("it keeps %v, want 12287", got)
	}
	if got := end.Counts(); !slices.Equal(got, []int{1, 5461, 5461, 5461}) {
		t.Errorf("they have %v slots", got)
	}
}

// layouts draws clusters of up to nine primaries, numbered and listed in any order,
// whose slots lie in up to forty runs; some have none.
func layouts(t *rapid.T) *Layout {
	l := &Layout{Owners: new(slots.Table)}
	order := rapid.Permutation([]slots.Owner{0, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, "order")
	l.Nodes = order[:rapid.IntRange(1, len(order)).Draw(t, "nodes")]
	slot := 0
	for range rapid.IntRange(0, 39).Draw(t, "runs") {
		owner := rapid.SampledFrom(l.Nodes).Draw(t, "owner")
		for end := rapid.IntRange(slot, slots.Count).Draw(t, "end"); slot < end; slot++ {
			l.Owners[slot] = owner
		}
	}
	last := rapid.SampledFrom(l.Nodes).Draw(t, "owner of the rest")
	for ; slot < slots.Count; slot++ {
		l.Owners[slot] = last
	}
	return l
}
