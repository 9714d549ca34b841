package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTime(t *testing.T) {
	at := Time(0).Add(time.Millisecond).Add(250 * time.Microsecond)
	if at.String() != "1.25ms" || at.Sub(Time(time.Millisecond)) != 250*time.Microsecond {
		t.Errorf("%v, %v after 1 ms", at, at.Sub(Time(time.Millisecond)))
	}
}

func TestRulerAgainstDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.Int64Range(1, 50).Draw(t, "width")
		r := NewRuler(time.Duration(width))
		if got := r.Width(); got != time.Duration(width) {
			t.Fatalf("width %d", got)
		}
		for _, at := range rapid.SliceOfN(rapid.Int64Range(0, 200), 20, 50).Draw(t, "instants") {
			if got := r.Mark(Time(at)); got != int(at/width) {
				t.Fatalf("instant %d lies in mark %d, want %d", at, got, at/width)
			}
		}
	})
}
