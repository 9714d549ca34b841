package reports

import "hotslot/experiment"

// A limit is what keeps a strategy from serving more, or faster.
type limit struct {
	kind limitKind
	use  float64          // share of the resource that is in use, 0 to 1
	node *experiment.Node // whose thread or network card it is; the busiest where nothing is a limit; may be nil

	// Of a thread: what it is busy with.
	slot      *experiment.Slot // that takes most of it; nil where none does
	slotShare float64          // of the node's commands that are for the slot
	timeShare float64          // of the node's execution time that is for the slot
	key       string           // that most of the node's commands are for; "" where none is
	keyShare  float64
}

type limitKind int

const (
	limitNone    limitKind = iota // nothing is saturated
	limitThread                   // the thread of a node
	limitThreads                  // the threads of all primaries alike
	limitHotSlot                  // a thread, by the commands for one slot
	limitHotKey                   // a thread, by the commands for one key
	limitCostly                   // a thread, by few but long commands for one slot
	limitNIC                      // the network card of a node
	limitClient                   // the processors of the clients
	limitPool                     // connections
)

// The rules. A resource that is in use for saturated of the time is a limit:
// a queue before it is ten times as long as its service, and over seeds and
// seconds some of the time it is in use altogether. One thing takes most of
// another from dominant upwards. A wait for connections is a limit if poolWaits
// of the operations have it, and nothing else takes longer.
const (
	saturated = 0.9
	dominant  = 0.5
	poolWaits = 0.1
	// A slot is costly if its share of the time is this many times its share of
	// the commands.
	costly = 2
)

// limitOf finds the limit of a strategy: the resource in use most, if that is
// saturated; otherwise connections, if they are what operations wait for.
func limitOf(s *experiment.Strategy) limit {
	l := limit{use: -1}
	consider := func(kind limitKind, use float64, n *experiment.Node) {
		if use > l.use { // on a tie the first stays: threads before cards before clients
			l = limit{kind: kind, use: use, node: n}
		}
	}
	for i := range s.Nodes {
		consider(limitThread, s.Nodes[i].Utilization, &s.Nodes[i])
	}
	for i := range s.Nodes {
		consider(limitNIC, s.Nodes[i].NIC, &s.Nodes[i])
	}
	consider(limitClient, s.Client.Utilization, nil)

	switch {
	case l.use >= saturated && l.kind == limitThread:
		return busyWith(s, l)
	case l.use >= saturated:
		return l
	case s.Client.PoolWaits >= poolWaits && largestPart(s.Blame).micros == s.Blame.Client:
		return limit{kind: limitPool, use: s.Client.PoolWaits}
	}
	if n := busiest(s); n != nil {
		return limit{node: n, use: n.Utilization}
	}
	return limit{}
}

// busyWith says more exactly what keeps the thread of l.node busy.
func busyWith(s *experiment.Strategy, l limit) limit {
	l.slot, l.slotShare, l.timeShare = hottestSlot(s, l.node)
	if l.node.KeyShare >= dominant {
		l.key, l.keyShare = l.node.HottestKey, l.node.KeyShare
	}
	switch {
	case l.key != "":
		l.kind = limitHotKey
	case l.slotShare >= dominant:
		l.kind = limitHotSlot
	case l.timeShare >= dominant && l.timeShare >= costly*l.slotShare:
		l.kind = limitCostly
	case allPrimariesBusy(s):
		l.kind = limitThreads
	}
	return l
}

// hottestSlot returns the slot that takes most of a node's thread, with its
// shares of the node's commands and of the node's execution time. A slot's
// shares are of the whole cluster, so they are scaled to the node.
func hottestSlot(s *experiment.Strategy, n *experiment.Node) (hottest *experiment.Slot, commands, time float64) {
	var allCommands, allTime float64
	for _, other := range s.Nodes {
		allCommands += other.Commands
		allTime += other.Utilization
	}
	for i := range s.Slots {
		slot := &s.Slots[i]
		if slot.Node == n.ID && (hottest == nil || slot.CPUShare > hottest.CPUShare) {
			hottest = slot
		}
	}
	if hottest == nil {
		return nil, 0, 0
	}
	return hottest, part(hottest.Share*allCommands, n.Commands), part(hottest.CPUShare*allTime, n.Utilization)
}

// part returns the share that some is of all, 0 to 1.
func part(some, all float64) float64 {
	if all <= 0 {
		return 0
	}
	return min(1, some/all)
}

// allPrimariesBusy says whether there are several primaries and every one is
// saturated.
func allPrimariesBusy(s *experiment.Strategy) bool {
	primaries := 0
	for _, n := range s.Nodes {
		if n.Role != "primary" {
			continue
		}
		if n.Utilization < saturated {
			return false
		}
		primaries++
	}
	return primaries > 1
}
