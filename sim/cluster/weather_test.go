package cluster

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// TestSwarmInBadWeather has replies lost and changed into errors, and slots
// change hands in the views of nodes, while clients do all they can about it. No
// operation may be lost count of, and no command be sent more often than allowed.
func TestSwarmInBadWeather(t *testing.T) {
	const seeds = 200
	runs, retries, repeated, done := 0, uint64(0), uint64(0), uint64(0)
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			cl, w := inBadWeather(t, seed)
			again, _ := inBadWeather(t, seed)
			same := reflect.DeepEqual(cl.Recorders, again.Recorders)
			if !same || cl.Sched.Fingerprint() != again.Sched.Fingerprint() {
				t.Error("another course the second time")
			}
			runs++
			for _, r := range cl.Recorders {
				checkLatencies(t, cl, r)
				retries += r.Measured.Retries
				repeated += r.Measured.Repeated
				done += r.Done
			}
			if c := &cl.Config.Client; w.hops > c.Retries+c.MaxRedirects {
				t.Errorf("a command was sent %d times more, with %d retries and %d redirections",
					w.hops, c.Retries, c.MaxRedirects)
			}
		})
	}
	if runs == seeds && (done < 20_000 || retries < 10_000 || repeated < 1000) {
		t.Errorf("only %d operations ended well, %d were tried again, %d of them in doubt", done, retries, repeated)
	}
}

func inBadWeather(t *testing.T, seed uint64) (*Cluster, *weather) {
	const us = time.Microsecond
	config := swarmConfig(seed)
	d := &dice{Stream: sim.NewStream(seed, "weather")}
	c := &config.Client
	c.Retries, c.RetryBackoff, c.RetryBackoffMax = pick(d, 0, 1, 3, 20), pick(d, 0, 20*us), pick(d, 0, 200*us)
	c.RetryOn = pick(d, nil, nil, []string{"CONNECTION", "TIMEOUT"}, client.RetryKinds())
	c.RefreshOnError, c.RefreshMinInterval = d.below(2) == 0, pick(d, 0, 500*us)
	c.RefreshEvery, c.Stateless = pick(d, 0, 0, time.Millisecond), d.below(5) == 0
	config.Demands[0].Acks, c.WaitTimeout = uint8(pick(d, 0, 0, 1)), 500*us
	cl := New(config)
	w := &weather{Client: cl.Client, cl: cl, draws: d.Sub(1), bad: pick(d, 5, 50, 300), lossy: pick(d, 0, 20)}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), w)
	if err := cl.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return cl, w
}

// A weather changes replies.
type weather struct {
	*client.Client
	cl         *Cluster
	draws      sim.Stream
	bad, lossy int // of 1000 replies
	hops       int // most that a command was tried again and redirected
}

// Early passes a reply on, or does not.
func (w *weather) Early(at sim.Time, m *wire.Message) bool {
	if m.Command != wire.ClusterSlots {
		w.hops = max(w.hops, int(m.Hops))
	}
	draw := w.draws.At(uint64(at)<<8 ^ m.Draw())
	luck := sim.Below(draw, 1000)
	if luck < w.lossy {
		if !w.GaveUp(at, m) {
			w.Lost(m)
		}
		return true
	}
	if luck -= w.lossy; luck < w.bad {
		verdicts := []wire.Verdict{wire.ClusterDown, wire.Connection, wire.TryAgain, wire.Loading, wire.DownReadonly}
		m.Verdict = verdicts[sim.Mix(draw)%uint64(len(verdicts))]
		view, primaries := w.cl.Nodes[m.From].View(), uint64(w.cl.Shape.Primaries)
		first := sim.Mix(draw+1) % (slots.Count - 100)
		for s := range uint64(100) {
			view[first+s] = slots.Owner(sim.Mix(draw+2) % primaries)
		}
	}
	return w.Client.Early(at, m)
}
