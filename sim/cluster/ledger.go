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
	log     []logged // ring; length is a power of two
	head    uint64   // numbers of writes, from 1 on: the oldest in log, …
	tail    uint64   // … and the next one
	last    []uint64 // by key: the number of its last write; 0 for none
	applied []uint64 // by replica: offset
}

// A logged write.
type logged struct {
	at     sim.Time
	offset uint64
	before uint64 // the number of the write to the same key before
}

func newLedger(shape client.Shape, keys int, from, to sim.Time) *Ledger {
	l := &Ledger{Shape: shape, from: from, to: to, Writes: make([]uint32, keys)}
	if shape.Replicas == 0 {
		return l
	}
	l.shards = make([]shard, shape.Primaries)
	last := make([]uint64, keys) // a key lives in one shard, so they can share it
	for i := range l.shards {
		l.shards[i] = shard{head: 1, tail: 1, last: last, applied: make([]uint64, shape.Replicas)}
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
	if s.tail-s.head == uint64(len(s.log)) {
		s.grow()
	}
	s.log[s.tail&uint64(len(s.log)-1)] = logged{at, offset, s.last[key]}
	s.last[key] = s.tail
	s.tail++
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
	for s.head < s.tail && s.log[s.head&uint64(len(s.log)-1)].offset <= slowest {
		s.head++
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
	for n := s.last[key]; n >= s.head; {
		w := &s.log[n&uint64(len(s.log)-1)]
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

func (s *shard) grow() {
	bigger := make([]logged, max(64, 2*len(s.log)))
	for i := s.head; i != s.tail; i++ {
		bigger[i&uint64(len(bigger)-1)] = s.log[i&uint64(len(s.log)-1)]
	}
	s.log = bigger
}
