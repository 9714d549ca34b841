package migration

import "hotslot/sim"

// An affinity knows how many replicas of each primary are on each host
// (clusterManagerGetAntiAffinityScore).
type affinity struct {
	*Creation
	host  []int   // by node
	hosts int     // how many there are
	cells [][]int // by host and primary: how many of its replicas are there
	score int
}

// sharing is what a replica on the host of its primary adds to the score. Replicas
// of the same primary that share a host add one each.
const sharing = 10_000

func newAffinity(hosts []string, c *Creation) *affinity {
	a := &affinity{Creation: c, host: make([]int, len(hosts))}
	number := map[string]int{}
	for node, name := range hosts {
		if _, known := number[name]; !known {
			number[name] = len(number)
		}
		a.host[node] = number[name]
	}
	a.hosts = len(number)
	a.cells = make([][]int, a.hosts)
	for host := range a.cells {
		a.cells[host] = make([]int, len(hosts))
	}
	for node, primary := range c.PrimaryOf {
		if node != primary {
			a.add(node, 1)
		}
	}
	return a
}

// add counts a replica where it is, or with -1 no longer, and keeps the score.
func (a *affinity) add(replica, n int) {
	host, primary := a.host[replica], a.PrimaryOf[replica]
	a.score -= a.cell(host, primary)
	a.cells[host][primary] += n
	a.score += a.cell(host, primary)
}

// cell returns what the replicas of a primary on a host add to the score.
func (a *affinity) cell(host, primary int) int {
	n := a.cells[host][primary]
	switch {
	case a.host[primary] == host:
		return sharing * n
	case n >= 2:
		return n
	}
	return 0
}

// optimise swaps a replica that shares a host with another replica, both drawn, and
// swaps them back if that made it worse, until nothing is wrong any more or it
// was tried 500 times for each node.
func (a *affinity) optimise(draws sim.Stream) {
	var replicas []int
	for node, primary := range a.PrimaryOf {
		if node != primary {
			replicas = append(replicas, node)
		}
	}
	if len(replicas) < 2 {
		return
	}
	for i := range uint64(500 * len(a.PrimaryOf)) {
		if a.score == 0 {
			return
		}
		offenders := a.offenders(replicas)
		first := offenders[sim.Below(draws.At(2*i), len(offenders))]
		other := sim.Below(draws.At(2*i+1), len(replicas)-1)
		if replicas[other] >= first {
			other++ // it is not the first one itself
		}
		second, before := replicas[other], a.score
		a.swap(first, second)
		if a.score > before {
			a.swap(first, second)
		}
	}
}

// offenders returns the first replica of each primary on each host where there is
// something wrong with them.
func (a *affinity) offenders(replicas []int) []int {
	var offenders []int
	told := make([]bool, a.hosts*len(a.PrimaryOf))
	for _, node := range replicas {
		host, primary := a.host[node], a.PrimaryOf[node]
		if i := host*len(a.PrimaryOf) + primary; a.cell(host, primary) > 0 && !told[i] {
			told[i] = true
			offenders = append(offenders, node)
		}
	}
	return offenders
}

// swap gives each of two replicas the primary of the other.
func (a *affinity) swap(first, second int) {
	a.add(first, -1)
	a.add(second, -1)
	a.PrimaryOf[first], a.PrimaryOf[second] = a.PrimaryOf[second], a.PrimaryOf[first]
	a.add(first, 1)
	a.add(second, 1)
}
