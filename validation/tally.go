package validation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hotslot/sim/cluster"
	"hotslot/sim/wire"
)

// Text tells what has happened in a swarm.
func (t *Tally) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs, %v of virtual time, %d events; every invariant held.\n", t.Runs,
		t.Span.Round(time.Second), t.Events)
	fmt.Fprintf(&b, "%d runs went on until all nodes had to be of one mind, and they were.\n\n", t.Agreed)
	row := func(what string, n uint64) { fmt.Fprintf(&b, "%-66s%12d\n", what, n) }
	row("operations that ended well", t.Ops)
	row("operations that failed", t.Failed)
	b.WriteString("\nDONE TO THE CLUSTERS\n")
	var all []cluster.Do
	for do := range t.Done {
		all = append(all, do)
	}
	slices.Sort(all)
	for _, do := range all {
		row(string(do), uint64(t.Done[do]))
	}
	b.WriteString("\nWHAT THEY DID\n")
	for _, kind := range []struct {
		kind wire.EventKind
		what string
	}{
		{wire.EventPFAIL, "suspicions (PFAIL)"}, {wire.EventFAIL, "nodes taken for failed (FAIL), by each that did"},
		{wire.EventElectionScheduled, "elections scheduled"}, {wire.EventElectionStarted, "elections started"},
		{wire.EventElectionExpired, "elections expired"}, {wire.EventElectionWon, "elections won"},
		{wire.EventManualFailover, "manual failovers begun"}, {wire.EventBecamePrimary, "promotions"},
		{wire.EventBecameReplica, "primaries and replicas that follow another"},
		{wire.EventReplicaMigrated, "replicas that migrated to an orphaned primary"},
		{wire.EventEpochCollision, "epoch collisions resolved"}, {wire.EventPartialResync, "partial resyncs"},
		{wire.EventFullResync, "full resyncs"},
	} {
		row(kind.what, uint64(t.Kinds[kind.kind]))
	}
	b.WriteString("\nACKNOWLEDGED WRITES LOST\n")
	total := uint64(0)
	for _, loss := range Losses() {
		row(string(loss), t.Lost[loss])
		total += t.Lost[loss]
	}
	row("in all", total)
	return b.String()
}
