package migration

import (
	"cmp"
	"slices"

	"hotslot/sim/slots"
)

// fairShares computes what each party is due: its exact share, 16384 times its
// weight by the sum of weights, rounded down for some and up for the others, so
// that nothing is left over. Where weights are equal no two parties differ by
// more than one slot, and weight 0 is due none.
//
// It costs the fewest moves that this can cost. A plan moves what parties own
// beyond what they are due, and a slot more for one that owns more than its share
// rounded down saves a move, for any other none: so the former come first, the
// largest fraction first within both, ties in the order given.
func fairShares(parties []party) {
	total := Decimal(0)
	for _, p := range parties {
		total += p.weight
	}
	left := slots.Count
	order := make([]int, 0, len(parties))
	fraction := make([]Decimal, len(parties)) // of a slot, by total
	for i := range parties {
		p := &parties[i]
		p.due, fraction[i] = int(slots.Count*p.weight/total), slots.Count*p.weight%total
		left -= p.due
		if fraction[i] > 0 {
			order = append(order, i)
		}
	}
	saves := func(i int) int { return min(1, max(0, parties[i].count-parties[i].due)) }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(saves(b), saves(a)), cmp.Compare(fraction[b], fraction[a]))
	})
	for _, i := range order[:left] {
		parties[i].due++
	}
	for i := range parties {
		parties[i].balance = parties[i].count - parties[i].due
	}
}
