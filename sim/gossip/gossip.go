// Package gossip is one node's part in the control plane of Redis Cluster, as a
// pure state machine: heartbeats, PFAIL and FAIL, the cluster's state, epochs,
// elections, votes, manual failover and replica migration.
//
// It has no clock, no network and no thread: a State is told the time and what
// has arrived, and says what it wants sent and done.
package gossip
