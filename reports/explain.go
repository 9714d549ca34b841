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
	if first.Seeds == 0 || !(first.Throughput.Mean > 0) {
		return []string{fmt.Sprintf("No operation succeeded under %s.", first.Name)}
	}
	l := limitOf(first)
	var said []string
	if first.Overloaded {
		said = append(said, overloaded(first))
	}
	said = append(said, diagnosis(first, l)...)
	said = append(said, failures(first, others)...)
	if l.kind == limitNone && !first.Overloaded {
		return append(said, slowdowns(first, others)...)
	}
	return append(said, reliefs(first, l, others)...)
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
	said := []string{fmt.Sprintf("Under %s %s of the operations fail%s.", first.Name, percent(first.Errors.Rate), most)}
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

// slowdowns says which strategies change the P99 for certain, where the first
// has no limit to be relieved.
func slowdowns(first *experiment.Strategy, others []*experiment.Strategy) []string {
	var lower, higher []string
	var said []string
	for _, s := range others {
		if l := limitOf(s); !relieves(s, l, first) {
			said = append(said, fmt.Sprintf("%s does worse: %s.", s.Name, complaint(s, l, limit{})))
			continue
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
	if len(lower) > 0 {
		said = append(said, fmt.Sprintf("The P99 is lower under %s.", list(lower)))
	}
	if len(higher) > 0 {
		said = append(said, fmt.Sprintf("The P99 is higher under %s.", list(higher)))
	}
	return said
}

// reliefs says which strategies relieve the limit of the first one, and groups
// the others by what still limits them.
func reliefs(first *experiment.Strategy, was limit, others []*experiment.Strategy) []string {
	var relieved, reasons []string
	names := make(map[string][]string) // by reason
	for _, s := range others {
		l := limitOf(s)
		if relieves(s, l, first) {
			relieved = append(relieved, s.Name+atMost(l))
			continue
		}
		reason := complaint(s, l, was)
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], s.Name)
	}
	var said []string
	if len(relieved) > 0 {
		said = append(said, fmt.Sprintf("%s %s it.", list(relieved), verb(len(relieved), "relieves", "relieve")))
	}
	for _, reason := range reasons {
		said = append(said, fmt.Sprintf("%s %s not: %s.",
			list(names[reason]), verb(len(names[reason]), "does", "do"), reason))
	}
	return said
}

// relieves says whether a strategy serves at least as much as the first one,
// without more errors worth mentioning, and without a limit of its own.
func relieves(s *experiment.Strategy, l limit, first *experiment.Strategy) bool {
	return l.kind == limitNone && !s.Overloaded &&
		s.Throughput.Mean >= first.Throughput.Mean*noChangeBelow &&
		s.Errors.Rate <= first.Errors.Rate+errorsMore
}

// errorsMore is the share of operations that has to fail in addition to be worth
// mentioning.
const errorsMore = 0.001

// atMost says how busy the busiest thread of a relieved strategy is.
func atMost(l limit) string {
	if l.node == nil {
		return ""
	}
	return fmt.Sprintf(" (%s at %s)", l.node.ID, percent(l.use))
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
		return fmt.Sprintf("%s of the commands of %s are for %s", percent(l.keyShare), l.node.ID, l.key)
	case limitHotSlot:
		keys := ""
		if l.slot.Keys > 1 {
			keys = fmt.Sprintf("the %d keys of ", l.slot.Keys)
		}
		return fmt.Sprintf("%s of the commands of %s are for %sslot %d, which has one owner",
			percent(l.slotShare), l.node.ID, keys, l.slot.Slot)
	case limitCostly:
		return fmt.Sprintf("%s of the time of %s goes to slot %d", percent(l.timeShare), l.node.ID, l.slot.Slot)
	case limitThreads:
		return "every primary is busy"
	case limitNIC:
		return fmt.Sprintf("the network card of %s is at %s", l.node.ID, percent(l.use))
	case limitClient:
		return fmt.Sprintf("the clients' processors are at %s", percent(l.use))
	case limitPool:
		return fmt.Sprintf("%s of its operations wait for a connection", percent(l.use))
	}
	return fmt.Sprintf("the thread of %s is at %s", l.node.ID, percent(l.use))
}

// unlimited says what is wrong with a strategy that no resource limits.
func unlimited(s *experiment.Strategy) string {
	switch {
	case s.Overloaded:
		return "it is overloaded, though no resource is saturated on average"
	case s.Errors.Rate > 0:
		return fmt.Sprintf("%s of its operations fail", percent(s.Errors.Rate))
	}
	return fmt.Sprintf("it serves %s", rates.mean(s.Throughput))
}
