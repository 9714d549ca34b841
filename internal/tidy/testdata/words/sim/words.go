// Package sim is about the Masters.
package sim

// TODO: all of it
var slaveOf, role = 1, "slave" /* FIXME */ // not XXXL, not HACKS

// See clusterGetSlaveRank, which shows master_host and "role:master" or `slave`.
func rank() {}
