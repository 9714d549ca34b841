package cluster

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/wire"
)

// A trial has a ledger and an account of the same events.
type trial struct {
	*rapid.T
	*Ledger
	a     *account
	now   sim.Time
	short bool // the ledger remembers few writes one by one
}

const trialKeys = 4 // of each shard

func newTrial(t *rapid.T, short bool) *trial {
	shape := client.Shape{Primaries: 2, Replicas: 2, Added: 1}
	r := &trial{T: t, Ledger: newLedger(shape, 2*trialKeys, 0, sim.Never), short: short,
		a: &account{nodes: make([]member, shape.Nodes()), lost: map[wire.Key]uint32{},
			moved: map[wire.Key]bool{}}}
	r.recent, r.most = rapid.IntRange(2, 4).Draw(t, "recent"), 1000
	if short {
		r.most = rapid.IntRange(4, 8).Draw(t, "most")
	}
	for i := range shape.Primaries {
		l := &line{root: -1 - i}
		r.a.shards = append(r.a.shards, l)
		r.a.nodes[i] = member{line: l, primary: true, shard: i}
		for j := range shape.Replicas {
			r.a.nodes[shape.Replica(i, j)] = member{line: l, shard: i}
		}
	}
	r.a.nodes[6].shard = -1
	return r
}

// continues reports whether a node could go on with what it has of another's line.
func (m *member) continues(of *member) bool {
	return m.line != nil && !m.empty && m.line.root == of.line.root && m.has <= of.has &&
		slices.Equal(m.line.writes[:m.has], of.line.writes[:m.has])
}

// behind returns how many writes of its line a node lacks.
func (r *trial) behind(m *member) int { return len(m.line.writes) - m.has }

// catchUp has a node apply all there is.
func (r *trial) catchUp(node int) {
	offset := r.a.lineOffset(r.a.nodes[node].line)
	r.Applied(sim.ActorID(node), offset)
	r.a.apply(node, offset)
	r.a.nodes[node].detached = false
}

func (r *trial) write(node int) {
	m := &r.a.nodes[node]
	if !m.primary {
		return
	}
	for i := range r.a.nodes {
		if f := &r.a.nodes[i]; r.short && i != node && f.line == m.line && !f.detached && r.behind(f) > r.most-4 {
			r.catchUp(i)
		}
	}
	offset := r.a.lineOffset(m.line) + uint64(rapid.IntRange(1, 3).Draw(r.T, "bytes"))
	acked := rapid.IntRange(0, 5).Draw(r.T, "acked") > 0
	for range rapid.IntRange(1, 2).Draw(r.T, "keys") {
		key := r.keyOf(m.shard)
		r.now++
		r.Wrote(r.now, sim.ActorID(node), key, offset)
		m.line.writes = append(m.line.writes, len(r.a.writes))
		r.a.writes = append(r.a.writes, written{at: r.now, key: key, offset: offset, acked: acked, shard: m.shard})
		m.has++
	}
	if !acked {
		r.Unacknowledged(sim.ActorID(node), offset)
	}
}

// keyOf draws a key that a shard may write: one of its own, or one that has moved.
func (r *trial) keyOf(shard int) wire.Key {
	key := wire.Key(rapid.IntRange(0, 2*trialKeys-1).Draw(r.T, "key"))
	if r.a.moved[key] {
		return key
	}
	return wire.Key(shard%2*trialKeys) + key%trialKeys
}

// move has a primary take in a key as another one has it, and that one may delete it.
func (r *trial) move(node, from int) {
	m, of := &r.a.nodes[node], &r.a.nodes[from]
	if node == from || !m.primary || !of.primary {
		return
	}
	key := r.keyOf(of.shard)
	if of.shard > 1 && !r.a.moved[key] {
		return // it belongs to nobody's beginning
	}
	r.note(node, key, r.a.contents(of, key), func(offset uint64) {
		r.Restored(r.now, sim.ActorID(node), key, offset, sim.ActorID(from))
	})
	if rapid.IntRange(0, 3).Draw(r.T, "interrupted") > 0 {
		r.note(from, key, nil, func(offset uint64) { r.Removed(r.now, sim.ActorID(from), key, offset) })
	}
}

// note tells the ledger, and the account, of an entry that is no write.
func (r *trial) note(node int, key wire.Key, copies []int, tell func(offset uint64)) {
	m := &r.a.nodes[node]
	for i := range r.a.nodes {
		if f := &r.a.nodes[i]; r.short && i != node && f.line == m.line && !f.detached && r.behind(f) > r.most-4 {
			r.catchUp(i)
		}
	}
	r.now++
	offset := r.a.lineOffset(m.line) + 1
	r.a.moved[key] = true
	tell(offset)
	m.line.writes = append(m.line.writes, len(r.a.writes))
	r.a.writes = append(r.a.writes, written{at: r.now, key: key, offset: offset, shard: m.shard, copied: true,
		copies: copies})
	m.has++
}

func (r *trial) apply(node int) {
	m := &r.a.nodes[node]
	if m.primary || m.line == nil || m.detached {
		return
	}
	i := rapid.IntRange(0, 3).Draw(r.T, "ahead")
	if i += m.has; i < len(m.line.writes) {
		offset := r.a.writes[m.line.writes[i]].offset
		r.Applied(sim.ActorID(node), offset)
		r.a.apply(node, offset)
	}
}

func (r *trial) resync(node, from int) {
	m, of := &r.a.nodes[node], &r.a.nodes[from]
	if node == from || of.shard < 0 || of.line == nil {
		return
	}
	stale := m.snapshot != nil && (m.source != from || m.snapshot.line != of.line)
	if stale || r.short && m.line != of.line || !m.continues(of) {
		r.snapshot(node, from)
	}
	r.Resynced(r.now, sim.ActorID(node), sim.ActorID(from))
	r.a.resync(node, from)
	r.a.lose()
	if m := &r.a.nodes[node]; r.short && r.behind(m) > r.most-4 {
		r.read(node)
		r.catchUp(node)
	}
}

func (r *trial) snapshot(node, from int) {
	m, of := &r.a.nodes[node], &r.a.nodes[from]
	if node == from || of.shard < 0 || of.line == nil {
		return
	}
	r.Snapshot(sim.ActorID(node), sim.ActorID(from))
	m.snapshot, m.source = &member{line: of.line, has: of.has, empty: of.empty}, from
}

func (r *trial) read(node int) {
	m := &r.a.nodes[node]
	if m.shard < 0 {
		return
	}
	key := wire.Key(m.shard*trialKeys + rapid.IntRange(0, trialKeys-1).Draw(r.T, "key"))
	if r.a.moved[key] {
		return
	}
	r.Read(r.now, sim.ActorID(node), key)
	r.a.read(r.now, node, key)
}

func (r *trial) step() {
	node := rapid.IntRange(0, len(r.a.nodes)-1).Draw(r.T, "node")
	m := &r.a.nodes[node]
	r.now++
	switch what := rapid.IntRange(0, 34).Draw(r.T, "what"); {
	case what > 30:
		r.move(node, rapid.IntRange(0, len(r.a.nodes)-1).Draw(r.T, "from"))
	case what < 10:
		r.write(node)
	case what < 17:
		r.apply(node)
	case what < 21:
		r.read(node)
	case what < 25:
		r.resync(node, rapid.IntRange(0, len(r.a.nodes)-1).Draw(r.T, "from"))
	case what == 25:
		r.snapshot(node, rapid.IntRange(0, len(r.a.nodes)-1).Draw(r.T, "from"))
	case what == 26:
		if m.shard >= 0 {
			r.Erased(r.now, sim.ActorID(node))
			r.a.erase(node)
		}
	case what < 29:
		if m.shard >= 0 && !m.primary {
			r.Promoted(r.now, sim.ActorID(node))
			r.a.promote(node)
		}
	default:
		m.detached = !m.primary && m.line != nil
	}
	r.a.lose()
	r.compare()
}

func (r *trial) compare() {
	total, keys := uint64(0), 0
	for key := range wire.Key(2 * trialKeys) {
		lost := uint32(0)
		if r.Lost != nil {
			lost = r.Lost[key]
		}
		if lost != r.a.lost[key] {
			r.Fatalf("at %d, %d writes to key %d are lost, want %d", r.now, lost, key, r.a.lost[key])
		}
		total += uint64(lost)
		if lost > 0 {
			keys++
		}
	}
	sum := uint64(0)
	for _, x := range r.Losses {
		sum += x.Writes
	}
	if r.LostWrites != total || r.LostKeys != keys || sum != total {
		r.Fatalf("%d lost, %d of %d keys, losses of %d; want %d of %d", r.LostWrites, r.LostKeys, 2*trialKeys, sum,
			total, keys)
	}
	if r.Reads != uint64(r.a.reads) || r.Stale != uint64(r.a.stale) || r.StaleAge != r.a.age {
		r.Fatalf("at %d, %d reads, %d stale, %d old; want %d, %d, %d", r.now, r.Reads, r.Stale, r.StaleAge,
			r.a.reads, r.a.stale, r.a.age)
	}
	if r.Blurred+r.Unresolved > 0 {
		r.Fatalf("%d blurred, %d unresolved", r.Blurred, r.Unresolved)
	}
}

func TestLedgerAgainstLists(t *testing.T) {
	for _, short := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			r := newTrial(t, short)
			for range rapid.IntRange(60, 250).Draw(t, "steps") {
				r.step()
				for _, sh := range r.shards {
					if len(sh.segments) > 6*len(r.holders) {
						r.Fatalf("%d segments", len(sh.segments))
					}
				}
			}
			survivors := []sim.ActorID{Nobody, Nobody}
			for i := range survivors {
				if n := rapid.IntRange(-1, len(r.a.nodes)-1).Draw(t, "survivor"); n >= 0 {
					survivors[i] = sim.ActorID(n)
				}
			}
			surviving := func(key wire.Key) sim.ActorID { return survivors[(key/trialKeys+key)%2] }
			r.Settle(r.now, surviving)
			r.a.settle(surviving)
			r.compare()
		})
	}
}
