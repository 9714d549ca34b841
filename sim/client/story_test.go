package client_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hotslot/internal/golden"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/network"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// TestStories runs the stories of what clients send where. Their command:
//
//	run ops=OP,…  has a cluster carry out operations, and shows each request when
//	              it reaches its node, each reply when it reaches the client, and
//	              what it came to
//
// An op is TIME:COMMAND:SLOT[+SLOT…][:BYTES]: when it is due, a key of each slot,
// and the size of a value. Further arguments are primaries, replicas; one_way,
// the latency of the network, 100 µs unless given; bandwidth of each node, in
// bytes a second; cost of any command, 10 µs; duration of the run, 1 s; the
// settings of the client and, of the load, acks and zone; and the troubles that
// parseTroubles reads.
func TestStories(t *testing.T) {
	golden.Run(t, func(*testing.T) func(*golden.Case) string { return tell })
}

func tell(c *golden.Case) string {
	if c.Cmd != "run" {
		c.Errorf("unknown command")
		return ""
	}
	script := new(script)
	for _, op := range strings.Split(c.String("ops"), ",") {
		if err := script.add(op); err != nil {
			c.Errorf("%s: %v", op, err)
			return ""
		}
	}
	config := configure(c)
	zone := c.Int("zone", -1)
	config.Demands = []client.Demand{{Source: script, Arrivals: script, Batch: client.Batching{
		Split: config.Client.Split, Chunk: config.Client.Chunk, ChunkFirst: config.Client.ChunkFirst,
	}, Acks: uint8(c.Int("acks", 0)), Zoned: zone >= 0, Zone: zone}}
	troubles := parseTroubles(c, config.Shape)
	cl := cluster.New(config)
	troubles.now = cl.Sched.Now
	cl.Client.SetTopology(troubles)
	j := listen(cl, troubles, config.Client.Processes > 1)
	if err := cl.Run(context.Background()); err != nil {
		c.Errorf("%v", err)
	}
	return j.String() + total(cl)
}

func configure(c *golden.Case) cluster.Config {
	config := cluster.Config{
		Seed:  1,
		Shape: client.Shape{Primaries: c.Int("primaries", 1), Replicas: c.Int("replicas", 0)},
		Network: network.Config{OneWay: sim.Constant(c.Duration("one_way", 100*time.Microsecond)),
			NodeBandwidth: int64(c.Int("bandwidth", 0))},
		Client: client.Config{
			Processes: c.Int("processes", 1), Cores: 1, Connections: c.Int("connections", 0), Pipelined: c.Int("pipelined", 0) == 1,
			ReadFrom: client.ReadFrom(cmp.Or(c.String("read_from"), "primary")), Timeout: c.Duration("timeout", 0),
			MaxRedirects: c.Int("max_redirects", 5), OnMoved: client.OnMoved(cmp.Or(c.String("on_moved"), "patch")),
			SlotMap: cmp.Or(c.String("slot_map"), client.SlotMapCurrent),
			Split:   client.Split(cmp.Or(c.String("split"), "per-slot")),
			Chunk:   c.Int("chunk", 0), ChunkFirst: c.Int("chunk_first", 0) == 1, CPUPerCommand: c.Duration("cpu", 0),
		},
		Keys: slots.Count, Duration: c.Duration("duration", time.Second),
	}
	configureTroubles(c, &config.Client)
	config.Costs.Refuse = c.Duration("cost", 10*time.Microsecond)
	for i := range config.Costs.Commands {
		config.Costs.Commands[i].Base = config.Costs.Refuse
	}
	return config
}

// configureTroubles reads what the client does when something fails.
func configureTroubles(c *golden.Case, config *client.Config) {
	config.Retries, config.RetryOn = c.Int("retries", 0), list(c.String("retry_on"))
	config.Asking = client.Asking(cmp.Or(c.String("asking"), "each"))
	config.RefreshOnAsk = c.Int("refresh_on_ask", 0) == 1
	config.RetryBackoff = c.Duration("retry_backoff", 0)
	config.RetryBackoffMax = c.Duration("retry_backoff_max", 0)
	config.RefreshOnError = c.Int("refresh_on_error", 0) == 1
	config.RefreshMinInterval = c.Duration("refresh_min_interval", 100*time.Millisecond)
	config.RefreshEvery = c.Duration("refresh_every", 0)
	config.Stateless = c.Int("stateless", 0) == 1
	config.WaitTimeout = c.Duration("wait_timeout", 0)
	for _, zone := range list(c.String("zones")) {
		config.Zones = append(config.Zones, number(c, zone))
	}
}

// A script is operations, each with its instant. It is their source, and when
// they are due.
type script struct {
	at   []sim.Time
	ops  []wire.Op
	keys [][]wire.KeyRef
	next int
}

func (s *script) add(op string) error {
	words := append(strings.Split(op, ":"), "0")
	if len(words) < 4 {
		return fmt.Errorf("not TIME:COMMAND:SLOT[+SLOT…][:BYTES]")
	}
	at, err := time.ParseDuration(words[0])
	if err != nil {
		return err
	}
	command, ok := wire.ParseCommand(words[1])
	if !ok {
		return fmt.Errorf("no command is called %q", words[1])
	}
	var keys []wire.KeyRef
	for _, word := range strings.Split(words[2], "+") {
		slot, err := strconv.ParseUint(word, 10, 14)
		if err != nil {
			return err
		}
		keys = append(keys, wire.KeyRef{Key: wire.Key(slot), Slot: slots.Slot(slot)})
	}
	value, err := strconv.Atoi(words[3])
	s.at = append(s.at, sim.Time(at))
	s.keys = append(s.keys, keys)
	s.ops = append(s.ops, wire.Op{ID: wire.NewOpID(0, uint64(len(s.ops))), Command: command,
		Keys: uint16(len(keys)), Key: keys[0].Key, Slot: keys[0].Slot, ValueBytes: uint32(value)})
	return err
}

func (s *script) Op(n uint64, op *wire.Op) { *op = s.ops[n] }

func (s *script) Keys(op wire.Op, buf []wire.KeyRef) []wire.KeyRef {
	return append(buf, s.keys[op.ID]...)
}

func (s *script) Next() sim.Time {
	if s.next == len(s.at) {
		return sim.Never
	}
	s.next++
	return s.at[s.next-1]
}

// A journal notes what is on its way in a cluster.
type journal struct {
	*client.Client
	*troubles
	processes bool // requests say which process they are of
	lines     []line
}

type line struct {
	at   sim.Time
	text string
}

// listen has a journal kept of a run.
func listen(cl *cluster.Cluster, t *troubles, processes bool) *journal {
	j := &journal{Client: cl.Client, troubles: t, processes: processes}
	cl.Net.Connect(sim.ActorID(len(cl.Nodes)), j)
	cl.Sched.Trace = func(at sim.Time, to sim.ActorID, m *wire.Message) {
		if int(to) < len(cl.Nodes) && m.Kind == wire.Request {
			text := fmt.Sprintf("%-11s  %s", cl.NodeName(int(to)), about(m))
			if m.Flags&wire.Asking != 0 {
				text += ", after ASKING"
			}
			if m.Keys > 1 && m.Command.Keyed() {
				text += fmt.Sprintf(", %d keys", m.Keys)
			}
			if m.Conn > 0 {
				text += fmt.Sprintf(", connection %d", m.Conn)
			}
			if j.processes {
				text += fmt.Sprintf(", of process %d", m.Process)
			}
			j.lines = append(j.lines, line{at, text})
		}
	}
	return j
}

// Early notes a reply and passes it on.
func (j *journal) Early(at sim.Time, m *wire.Message) bool {
	if j.change(at, m) {
		j.Client.Lost(m)
		return true
	}
	text := fmt.Sprintf("%-11s  %s  %v", "client", about(m), m.Verdict)
	if m.Verdict == wire.Moved || m.Verdict == wire.Ask {
		text += fmt.Sprint(" to ", m.Owner)
	}
	j.lines = append(j.lines, line{at, text})
	return j.Client.Early(at, m)
}

func about(m *wire.Message) string {
	if m.Command == wire.ClusterSlots {
		return m.Command.String()
	}
	return fmt.Sprintf("op %d.%d  %v %d", m.ID, m.Part, m.Command, m.Slot)
}

func (j *journal) String() string {
	slices.SortStableFunc(j.lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var out strings.Builder
	for _, l := range j.lines {
		fmt.Fprintf(&out, "%-7v %s\n", l.at, l.text)
	}
	return out.String()
}

// total says what a run came to.
func total(cl *cluster.Cluster) string {
	r := cl.Recorders[0]
	text := fmt.Sprintf("%d done, %d commands, %d round trips", r.Done,
		r.Measured.Commands[wire.ReadOp]+r.Measured.Commands[wire.WriteOp], r.Measured.RoundTrips)
	if r.Done > 0 {
		text += fmt.Sprintf(", %v at most", r.Latency.Max())
	}
	for v, n := range r.Failed {
		if n > 0 {
			text += fmt.Sprintf(", %v: %d", wire.Verdict(v), n)
		}
	}
	if r.Measured.PoolWaits > 0 {
		text += fmt.Sprintf(", %d waits", r.Measured.PoolWaits)
	}
	return text + tally(cl)
}
