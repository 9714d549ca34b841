package reports

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"hotslot/experiment"
)

func TestLastBitsDoNotShow(t *testing.T) {
	for name, r := range map[string]*experiment.Result{"hot counter": hotCounter(), "single": single(), "odd": odd()} {
		for _, toward := range []float64{math.Inf(1), math.Inf(-1), 0} {
			other := mapFloats(reflect.ValueOf(r), func(v float64) float64 {
				if v == 0 || !finite(v) {
					return v
				}
				return math.Nextafter(math.Nextafter(v, toward), toward)
			}).Interface().(*experiment.Result)
			var a, b bytes.Buffer
			writeAll(t, &a, r)
			writeAll(t, &b, other)
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%s: reports show the last bits", name)
			}
		}
	}
}

func TestSettledLeavesTheResultAlone(t *testing.T) {
	r := hotCounter()
	r.Strategies[0].Latency.P50 = 1.0 / 3
	r.Strategies[0].Errors.Kinds = map[string]float64{"TIMEOUT": 2.0 / 3}
	s := settled(r)
	if got := s.Strategies[0].Latency.P50; got != 0.333333333 {
		t.Errorf("a field is %v", got)
	}
	if got := s.Strategies[0].Errors.Kinds["TIMEOUT"]; got != 0.666666667 {
		t.Errorf("a value of a map is %v", got)
	}
	if r.Strategies[0].Latency.P50 != 1.0/3 || r.Strategies[0].Errors.Kinds["TIMEOUT"] != 2.0/3 {
		t.Error("the result itself was rounded")
	}
	if s.Strategies[1].Against == r.Strategies[1].Against || s.Strategies[0].Against != nil {
		t.Error("a pointer was not copied as one")
	}
}
