package client

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/slots"
)

func TestFreeConnectionsAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pool
		var sorted []sim.Time
		for n, at := range rapid.SliceOfN(rapid.IntRange(-10, 20), 20, 100).Draw(t, "pushes, and pops below 0") {
			if at >= 0 {
				p.push(spare{sim.Time(at), uint32(n)})
				sorted = append(sorted, sim.Time(at))
				slices.Sort(sorted)
			} else if len(sorted) > 0 {
				if got := p.pop(); got.at != sorted[0] {
					t.Fatalf("the connection that is free at %d comes before that at %d", got.at, sorted[0])
				}
				sorted = sorted[1:]
			}
			if len(p.free) != len(sorted) || len(sorted) > 0 && p.free[0].at != sorted[0] {
				t.Fatalf("free are %v, want %v", p.free, sorted)
			}
		}
	})
}

func TestFirstMap(t *testing.T) {
	for _, tt := range []struct {
		name string
		want func(s int) slots.Owner
	}{
		{SlotMapCurrent, func(s int) slots.Owner { return slots.Even(4)[s] }},
		{SlotMapShifted, func(s int) slots.Owner { return (slots.Even(4)[s] + 1) % 4 }},
		{SlotMapPrimaries + "3", func(s int) slots.Owner { return slots.Even(3)[s] }},
		{SlotMapPrimaries + "9", func(s int) slots.Owner { return slots.Even(4)[s] }}, // there are four
	} {
		for s, got := range firstMap(tt.name, 4) {
			if got != tt.want(s) {
				t.Errorf("%s: slot %d at %d, want %d", tt.name, s, got, tt.want(s))
				break
			}
		}
	}
}

func TestShape(t *testing.T) {
	s := Shape{Primaries: 3, Replicas: 2}
	if s.Nodes() != 9 || s.Replica(0, 0) != 3 || s.Replica(2, 1) != 8 {
		t.Errorf("%d nodes, replicas %d to %d", s.Nodes(), s.Replica(0, 0), s.Replica(2, 1))
	}
}
