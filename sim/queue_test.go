package sim

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// insert is the oracle of the queues: a slice, sorted by due time alone, in
// which what is equal stays in the order in which it came.
func insert(sorted []key, k key) []key {
	sorted = append(sorted, k)
	slices.SortStableFunc(sorted, func(a, b key) int { return cmp.Compare(a.at, b.at) })
	return sorted
}

// numbered returns the n-th key to be made.
func numbered(at, n int) key { return key{uint64(at), uint64(n) << refBits} }

func TestBefore(t *testing.T) {
	ascending := []key{{0, 0}, {0, 1}, {0, 1<<64 - 1}, {1, 0}, {1, 1}, {1<<63 - 1, 5}, {1 << 63, 0}, never}
	for i, a := range ascending {
		for j, b := range ascending {
			if got := before(a, b) == 1; got != (i < j) {
				t.Errorf("before(%v, %v) is %v", a, b, got)
			}
		}
	}
}

func TestHeapAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h heap
		var sorted []key
		pushes := rapid.SliceOfN(rapid.IntRange(-10, 20), 50, 200).Draw(t, "pushes, and pops below 0")
		for n, at := range append(pushes, slices.Repeat([]int{-1}, len(pushes))...) {
			if at >= 0 {
				h.push(numbered(at, n))
				sorted = insert(sorted, numbered(at, n))
			} else if len(sorted) > 0 {
				if got := h.pop(); got != sorted[0] {
					t.Fatalf("pop %v, want %v", got, sorted[0])
				}
				sorted = sorted[1:]
			}
		}
		if len(h) != len(sorted) {
			t.Fatalf("%d left, want %d", len(h), len(sorted))
		}
	})
}

// Most letters come in order, and some far ahead of it, so that lane and heap
// are both in use.
func TestMailboxAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b mailbox
		var sorted []key
		clock := 0
		for n, step := range rapid.SliceOfN(rapid.IntRange(-30, 10), 50, 300).Draw(t, "steps") {
			if step >= -20 {
				clock = max(0, clock+step)
				if k := numbered(clock, n); b.follows(k) {
					b.append(k)
				} else {
					b.pushElsewhere(k)
				}
				sorted = insert(sorted, numbered(clock, n))
			}
			if now := Time(clock + step); now >= 0 && step%3 == 0 {
				got, ok := b.pop(now)
				if want := len(sorted) > 0 && sorted[0].at <= uint64(now); ok != want {
					t.Fatalf("pop at %d of %v: %v", now, sorted, ok)
				} else if ok {
					if got != sorted[0] {
						t.Fatalf("pop %v, want %v", got, sorted[0])
					}
					sorted = sorted[1:]
				}
			}
			checkMailbox(t, &b, sorted)
		}
	})
}

func checkMailbox(t *rapid.T, b *mailbox, sorted []key) {
	first := never
	if len(sorted) > 0 {
		first = sorted[0]
	}
	var all []key
	b.each(func(k key) { all = insert(all, k) })
	slices.SortFunc(all, func(a, b key) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
	if b.first() != first || b.len() != len(sorted) || !slices.Equal(all, sorted) {
		t.Fatalf("first %v of %d: %v; want %v", b.first(), b.len(), all, sorted)
	}
}

func TestWakeupsAgainstScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w wakeups
		var keys []key
		for n, at := range rapid.SliceOfN(rapid.IntRange(-5, 30), 30, 200).Draw(t, "instants, and actors below 0") {
			if at < 0 || len(keys) == 0 {
				w.add()
				keys = append(keys, never)
				continue
			}
			id := rapid.IntRange(0, len(keys)-1).Draw(t, "actor")
			keys[id] = numbered(at, n)
			if at == 30 {
				keys[id] = never
			}
			w.set(ActorID(id), keys[id])
			if got, want := w.first(), scan(keys, -1); got != want {
				t.Fatalf("first of %v is %v", keys, got)
			}
			for i := range keys {
				if got, want := w.firstBut(ActorID(i)), scan(keys, i).at; got != want {
					t.Fatalf("first of %v but %d is at %d, want %d", keys, i, got, want)
				}
			}
		}
	})
}

// scan returns the least key but that of one actor.
func scan(keys []key, but int) key {
	least := never
	for i, k := range keys {
		if i != but && (k.at < least.at || k.at == least.at && k.order < least.order) {
			least = k
		}
	}
	return least
}
