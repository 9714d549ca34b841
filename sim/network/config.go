package network

import "hotslot/sim"

// Config is what lies between clients and nodes.
type Config struct {
	OneWay          sim.Distribution `toml:"one_way"`          // latency of one direction
	NodeBandwidth   int64            `toml:"node_bandwidth"`   // bytes per second of each node's NIC, each direction; 0 is no limit
	ClientBandwidth int64            `toml:"client_bandwidth"` // of each client process's NIC
}
