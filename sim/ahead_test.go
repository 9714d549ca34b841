package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A source sends letters to an echo, and now and then to itself; it goes from
// one instant to the next by Ahead where it may, or always by an alarm.
type source struct {
	s      *Scheduler[int]
	id     ActorID
	gaps   []plan
	ahead  bool
	next   Time
	moved  int // by Ahead
	course []delivery
}

func (a *source) Wake(now Time) {
	for {
		for _, m, due := a.s.Take(a.id); m != nil; _, m, due = a.s.Take(a.id) {
			a.course = append(a.course, delivery{due, a.id, int(now)})
		}
		if len(a.gaps) == 0 {
			return
		}
		if a.next <= now {
			a.begin(now)
		}
		if !a.ahead || !a.s.Ahead(a.next) {
			a.s.SetAlarm(a.id, a.next)
			return
		}
		a.moved++
		now = a.next
	}
}

func (a *source) begin(now Time) {
	gap := a.gaps[0]
	a.gaps = a.gaps[1:]
	a.course = append(a.course, delivery{now, a.id, -len(a.gaps)})
	if gap.to > 0 {
		ref, _ := a.s.New()
		a.s.Post(now+Time(gap.delay), ActorID(gap.to-1), ref)
	}
	a.next = now + Time(1+gap.delay)
}

// Ahead saves a walk through the queue and changes nothing else.
func TestAheadChangesNothing(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		gaps := plans(t)
		run := func(ahead bool) (*source, *Scheduler[int]) {
			s := NewScheduler[int]()
			a := &source{s: s, gaps: gaps, ahead: ahead}
			a.id = s.Register(a)
			s.Register(wakeFunc(func(now Time) {
				for ref, m, _ := s.Take(1); m != nil; ref, m, _ = s.Take(1) {
					s.Post(now+3, a.id, ref)
				}
			}))
			s.SetAlarm(a.id, 0)
			for end := Time(0); end < 1500; end += 7 {
				s.Run(end)
			}
			return a, s
		}
		a, with := run(true)
		b, without := run(false)
		moved += a.moved
		if with.Fingerprint() != without.Fingerprint() || with.Events() != without.Events() {
			t.Errorf("%d events, %x; %d, %x without", with.Events(), with.Fingerprint(),
				without.Events(), without.Fingerprint())
		}
		if !slices.Equal(a.course, b.course) {
			t.Errorf("course\n%v, without\n%v", a.course, b.course)
		}
	})
	if moved == 0 {
		t.Error("Ahead was never taken")
	}
}

func TestAheadRefuses(t *testing.T) {
	for _, tt := range []struct {
		about string
		other Time // when somebody else wakes
		own   Time // when a letter of one's own is due
		at    Time
		want  bool
	}{
		{"nothing else is due", Never, Never, 60, true},
		{"at the end", Never, Never, 100, true},
		{"beyond the end", Never, Never, 101, false},
		{"before somebody else", 60, Never, 59, true},
		{"at the same time as somebody else", 60, Never, 60, false},
		{"after somebody else", 60, Never, 61, false},
		{"before a letter of one's own", Never, 60, 59, true},
		{"with a letter of one's own", Never, 60, 60, true},
		{"after a letter of one's own", Never, 60, 61, false},
	} {
		a := newScript(9)
		other := a.s.Register(wakeFunc(func(Time) {}))
		a.s.SetAlarm(other, tt.other)
		a.s.SetAlarm(a.id, 50)
		a.acts[1] = func(now Time) {
			if tt.own != Never {
				a.post(tt.own)
			}
			want := now
			if tt.want {
				want = tt.at
			}
			if got := a.s.Ahead(tt.at); got != tt.want || a.s.Now() != want {
				t.Errorf("%s: %v, at %v", tt.about, got, a.s.Now())
			}
		}
		a.s.Run(100)
	}
}

// Ahead stands for an alarm, and that would take the place of another.
func TestAheadReplacesAlarm(t *testing.T) {
	a := newScript(9)
	a.s.SetAlarm(a.id, 10)
	a.acts[1] = func(Time) { a.s.SetAlarm(a.id, 70); a.s.Ahead(60) }
	a.check(t, "10:")
}
