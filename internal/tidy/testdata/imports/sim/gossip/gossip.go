// Package gossip may know when and who, and send nothing.
package gossip

import kernel "hotslot/sim"

type state struct {
	at   kernel.Time
	self kernel.ActorID
	out  *kernel.Scheduler[int]
}
