package migration

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/slots"
)

// Six nodes on one host with a replica each, as redis-cli 7.0.15 proposed it: slots
// and replicas before it tried to keep them apart, which on one host cannot be.
func TestCreateAsRedisCLI(t *testing.T) {
	c, err := Create(slices.Repeat([]string{"127.0.0.1"}, 6), 1, sim.NewStream(1, "create"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2}; !slices.Equal(c.Primaries, want) {
		t.Errorf("the primaries are %v", c.Primaries)
	}
	for node, want := range []string{"[0-5460]", "[5461-10922]", "[10923-16383]", "[]", "[]", "[]"} {
		if got := fmt.Sprint(slots.Ranges(c.Owners, slots.Owner(node))); got != want {
			t.Errorf("node %d has the slots %s, want %s", node, got, want)
		}
	}
	if want := [][2]int{{4, 0}, {5, 1}, {3, 2}}; !slices.Equal(c.Added, want) {
		t.Errorf("replicas and primaries are %v, want %v", c.Added, want)
	}
	if c.Score != 3*sharing {
		t.Errorf("a score of %d, where three share the host of their primary", c.Score)
	}
}

// Two nodes on each of three hosts: it can be perfect, and is.
func TestCreateKeepsApart(t *testing.T) {
	hosts := []string{"a", "a", "b", "b", "c", "c"}
	for seed := range uint64(50) {
		c, err := Create(hosts, 1, sim.NewStream(seed, "create"))
		if err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 2, 4}; !slices.Equal(c.Primaries, want) || c.Score != 0 {
			t.Errorf("seed %d: the primaries are %v, and the score is %d", seed, c.Primaries, c.Score)
		}
	}
}

// Every node has its part, and the score is what its definition says.
func TestCreation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 3, 24).Draw(t, "hosts")
		replicas := rapid.IntRange(0, 3).Draw(t, "replicas")
		c, err := Create(hosts, replicas, sim.NewStream(rapid.Uint64().Draw(t, "seed"), "create"))
		n := len(hosts) / (replicas + 1)
		if n < primariesMin {
			if err == nil {
				t.Fatalf("%d primaries, and no error", n)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		of := make([]int, len(hosts)) // by primary: its replicas
		for node, primary := range c.PrimaryOf {
			is := slices.Contains(c.Primaries, node)
			if is != (primary == node) || !slices.Contains(c.Primaries, primary) {
				t.Fatalf("node %d has the primary %d", node, primary)
			}
			if node != primary {
				of[primary]++
			}
		}
		for i, primary := range c.Primaries {
			want := replicas
			if i < len(hosts)-n*(replicas+1) {
				want++
			}
			if of[primary] != want {
				t.Fatalf("primary %d, the %dth of %d, has %d replicas", primary, i, n, of[primary])
			}
			if got, want := len(slotsOf(c.Owners, slots.Owner(primary))), slots.Count/n; got < want || got > want+1 {
				t.Fatalf("primary %d has %d slots of %d", primary, got, want)
			}
		}
		before := slices.Clone(c.PrimaryOf)
		for _, a := range c.Added {
			before[a[0]] = a[1]
		}
		if got := scoreOf(hosts, c.PrimaryOf); c.Score != got || got > scoreOf(hosts, before) {
			t.Fatalf("the score is said to be %d and is %d; it was %d", c.Score, got, scoreOf(hosts, before))
		}
	})
}

// scoreOf computes the score node by node and pair by pair
// (clusterManagerGetAntiAffinityScore).
func scoreOf(hosts []string, primaryOf []int) int {
	score := 0
	for node, primary := range primaryOf {
		if node == primary {
			continue
		}
		if hosts[node] == hosts[primary] {
			score += sharing
			continue
		}
		for other, of := range primaryOf {
			if other != node && other != of && of == primary && hosts[other] == hosts[node] {
				score++
				break
			}
		}
	}
	return score
}
