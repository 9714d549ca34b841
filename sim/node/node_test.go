package node

import (
	"math"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// One poll returns no more connections than the event loop's table holds.
func TestPollIsBounded(t *testing.T) {
	costs := Costs{Turn: time.Microsecond}
	r := newRig(costs, 0, 0)
	for n := range readyMax + 1 {
		r.request(0, wire.Message{Call: uint32(n)})
	}
	r.run()
	first := 0
	for _, l := range r.log {
		if l.at == sim.Time(time.Microsecond) {
			first++
		}
	}
	if first != readyMax || len(r.log) != readyMax+1 {
		t.Errorf("the first turn answers %d of %d, want %d", first, len(r.log), readyMax)
	}
}

func TestLoad(t *testing.T) {
	costs := Costs{Turn: time.Microsecond, Refuse: 2 * time.Microsecond}
	costs.Commands[wire.GET] = CommandCost{Base: 10 * time.Microsecond}
	r := newRig(costs, 0, 0)
	const us = sim.Time(time.Microsecond)
	*r.Meter = *NewMeter(5*us, 40*us, 10*time.Microsecond, 1)
	r.primary.load = r.Meter.node()
	r.request(0, wire.Message{Command: wire.GET, Slot: 7})              // 0 to 11 µs
	r.request(20*us, wire.Message{Flags: wire.Mixed})                   // 20 to 23 µs
	r.request(35*us, wire.Message{Command: wire.GET, Slot: 7, Call: 3}) // 35 to 46 µs
	r.run()
	l := r.primary.Load()
	if l.Busy != (6+3+5)*time.Microsecond || l.Commands != 1 || l.Refused != 1 {
		t.Errorf("busy for %v with %d commands, %d refused", l.Busy, l.Commands, l.Refused)
	}
	if l.BytesIn != 2*40 || l.BytesOut != 7+40 || l.Stay != 11*time.Microsecond+3*time.Microsecond {
		t.Errorf("%d bytes in, %d out, a stay of %v", l.BytesIn, l.BytesOut, l.Stay)
	}
	for i, want := range []time.Duration{10, 1, 3, 5} {
		if got := l.Series[i]; got != want*time.Microsecond {
			t.Errorf("busy for %v in bucket %d, want %d µs", got, i, want)
		}
	}
	if got, want := r.Meter.Slots[7], (SlotLoad{1, 10 * time.Microsecond}); got != want {
		t.Errorf("slot 7 has %+v, want %+v", got, want)
	}
	if r.Meter.KeyCommands[0] != 1 {
		t.Errorf("the key has %d commands", r.Meter.KeyCommands[0])
	}
}

// What takes no key is nobody's load but the node's.
func TestKeylessCommandsBelongToNoSlot(t *testing.T) {
	r := newRig(Costs{}, 0, 0)
	r.request(0, wire.Message{Command: wire.PING})
	r.request(0, wire.Message{Command: wire.ClusterSlots})
	r.run()
	if got := r.Meter.Slots[0]; got != (SlotLoad{}) {
		t.Errorf("slot 0 has %+v", got)
	}
	if got := r.primary.Load().Commands; got != 2 {
		t.Errorf("%d commands, want 2", got)
	}
}

func TestHeld(t *testing.T) {
	costs := Costs{Turn: time.Microsecond}
	r := newRig(costs, 65536, 0)
	r.request(0, wire.Message{Call: 0, Command: wire.GET, Value: 200_000})
	r.request(0, wire.Message{Call: 1, Command: wire.SET, Conn: 1, Value: 10_000})
	r.request(0, wire.Message{Call: 2, Command: wire.SET, Conn: 1, Value: 10_000})
	r.request(0, wire.Message{Call: 3, Command: wire.GET})
	r.Sched.Run(0)
	held := map[uint32]int{}
	r.primary.Held(func(m *wire.Message) { held[m.Call]++ })
	if len(held) != 2 || held[0] != 1 || held[2] != 1 {
		t.Errorf("the node holds %v, want the large reply 0 and the unread request 2", held)
	}
	r.run()
	r.primary.Held(func(m *wire.Message) { t.Errorf("the node still holds %d", m.Call) })
	if n := r.Sched.InUse(); n != 0 {
		t.Errorf("%d letters are in use", n)
	}
}

func TestCommandCost(t *testing.T) {
	c := CommandCost{Base: 1000, Key: 100, Byte: 500}
	for _, tt := range []struct {
		keys  uint16
		value uint32
		want  time.Duration
	}{{0, 0, 1000}, {1, 0, 1000}, {1, 7, 1003}, {3, 0, 1200}, {3, 100, 1350}, {2, 1 << 31, 1100 + 1<<31}} {
		if got := c.of(&wire.Message{Keys: tt.keys, Value: tt.value}); got != tt.want {
			t.Errorf("%d keys with %d bytes each cost %v, want %v", tt.keys, tt.value, got, tt.want)
		}
	}
}

// A command's luck belongs to the operation, not to the order of execution, and
// is exponential around the mean.
func TestExponentialCost(t *testing.T) {
	costs := Costs{Shape: sim.ShapeExponential}
	costs.Commands[wire.GET].Base = 10 * time.Microsecond
	r, again := newRig(costs, 0, 0), newRig(costs, 0, 0)
	const n = 100_000
	sum, squares := 0.0, 0.0
	for i := range uint64(n) {
		cost := float64(r.primary.cost(&wire.Message{ID: wire.NewOpID(0, i)}))
		sum += cost
		squares += cost * cost
	}
	mean := sum / n
	if deviation := math.Sqrt(squares/n - mean*mean); math.Abs(mean-10_000) > 100 || math.Abs(deviation-10_000) > 200 {
		t.Errorf("mean %.0f ns, standard deviation %.0f ns; want 10000 of both", mean, deviation)
	}
	m := wire.Message{ID: wire.NewOpID(0, 3)}
	if r.primary.cost(&m) != again.primary.cost(&m) {
		t.Error("the cost of an operation depends on those before it")
	}
}

func TestScale(t *testing.T) {
	m := NewMeter(0, 1, 1, 0)
	for _, mean := range []time.Duration{0, 1, 999, time.Microsecond, time.Second, time.Hour} {
		for _, draw := range []uint64{0, 1 << 63, 3 << 62, math.MaxUint64} {
			got, want := m.scale(mean, draw), float64(mean)*float64(m.unit.At(draw))/unitMean
			if math.Abs(float64(got)-want) > 2+1e-9*want {
				t.Errorf("%v at %#x is %v, want %.0f ns", mean, draw, got, want)
			}
		}
	}
}

func TestResolve(t *testing.T) {
	us := func(n int) *time.Duration { d := time.Duration(n) * time.Microsecond; return &d }
	bytes := 0.5
	spec := CostSpec{Profile: "round-100k", Turn: us(1), Connection: us(3), Command: us(20), Key: us(4), Byte: &bytes,
		CommandTime: map[string]time.Duration{"eval": time.Millisecond}, Distribution: "exponential"}
	c, err := spec.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if c.Turn != *us(1) || c.Read+c.Write != *us(3) || c.Refuse != *us(20) || c.Shape != sim.ShapeExponential {
		t.Errorf("costs %+v", c)
	}
	if got, want := c.Commands[wire.GET], (CommandCost{*us(20), *us(4), 500}); got != want {
		t.Errorf("GET costs %+v, want %+v", got, want)
	}
	if got := c.Commands[wire.EVAL].Base; got != time.Millisecond {
		t.Errorf("EVAL costs %v", got)
	}
	for _, spec := range []CostSpec{
		{}, {Profile: "redis"}, {Profile: "round-100k", CommandTime: map[string]time.Duration{"hget": 1}},
	} {
		if _, err := spec.Resolve(); err == nil {
			t.Errorf("%+v is taken", spec)
		}
	}
	for _, name := range Profiles() {
		plain, err := CostSpec{Profile: name}.Resolve()
		if want, about, ok := Profile(name); err != nil || !ok || about == "" || plain != want {
			t.Errorf("%s: %q, %v", name, about, err)
		}
	}
}
