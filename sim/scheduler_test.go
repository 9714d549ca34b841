package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// wakeFunc is an actor that is one function.
type wakeFunc func(now Time)

func (f wakeFunc) Wake(now Time) { f(now) }

// A delivery is a letter that was taken: when it was due, by whom, which.
type delivery struct {
	due Time
	to  ActorID
	n   int
}

// A plan says when, after the one that causes it, a letter is due, and to whom.
type plan struct{ delay, to int }

func plans(t *rapid.T) []plan {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) plan {
		return plan{rapid.IntRange(0, 5).Draw(t, "delay"), rapid.IntRange(0, 2).Draw(t, "to")}
	}), 20, 200).Draw(t, "letters")
}

// The oracle is a list that is searched for what is due first. Each delivery
// causes two more letters, some to the receiver itself, some due at once.
func TestSchedulerAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := plans(t)
		var want []delivery
		pending := []delivery{{0, 0, 0}}
		for posted := 1; len(pending) > 0; {
			first := slices.IndexFunc(pending, func(d delivery) bool {
				return d.due == slices.MinFunc(pending, func(a, b delivery) int { return int(a.due - b.due) }).due
			})
			d := pending[first]
			pending = slices.Delete(pending, first, first+1)
			want = append(want, d)
			for range 2 {
				if posted < len(letters) {
					l := letters[posted]
					pending = append(pending, delivery{d.due + Time(l.delay), ActorID(l.to), posted})
					posted++
				}
			}
		}
		if got := deliver(letters); !slices.Equal(got, want) {
			t.Fatalf("delivered\n%v, want\n%v", got, want)
		}
	})
}

// deliver has three actors, which take one letter each time they wake, play out
// the plans.
func deliver(letters []plan) []delivery {
	s := NewScheduler[int]()
	var course []delivery
	posted := 0
	post := func(now Time, to ActorID) {
		ref, m := s.New()
		*m = posted
		posted++
		s.Post(now, to, ref)
	}
	for id := range ActorID(3) {
		s.Register(wakeFunc(func(now Time) {
			ref, m, due := s.Take(id)
			if m == nil {
				return
			}
			course = append(course, delivery{due, id, *m})
			s.Free(ref)
			for range 2 {
				if posted < len(letters) {
					post(now+Time(letters[posted].delay), ActorID(letters[posted].to))
				}
			}
		}))
	}
	post(0, 0)
	s.Run(1000)
	return course
}

// A script is an actor that notes when it wakes and what it takes, and does
// what it is told the n-th time.
type script struct {
	s     *Scheduler[int]
	id    ActorID
	takes int // letters at a time
	acts  map[int]func(now Time)
	log   []string
}

func newScript(takes int) *script {
	a := &script{s: NewScheduler[int](), takes: takes, acts: map[int]func(Time){}}
	a.id = a.s.Register(a)
	return a
}

func (a *script) Wake(now Time) {
	line := fmt.Sprint(int64(now), ":")
	for range a.takes {
		if ref, m, due := a.s.Take(a.id); m != nil {
			line += fmt.Sprintf(" %d due %d", *m, int64(due))
			a.s.Free(ref)
		}
	}
	a.log = append(a.log, line)
	if act := a.acts[len(a.log)]; act != nil {
		act(now)
	}
}

// post sends letters that say when they are due.
func (a *script) post(at ...Time) {
	for _, at := range at {
		ref, m := a.s.New()
		*m = int(at)
		a.s.Post(at, a.id, ref)
	}
}

func (a *script) check(t *testing.T, want ...string) {
	t.Helper()
	a.s.Run(100)
	if !slices.Equal(a.log, want) {
		t.Errorf("woken at %q, want %q", a.log, want)
	}
	if a.s.InUse() != 0 {
		t.Errorf("%d letters are left", a.s.InUse())
	}
}

func TestLettersLeftWakeAgain(t *testing.T) {
	a := newScript(1)
	a.post(10, 10, 20)
	a.check(t, "10: 10 due 10", "10: 10 due 10", "20: 20 due 20")
}

func TestHoldKeepsLetters(t *testing.T) {
	a := newScript(9)
	a.post(10, 20, 30, 60)
	a.acts[1] = func(Time) { a.s.Hold(a.id, 50) }
	a.check(t, "10: 10 due 10", "50: 20 due 20 30 due 30", "60: 60 due 60")
}

func TestHoldByAnother(t *testing.T) {
	a := newScript(9)
	a.post(10)
	a.s.Hold(a.id, 40)
	a.check(t, "40: 10 due 10")
}

func TestAlarmRingsDuringHold(t *testing.T) {
	a := newScript(0)
	a.post(10, 20)
	a.acts[1] = func(Time) { a.s.Hold(a.id, 50); a.s.SetAlarm(a.id, 30) }
	a.acts[2] = func(Time) { a.takes = 9 }
	a.check(t, "10:", "30:", "50: 10 due 10 20 due 20")
}

func TestAlarm(t *testing.T) {
	a := newScript(9)
	a.s.SetAlarm(a.id, 10)
	a.s.SetAlarm(a.id, 20) // replaces it
	a.acts[1] = func(Time) { a.s.SetAlarm(a.id, 20) }
	a.acts[2] = func(Time) { a.s.SetAlarm(a.id, 30); a.s.SetAlarm(a.id, Never); a.post(40) }
	a.check(t, "20:", "20:", "40: 40 due 40")
}

// One wake-up is enough for an alarm and a letter at the same instant.
func TestAlarmWithLetter(t *testing.T) {
	a := newScript(9)
	a.post(10)
	a.s.SetAlarm(a.id, 10)
	a.check(t, "10: 10 due 10")
}

func TestLettersToOneself(t *testing.T) {
	a := newScript(1)
	a.post(10)
	a.acts[1] = func(now Time) { a.post(now+5, now, now+2) }
	a.check(t, "10: 10 due 10", "10: 10 due 10", "12: 12 due 12", "15: 15 due 15")
}

func TestRunStopsAtEnd(t *testing.T) {
	a := newScript(9)
	a.post(100, 101)
	a.s.Run(50)
	if a.s.Now() != 50 || len(a.log) != 0 {
		t.Errorf("at %v, woken at %q", a.s.Now(), a.log)
	}
	a.s.Run(100)
	var left []Time
	a.s.Pending(func(to ActorID, due Time, m *int) {
		if to != a.id || *m != int(due) {
			t.Errorf("letter %d to actor %d due %v", *m, to, due)
		}
		left = append(left, due)
	})
	if want := []string{"100: 100 due 100"}; !slices.Equal(a.log, want) || !slices.Equal(left, []Time{101}) {
		t.Errorf("woken at %q, left is what is due at %v", a.log, left)
	}
	if a.s.InUse() != 1 || a.s.Events() != 2 {
		t.Errorf("%d letters in use, %d events", a.s.InUse(), a.s.Events())
	}
	NewScheduler[int]().Run(10) // nobody there
}

func TestLettersAreUsedAgain(t *testing.T) {
	s := NewScheduler[int]()
	ref, m := s.New()
	if s.At(ref) != m {
		t.Error("the letter holds another message")
	}
	s.Free(ref)
	if again, _ := s.New(); again != ref {
		t.Errorf("letter %d was free, and the next is %d", ref, again)
	}
}

func TestLettersStayWhereTheyAre(t *testing.T) {
	s := NewScheduler[int]()
	var messages []*int
	for i := range 3*chunk + 1 {
		ref, m := s.New()
		*m = i
		if ref != Ref(i) {
			t.Fatalf("letter %d is numbered %d", i, ref)
		}
		messages = append(messages, m)
	}
	for i, m := range messages {
		if *m != i || s.At(Ref(i)) != m {
			t.Fatalf("letter %d holds %d", i, *m)
		}
	}
}

func TestTrace(t *testing.T) {
	a := newScript(9)
	var traced []delivery
	a.s.Trace = func(at Time, to ActorID, m *int) { traced = append(traced, delivery{at, to, *m}) }
	a.post(10, 20)
	a.s.Hold(a.id, 30)
	a.check(t, "30: 10 due 10 20 due 20")
	if want := []delivery{{10, a.id, 10}, {20, a.id, 20}}; !slices.Equal(traced, want) {
		t.Errorf("traced %v, want %v", traced, want)
	}
}

func TestPastPanics(t *testing.T) {
	a := newScript(9)
	a.s.Run(50)
	ref, _ := a.s.New()
	mustPanic(t, "a letter due in the past", func() { a.s.Post(49, a.id, ref) })
	mustPanic(t, "an alarm in the past", func() { a.s.SetAlarm(a.id, 49) })
	a.acts[1] = func(now Time) {
		mustPanic(t, "ahead into the past", func() { a.s.Ahead(now - 1) })
	}
	a.s.Post(50, a.id, ref)
	a.s.SetAlarm(a.id, 50)
	a.check(t, "50: 0 due 50")
}

func TestTooManyLetters(t *testing.T) {
	s := NewScheduler[int]()
	s.letters.used = refMask + 1
	defer func() {
		if r := recover(); r != ErrTooManyLetters {
			t.Errorf("panic with %v", r)
		}
	}()
	s.New()
}

func TestFingerprint(t *testing.T) {
	run := func(letters ...Time) uint64 {
		a := newScript(9)
		a.post(letters...)
		a.s.Run(100)
		return a.s.Fingerprint()
	}
	if first, again := run(10, 20), run(10, 20); first != again {
		t.Error("two equal runs differ")
	}
	for _, other := range [][]Time{{}, {10}, {10, 21}, {10, 20, 20}, {10, 10}} {
		if run(10, 20) == run(other...) {
			t.Errorf("letters due at %v cannot be told from those at 10 and 20", other)
		}
	}
}

func TestWarmSchedulerDoesNotAllocate(t *testing.T) {
	s := NewScheduler[[12]uint64]()
	for id := range ActorID(5) {
		s.Register(wakeFunc(func(now Time) {
			for ref, m, _ := s.Take(id); m != nil; ref, m, _ = s.Take(id) {
				m[0]++
				s.Free(ref)
				ref, again := s.New()
				again[0] = m[0]
				s.Post(now.Add(time.Duration(10+Mix(m[0])%100)), (id+1)%5, ref)
			}
			s.Hold(id, now+20)
			s.SetAlarm(id, now+15)
		}))
	}
	for i := range uint64(100) {
		ref, m := s.New()
		m[0] = i << 32
		s.Post(0, ActorID(i%5), ref)
	}
	s.Run(1_000_000)
	before := s.Events()
	if n := testing.AllocsPerRun(10, func() { s.Run(s.Now() + 10_000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if s.Events() < before+10_000 {
		t.Errorf("only %d events", s.Events()-before)
	}
}
