package validation

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// TestSwarm is the short form of simulate swarm. Each run is held to the
// invariants and to taking the same course twice; together they must have seen
// what a swarm is for.
func TestSwarm(t *testing.T) {
	if testing.Short() {
		t.Skip("an hour of simulated time")
	}
	tally, err := Swarm(t.Context(), SwarmOptions{Seed: 1, Seeds: 60, Twice: true})
	if err != nil {
		t.Fatalf("%v; repeat it with: simulate swarm --seed N --seeds 1", err)
	}
	for kind, least := range map[wire.EventKind]int{wire.EventElectionWon: 20, wire.EventEpochCollision: 1,
		wire.EventFullResync: 20, wire.EventPartialResync: 10, wire.EventManualFailover: 5} {
		if tally.Kinds[kind] < least {
			t.Errorf("only %d of %v in\n%s", tally.Kinds[kind], kind, tally.Text())
		}
	}
	if len(tally.Done) < 10 || tally.Agreed < 10 || tally.Lost[LostByDemotion] == 0 || tally.Lost[LostByRestart] == 0 {
		t.Errorf("the swarm shows little:\n%s", tally.Text())
	}
}

// A tally is the sum of its runs, whoever makes them.
func TestSwarmIsDeterministic(t *testing.T) {
	whole, err := Swarm(t.Context(), SwarmOptions{Seed: 7, Seeds: 4, Duration: 3e9})
	if err != nil {
		t.Fatal(err)
	}
	parts := new(Tally)
	for seed := range uint64(4) {
		one, err := Swarm(t.Context(), SwarmOptions{Seed: 7 + seed, Seeds: 1, Duration: 3e9})
		if err != nil {
			t.Fatal(err)
		}
		parts.add(one)
	}
	if !reflect.DeepEqual(whole, parts) || whole.Text() != parts.Text() {
		t.Errorf("together:\n%sone by one:\n%s", whole.Text(), parts.Text())
	}
}

// What a swarm finds is told with its seed.
func TestSwarmError(t *testing.T) {
	err := error(&SwarmError{12, &cluster.Violation{Seed: 12, What: "two owners"}})
	var violation *cluster.Violation
	if !errors.As(err, &violation) || !strings.Contains(err.Error(), "seed 12") {
		t.Error(err)
	}
}
