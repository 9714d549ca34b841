package sim

func T() {}
