package reports

import (
	"fmt"
	"unicode"
	"unicode/utf8"

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

// diagnosis names the limit of a strategy and says what follows from it.
func diagnosis(s *experiment.Strategy, l limit) []string {
	switch l.kind {
	case limitNone:
		return []string{nothingSaturated(s, l)}
	case limitNIC:
		return []string{
			fmt.Sprintf("The network card of %s is the limit, with %s of its bandwidth in use.", l.node.ID, percent(l.use)),
			"It is bytes that it runs out of, not commands."}
	case limitClient:
		return []string{
			fmt.Sprintf("The clients are the limit: their processors are busy %s of the time.", percent(l.use)),
			"A larger cluster would not help them; more processes or fewer commands would."}
	case limitPool:
		return []string{fmt.Sprintf("Connections are the limit: %s of the operations wait for one, "+
			"and no thread, network card or client processor is saturated.", percent(l.use))}
	}
	return threadDiagnosis(s, l)
}

// threadDiagnosis names the thread that is the limit and what it is busy with.
func threadDiagnosis(s *experiment.Strategy, l limit) []string {
	who := fmt.Sprintf("%s is the limit", capital(l.node.ID))
	if !s.Overloaded && s.Offered > 0 {
		who = fmt.Sprintf("%s is close to its limit, busy %s of the time", capital(l.node.ID), percent(l.use))
	}
	switch l.kind {
	case limitHotKey:
		return []string{who + "; " + keyShare(l) + ".",
			"One slot has one owner, so more primaries relieve it of other traffic only."}
	case limitHotSlot:
		return []string{fmt.Sprintf("%s; %s of its commands are for slot %d, and no key stands out.",
			who, percent(l.slotShare), l.slot.Slot),
			"One slot has one owner, so more primaries relieve it of other traffic only."}
	case limitCostly:
		return []string{fmt.Sprintf("%s; %s of its time goes to slot %d, though only %s of its commands do%s.",
			who, percent(l.timeShare), l.slot.Slot, percent(l.slotShare), mostFor(l.slot.Key)),
			"A thread serves one command after the other, so every other key there waits for the long ones."}
	case limitThreads:
		return []string{fmt.Sprintf("%s, and so is every other primary.", who),
			"The load is spread, so more primaries would share it."}
	}
	return []string{fmt.Sprintf("%s; no slot takes most of its time, so it can give some of its slots away.", who)}
}

// keyShare says how much of a thread's load is for one key, and for its slot if
// that is known.
func keyShare(l limit) string {
	if l.slot == nil || l.slot.Key != l.key || l.slotShare < l.keyShare*0.99 {
		return fmt.Sprintf("%s of its commands are for %s", percent(l.keyShare), l.key)
	}
	amount := "all"
	if l.keyShare < l.slotShare*0.99 {
		amount = "most"
	}
	return fmt.Sprintf("%s of its commands are for slot %d, %s of them for %s",
		percent(l.slotShare), l.slot.Slot, amount, l.key)
}

// mostFor names the key that most commands of a slot are for, if it is known.
func mostFor(key string) string {
	if key == "" {
		return ""
	}
	return ", most for " + key
}

// nothingSaturated says what takes the time where no resource is short.
func nothingSaturated(s *experiment.Strategy, l limit) string {
	said := "Nothing is saturated under " + s.Name
	if l.node != nil {
		said += fmt.Sprintf(": the busiest thread is that of %s, at %s", l.node.ID, percent(l.use))
	}
	whole := total(s.Blame)
	if whole == 0 {
		return said + "."
	}
	largest := largestPart(s.Blame)
	return fmt.Sprintf("%s; %s dominates (%s of the mean latency).",
		said, dominator(largest.name), percent(largest.micros/whole))
}

// dominator names the part of an operation's time in running text.
func dominator(part string) string {
	switch part {
	case "network":
		return "the network's latency"
	case "client wait":
		return "waiting in the client"
	case "server wait":
		return "waiting for the server"
	case "redirect":
		return "following redirects"
	}
	return part
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
		item := fmt.Sprintf("%s (%s times)", s.Name, plain.mean(s.Against.P99))
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

// errorsMore is the share of operations that may fail in addition where a limit
// counts as relieved.
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
		if l.key == was.key {
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

// verb chooses the form of a verb by the number of its subjects.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// capital returns s with its first letter as a capital.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
