package node

import "hotslot/sim"

// Tell returns what the node answers to CLUSTER INFO, NODES, SLOTS or SHARDS, or to
// INFO replication, named in small letters; what it says of clusters where it runs
// no control plane is Redis's error.
func (n *Node) Tell(now sim.Time, what string) string {
	s := n.State()
	switch {
	case what == "info replication":
		return n.InfoReplication(now)
	case s == nil:
		return "ERR This instance has cluster support disabled\r\n"
	}
	switch what {
	case "cluster info":
		return s.ClusterInfo()
	case "cluster nodes":
		return s.ClusterNodes()
	case "cluster slots":
		return s.ClusterSlots(n.facts(now))
	case "cluster shards":
		return s.ClusterShards(n.facts(now))
	}
	return "ERR unknown subcommand\r\n"
}
