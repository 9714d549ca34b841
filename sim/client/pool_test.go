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
	shifted := slots.Even(4)
	for s, owner := range shifted {
		shifted[s] = (owner + 1) % 4
	}
	for name, want := range map[string]*slots.Table{
		SlotMapCurrent:         slots.Even(4),
		SlotMapShifted:         shifted,
		SlotMapPrimaries + "3": slots.Even(3),
		SlotMapPrimaries + "9": slots.Even(4), // there are four
	} {
		if *firstMap(name, 4) != *want {
			t.Errorf("%s: another map", name)
		}
	}
}

func TestShape(t *testing.T) {
	s := Shape{Primaries: 3, Replicas: 2}
	if s.Nodes() != 9 || s.Replica(0, 0) != 3 || s.Replica(2, 1) != 8 {
		t.Errorf("%d nodes, replicas %d to %d", s.Nodes(), s.Replica(0, 0), s.Replica(2, 1))
	}
}
