package migration

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"hotslot/sim/slots"
)

// Rebalancing says how slots are to be balanced.
type Rebalancing struct {
	Rules Rules
	// Weights are the nodes' weights, in the order of Layout.Nodes, from 0 to
	// DecimalMax; nil is One for each.
	Weights []Decimal
	// Threshold is by how many per cent of the slots that it owns a node's share
	// may be off before anything moves (--cluster-threshold). With 0 redis-cli
	// never moves anything; the fair rules then always do.
	Threshold Decimal
	// UseEmpty: nodes without slots take part ("--cluster-use-empty-masters").
	UseEmpty bool
}

// A party is a node that takes part in a rebalancing.
type party struct {
	node    slots.Owner
	count   int // slots that it owns
	weight  Decimal
	due     int // slots that it is to own
	balance int // slots to give; negative: to get
}

// Rebalance plans what redis-cli --cluster rebalance does, or what other rules make
// of it (clusterManagerCommandRebalance). Ties in balance stay in the order of
// Layout.Nodes, as they do with the merge sort that glibc's qsort is.
func Rebalance(l *Layout, r Rebalancing) (*Plan, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	parties, err := r.parties(l)
	if err != nil {
		return nil, err
	}
	if r.Rules.Fair {
		fairShares(parties)
	} else {
		r.Rules.shares(parties)
	}
	if !slices.ContainsFunc(parties, r.over) {
		return &Plan{Outcome: Balanced}, nil
	}
	if !r.Rules.round(parties) {
		return &Plan{Outcome: Endless}, nil
	}
	slices.SortStableFunc(parties, func(a, b party) int { return cmp.Compare(a.balance, b.balance) })
	p := new(Plan)
	if p.pair(*l.Owners, parties); len(p.Moves) == 0 {
		p.Outcome = Balanced
	}
	return p, nil
}

// parties returns the nodes that take part.
func (r *Rebalancing) parties(l *Layout) ([]party, error) {
	if r.Weights != nil && len(r.Weights) != len(l.Nodes) {
		return nil, fmt.Errorf("%d weights for %d nodes", len(r.Weights), len(l.Nodes))
	}
	var parties []party
	total := Decimal(0)
	for i, count := range l.Counts() {
		weight := One
		if r.Weights != nil {
			weight = r.Weights[i]
		}
		if weight < 0 || weight > DecimalMax {
			return nil, fmt.Errorf("node %d has a weight outside 0 to %d", l.Nodes[i], DecimalMax/One)
		}
		if count > 0 || r.UseEmpty {
			parties = append(parties, party{node: l.Nodes[i], count: count, weight: weight})
			total += weight
		}
	}
	if total == 0 {
		return nil, fmt.Errorf("every node that takes part has weight 0: there is nowhere to put the slots")
	}
	return parties, nil
}

// shares computes what each party is due as the programs do, rounded down.
func (r Rules) shares(parties []party) {
	single, double := float32(0), float64(0)
	for _, p := range parties {
		single += float32(p.weight.float())
		double += p.weight.float()
	}
	for i := range parties {
		p := &parties[i]
		if r.Doubles {
			p.due = int(slots.Count / double * p.weight.float())
		} else {
			p.due = int(slots.Count / single * float32(p.weight.float()))
		}
		p.balance = p.count - p.due
	}
}

// float returns a decimal as strtod reads it: the division of two numbers that
// are exact is rounded once.
func (d Decimal) float() float64 { return float64(d) / float64(One) }

// over reports whether a party is off its share by more than the threshold.
func (r *Rebalancing) over(p party) bool {
	switch {
	case r.Threshold == 0:
		return r.Rules.Fair
	case p.count == 0:
		return p.due > r.Rules.EmptyDue
	}
	off := math.Abs(100 - 100*float64(p.due)/float64(p.count))
	if r.Rules.Doubles {
		return off > r.Threshold.float()
	}
	return float32(off) > float32(r.Threshold.float())
}

// round hands out what rounding left over, one slot a party and round. It reports
// whether that comes to an end.
func (r Rules) round(parties []party) bool {
	left := 0
	for _, p := range parties {
		left += p.balance
	}
	if r.Rounding == ToNobody {
		return true
	}
	for left > 0 {
		before := left
		for i := range parties {
			b := &parties[i].balance
			if left > 0 && (*b < 0 || *b == 0 && r.Rounding == ToAnybody) {
				*b--
				left--
			}
		}
		if left == before {
			return false
		}
	}
	return true
}

// pair appends moves from the back of the parties, which have too much, to the
// front, which has too little, until the two meet. Sources give their lowest slots.
func (p *Plan) pair(owners slots.Table, parties []party) {
	for target, source := 0, len(parties)-1; target < source; {
		t, s := &parties[target], &parties[source]
		n := min(abs(t.balance), abs(s.balance))
		if n > 0 {
			for _, slot := range slotsOf(&owners, s.node)[:n] {
				p.Move(slot, s.node, t.node)
				owners[slot] = t.node
			}
		}
		t.balance += n
		s.balance -= n
		if t.balance == 0 {
			target++
		}
		if s.balance == 0 {
			source--
		}
	}
}

func abs(n int) int { return max(n, -n) }
