package migration

import (
	"fmt"
	"slices"

	"hotslot/sim/slots"
)

// Level plans to bring the load of every node down to a limit with few moves: to
// the mean and so many per cent more, from 0 to 100, or to the load of the
// heaviest slot where that is more, since no plan gets below it.
//
// From each node above the limit the heaviest slots leave, as few as suffice; the
// last of them is the lightest that does. Then they are put, the heaviest first,
// each on the node that is idlest then (the greedy algorithm of Aggarwal, Motwani
// and Zhu, "The load rebalancing problem", 2003). So
//
//   - if that keeps the limit, no plan that does has fewer moves: as many slots have
//     to leave every node in any of them;
//   - no node ends above the limit, or above mean + (1 - 1/nodes) x the heaviest
//     slot: the idlest node has the mean of what is placed already at most, and
//     that lacks the slot that it gets. That is less than twice the best there is.
//
// Where the limit is missed, the same is tried once more with every slot that is
// more than the mean and so many per cent for its node to keep: whoever has it is
// busiest anyhow, and it only has to get rid of what else it has. That can take more
// moves than the best plan. The plan whose busiest node has less
// to do is taken, with fewer moves if they are the same.
func Level(l *Layout, load *Load, percent Decimal) (*Plan, error) {
	s, err := newScale(l, load)
	if err != nil {
		return nil, err
	}
	if percent < 0 || percent > 100*One {
		return nil, fmt.Errorf("a limit above the mean by less than 0 or more than 100 per cent")
	}
	slot, _ := s.heaviest()
	fair := s.limit(percent)
	limit := max(fair, load[slot])
	again, _ := newScale(l, load)
	p := s.level(limit, load[slot])
	if s.nodes[s.busiest()] > limit {
		q := again.level(limit, fair)
		most, mostAgain := s.nodes[s.busiest()], again.nodes[again.busiest()]
		if mostAgain < most || mostAgain == most && q.Len() < p.Len() {
			s, p = again, q
		}
	}
	return s.judge(p), nil
}

// level plans to bring every node down to a limit. Of the slots of a node that are
// heavier than keep, the heaviest stays.
func (s *scale) level(limit, keep int64) *Plan {
	var leave []slots.Slot
	source := slices.Clone(s.at)
	for node := range s.nodes {
		for _, slot := range s.surplus(node, limit, keep) {
			leave = append(leave, slot)
			s.nodes[node] -= s.load[slot]
		}
	}
	s.sort(leave)
	p := new(Plan)
	for _, slot := range leave {
		target := s.idlest()
		s.nodes[target] += s.load[slot]
		if s.at[slot] = target; target != source[slot] {
			p.Moves = append(p.Moves, Move{slot, slot, s.Nodes[source[slot]], s.Nodes[target]})
		}
	}
	return p
}

// surplus returns the slots that leave a node, as few as suffice for the limit.
func (s *scale) surplus(node int, limit, keep int64) []slots.Slot {
	over := s.nodes[node] - limit
	if over <= 0 {
		return nil
	}
	own := s.slotsOf(node)
	if s.load[own[0]] > keep {
		own = own[1:]
	}
	var leave []slots.Slot
	for i := 0; over > 0 && i < len(own); i++ {
		last := i
		for last+1 < len(own) && s.load[own[last+1]] >= over {
			last++
		}
		leave = append(leave, own[last])
		over -= s.load[own[last]]
	}
	return leave
}
