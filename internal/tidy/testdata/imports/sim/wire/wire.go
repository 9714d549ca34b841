// Package wire reaches up.
package wire

import (
	_ "hotslot/sim"
	_ "hotslot/sim/node"
)
