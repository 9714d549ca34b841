package cluster

import (
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A Ledger knows the truth about data, which no node knows: it is told of every
// write by a primary and of every read by a replica, and says which reads
// returned a value that had been overwritten, and how long before.
type Ledger struct {
	client.Shape
	from, to sim.Time
	// Writes counts, by key, the writes that primaries have executed since the
	// run began.
	Writes []uint32
	shards []shard

	Reads    uint64        // by replicas, between from and to
	Stale    uint64        // of those, of a value that had been overwritten
	StaleAge time.Duration // sum over those, since the first write that was missed
}

// A shard's writes that some replica has not applied yet.
type shard struct {
	log     sim.Ring[logged]
	last    []uint64 // by key: 1 more than the number of its last write; 0 for none
	applied []uint64 // by replica: offset
}

// A logged write.
type logged struct {
	at     sim.Time
	offset uint64
	before uint64 // as last: the write to the same key before
}

func newLedger(shape client.Shape, keys int, from, to sim.Time) *Ledger {
	l := &Ledger{Shape: shape, from: from, to: to, Writes: make([]uint32, keys)}
	if shape.Replicas == 0 {
		return l
	}
	l.shards = make([]shard, shape.Primaries)
	last := make([]uint64, keys) // a key lives in one shard, so they can share it
	for i := range l.shards {
		l.shards[i] = shard{last: last, applied: make([]uint64, shape.Replicas)}
	}
	return l
}

// Wrote notes a write.
func (l *Ledger) Wrote(at sim.Time, owner slots.Owner, key wire.Key, offset uint64) {
	l.Writes[key]++
	if l.shards == nil {
		return
	}
	s := &l.shards[owner]
	s.log.Push(logged{at, offset, s.last[key]})
	s.last[key] = s.log.Tail()
}

// Applied notes how far a replica has come, and forgets what all replicas of the
// shard have.
func (l *Ledger) Applied(owner slots.Owner, replica sim.ActorID, offset uint64) {
	s := &l.shards[owner]
	s.applied[(int(replica)-l.Primaries)%l.Replicas] = offset
	slowest := offset
	for _, o := range s.applied {
		slowest = min(slowest, o)
	}
	for s.log.Len() > 0 && s.log.First().offset <= slowest {
		s.log.Drop()
	}
}

// Read notes a read by a replica. It is stale if the key was written, before the
// read, beyond what the replica has applied; its age counts from the first such
// write.
func (l *Ledger) Read(at sim.Time, owner slots.Owner, key wire.Key, offset uint64) {
	if at < l.from || at >= l.to {
		return
	}
	l.Reads++
	s := &l.shards[owner]
	missed := sim.Never
	for n := s.last[key]; n > s.log.Head(); {
		w := s.log.At(n - 1)
		if w.offset <= offset {
			break
		}
		if w.at <= at {
			missed = w.at
		}
		n = w.before
	}
	if missed != sim.Never {
		l.Stale++
		l.StaleAge += at.Sub(missed)
	}
}
