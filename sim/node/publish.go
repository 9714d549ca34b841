package node

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// channelBytes is the length of a channel's name, as of a key's.
const channelBytes = 20

// publish puts a message of a client on the bus (clusterPublishMessage): there
// are no subscribers, and the bus is what it costs.
func (n *Node) publish(at sim.Time, m *wire.Message) sim.Time {
	if n.control.state == nil {
		return at
	}
	shard := m.Command == wire.SPUBLISH
	n.control.state.Publish(at, channelBytes+int(m.Value), shard, n.facts(at), &n.control.out)
	return n.carryOut(at)
}
