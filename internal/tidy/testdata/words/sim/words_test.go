package sim

// HACK
func isMaster() {}
