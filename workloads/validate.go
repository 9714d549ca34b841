package workloads

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"hotslot/sim/wire"
)

// The most keys that a workload and an operation may have: wire.Key and
// wire.Op.Keys hold no more.
const (
	keysMax   = math.MaxUint32
	opKeysMax = math.MaxUint16
)

// Validate returns everything that is wrong with s and can be known without the
// cluster. It costs little: no table is built.
func (s Spec) Validate() error {
	switch s.Kind {
	case counterKind:
		return errors.Join(s.checkCounter(), s.checkRates())
	case keysKind:
		return errors.Join(s.checkKeys(), s.checkCommands(), s.Popularity.check(),
			checkAtMost("copies", s.copies(), opKeysMax), s.checkRates())
	case batchKind:
		return errors.Join(s.checkKeys(), s.checkCommands(), s.Popularity.check(),
			s.checkBatch(), s.checkRates())
	case burstKind:
		return errors.Join(s.checkKeys(), s.checkCommands(), s.checkBurst())
	}
	return fmt.Errorf("unknown kind %q of workload", s.Kind)
}

func (s Spec) checkCounter() error {
	if s.Key == "" {
		return errors.New("a counter needs a key")
	}
	return checkAtMost("shards", s.shards(), opKeysMax)
}

// checkKeys checks that each key has a name of its own and that every verb of
// the pattern stands for something.
func (s Spec) checkKeys() error {
	if len(s.KeyList) > 0 {
		if len(s.Fields) > 0 {
			return errors.New("fields need a key pattern with %f, not a list of keys")
		}
		return checkAtMost("keys", product(s.count(), s.copies()), keysMax)
	}
	parts, err := parsePattern(s.KeyPattern)
	if err != nil {
		return err
	}
	errs := []error{checkAtMost("keys", product(s.count(), max(1, len(s.Fields)), s.copies()), keysMax)}
	for _, v := range []struct {
		verb   byte
		needed bool
		why    string
	}{
		{'d', s.count() > 1, "count is above 1"},
		{'f', len(s.Fields) > 0, "there are fields"},
		{'t', s.Tags != Tags{}, "there are tags"},
	} {
		used := slices.ContainsFunc(parts, func(p part) bool { return p.verb == v.verb })
		switch {
		case v.needed && !used:
			errs = append(errs, fmt.Errorf("key pattern %q needs %%%c: %s", s.KeyPattern, v.verb, v.why))
		case used && !v.needed && v.verb != 'd':
			errs = append(errs, fmt.Errorf("key pattern %q has %%%c, which stands for nothing", s.KeyPattern, v.verb))
		}
	}
	if s.Tags.Count > 0 && s.Tags.Template != "" {
		errs = append(errs, errors.New("tags are either counted or found from a template"))
	}
	return errors.Join(errs...)
}

func (s Spec) checkCommands() error {
	if len(s.shares()) == 0 {
		return errors.New("the mix has no commands")
	}
	var errs []error
	for _, share := range s.shares() {
		command, ok := wire.ParseCommand(share.Command)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("unknown command %q", share.Command))
		case !command.Aimed():
			errs = append(errs, fmt.Errorf("%v takes no key", command))
		}
		errs = append(errs, checkRange("share of "+share.Command, share.Share, 0, 1))
	}
	return errors.Join(errs...)
}

func (s Spec) checkBatch() error {
	var errs []error
	fields := max(1, len(s.Fields))
	switch s.Order {
	case "", orderRandom, orderGiven, orderShuffled:
	default:
		errs = append(errs, fmt.Errorf("unknown order %q of a batch", s.Order))
	}
	if s.Size < 0 || s.Size%fields != 0 {
		errs = append(errs, fmt.Errorf("batch size %d is not a multiple of the %d fields of a number", s.Size, fields))
	}
	return errors.Join(append(errs,
		checkAtMost("keys of a batch", s.Size, s.count()*fields),
		checkAtMost("keys of a batch, copies included", product(max(s.Size, fields), s.copies()), opKeysMax))...)
}

func (s Spec) checkBurst() error {
	switch {
	case s.Size < 1:
		return fmt.Errorf("a burst of %d operations", s.Size)
	case s.Every <= 0:
		return fmt.Errorf("a burst every %v", s.Every)
	case s.Over < 0 || s.Over > s.Every:
		return fmt.Errorf("a burst over %v: must be from 0 to the %v until the next", s.Over, s.Every)
	case s.Copies > 1:
		return errors.New("bursts have no copies")
	}
	return nil
}

// checkRates checks what the arrivals are made of.
func (s Spec) checkRates() error {
	var errs []error
	switch s.Arrivals {
	case "", poissonArrivals, constantArrivals:
	default:
		errs = append(errs, fmt.Errorf("unknown arrivals %q", s.Arrivals))
	}
	errs = append(errs, checkRate("rate", s.Rate), checkRate("reads", s.Reads))
	for _, step := range s.Steps {
		errs = append(errs, checkRate("rate of a step", step.Rate), checkNotBefore("a step", step.At, 0))
	}
	if r := s.Ramp; r != nil {
		errs = append(errs, checkRate("rate that a ramp leads to", r.To),
			checkNotBefore("a ramp", r.From, 0), checkNotBefore("length of a ramp", r.Over, 0))
	}
	if o := s.OnOff; o != nil {
		errs = append(errs, checkNotBefore("on", o.On, 1), checkNotBefore("off", o.Off, 0))
	}
	return errors.Join(errs...)
}

// rateMax is one operation a nanosecond, the finest that time is told.
const rateMax = 1e9

func checkRate(what string, perSecond float64) error { return checkRange(what, perSecond, 0, rateMax) }

func checkNotBefore(what string, d, least time.Duration) error {
	if d < least {
		return fmt.Errorf("%s at %v: must be at least %v", what, d, least)
	}
	return nil
}

func checkAtMost(what string, n, most int) error {
	if n > most {
		return fmt.Errorf("%d %s: must be at most %d", n, what, most)
	}
	return nil
}

// product multiplies numbers that are at least 1. A result that does not fit is
// the largest number that does.
func product(factors ...int) int {
	p := 1
	for _, f := range factors {
		if p > math.MaxInt/f {
			return math.MaxInt
		}
		p *= f
	}
	return p
}
