package cluster

import (
	"fmt"
	"time"

	"hotslot/sim"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A truth is what must hold of the control plane whatever happens, and what it
// has seen so far.
type truth struct {
	voted   []int64       // by node: the last epoch it voted in
	winners []slots.Owner // by epoch: who won it
	quiet   sim.Time      // when the last fault began or healed
	broken  string        // the first thing that did not hold
	at      sim.Time
}

// happened holds an event against what must be true.
func (t *truth) happened(e wire.Event) {
	switch e.Kind {
	case wire.EventVoteGranted:
		if e.A <= t.voted[e.Node] {
			t.violated(e, fmt.Sprintf("node %d votes in epoch %d after one in %d", e.Node, e.A, t.voted[e.Node]))
		}
		t.voted[e.Node] = e.A
	case wire.EventElectionWon:
		for len(t.winners) <= int(e.A) {
			t.winners = append(t.winners, slots.None)
		}
		if w := t.winners[e.A]; w != slots.None {
			t.violated(e, fmt.Sprintf("nodes %d and %d have both won epoch %d", w, e.Node, e.A))
		}
		t.winners[e.A] = e.Node
	case wire.EventKill, wire.EventLose, wire.EventRestart, wire.EventPause, wire.EventResume, wire.EventBlock,
		wire.EventPartition, wire.EventHeal, wire.EventLinkChange, wire.EventReplicationCut, wire.EventMeet:
		t.quiet = max(t.quiet, e.At)
	}
}

// violated keeps the first thing that does not hold.
func (t *truth) violated(e wire.Event, what string) {
	if t.broken == "" {
		t.broken, t.at = what, e.At
	}
}

// settling returns how long a cluster may take to be of one mind after the last
// fault: to detect it, to fail an election and repeat it, and to lift a FAIL.
func (cl *Cluster) settling() time.Duration { return 12*cl.Control.NodeTimeout + 15*time.Second }

// checkControl: what the control plane has done is what it may do, and if the
// last fault was long ago the nodes are of one mind.
func (cl *Cluster) checkControl() string {
	if cl.truth == nil {
		return ""
	}
	if cl.truth.broken != "" {
		return cl.truth.broken + fmt.Sprintf(" (at %v)", cl.truth.at)
	}
	if !cl.whole() || cl.Sched.Now().Sub(cl.truth.quiet) < cl.settling() {
		return ""
	}
	return cl.checkAgreement()
}

// whole reports whether nothing keeps nodes from hearing each other.
func (cl *Cluster) whole() bool { return cl.Net.Whole() }

// checkAgreement: every node that is up, and not frozen, has the same owner for
// each slot, who is a primary; and no two primaries with slots share a
// configuration epoch.
func (cl *Cluster) checkAgreement() string {
	first := -1
	epochs := map[uint64]int{} // looked up, never walked
	for id, n := range cl.Nodes {
		if !n.Awake() || n.State() == nil {
			continue
		}
		if first < 0 {
			first = id
		}
		if what := cl.differ(first, id); what != "" {
			return what
		}
		if !n.State().IsPrimary() || n.State().Slots(slots.Owner(id)) == 0 {
			continue
		}
		epoch := n.State().ConfigEpoch()
		if other, taken := epochs[epoch]; taken {
			return fmt.Sprintf("%s and %s are both primaries of epoch %d", cl.NodeName(other), cl.NodeName(id), epoch)
		}
		epochs[epoch] = id
	}
	return ""
}

// differ says where two nodes disagree about the owner of a slot.
func (cl *Cluster) differ(a, b int) string {
	one, other := cl.Nodes[a].View(), cl.Nodes[b].View()
	for slot := range one {
		if one[slot] != other[slot] {
			return fmt.Sprintf("slot %d is of node %d for %s and of node %d for %s", slot,
				one[slot], cl.NodeName(a), other[slot], cl.NodeName(b))
		}
	}
	return ""
}
