package wire

import (
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	for c := range Commands {
		for _, name := range []string{c.String(), strings.ToLower(c.String())} {
			if got, ok := ParseCommand(name); !ok || got != c {
				t.Errorf("%q is command %d, %v; want %d", name, got, ok, c)
			}
		}
		if !c.Keyed() && (c.Writes() || c.Multi()) {
			t.Errorf("%v takes no key and cannot write one", c)
		}
	}
	if _, ok := ParseCommand("FLUSHALL"); ok {
		t.Error("FLUSHALL is known")
	}
}

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		m    Message
		want int64
	}{
		{Message{Command: GET, Keys: 1, Value: 100}, 14 + 26},
		{Message{Command: SET, Keys: 1, Value: 100}, 14 + 26 + 107},
		{Message{Command: MSET, Keys: 3, Value: 100}, 14 + 3*(26+107)},
		{Message{Command: PING}, 14},
		{Message{Kind: Reply, Command: GET, Keys: 1, Value: 100}, 107},
		{Message{Kind: Reply, Command: MGET, Keys: 3, Value: 100}, 3 * 107},
		{Message{Kind: Reply, Command: MSET, Keys: 3, Value: 100}, 5},
		{Message{Kind: Reply, Command: GET, Keys: 1, Value: 100, Verdict: Moved}, 40},
		{Message{Kind: Reply, Command: ClusterSlots, Keys: 3}, 3 * 120},
		{Message{Kind: Replicate, Command: SET, Keys: 1, Value: 1234}, 1234},
		{Message{Kind: Reply, Command: MGET, Keys: 1000, Value: 1 << 31}, 1000 * (1<<31 + 7)},
	} {
		if got := tt.m.Bytes(); got != tt.want {
			t.Errorf("%v of kind %d, %v: %d bytes, want %d", tt.m.Command, tt.m.Kind, tt.m.Verdict, got, tt.want)
		}
	}
}

// Every command and hop of an operation has luck of its own, in both directions.
func TestDraw(t *testing.T) {
	seen := map[uint64]Message{}
	for load := range 3 {
		for n := range uint64(20) {
			for part := range uint16(10) {
				for hops := range uint8(6) {
					m := Message{ID: NewOpID(load, n), Part: part, Hops: hops}
					for leg := range uint64(4) {
						if other, ok := seen[m.Draw()^leg]; ok {
							t.Fatalf("%+v and %+v have the same luck", m, other)
						}
						seen[m.Draw()^leg] = m
					}
				}
			}
		}
	}
}

func TestOpID(t *testing.T) {
	if id := NewOpID(63, 1<<LoadBits-1); id.Load() != 63 || id>>IDBits != 0 || NewOpID(5, 7).Load() != 5 {
		t.Errorf("operation %d of load %d", id, id.Load())
	}
}

// Each verdict's text begins with the code that it is counted by.
func TestVerdictTexts(t *testing.T) {
	for v := range Verdicts {
		if text := v.Text(3999, "127.0.0.1:6381"); !strings.HasPrefix(text, v.String()) {
			t.Errorf("%v: %q", v, text)
		}
	}
	if got := Moved.Text(3999, "127.0.0.1:6381"); got != "MOVED 3999 127.0.0.1:6381" {
		t.Errorf("%q", got)
	}
}
