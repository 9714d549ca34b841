package slots

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The ranges that redis-cli --cluster create of Redis 7.0.15 announces.
func TestEvenAsRedisCLI(t *testing.T) {
	for _, tt := range []struct {
		primaries int
		want      string
	}{
		{1, "0-16383"},
		{3, "0-5460 5461-10922 10923-16383"},
		{5, "0-3276 3277-6553 6554-9829 9830-13106 13107-16383"},
		{6, "0-2730 2731-5460 5461-8191 8192-10922 10923-13652 13653-16383"},
		{7, "0-2340 2341-4680 4681-7021 7022-9361 9362-11702 11703-14042 14043-16383"},
	} {
		table := Even(tt.primaries)
		var got []string
		for owner := range tt.primaries {
			for _, r := range Ranges(table, Owner(owner)) {
				got = append(got, r.String())
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%d primaries: %v, want %s", tt.primaries, got, tt.want)
		}
	}
}

// Each primary has one range, they follow each other, and they are as equal as
// they can be.
func TestEvenIsEven(t *testing.T) {
	for n := 1; n <= 1000; n++ {
		table := Even(n)
		sizes := make([]int, n)
		for _, owner := range table {
			sizes[owner]++
		}
		if !slices.IsSorted(table[:]) {
			t.Errorf("%d primaries: ranges out of order", n)
		}
		if least, most := slices.Min(sizes), slices.Max(sizes); least < Count/n || most > least+1 {
			t.Errorf("%d primaries: %d to %d slots each", n, least, most)
		}
	}
}

// Where the float has lost its way there is still no gap and no way back.
func TestEvenOfVeryManyPrimaries(t *testing.T) {
	for _, n := range []int{2687, 2688, 10_000, Count - 1, Count, Count + 1} {
		table := Even(n)
		if !slices.IsSorted(table[:]) || table[0] != 0 {
			t.Errorf("%d primaries: ranges out of order", n)
		}
		if n == Count && table[Count-1] != Count-1 {
			t.Errorf("one slot each: the last belongs to %d", table[Count-1])
		}
	}
}

func TestRanges(t *testing.T) {
	table := new(Table)
	for _, s := range []Slot{5, 6, 7, 100, Count - 1} {
		table[s] = 1
	}
	var got []string
	for _, r := range Ranges(table, 1) {
		got = append(got, r.String())
	}
	if want := []string{"5-7", "100", "16383"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Ranges(table, 2); got != nil {
		t.Errorf("an owner without slots has %v", got)
	}
}

// Written back, the ranges of all owners make the table again; they ascend and
// do not touch.
func TestRangesAreTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const owners = 4
		table, again := new(Table), new(Table)
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			first := rapid.IntRange(0, Count-1).Draw(t, "first")
			last := rapid.IntRange(first, min(first+600, Count-1)).Draw(t, "last")
			owner := rapid.Uint16Range(0, owners-1).Draw(t, "owner")
			for s := first; s <= last; s++ {
				table[s] = Owner(owner)
			}
		}
		for owner := range Owner(owners) {
			free := 0
			for _, r := range Ranges(table, owner) {
				if int(r.First) < free || r.Last < r.First {
					t.Fatalf("owner %d: %v begins before slot %d, or ends before it begins", owner, r, free)
				}
				for s := r.First; s <= r.Last; s++ {
					again[s] = owner
				}
				free = int(r.Last) + 2
			}
		}
		if *again != *table {
			t.Fatal("the ranges make another table")
		}
	})
}
