package scenarios

import (
	"slices"

	"hotslot/sim/gossip"
	"hotslot/sim/node"
	"hotslot/sim/wire"
	"hotslot/workloads"
)

// Versions returns the versions whose control plane can be simulated.
func Versions() []string { return gossip.Versions() }

// Profiles returns the names of the nodes' cost profiles.
func Profiles() []string { return node.Profiles() }

// isPlainPopularity reports whether a popularity needs no numbers.
func isPlainPopularity(name string) bool {
	return name == "uniform" || name == "sequential" || slices.Contains(workloads.Curves(), name)
}

// errorKinds returns the words that an operation can fail with.
func errorKinds() []string {
	var kinds []string
	for v := wire.OK + 1; v < wire.Verdicts; v++ {
		if code := v.String(); !slices.Contains(kinds, code) {
			kinds = append(kinds, code)
		}
	}
	return kinds
}
