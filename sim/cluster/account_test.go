package cluster

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// An account is what a ledger is held against: it keeps all there is in plain
// lists and looks at all of it after each step.
type account struct {
	writes  []written
	nodes   []member
	shards  []*line // the history that counts, by shard
	ordinal int
	lost    map[wire.Key]uint32
	moved   map[wire.Key]bool
	stale   int
	age     time.Duration
	reads   int
}

type written struct {
	at          sim.Time
	key         wire.Key
	offset      uint64
	acked, lost bool
	shard       int
	// copied says that it is no write: the key is what these writes made of it, from
	// another node, or nothing.
	copied bool
	copies []int
}

// A line is a history: its writes, from the very first.
type line struct {
	writes  []int
	root    int // which beginning it has: below 0 that of a shard, else the number of an erasure
	ordinal int // of the promotion
}

// A member is a node: how much it has of which line.
type member struct {
	line     *line
	has      int
	empty    bool // it has not even the beginning
	primary  bool
	shard    int
	detached bool
	snapshot *member
	source   int // of the snapshot
}

func (a *account) lineOffset(l *line) uint64 {
	if len(l.writes) == 0 {
		return 0
	}
	return a.writes[l.writes[len(l.writes)-1]].offset
}

func (a *account) apply(node int, offset uint64) {
	m := &a.nodes[node]
	if m.line == nil {
		return
	}
	for m.has < len(m.line.writes) && a.writes[m.line.writes[m.has]].offset <= offset {
		m.has++
	}
	m.empty = false
}

func (a *account) promote(node int) {
	m := &a.nodes[node]
	a.ordinal++
	l := &line{ordinal: a.ordinal}
	if m.line != nil && !m.empty {
		l.writes, l.root = slices.Clone(m.line.writes[:m.has]), m.line.root
	} else {
		l.root = a.ordinal
	}
	m.line, m.primary, m.empty = l, true, false
	a.shards[m.shard] = l
}

func (a *account) resync(node, from int) {
	m, of := &a.nodes[node], &a.nodes[from]
	before := m.shard
	common := 0
	empty := m.line == nil || m.empty || of.empty || m.line.root != of.line.root
	if m.line != nil && of.line != nil {
		mine, theirs := m.line.writes[:m.has], of.line.writes[:of.has]
		for common < min(len(mine), len(theirs)) && mine[common] == theirs[common] {
			common++
		}
	}
	if s := m.snapshot; s != nil {
		common, empty = s.has, s.empty
	}
	*m = member{line: of.line, has: common, empty: empty, shard: of.shard}
	a.elect(before)
}

func (a *account) elect(shard int) {
	var newest *line
	for i := range a.nodes {
		m := &a.nodes[i]
		if m.shard != shard || !m.primary {
			continue
		}
		if m.line == a.shards[shard] {
			return
		}
		if newest == nil || m.line.ordinal > newest.ordinal {
			newest = m.line
		}
	}
	if newest != nil {
		a.shards[shard] = newest
	}
}

func (a *account) erase(node int) {
	m := &a.nodes[node]
	*m = member{shard: m.shard, primary: m.primary, line: m.line, snapshot: m.snapshot, source: m.source}
	if !m.primary {
		m.line = nil
		return
	}
	counts := a.shards[m.shard] == m.line
	a.ordinal++
	m.line = &line{root: a.ordinal, ordinal: m.line.ordinal}
	if counts {
		a.shards[m.shard] = m.line
	}
}

// referenced reports whether anybody follows a line.
func (a *account) referenced(l *line) bool {
	return slices.ContainsFunc(a.nodes, func(m member) bool {
		return m.line == l || m.snapshot != nil && m.snapshot.line == l
	})
}

// lose counts what nobody can have any more.
func (a *account) lose() {
	for i := range a.shards {
		if l := a.shards[i]; l != nil && !a.referenced(l) {
			a.shards[i] = nil
		}
	}
	kept := map[int]bool{}
	for _, m := range a.nodes {
		for _, l := range []*member{&m, m.snapshot} {
			if l != nil && l.line != nil {
				for _, w := range l.line.writes {
					kept[w] = true
				}
			}
		}
	}
	for i := range a.writes {
		if w := &a.writes[i]; w.acked && !w.lost && !kept[i] && !a.moved[w.key] {
			w.lost = true
			a.lost[w.key]++
		}
	}
}

func (a *account) read(at sim.Time, node int, key wire.Key) {
	m := &a.nodes[node]
	l := a.shards[m.shard]
	if m.primary && l == m.line {
		return
	}
	a.reads++
	if l == nil {
		return
	}
	held := map[int]bool{}
	root := 0
	if m.line != nil && !m.empty {
		root = m.line.root
		for _, w := range m.line.writes[:m.has] {
			held[w] = true
		}
	}
	candidates := slices.Clone(l.writes)
	if root != l.root && l.root < 0 {
		for i, w := range a.writes {
			if w.key == key {
				candidates = append(candidates, i)
				break
			}
		}
	}
	missed := sim.Never
	for _, i := range candidates {
		if w := a.writes[i]; w.key == key && !held[i] && w.at <= at {
			missed = min(missed, w.at)
		}
	}
	if missed != sim.Never {
		a.stale++
		a.age += at.Sub(missed)
	}
}

// contents returns the writes that are in a node's copy of a key.
func (a *account) contents(m *member, key wire.Key) (contents []int) {
	if m.line == nil {
		return nil
	}
	for _, i := range m.line.writes[:m.has] {
		switch w := &a.writes[i]; {
		case w.key != key:
		case w.copied:
			contents = slices.Clone(w.copies)
		default:
			contents = append(contents, i)
		}
	}
	return contents
}

func (a *account) settle(surviving func(wire.Key) sim.ActorID) {
	for i := range a.writes {
		w := &a.writes[i]
		if !w.acked || w.lost {
			continue
		}
		node := surviving(w.key)
		if node != Nobody && slices.Contains(a.contents(&a.nodes[node], w.key), i) {
			continue
		}
		w.lost = true
		a.lost[w.key]++
	}
}
