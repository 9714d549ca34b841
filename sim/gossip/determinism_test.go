package gossip

import (
	"slices"
	"testing"
	"time"
)

// The same seed gives the same events, in every version.
func TestSameSeed(t *testing.T) {
	for _, version := range Versions() {
		tell := func() *world {
			w := newWorld(t, version, 7, 5, 2, 1, config(time.Second))
			w.run(5 * time.Second)
			w.kill(0)
			w.cut(1, 7)
			w.run(9 * time.Second)
			w.heal()
			w.restart(0)
			w.call(2, func(f *Facts, out *Out) { w.nodes[2].Meet(w.now, 15, out) })
			w.run(30 * time.Second)
			return w
		}
		a, b := tell(), tell()
		if !slices.Equal(a.events, b.events) || a.bytes != b.bytes {
			t.Errorf("%s: two runs differ", version)
		}
		if n := a.env.InUse(); n > 2*len(a.nodes) {
			t.Errorf("%s: %d packets were never given back", version, n)
		}
	}
}
