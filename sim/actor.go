package sim

// ActorID is an actor's index in its Scheduler, counted from 0.
type ActorID uint32
