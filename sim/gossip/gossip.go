// Package gossip is one node's part in the control plane of Redis Cluster, as a
// pure state machine: heartbeats, PFAIL and FAIL, the cluster's state, epochs,
// elections, votes, manual failover and replica migration.
//
// It has no clock, no network and no thread: a State is told the time and what
// has arrived, and says what it wants sent and done.
//
// It follows cluster.c of Redis 3.0 to 7.2 and cluster_legacy.c of Redis 8 and
// Valkey 8 to 9, function by function; Rules say where versions differ. It leaves
// out: addresses that change, TLS and host names; node ids that change (CLUSTER
// RESET HARD); modules' messages; limits on the send buffers of links; sharded
// channels that a slot takes along; what Valkey does to open slots when their
// owner changes. Nodes are numbers, so a node that is met is known by its number
// before it has said its name. Where Redis walks its dictionary of nodes, whose
// order differs from process to process, a State walks by number.
package gossip
