package gossip

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Whatever is killed, cut off or frozen when: nobody votes twice in an epoch, nobody
// else wins an epoch that was won, and when all is well again all nodes are of one
// mind, and no two primaries share an epoch.
func TestAnyTrouble(t *testing.T) {
	if err := flag.Set("rapid.seed", "1"); err != nil { // the same troubles each time
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom(Versions()).Draw(t, "version")
		primaries, replicas := rapid.IntRange(3, 5).Draw(t, "primaries"), rapid.IntRange(0, 2).Draw(t, "replicas")
		c := config(time.Second)
		c.RequireFullCoverage = rapid.Bool().Draw(t, "coverage")
		w := newWorld(t, version, rapid.Uint64().Draw(t, "seed"), primaries, replicas, 0, c)
		w.delay = time.Duration(rapid.IntRange(50, 20_000).Draw(t, "delay")) * time.Microsecond
		node := rapid.IntRange(0, len(w.nodes)-1)
		for range rapid.IntRange(1, 8).Draw(t, "troubles") {
			w.run(time.Duration(w.now) + time.Duration(rapid.IntRange(1, 5000).Draw(t, "ms"))*time.Millisecond)
			trouble(t, w, node.Draw(t, "node"))
		}
		w.recover()
		w.run(time.Duration(w.now) + 12*c.NodeTimeout + 15*time.Second)
		for _, what := range []string{w.voteTwice(), w.disagree()} {
			if what != "" {
				t.Fatal(version, what)
			}
		}
	})
}

func trouble(t *rapid.T, w *world, i int) {
	troubles := []string{"kill", "lose", "restart", "cut", "heal", "freeze", "thaw", "offset"}
	switch rapid.SampledFrom(troubles).Draw(t, "what") {
	case "kill":
		w.kill(i)
	case "lose":
		w.lose(i)
	case "restart":
		if w.down[i] {
			w.restart(i)
		}
	case "cut":
		w.cut(i, (i+1)%len(w.nodes))
	case "heal":
		w.heal()
	case "freeze":
		w.frozen[i] = !w.down[i]
	case "thaw":
		if w.frozen[i] {
			w.thaw(i)
		}
	case "offset":
		w.facts[i].Offset += 100
	}
}

// recover ends all troubles.
func (w *world) recover() {
	w.heal()
	for i := range w.nodes {
		switch {
		case w.down[i]:
			w.restart(i)
		case w.frozen[i]:
			w.thaw(i)
		}
	}
}

// voteTwice tells of two votes of a node, or two winners, in an epoch.
func (w *world) voteTwice() string {
	voted, won := map[[2]int64]slots.Owner{}, map[int64]slots.Owner{}
	for _, e := range w.events {
		switch e.Kind {
		case wire.EventVoteGranted:
			key := [2]int64{int64(e.Node), e.A}
			if _, twice := voted[key]; twice {
				return fmt.Sprintf("node %d votes twice in epoch %d", e.Node, e.A)
			}
			voted[key] = e.About
		case wire.EventElectionWon:
			if other, twice := won[e.A]; twice && other != e.Node {
				return fmt.Sprintf("nodes %d and %d win epoch %d", other, e.Node, e.A)
			}
			won[e.A] = e.Node
		}
	}
	return ""
}

// disagree tells where nodes are of two minds.
func (w *world) disagree() string {
	first := w.nodes[0]
	epochs := map[uint64]slots.Owner{}
	for _, s := range w.nodes {
		switch {
		case s.table != first.table:
			for slot, owner := range s.table {
				if owner != first.table[slot] {
					return fmt.Sprintf("slot %d is of node %d for %d and of %d for 0", slot, owner, s.self,
						first.table[slot])
				}
			}
		case !s.ok:
			return fmt.Sprintf("node %d takes the cluster to be down", s.self)
		}
		for _, node := range s.roster {
			if s.of(node) != first.of(node) || w.env.ReplicasTell && s.is(node, PFAIL|FAIL) {
				return fmt.Sprintf("node %d takes node %d for %s of %d, node 0 of %d", s.self, node, s.flagsOf(node),
					s.of(node), first.of(node))
			}
		}
		if s.isVoter(s.self) {
			if other, taken := epochs[s.ConfigEpoch()]; taken {
				return fmt.Sprintf("nodes %d and %d share epoch %d", other, s.self, s.ConfigEpoch())
			}
			epochs[s.ConfigEpoch()] = s.self
		}
	}
	return ""
}

func (s *State) of(node slots.Owner) slots.Owner { return s.peer[node].of }
