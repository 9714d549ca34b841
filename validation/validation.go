// Package validation holds the simulator against real servers: clusters of
// redis-server 7.0.15 of which one primary was killed, frozen or cut off, many
// times, at a moment of no meaning. The same is done to simulated clusters, and
// the distributions are compared, phase by phase.
//
// What was measured is in testdata/redis-7.0.15, as it was written down, and
// nothing here is fitted to it: every configuration runs with the same costs, the
// same network and Redis's own settings.
//
// What it leaves out: clusters under load. There the hardware has as large a part
// as the protocol.
package validation

import (
	"fmt"
	"time"
)

// A Design is a configuration that was measured: so many primaries with so many
// replicas each, and what is done to one of the primaries.
type Design struct {
	Primaries, Replicas int
	Timeout             time.Duration // cluster-node-timeout
	Freeze              bool          // SIGSTOP; else kill -9
}

// Designs returns the configurations that were measured.
func Designs() []Design {
	return []Design{
		{Primaries: 3, Replicas: 1, Timeout: time.Second},
		{Primaries: 3, Replicas: 1, Timeout: 2 * time.Second},
		{Primaries: 3, Replicas: 1, Timeout: 5 * time.Second},
		{Primaries: 3, Replicas: 2, Timeout: 2 * time.Second},
		{Primaries: 5, Replicas: 1, Timeout: 2 * time.Second, Freeze: true},
	}
}

// Name returns the name of the design, as its file has it: "3x1_2000".
func (d Design) Name() string {
	name := fmt.Sprintf("%dx%d_%d", d.Primaries, d.Replicas, d.Timeout.Milliseconds())
	if d.Freeze {
		name += "_stop"
	}
	return name
}

// quorum returns how many primaries are a majority.
func (d Design) quorum() int { return d.Primaries/2 + 1 }

// A Phase is an instant of a failover, or the time between two of them.
type Phase int

// The phases. Up to AllOK they count from the kill.
const (
	FirstPFAIL  Phase = iota // the first node suspects the primary
	QuorumPFAIL              // as many primaries do as are a majority
	Failed                   // a node flags it FAIL
	Scheduled                // the replica that will win has set the time of its election
	Started                  // it asks for votes
	Won                      // it has them
	AllOK                    // every node takes the cluster to be up again

	QuorumToFailed    // from QuorumPFAIL to Failed
	FailedToScheduled // from Failed to Scheduled
	Delay             // that was announced with Scheduled, before the election
	DelayToStarted    // from the end of that to Started

	Phases // how many there are
)

var phaseNames = [Phases]string{
	FirstPFAIL: "first PFAIL", QuorumPFAIL: "PFAIL by a quorum", Failed: "FAIL", Scheduled: "election scheduled",
	Started: "election started", Won: "election won", AllOK: "all ok",
	QuorumToFailed: "quorum to FAIL", FailedToScheduled: "FAIL to scheduled", Delay: "announced delay",
	DelayToStarted: "delay to started",
}

// String returns what a table calls the phase.
func (p Phase) String() string { return phaseNames[p] }

// A Trial is one failover: when each phase was, in milliseconds. It is negative
// for what did not happen.
type Trial [Phases]float64

// none stands for what did not happen.
const none = -1

// between fills in the phases that lie between others.
func (t *Trial) between() {
	t[QuorumToFailed] = t.from(QuorumPFAIL, Failed)
	t[FailedToScheduled] = t.from(Failed, Scheduled)
	t[DelayToStarted] = t.from(Scheduled, Started)
	if t[DelayToStarted] >= 0 && t[Delay] >= 0 {
		t[DelayToStarted] = max(0, t[DelayToStarted]-t[Delay])
	}
}

// from returns the time from one phase to another.
func (t *Trial) from(a, b Phase) float64 {
	if t[a] < 0 || t[b] < 0 {
		return none
	}
	return max(0, t[b]-t[a])
}

// sample returns what a phase took in each trial in which it happened.
func sample(trials []Trial, p Phase) []float64 {
	var xs []float64
	for i := range trials {
		if trials[i][p] >= 0 {
			xs = append(xs, trials[i][p])
		}
	}
	return xs
}
