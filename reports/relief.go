package reports

import (
	"fmt"
	"strconv"

	"hotslot/experiment"
)

// errorsMore is the share of operations that has to fail in addition to be worth
// mentioning.
const errorsMore = 0.001

// What a strategy does to a limit, where it does not do away with it: it serves
// so many times as much as the first one.
const (
	muchMore = 1.2
	less     = 0.95
)

// lighter is how much less of a resource has to be in use to be a relief.
const lighter = 0.05

// An effect is what some strategies have in common.
type effect struct {
	one, many string // verb and what follows it, by the number of strategies
	reason    string
	ratio     bool // whether it matters how many times as much they serve
}

// The effects of strategies that do not do away with a limit.
var (
	doesNot      = effect{one: "does not", many: "do not"}
	isOverloaded = effect{one: "is overloaded", many: "are overloaded"}
	servesMore   = effect{one: "serves more, and is limited in turn",
		many: "serve more, and are limited in turn", ratio: true}
	changesLittle = effect{one: "changes little", many: "change little", ratio: true}
	servesNoMore  = effect{one: "serves no more", many: "serve no more"}
	servesLess    = effect{one: "serves less", many: "serve less", ratio: true}
	doesWorse     = effect{one: "does worse", many: "do worse"}
	isAtLimit     = effect{one: "is at its limit", many: "are at their limit"}
)

// because returns the effect with a reason.
func (e effect) because(reason string) effect {
	e.reason = reason
	return e
}

// effects gathers strategies by effect, in the order in which they come.
type effects struct {
	order []effect
	names map[effect][]string
}

// add notes that a strategy has an effect.
func (es *effects) add(e effect, s, first *experiment.Strategy) {
	if es.names == nil {
		es.names = make(map[effect][]string)
	}
	if es.names[e] == nil {
		es.order = append(es.order, e)
	}
	name := s.Name
	if e.ratio {
		times := ""
		if es.names[e] == nil {
			times = " times as much"
		}
		name += fmt.Sprintf(" (%s%s)", plain.mean(gain(s, first)), times)
	}
	es.names[e] = append(es.names[e], name)
}

// sentences says what strategies have which effect.
func (es *effects) sentences() []string {
	var said []string
	for _, e := range es.order {
		names := es.names[e]
		said = append(said, fmt.Sprintf("%s %s: %s.", list(names), verb(len(names), e.one, e.many), e.reason))
	}
	return said
}

// gain returns how many times as much a strategy serves as the first one.
func gain(s, first *experiment.Strategy) experiment.Mean {
	if s.Against != nil && s.Against.Throughput.Mean > 0 {
		return s.Against.Throughput
	}
	ratio := s.Throughput.Mean / first.Throughput.Mean
	return experiment.Mean{Mean: ratio, Low: ratio, High: ratio, N: 1}
}

// reliefs says which strategies relieve the limit of the first one, which bear
// the load that they are under themselves, and groups the others by what they do
// and what still limits them.
func reliefs(first *experiment.Strategy, was limit, others []*experiment.Strategy) []string {
	var relieved, borne []string
	var rest effects
	for _, s := range others {
		l := limitOf(s)
		switch {
		case relieves(s, l, first, was):
			relieved = append(relieved, s.Name+atMost(l))
		case bears(s, first):
			borne = append(borne, fmt.Sprintf("%s serves the %s that it is offered%s",
				s.Name, rates.mean(s.Throughput), atMost(l)))
		default:
			rest.add(effectOf(s, l, first, was), s, first)
		}
	}
	var said []string
	if len(relieved) > 0 {
		said = append(said, fmt.Sprintf("%s %s it.", list(relieved), verb(len(relieved), "relieves", "relieve")))
	}
	if len(borne) > 0 {
		said = append(said, list(borne)+".")
	}
	return append(said, rest.sentences()...)
}

// relieves says whether a strategy serves at least as much as the first one,
// without more errors worth mentioning, and either has no limit of its own or
// stands the same kind of load, which does not wait for it, all the same: where
// the first one does not, or with less of what it has least of in use.
func relieves(s *experiment.Strategy, l limit, first *experiment.Strategy, was limit) bool {
	open := s.Offered > 0 && first.Offered > 0
	stands := l.kind == limitNone || open && (first.Overloaded || l.use < was.use-lighter)
	return stands && !s.Overloaded && !fails(s, first) &&
		s.Throughput.Mean >= first.Throughput.Mean*noChangeBelow
}

// bears says whether a strategy serves all that it is offered, be that more or
// less than the first one serves.
func bears(s, first *experiment.Strategy) bool {
	return s.Offered > 0 && !s.Overloaded && !fails(s, first) && s.Throughput.Mean >= s.Offered*less
}

// fails says whether more operations fail than under the first strategy.
func fails(s, first *experiment.Strategy) bool { return s.Errors.Rate > first.Errors.Rate+errorsMore }

// atMost says how much is in use of what a relieved strategy has least of.
func atMost(l limit) string {
	switch {
	case l.kind == limitNIC:
		return fmt.Sprintf(" (the network card of %s at %s)", l.node.ID, percent(l.use))
	case l.kind == limitClient:
		return fmt.Sprintf(" (the clients' processors at %s)", percent(l.use))
	case l.node == nil:
		return ""
	}
	return fmt.Sprintf(" (%s at %s)", l.node.ID, percent(l.use))
}

// effectOf says what a strategy that does not relieve a limit does to it, and
// why. That it does not help is said of strategies only that are overloaded as
// the first one is, or fail; what closed loads get out of the others is told.
func effectOf(s *experiment.Strategy, l limit, first *experiment.Strategy, was limit) effect {
	times := gain(s, first)
	var e effect
	switch {
	case fails(s, first):
		return doesNot.because(failing(s))
	case s.Overloaded && !first.Overloaded:
		e = isOverloaded
	case times.Mean >= muchMore:
		e = servesMore
	case s.Overloaded:
		e = doesNot
	case times.Mean < less:
		e = servesLess
	case times.Low >= noChangeBelow && times.High <= noChangeAbove:
		e = servesNoMore
	default:
		e = changesLittle
	}
	return e.because(complaint(s, l, was))
}

// failing says how many operations of a strategy fail.
func failing(s *experiment.Strategy) string {
	return mostOf(s.Errors.Rate, "the operations") + " fail"
}

// complaint says why a strategy does not relieve a limit: what limits it
// itself.
func complaint(s *experiment.Strategy, l, was limit) string {
	switch l.kind {
	case limitNone:
		return unlimited(s)
	case limitHotKey:
		if l.key == was.key && l.node.Role != "replica" {
			return l.key + " still has one owner"
		}
		return fmt.Sprintf("%s are for %s", mostOf(l.keyShare, "the commands of "+l.node.ID), l.key)
	case limitHotSlot:
		keys := ""
		if l.slot.Keys > 1 {
			keys = fmt.Sprintf("the %s keys of ", thousands(strconv.Itoa(l.slot.Keys)))
		}
		return fmt.Sprintf("%s are for %sslot %d, which has one owner",
			mostOf(l.slotShare, "the commands of "+l.node.ID), keys, l.slot.Slot)
	case limitCostly:
		return fmt.Sprintf("%s goes to slot %d", mostOf(l.timeShare, "the time of "+l.node.ID), l.slot.Slot)
	case limitThreads:
		return "every primary is busy"
	case limitNIC:
		return fmt.Sprintf("the network card of %s is at %s", l.node.ID, percent(l.use))
	case limitClient:
		return fmt.Sprintf("the clients' processors are at %s", percent(l.use))
	case limitPool:
		return mostOf(l.use, "the operations") + " wait for a connection"
	}
	return fmt.Sprintf("the thread of %s is at %s", l.node.ID, percent(l.use))
}

// unlimited says what is wrong with a strategy that no resource limits.
func unlimited(s *experiment.Strategy) string {
	switch {
	case s.Overloaded:
		return "latency grows, though no resource is saturated on average"
	case total(s.Blame) > 0:
		return fmt.Sprintf("%s dominates, and nothing is saturated", dominator(largestPart(s.Blame).name))
	}
	return "nothing is saturated"
}
