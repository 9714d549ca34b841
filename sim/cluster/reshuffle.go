package cluster

import (
	"fmt"
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// A Reshuffle says which slots an operator has move.
type Reshuffle struct {
	Count     int                   // reshard, scale-out: slots to a node; hottest: moves at most
	Balancing migration.Rebalancing // rebalance, drain, scale-out without Count; its weights come from Weights
	Weights   []Weight              // of nodes; One for those that are not named
	By        Quantity              // hottest, isolate, balance: what counts as load
	Within    migration.Decimal     // balance: per cent above the mean that a node may be
}

// A Weight is what a place weighs in a rebalancing.
type Weight struct {
	Place  Place
	Weight migration.Decimal
}

// Quantity is what load is measured in.
type Quantity string

// The quantities. Commands and work are those since the run began.
const (
	ByWork     Quantity = "cpu"      // time that commands took
	ByCommands Quantity = "commands" // how many there were
	ByBytes    Quantity = "bytes"    // that keys take
	ByKeys     Quantity = "keys"     // how many there are
)

// Quantities returns the quantities.
func Quantities() []Quantity { return []Quantity{ByWork, ByCommands, ByBytes, ByKeys} }

// joinLook is how often redis-cli looks whether nodes have heard of each other
// (clusterManagerWaitForClusterJoin).
const joinLook = time.Second

// reshuffle has an operator carry out what an event wants moved.
func (s *script) reshuffle(now sim.Time, event int) {
	e := &s.Events[event]
	plan, err := s.planOf(e)
	if err != nil {
		s.operator.refuse(now, event, e, err.Error())
		return
	}
	s.operator.start(now, event, plan, e)
}

// planOf returns the plan of an event, or why the tool does not make one.
func (s *script) planOf(e *Event) (*migration.Plan, error) {
	l := s.layoutNow()
	targets, others := s.owners(e.Nodes), s.owners(e.Others)
	if len(e.Nodes) > 0 && len(targets) == 0 || len(e.Others) > 0 && len(others) == 0 {
		return nil, fmt.Errorf("the node is not there")
	}
	if e.Do == DoMoveSlots {
		return movesTo(l, e.Ranges, targets[0]), nil
	}
	if err := s.checkOpen(); err != nil {
		return nil, err
	}
	r := &e.Reshuffle
	switch e.Do {
	case DoReshard:
		return migration.Reshard(l, others, targets[0], r.Count)
	case DoScaleOut:
		if r.Count == 0 {
			return migration.Rebalance(l, s.balancing(l, r))
		}
		return s.fillEach(l, targets, r.Count)
	case DoDrain:
		if len(others) > 0 {
			return migration.DrainTo(l, targets[0], others[0])
		}
		b := s.balancing(l, r)
		for i, node := range l.Nodes {
			if slices.Contains(targets, node) {
				b.Weights[i] = 0
			}
		}
		return migration.Drain(l, targets[0], b)
	case DoHottest:
		return migration.Hottest(l, s.load(r.By), r.Count)
	case DoIsolate:
		return migration.Isolate(l, s.load(r.By), e.Ranges[0].First)
	case DoBalance:
		return migration.Level(l, s.load(r.By), r.Within)
	default:
		return migration.Rebalance(l, s.balancing(l, r))
	}
}

// layoutNow returns what redis-cli sees of the cluster: its primaries, and who owns the
// slots as most nodes believe.
func (s *script) layoutNow() *migration.Layout {
	l := &migration.Layout{Owners: new(slots.Table), Nodes: s.operator.primaries()}
	for slot := range l.Owners {
		l.Owners[slot] = s.ownerOf(slots.Slot(slot))
	}
	return l
}

// checkOpen reports a slot that is open, with which redis-cli does not go on
// (clusterManagerCheckCluster).
func (s *script) checkOpen() error {
	for _, id := range s.operator.primaries() {
		if open := s.Nodes[id].State().Open(); len(open) > 0 {
			return fmt.Errorf("slot %d is open at %s", open[0].Slot, s.NodeName(int(id)))
		}
	}
	return nil
}

// owners returns the nodes at places.
func (s *script) owners(places []Place) (owners []slots.Owner) {
	for _, id := range s.resolve(places) {
		owners = append(owners, slots.Owner(id))
	}
	return owners
}

// balancing returns how slots are to be balanced, with the weights of the nodes.
func (s *script) balancing(l *migration.Layout, r *Reshuffle) migration.Rebalancing {
	b := r.Balancing
	b.Weights = slices.Repeat([]migration.Decimal{migration.One}, len(l.Nodes))
	for _, w := range r.Weights {
		for i, node := range l.Nodes {
			if s.at(w.Place, int(node)) {
				b.Weights[i] = w.Weight
			}
		}
	}
	return b
}

// load returns what each slot costs.
func (s *script) load(by Quantity) *migration.Load {
	load := new(migration.Load)
	for slot := range load {
		m, early := &s.Meter.Slots[slot], &s.Meter.Early[slot]
		switch by {
		case ByCommands:
			load[slot] = int64(m.Commands + early.Commands)
		case ByBytes:
			load[slot] = s.KeyBytes[slot]
		case ByKeys:
			load[slot] = int64(len(s.index.In(slots.Slot(slot))))
		default:
			load[slot] = int64(m.Work + early.Work)
		}
	}
	return load
}

// movesTo returns a plan that brings ranges of slots to a node, from whoever owns
// them.
func movesTo(l *migration.Layout, ranges []slots.Range, target slots.Owner) *migration.Plan {
	p := new(migration.Plan)
	for _, r := range ranges {
		for slot := int(r.First); slot <= int(r.Last); slot++ {
			if owner := l.Owners[slot]; owner != slots.None && owner != target {
				p.Move(slots.Slot(slot), owner, target)
			}
		}
	}
	return p
}

// fillEach reshards so many slots to each of some nodes, from all who had some before.
func (s *script) fillEach(l *migration.Layout, targets []slots.Owner, count int) (*migration.Plan, error) {
	sources := slices.DeleteFunc(slices.Clone(l.Nodes), func(n slots.Owner) bool { return slices.Contains(targets, n) })
	all := new(migration.Plan)
	for _, target := range targets {
		p, err := migration.Reshard(l, sources, target, count)
		if err != nil {
			return nil, err
		}
		if l, err = l.After(p); err != nil {
			return nil, err
		}
		all.Moves = append(all.Moves, p.Moves...)
	}
	return all, nil
}

// fill gives slots to nodes that have been added, when all primaries know them and they
// know all, and their replicas to them.
func (s *script) fill(now sim.Time, event int) {
	e := &s.Events[event]
	added, replicas := s.owners(e.Nodes), s.owners(e.Others)
	for _, node := range slices.Concat(added, replicas) {
		if !s.Nodes[node].Up() || !s.acquainted(node) {
			s.add(item{now.Add(joinLook), event, fill})
			return
		}
	}
	follow := false
	for i, replica := range replicas {
		if of := added[i%len(added)]; s.Nodes[replica].PrimaryOf() != of {
			s.Nodes[replica].Replicate(now, of)
			follow = true
		}
	}
	if follow {
		s.add(item{now.Add(joinLook), event, fill})
		return
	}
	s.reshuffle(now, event)
}

// acquainted reports whether a node and all primaries know each other, and it takes the
// cluster to be up and knows whose the slots are.
func (s *script) acquainted(node slots.Owner) bool {
	view := s.Nodes[node].View()
	if !s.Nodes[node].State().OK() || slices.Contains(view[:], slots.None) {
		return false
	}
	for _, other := range s.operator.primaries() {
		if other != node && (!s.Nodes[other].State().Knows(node) || !s.Nodes[node].State().Knows(other)) {
			return false
		}
	}
	return true
}
