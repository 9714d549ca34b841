package cluster

import (
	"cmp"
	"slices"

	"hotslot/sim"
)

// noAnswer is the answer of a node that does not run.
const noAnswer = "no answer: the process does not run\r\n"

// runUntil runs until an instant, and asks nodes on the way what they tell of
// themselves. The run takes the same course whether it is looked at or not.
func (cl *Cluster) runUntil(end sim.Time) {
	for len(cl.asking) > 0 && cl.asking[0].At <= end {
		d := cl.asking[0]
		cl.asking = cl.asking[1:]
		cl.Sched.Run(d.At)
		cl.dump(d)
	}
	cl.Sched.Run(end)
}

// inOrder returns dumps by their instants.
func inOrder(dumps []Dump) []Dump {
	return slices.SortedStableFunc(slices.Values(dumps), func(a, b Dump) int { return cmp.Compare(a.At, b.At) })
}

// neverAsked answers what is asked for after the end.
func (cl *Cluster) neverAsked() {
	for _, d := range cl.asking {
		cl.Dumped = append(cl.Dumped, Dumped{Dump: d, Name: "nobody", Text: "no answer: the run is over by then\r\n"})
	}
}

// dump asks nodes what they tell of themselves.
func (cl *Cluster) dump(d Dump) {
	ids := cl.resolve([]Place{d.Node})
	for _, id := range ids {
		text := noAnswer
		if n := cl.Nodes[id]; n.Awake() {
			text = n.Tell(d.At, d.What)
		}
		cl.Dumped = append(cl.Dumped, Dumped{Dump: d, Name: cl.NodeName(id), Text: text})
	}
	if len(ids) == 0 {
		cl.Dumped = append(cl.Dumped, Dumped{Dump: d, Name: "nobody", Text: "no answer: there is no such node\r\n"})
	}
}
