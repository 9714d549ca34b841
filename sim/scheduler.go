// Package sim is the kernel of the simulator: virtual time, mailboxes, the order
// of what happens, and named randomness. It knows nothing of Redis, of networks
// or of nodes.
//
// A run is one Scheduler on one goroutine. Everything that happens is a letter
// delivered to an actor at an instant, or an alarm that the actor set itself;
// an actor may send more letters, and that is all it may do to the rest of the
// world.
//
// The queue has two levels. Each actor has a mailbox of the letters that are on
// their way to it; the scheduler's own queue holds one entry per actor, the
// instant at which it has to wake next. An actor that is busy until some instant
// says so, sleeps until then and takes everything that has come meanwhile at
// once: no event is spent on what reaches it before it can decide anything.
//
// What it leaves out: processes that are written as coroutines, cancelling
// (a generation number in the message tells what is stale), parallel execution
// of one run (runs are what is parallel).
package sim

// ActorID is an actor's index in its Scheduler, counted from 0.
type ActorID uint32

// An Actor is woken at the instants when a letter is due or its alarm rings. It
// then takes the letters that are due from its Mail, as many as it likes; while
// some are left it is woken again at the same instant, unless it is held.
type Actor interface {
	Wake(now Time)
}

// A Scheduler owns the clock, the letters and the order of one run.
//
// M should be a struct of plain values without pointers. Whatever is due at the
// same instant happens in the order in which it was scheduled.
type Scheduler[M any] struct {
	now         Time
	queue       wakeups
	actors      []actor
	letters     letters[M]
	sequence    uint64  // of letters and alarms
	awake       ActorID // whose Wake is running
	end         Time    // of the Run that is going on
	woken       uint64
	delivered   uint64
	fingerprint uint64

	// Trace, where set, is told of each delivery just as the letter is taken.
	Trace func(at Time, to ActorID, m *M)
}

type actor struct {
	Actor
	box   mailbox
	alarm key // when to wake whatever the mailbox holds
	hold  Time
}

const (
	nobody           = ^ActorID(0)
	fingerprintPrime = 1099511628211 // of 64-bit FNV
)

// NewScheduler returns a Scheduler at instant 0.
func NewScheduler[M any]() *Scheduler[M] { return &Scheduler[M]{awake: nobody} }

// Register adds an actor and returns its address.
func (s *Scheduler[M]) Register(a Actor) ActorID {
	s.actors = append(s.actors, actor{Actor: a, alarm: never})
	s.queue.add()
	return ActorID(len(s.actors) - 1)
}

// Now returns the current instant.
func (s *Scheduler[M]) Now() Time { return s.now }

// Events returns how often actors have been woken and letters delivered so far.
func (s *Scheduler[M]) Events() uint64 { return s.woken + s.delivered }

// Fingerprint identifies the sequence of deliveries and wake-ups so far. Two
// runs with different fingerprints took different courses.
func (s *Scheduler[M]) Fingerprint() uint64 { return s.fingerprint }

// New returns a fresh letter and its message, to be filled in: it still holds
// what it was used for last.
func (s *Scheduler[M]) New() (Ref, *M) {
	ref := s.letters.new()
	return ref, s.letters.at(ref)
}

// At returns the message of a letter: of one that was just made or taken, and
// neither posted nor freed since.
func (s *Scheduler[M]) At(ref Ref) *M { return s.letters.at(ref) }

// Free gives a letter up. Its message must not be used any more.
func (s *Scheduler[M]) Free(ref Ref) { s.letters.free = append(s.letters.free, ref) }

// Post sends a letter to an actor, due at the given instant. It panics if that
// is in the past.
func (s *Scheduler[M]) Post(at Time, to ActorID, ref Ref) {
	if at < s.now {
		panic("sim: a letter posted into the past")
	}
	k := key{uint64(at), s.next() | uint64(ref)}
	a := &s.actors[to]
	if a.box.follows(k) {
		a.box.append(k)
	} else {
		a.box.pushElsewhere(k)
	}
	if to == s.awake {
		return // its place in the queue is found when it goes back to sleep
	}
	if wake := max(k.at, uint64(a.hold)); wake < s.queue.at(to) {
		s.queue.set(to, key{wake, k.order&^refMask | uint64(to)})
	}
}

// Take removes the letter that is due first from an actor's mailbox and returns
// it with its message and the instant at which it was due. The message is nil if
// none is due at or before now.
func (s *Scheduler[M]) Take(id ActorID) (ref Ref, m *M, due Time) {
	b := &s.actors[id].box
	var k key
	if b.due(s.now) {
		k = *b.lane.First()
		b.lane.Drop()
	} else {
		var ok bool
		if k, ok = b.pop(s.now); !ok {
			return 0, nil, 0
		}
	}
	s.delivered++
	s.fingerprint = (s.fingerprint ^ k.at ^ uint64(id)<<48) * fingerprintPrime
	ref = k.ref()
	m = s.letters.at(ref)
	if s.Trace != nil {
		s.Trace(Time(k.at), id, m)
	}
	return ref, m, Time(k.at)
}

// Ahead moves the clock on to an instant, as if the actor that is awake had set
// an alarm and gone back to sleep, if nothing else is due until then. It reports
// whether it has. It panics if the instant is in the past.
func (s *Scheduler[M]) Ahead(at Time) bool {
	if at < s.now {
		panic("sim: ahead into the past")
	}
	a := &s.actors[s.awake]
	if at > s.end || uint64(at) >= s.queue.firstBut(s.awake) ||
		uint64(at) > max(a.box.first().at, uint64(a.hold)) {
		return false
	}
	a.alarm = never
	s.now = at
	s.wake(s.awake, at)
	return true
}

// SetAlarm has the actor woken at an instant whatever its mailbox holds, once.
// It replaces an alarm that was set before; Never clears it.
func (s *Scheduler[M]) SetAlarm(id ActorID, at Time) {
	a := &s.actors[id]
	a.alarm = never
	if at != Never {
		if at < s.now {
			panic("sim: an alarm set in the past")
		}
		a.alarm = key{uint64(at), s.next() | uint64(id)}
	}
	if id != s.awake {
		s.reschedule(id)
	}
}

// Hold keeps letters from waking the actor before an instant: it is busy. The
// alarm wakes it all the same.
func (s *Scheduler[M]) Hold(id ActorID, until Time) {
	s.actors[id].hold = until
	if id != s.awake {
		s.reschedule(id)
	}
}

// Run wakes whoever is due at or before end, in order, then sets the clock to
// end.
func (s *Scheduler[M]) Run(end Time) {
	s.end = end
	for len(s.actors) > 0 {
		k := s.queue.first()
		if k.at > uint64(end) {
			break
		}
		s.awake = ActorID(k.order & refMask)
		s.now = Time(k.at)
		a := &s.actors[s.awake]
		if a.alarm.at <= k.at {
			a.alarm = never
		}
		s.wake(s.awake, s.now)
		a.Wake(s.now)
		s.reschedule(s.awake)
		s.awake = nobody
	}
	s.now = end
}

// wake counts a wake-up.
func (s *Scheduler[M]) wake(id ActorID, at Time) {
	s.woken++
	s.fingerprint = (s.fingerprint ^ uint64(at) ^ uint64(id)<<56) * fingerprintPrime
}

// InUse returns how many letters have been made and not freed.
func (s *Scheduler[M]) InUse() int { return s.letters.used - len(s.letters.free) }

// Pending calls f with every letter that is on its way, and its receiver.
func (s *Scheduler[M]) Pending(f func(to ActorID, due Time, m *M)) {
	for id := range s.actors {
		s.actors[id].box.each(func(k key) { f(ActorID(id), Time(k.at), s.letters.at(k.ref())) })
	}
}

// reschedule finds an actor's place in the queue.
func (s *Scheduler[M]) reschedule(id ActorID) {
	a := &s.actors[id]
	k := a.box.first()
	if k != never {
		k.at = max(k.at, uint64(a.hold))
		k.order = k.order&^refMask | uint64(id)
	}
	if before(a.alarm, k) == 1 {
		k = a.alarm
	}
	s.queue.set(id, k)
}

// next returns a sequence number in its place in a key.
func (s *Scheduler[M]) next() uint64 {
	s.sequence++
	return s.sequence << refBits
}
