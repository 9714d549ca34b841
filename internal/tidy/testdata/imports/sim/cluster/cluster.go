// Package cluster may import all of sim.
package cluster

import (
	_ "hotslot/scenarios"
	_ "hotslot/sim"
	_ "hotslot/sim/node"
)
