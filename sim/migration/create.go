package migration

import (
	"fmt"

	"hotslot/sim"
	"hotslot/sim/slots"
)

// A Creation is a cluster as redis-cli --cluster create proposes it. Nodes are
// numbered in the order in which they were given.
type Creation struct {
	Primaries []int        // in the order of their slots
	PrimaryOf []int        // by node: its primary; itself for a primary
	Owners    *slots.Table // by slot: the node
	Added     [][2]int     // replica and primary in the order of "Adding replica", before any were swapped
	Score     int          // 0 is perfect; see affinity.score
}

// primariesMin is how many primaries redis-cli wants
// (clusterManagerCommandCreate).
const primariesMin = 3

// Create lays a cluster out over nodes, of which it is told the hosts, with so
// many replicas of each primary. Nodes that are left over become replicas too.
//
// Primaries are taken from one host after the other. A replica is the first node
// left that is on another host than its primary, or else the first. Then
// replicas are swapped at random as long as some share a host with their primary
// or with each other (clusterManagerOptimizeAntiAffinity); redis-cli draws by the
// second of the day, this from draws.
func Create(hosts []string, replicas int, draws sim.Stream) (*Creation, error) {
	switch primaries := len(hosts) / (max(0, replicas) + 1); {
	case replicas < 0:
		return nil, fmt.Errorf("%d replicas: there cannot be fewer than none", replicas)
	case primaries < primariesMin:
		return nil, fmt.Errorf("%d nodes with %d replicas of each primary make %d primaries, "+
			"and a cluster needs at least %d", len(hosts), replicas, primaries, primariesMin)
	case primaries > slots.Count:
		return nil, fmt.Errorf("%d primaries are more than there are slots", primaries)
	}
	order := interleave(hosts)
	n := len(hosts) / (replicas + 1)
	c := &Creation{Primaries: order[:n], PrimaryOf: make([]int, len(hosts)), Owners: slots.Even(n)}
	for slot, owner := range c.Owners {
		c.Owners[slot] = slots.Owner(order[owner])
	}
	for _, node := range c.Primaries {
		c.PrimaryOf[node] = node
	}
	c.assign(hosts, order[n:], replicas)
	a := newAffinity(hosts, c)
	a.optimise(draws)
	c.Score = a.score
	return c, nil
}

// interleave returns the nodes, one of each host in turn, hosts in the order in
// which they first come up.
func interleave(hosts []string) []int {
	var nodes [][]int // by host
	number := map[string]int{}
	for node, host := range hosts {
		if _, known := number[host]; !known {
			number[host] = len(nodes)
			nodes = append(nodes, nil)
		}
		nodes[number[host]] = append(nodes[number[host]], node)
	}
	var order []int
	for turn := 0; len(order) < len(hosts); turn++ {
		for _, of := range nodes {
			if turn < len(of) {
				order = append(order, of[turn])
			}
		}
	}
	return order
}

// assign makes the nodes left replicas: as many as are wanted of each primary, then
// one more of each as long as any are left. The list is turned by one before,
// which sometimes helps.
func (c *Creation) assign(hosts []string, left []int, replicas int) {
	if len(left) == 0 {
		return
	}
	free := append(append([]int{}, left[1:]...), left[0])
	for wanted := replicas; len(free) > 0; wanted = 1 {
		for _, primary := range c.Primaries {
			for range min(wanted, len(free)) {
				pick := 0
				for i, node := range free {
					if hosts[node] != hosts[primary] {
						pick = i
						break
					}
				}
				replica := free[pick]
				free = append(free[:pick], free[pick+1:]...)
				c.PrimaryOf[replica] = primary
				c.Added = append(c.Added, [2]int{replica, primary})
			}
		}
	}
}
