package validation

import (
	"context"
	"fmt"
	"time"

	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
)

// rateSet is the name of the experiment.
const rateSet = "gossip_rate"

// rateTolerance is how far off a rate may be. It was counted once for each
// configuration, in clusters of which the ticks of some nodes were in step and
// those of others not; simulated clusters of different seeds differ by as much.
const rateTolerance = 0.06

// compareRates counts the pings of clusters to which nothing happens.
func compareRates(ctx context.Context, trials int, r *Report) error {
	t, err := readTable(rateSet + ".csv")
	if err != nil {
		return err
	}
	for row := range t.rows {
		config, err := t.text(row, "config")
		if err != nil {
			return err
		}
		timeout, err := t.number(row, "node_timeout_ms")
		if err != nil {
			return err
		}
		want, err := t.number(row, "pings_sent_per_s_per_node")
		if err != nil {
			return err
		}
		var shape client.Shape
		if _, err := fmt.Sscanf(config, "%dx%d", &shape.Primaries, &shape.Replicas); err != nil {
			return fmt.Errorf("%s: %q: %w", t.file, config, err)
		}
		got, err := pingRate(ctx, shape, time.Duration(timeout)*time.Millisecond, max(1, trials/100))
		if err != nil {
			return err
		}
		r.Checks = append(r.Checks, Check{Set: fmt.Sprintf("%s_%.0f", config, timeout),
			What: "pings per second and node", Measured: want, Simulated: got, Tolerance: rateTolerance})
	}
	return nil
}

// rateTime is for how long pings are counted in each run.
const rateTime = 120 * time.Second

// pingRate returns how many pings a node sends each second, on average over all
// nodes of some runs.
func pingRate(ctx context.Context, shape client.Shape, timeout time.Duration, runs int) (float64, error) {
	counts, err := onAllCores(runs, func(i int) (pings uint64, err error) {
		cl := cluster.New(loopback(uint64(i)+1, shape, timeout, settling+rateTime))
		newPoller(cl)
		before := newNote(cl, sim.Time(settling), sentPings)
		if err := cl.Run(ctx); err != nil {
			return 0, err
		}
		return sentPings(cl) - before.value, nil
	})
	if err != nil {
		return 0, err
	}
	total := uint64(0)
	for _, n := range counts {
		total += n
	}
	return float64(total) / rateTime.Seconds() / float64(shape.Nodes()) / float64(runs), nil
}

// sentPings returns how many pings all nodes have sent.
func sentPings(cl *cluster.Cluster) (n uint64) {
	for _, node := range cl.Nodes {
		n += node.State().Sent[gossip.Ping]
	}
	return n
}
