package cluster

import (
	"testing"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/wire"
)

// ledgerOf returns a ledger of one primary, node 0, and two replicas.
func ledgerOf(keys int) *Ledger {
	return newLedger(client.Shape{Primaries: 1, Replicas: 2}, keys, 0, sim.Never)
}

// writes has the primary write, and the replicas apply each tenth write, from
// write n on.
func (l *Ledger) writes(n, count uint64, keys int, replicas ...sim.ActorID) {
	for i := n; i < n+count; i++ {
		l.Wrote(sim.Time(i), 0, wire.Key(sim.Mix(i)%uint64(keys)), 40*i)
		if i%10 == 0 {
			for _, r := range replicas {
				l.Applied(r, 40*i)
			}
		}
	}
}

// A replica that is gone costs a record for each key, and no more with time.
func TestLedgerIsBounded(t *testing.T) {
	const keys = 1000
	l := ledgerOf(keys)
	l.writes(1, 1000, keys, 1, 2)
	l.writes(1001, 10*uint64(l.most), keys, 1)
	remembered, recorded := 0, 0
	for _, s := range l.shards[0].segments {
		remembered += s.log.Len()
		recorded += s.records.used
	}
	if remembered > l.most+1 || recorded != keys {
		t.Errorf("%d writes are remembered and %d keys recorded", remembered, recorded)
	}
	end := 1000 + 10*uint64(l.most)
	l.Promoted(sim.Time(end), 2)
	l.Resynced(sim.Time(end), 0, 2)
	l.Resynced(sim.Time(end), 1, 2)
	if l.LostWrites != end-1000 || l.LostKeys != keys || l.Blurred != 0 {
		t.Errorf("%d writes to %d keys are lost, want %d", l.LostWrites, l.LostKeys, end-1000)
	}
}

func TestLedgerAllocatesNothing(t *testing.T) {
	for _, tt := range []struct {
		name     string
		replicas []sim.ActorID
	}{{"all in sync", []sim.ActorID{1, 2}}, {"one of them gone", []sim.ActorID{1}}, {"both gone", nil}} {
		l := ledgerOf(1000)
		n := uint64(1)
		write := func() { l.writes(n, 1000, 1000, tt.replicas...); n += 1000 }
		for range 200 {
			write()
		}
		if allocs := testing.AllocsPerRun(100, write); allocs != 0 {
			t.Errorf("%s: %g allocations for 1000 writes", tt.name, allocs)
		}
	}
}

func BenchmarkLedger(b *testing.B) {
	l := ledgerOf(100_000)
	l.writes(1, uint64(b.N), 100_000, 1, 2)
}
