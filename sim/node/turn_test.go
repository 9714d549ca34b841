package node

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hotslot/internal/golden"
	"hotslot/sim"
	"hotslot/sim/network"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// TestStories runs the stories of turns, and of processes that something happens
// to. The commands:
//
//	play                see there
//	serve ops=OP,…  has a primary without a network around it serve requests, and
//	                says when each reply leaves it and how long the request has
//	                waited beside its execution
//
// An op is TIME:COMMAND[:CONNECTION[:BYTES]]: when the request reaches the node,
// the connection that it shares with others (0 where it has its own), and the
// size of the value. Further arguments are costs, nothing unless given: turn,
// read, write, get, set and eval; replicas; and max_write, in bytes.
func TestStories(t *testing.T) {
	golden.Run(t, func(*testing.T) func(*golden.Case) string { return tell })
}

func tell(c *golden.Case) string {
	if c.Cmd == "play" {
		return play(c)
	}
	if c.Cmd != "serve" {
		c.Errorf("unknown command")
		return ""
	}
	costs := Costs{Turn: c.Duration("turn", 0), Read: c.Duration("read", 0), Write: c.Duration("write", 0)}
	for _, command := range []wire.Command{wire.GET, wire.SET, wire.EVAL} {
		costs.Commands[command].Base = c.Duration(strings.ToLower(command.String()), 0)
	}
	r := newRig(costs, int64(c.Int("max_write", 0)), c.Int("replicas", 0))
	for n, op := range strings.Split(c.String("ops"), ",") {
		if err := r.schedule(n, op); err != nil {
			c.Errorf("%s: %v", op, err)
		}
	}
	return r.run()
}

// A rig is a primary, its replicas and what they send, without any latency.
type rig struct {
	*Shared
	primary  *Node
	replicas []*Node
	log      []line
}

// A line of a story.
type line struct {
	at   sim.Time
	text string
}

func newRig(costs Costs, writeBytesMax int64, replicas int) *rig {
	sched := sim.NewScheduler[wire.Message]()
	r := &rig{Shared: &Shared{
		Sched: sched, Net: network.New(sched, network.Config{}, 1, 1+replicas, 1),
		Costs: &costs, Lag: sim.Constant(0).Quantiles(), Meter: NewMeter(0, sim.Time(time.Second), time.Second, 1),
		WriteBytesMax: writeBytesMax,
	}}
	r.Witness = r
	r.primary = New(r.Shared, 0, slots.Even(1))
	for range replicas {
		r.replicas = append(r.replicas, NewReplica(r.Shared, r.primary))
	}
	r.Net.Connect(sim.ActorID(1+replicas), r)
	return r
}

// schedule sends the n-th request.
func (r *rig) Restored(sim.Time, sim.ActorID, wire.Key, uint64, sim.ActorID) {}

func (r *rig) Removed(sim.Time, sim.ActorID, wire.Key, uint64) {}

func (r *rig) schedule(n int, op string) error {
	words := append(strings.Split(op, ":"), "0", "0")
	at, err := time.ParseDuration(words[0])
	if err != nil {
		return err
	}
	command, ok := wire.ParseCommand(words[1])
	conn, err1 := strconv.Atoi(words[2])
	value, err2 := strconv.Atoi(words[3])
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("not TIME:COMMAND[:CONNECTION[:BYTES]]")
	}
	r.request(sim.Time(at), wire.Message{Call: uint32(n), Command: command, Conn: uint32(conn), Value: uint32(value)})
	return nil
}

func (r *rig) request(at sim.Time, request wire.Message) {
	ref, m := r.Sched.New()
	*m = request
	m.ID, m.Keys = wire.NewOpID(0, uint64(m.Call)), 1
	r.Net.ToNode(at, r.primary.ID(), ref, m)
}

// Early notes a reply that leaves the node.
func (r *rig) Early(at sim.Time, m *wire.Message) bool {
	r.log = append(r.log, line{at, fmt.Sprintf("reply %d  %v  waited %v", m.Call, m.Command, m.Wait)})
	return true
}

// Wrote, Applied and Read make the rig the witness of a story: it notes what the
// replicas do, since nobody answers that.
func (r *rig) Wrote(sim.Time, sim.ActorID, wire.Key, uint64) {}

func (r *rig) Applied(replica sim.ActorID, offset uint64) {
	r.log = append(r.log, line{r.Sched.Now(), fmt.Sprintf("replica %d applies to offset %d", replica, offset)})
}

func (r *rig) Read(sim.Time, sim.ActorID, wire.Key)        {}
func (r *rig) Unacknowledged(sim.ActorID, uint64)          {}
func (r *rig) Promoted(sim.Time, sim.ActorID)              {}
func (r *rig) Snapshot(sim.ActorID, sim.ActorID)           {}
func (r *rig) Resynced(sim.Time, sim.ActorID, sim.ActorID) {}
func (r *rig) Erased(sim.Time, sim.ActorID)                {}
func (r *rig) Happened(wire.Event)                         {}

func (r *rig) run() string {
	r.Sched.Run(sim.Time(time.Second))
	slices.SortStableFunc(r.log, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var out strings.Builder
	for _, l := range r.log {
		fmt.Fprintf(&out, "%-9v %s\n", l.at, l.text)
	}
	return out.String()
}
