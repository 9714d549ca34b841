package slots

import (
	"fmt"
	"math"
)

// Owner is the number of a node, counted from 0.
type Owner uint16

// None is no node: the owner of a slot that is not assigned.
const None Owner = math.MaxUint16

// A Table is somebody's belief about which node owns each slot. It is 32 KiB.
type Table [Count]Owner

// Even returns the table that redis-cli --cluster create gives to n primaries,
// at least 1: consecutive ranges of 16384/n slots each, rounded.
//
// redis-cli walks the slots with a 32-bit float, and so does Even: up to 2,687
// primaries no two ranges differ by more than one slot; beyond, what the float
// lost adds up, and the last primaries get a few slots more or fewer.
func Even(n int) *Table {
	t := new(Table)
	perNode := Count / float32(n)
	cursor := float32(0)
	first := 0
	for owner := range n {
		last := int(math.Round(float64(cursor + perNode - 1)))
		last = min(max(last, first), Count-1)
		if owner == n-1 {
			last = Count - 1
		}
		for s := first; s <= last; s++ {
			t[s] = Owner(owner)
		}
		first = last + 1
		cursor += perNode
	}
	return t
}

// A Range is a run of consecutive slots; both ends belong to it.
type Range struct{ First, Last Slot }

// String returns a range as CLUSTER NODES shows it: "0-5460", or "5461" where
// it is one slot.
func (r Range) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

// Len returns how many slots are in a range.
func (r Range) Len() int { return int(r.Last) - int(r.First) + 1 }

// Ranges returns the slots that a table gives to owner, in ascending order and
// in as few ranges as possible.
func Ranges(table *Table, owner Owner) []Range {
	var ranges []Range
	for first := 0; first < Count; first++ {
		if table[first] != owner {
			continue
		}
		last := first
		for last+1 < Count && table[last+1] == owner {
			last++
		}
		ranges = append(ranges, Range{Slot(first), Slot(last)})
		first = last
	}
	return ranges
}
