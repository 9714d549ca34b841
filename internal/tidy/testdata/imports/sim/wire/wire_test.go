package wire

import _ "hotslot/sim/node"
