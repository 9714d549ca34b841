package client

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/slots"
)

// A stage is a topology in which every node believes the same.
type stage struct {
	table     slots.Table
	primaryOf []slots.Owner
}

func (s *stage) View(sim.ActorID) *slots.Table { return &s.table }

func (s *stage) PrimaryOf(_, other sim.ActorID) slots.Owner { return s.primaryOf[other] }

func TestCast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 12
		primaryOf := make([]slots.Owner, nodes)
		for i := range primaryOf {
			primaryOf[i] = slots.Owner(i)
			if d := rapid.IntRange(-1, nodes-1).Draw(t, "primary"); d < 0 {
				primaryOf[i] = slots.None
			} else if d < 3 {
				primaryOf[i] = slots.Owner(d)
			}
		}
		c := newCast(primaryOf)
		for node := range slots.Owner(nodes) {
			var want []sim.ActorID
			for i, primary := range primaryOf {
				if primary == node && i != int(node) {
					want = append(want, sim.ActorID(i))
				}
			}
			if got := c.replicas(node); !slices.Equal(got, want) {
				t.Fatalf("node %d has the replicas %v, want %v", node, got, want)
			}
			_, known := slices.BinarySearch(c.known, sim.ActorID(node))
			if known != (primaryOf[node] != slots.None) {
				t.Fatalf("node %d, primary %d, is known: %v", node, primaryOf[node], known)
			}
		}
		for old := range slots.Owner(3) {
			for _, owner := range c.replicas(old) {
				checkReplaced(t, c, old, slots.Owner(owner))
			}
		}
	})
}

// checkReplaced holds the cast after a failover against the one before.
func checkReplaced(t *rapid.T, c *cast, old, owner slots.Owner) {
	after := c.replaced(old, owner)
	want := slices.Clone(c.replicas(old))
	want[slices.Index(want, sim.ActorID(owner))] = sim.ActorID(old)
	want = append(want, c.replicas(owner)...)
	if got := after.replicas(owner); !slices.Equal(got, want) {
		t.Fatalf("node %d takes the place of %d and has the replicas %v, want %v", owner, old, got, want)
	}
	for node := range slots.Owner(len(c.primaryOf)) {
		if node != owner && !slices.Equal(after.replicas(node), c.replicas(node)) {
			t.Fatalf("node %d has the replicas %v and had %v", node, after.replicas(node), c.replicas(node))
		}
	}
}

// Who learns the same shares it, and it costs nothing to learn it again.
func TestBeliefsAreShared(t *testing.T) {
	s := &stage{table: *slots.Even(2), primaryOf: []slots.Owner{0, 1, 0, 1}}
	var b beliefs
	first := b.of(s, 0, 4)
	if again := b.of(s, 3, 4); again != first {
		t.Error("two beliefs that are the same are not one")
	}
	if allocs := testing.AllocsPerRun(10, func() { b.of(s, 1, 4) }); allocs != 0 {
		t.Errorf("%g allocations for what is known", allocs)
	}
	s.primaryOf[0], s.primaryOf[2] = 2, 2
	if changed := b.of(s, 0, 4); changed.cast == first.cast || len(changed.replicas(2)) != 1 {
		t.Error("a failover is not seen")
	}
	c := b.promoted(first.cast, 0, 2)
	if c == first.cast || c != b.promoted(first.cast, 0, 2) || b.promoted(c, 0, 2) != c {
		t.Error("a failover of which all have learnt by MOVED is not shared")
	}
	if b.promoted(first.cast, 0, 3) != first.cast || b.promoted(first.cast, slots.None, 2) != first.cast {
		t.Error("a slot that moves to another shard changes who is whose replica")
	}
}
