package gossip

import (
	"strconv"
	"strings"

	"hotslot/sim/slots"
)

// ClusterSlots returns the reply to CLUSTER SLOTS of Redis 7.0 as redis-cli writes
// it to a pipe: each value on a line, an empty list as an empty line
// (clusterReplyMultiBulkSlots). Replicas without data, or that have failed, are not
// in it.
func (s *State) ClusterSlots(f *Facts) string {
	var lines []string
	for first := 0; first < slots.Count; {
		owner, last := s.table[first], first
		for last+1 < slots.Count && s.table[last+1] == owner {
			last++
		}
		if owner != slots.None {
			lines = append(lines, strconv.Itoa(first), strconv.Itoa(last))
			for i, node := range s.shardOf(owner) {
				if i == 0 || !s.failed(node) && s.offsetOf(node, f) != 0 {
					name := &s.env.Names[node]
					lines = append(lines, name.Host, strconv.Itoa(name.Port), s.id(node), "")
				}
			}
		}
		first = last + 1
	}
	return join(lines)
}

// ClusterShards returns the reply to CLUSTER SHARDS of Redis 7.0 to a client of
// RESP2, as redis-cli writes it to a pipe (clusterReplyShards).
func (s *State) ClusterShards(f *Facts) string {
	var lines []string
	for _, primary := range s.roster {
		if !s.isPrimary(primary) {
			continue
		}
		lines = append(lines, "slots")
		ranges := slots.Ranges(&s.table, primary)
		for _, r := range ranges {
			lines = append(lines, strconv.Itoa(int(r.First)), strconv.Itoa(int(r.Last)))
		}
		if len(ranges) == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, "nodes")
		for _, node := range s.shardOf(primary) {
			lines = append(lines, s.details(node, f)...)
		}
	}
	return join(lines)
}

// details returns what CLUSTER SHARDS says of a node (addNodeDetailsToShardReply).
func (s *State) details(node slots.Owner, f *Facts) []string {
	role, health, offset := "master", "online", s.offsetOf(node, f)
	if !s.isPrimary(node) {
		role = "replica"
	}
	switch {
	case s.failed(node):
		health = "fail"
	case role == "replica" && offset == 0:
		health = "loading"
	}
	name := &s.env.Names[node]
	return []string{"id", s.id(node), "port", strconv.Itoa(name.Port), "ip", name.Host, "endpoint", name.Host,
		"role", role, "replication-offset", strconv.FormatUint(offset, 10), "health", health}
}

// shardOf returns a primary and its replicas (clusterGetNodesServingMySlots).
func (s *State) shardOf(primary slots.Owner) []slots.Owner {
	nodes := []slots.Owner{primary}
	for _, node := range s.roster {
		if node != primary && s.peer[node].of == primary {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// offsetOf returns a node's replication offset: its own it knows, that of others
// by their last message.
func (s *State) offsetOf(node slots.Owner, f *Facts) uint64 {
	if node == s.self {
		return f.Offset
	}
	return s.peer[node].offset
}

func join(lines []string) string {
	if len(lines) == 0 {
		return "\n"
	}
	return strings.Join(lines, "\n") + "\n"
}
