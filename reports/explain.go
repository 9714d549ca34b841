package reports

import (
	"fmt"

	"hotslot/experiment"
)

// explain says in a few sentences what limits the first strategy, which of the
// others relieve that, and which do not and why.
func explain(r *experiment.Result) []string {
	if len(r.Strategies) == 0 {
		return nil
	}
	first := &r.Strategies[0]
	var others []*experiment.Strategy
	for i := range r.Strategies[1:] {
		if s := &r.Strategies[i+1]; s.Seeds > 0 {
			others = append(others, s)
		}
	}
	if first.Idle {
		return outages(first, others) // nobody asks for anything: nothing else is to be explained
	}
	if first.Seeds == 0 || !(first.Throughput.Mean > 0) {
		return fruitless(first)
	}
	l := limitOf(first)
	var said []string
	if first.Overloaded {
		said = append(said, overloaded(first))
	}
	said = append(said, diagnosis(first, l)...)
	said = append(said, failures(first, others)...)
	said = append(said, outages(first, others)...)
	if l.kind == limitNone && !first.Overloaded {
		return append(said, slowdowns(first, others)...)
	}
	return append(said, reliefs(first, l, others)...)
}

// fruitless says why no operation succeeded.
func fruitless(s *experiment.Strategy) []string {
	why := ""
	if kinds := kinds(s.Errors); len(kinds) > 0 {
		why = ": they fail with " + kinds[0]
	}
	said := []string{fmt.Sprintf("No operation succeeded under %s%s.", s.Name, why)}
	if l := limitOf(s); s.Seeds > 0 && l.kind != limitNone {
		said = append(said, diagnosis(s, l)...)
	}
	return said
}

// overloaded says what an overloaded run is.
func overloaded(s *experiment.Strategy) string {
	served := ""
	if s.Offered > s.Throughput.Mean*noChangeAbove {
		served = fmt.Sprintf("it is offered %s and serves %s, and ",
			rates.number(s.Offered), rates.mean(s.Throughput))
	}
	return fmt.Sprintf("%s is overloaded: %sits latency grows for as long as the run lasts.", s.Name, served)
}

// failures says how many operations fail under the first strategy, if that is
// worth mentioning, and under which strategies fewer do.
func failures(first *experiment.Strategy, others []*experiment.Strategy) []string {
	if !(first.Errors.Rate > errorsMore) {
		return nil
	}
	most := ""
	if kinds := kinds(first.Errors); len(kinds) > 0 {
		most = ", most with " + kinds[0]
	}
	said := []string{fmt.Sprintf("Under %s %s%s.", first.Name, failing(first), most)}
	var fewer []string
	for _, s := range others {
		if s.Errors.Rate < first.Errors.Rate-errorsMore {
			fewer = append(fewer, fmt.Sprintf("%s (%s)", s.Name, percent(s.Errors.Rate)))
		}
	}
	if len(fewer) > 0 {
		said = append(said, fmt.Sprintf("Fewer fail under %s.", list(fewer)))
	}
	return said
}

// slowdowns says which strategies do worse and which change the P99 for certain,
// where the first has no limit to be relieved.
func slowdowns(first *experiment.Strategy, others []*experiment.Strategy) []string {
	var lower, higher []string
	var rest effects
	for _, s := range others {
		l := limitOf(s)
		switch {
		case fails(s, first):
			rest.add(doesWorse.because(failing(s)), s, first)
			continue
		case s.Overloaded:
			rest.add(isOverloaded.because(complaint(s, l, limit{})), s, first)
			continue
		case l.kind != limitNone:
			rest.add(isAtLimit.because(complaint(s, l, limit{})), s, first)
		case gain(s, first).Mean < less && !bears(s, first):
			rest.add(servesLess.because(complaint(s, l, limit{})), s, first)
		}
		if s.Against == nil {
			continue
		}
		item := fmt.Sprintf("%s (ratio %s)", s.Name, plain.mean(s.Against.P99))
		switch {
		case s.Against.P99.High < noChangeBelow:
			lower = append(lower, item)
		case s.Against.P99.Low > noChangeAbove:
			higher = append(higher, item)
		}
	}
	said := rest.sentences()
	if len(lower) > 0 {
		said = append(said, fmt.Sprintf("The P99 is lower under %s.", list(lower)))
	}
	if len(higher) > 0 {
		said = append(said, fmt.Sprintf("The P99 is higher under %s.", list(higher)))
	}
	return said
}
