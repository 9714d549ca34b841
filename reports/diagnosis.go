package reports

import (
	"fmt"

	"hotslot/experiment"
)

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
		return []string{who + "; " + keyShare(l) + ".", owner(l.node)}
	case limitHotSlot:
		return []string{fmt.Sprintf("%s; %s are for slot %d, and no key stands out.",
			who, mostOf(l.slotShare, "its commands"), l.slot.Slot), owner(l.node)}
	case limitCostly:
		return []string{fmt.Sprintf("%s; %s goes to slot %d, though only %s of its commands do%s.",
			who, mostOf(l.timeShare, "its time"), l.slot.Slot, percent(l.slotShare), mostFor(l.slot.Key)),
			"A thread serves one command after the other, so every other key there waits for the long ones."}
	case limitThreads:
		return []string{fmt.Sprintf("%s, and so is every other primary.", who),
			"The load is spread, so more primaries would share it."}
	}
	if only(s, l.node) {
		return []string{who + ", and the only primary.",
			"No slot takes most of its time, so more primaries would share it."}
	}
	return []string{who + "; no slot takes most of its time, so it can give some of its slots away."}
}

// owner says what can be done for a node that is the limit by one slot.
func owner(n *experiment.Node) string {
	if n.Role == "replica" {
		return "Only replicas of the same primary can share these reads."
	}
	return "One slot has one owner, so more primaries relieve it of other traffic only."
}

// keyShare says how much of a thread's load is for one key, and for its slot if
// that is known.
func keyShare(l limit) string {
	if l.slot == nil || l.slot.Key != l.key || l.slotShare < l.keyShare*0.99 {
		return fmt.Sprintf("%s are for %s", mostOf(l.keyShare, "its commands"), l.key)
	}
	if l.keyShare < l.slotShare*0.99 {
		return fmt.Sprintf("%s are for slot %d, most of them for %s",
			mostOf(l.slotShare, "its commands"), l.slot.Slot, l.key)
	}
	return fmt.Sprintf("%s are for %s in slot %d", mostOf(l.keyShare, "its commands"), l.key, l.slot.Slot)
}

// only says whether a node is the one primary of a cluster.
func only(s *experiment.Strategy, n *experiment.Node) bool {
	primaries := 0
	for _, other := range s.Nodes {
		if other.Role == "primary" {
			primaries++
		}
	}
	return primaries == 1 && n.Role == "primary"
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
	if s.Overloaded {
		said = "Yet nothing is saturated on average"
	}
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
