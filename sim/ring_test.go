package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRing holds the ring against a slice.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Ring[int]
		var all []int // that were ever pushed
		head := 0
		for n, push := range rapid.SliceOfN(rapid.IntRange(0, 2), 50, 300).Draw(t, "drops at 0, else pushes") {
			switch {
			case push > 0:
				r.Push(n)
				all = append(all, n)
			case head < len(all):
				r.Drop()
				head++
			}
			if r.Len() != len(all)-head || r.Head() != uint64(head) || r.Tail() != uint64(len(all)) {
				t.Fatalf("%d members from %d to %d, want %d to %d", r.Len(), r.Head(), r.Tail(), head, len(all))
			}
			for i := head; i < len(all); i++ {
				if *r.At(uint64(i)) != all[i] {
					t.Fatalf("member %d is %d, want %d", i, *r.At(uint64(i)), all[i])
				}
			}
			if head < len(all) && *r.First() != all[head] {
				t.Fatalf("first is %d, want %d", *r.First(), all[head])
			}
		}
	})
}
