package node

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hotslot/internal/golden"
	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// play tells the story of a primary, node 0, its replicas and a client, whose
// processes meet with something. Its arguments:
//
//	ops=TIME:COMMAND:NODE[:CONNECTION[:BYTES[:ACKS]]],…  what the client asks for
//	do=TIME:VERB:NODE[:ARGUMENT],…                       what is done to a node
//	flood=BYTES                                          written every second, as one command each 10 ms
//	replicas, until, one_way, bandwidth, dataset         of the run
//	set, get, eval                                       costs, nothing unless given
//	version                                              redis-7.0 unless given
//	wait_timeout, min_replicas, max_lag, delay, backlog, hard, soft, soft_time, fork, snapshot_rate, load_rate,
//	flush_rate, stale                                    settings
//	quiet=1                                              does not show replies
//
// The verbs are kill, which is known 10 ms before, die, which is not; lose,
// restart[:keep], freeze, thaw, block:TIME, fork:TIME, cut:TIME, promote, follow:NODE,
// pause:TIME, resume; isolate and join, which cut the network between the node and
// all others; and info.
func play(c *golden.Case) string {
	p := newPlayer(castOf(c))
	p.fail = c.Errorf
	if c.String("ops") != "" {
		for n, op := range strings.Split(c.String("ops"), ",") {
			p.op(n, strings.Split(op, ":"))
		}
	}
	if rate := c.Int("flood", 0); rate > 0 {
		for at := sim.Time(0); at < p.until; at += sim.Time(10 * time.Millisecond) {
			p.request(at, 0, wire.Message{Call: 1 << 20, Command: wire.SET, Value: uint32(rate/100 - 47)})
		}
	}
	if c.String("do") != "" {
		for _, what := range strings.Split(c.String("do"), ",") {
			p.plan(strings.Split(what, ":"))
		}
	}
	p.run()
	return p.String()
}

// A cast is what a story is played with.
type cast struct {
	Replication
	replicas    int
	seed        uint64
	costs       Costs
	oneWay      time.Duration
	bandwidth   int64
	until       time.Duration
	waitTimeout time.Duration
	version     string
	quiet       bool
}

func castOf(c *golden.Case) cast {
	r := DefaultReplication()
	r.MinReplicasToWrite, r.MinReplicasMaxLag = c.Int("min_replicas", 0), c.Duration("max_lag", r.MinReplicasMaxLag)
	r.ReplDisklessSyncDelay = c.Duration("delay", r.ReplDisklessSyncDelay)
	r.ReplTimeout = c.Duration("timeout", r.ReplTimeout)
	r.ReplBacklogSize = int64(c.Int("backlog", 0))
	r.ReplicaBufferHard, r.ReplicaBufferSoft = int64(c.Int("hard", 256<<20)), int64(c.Int("soft", 64<<20))
	r.ReplicaBufferSoftTime = c.Duration("soft_time", r.ReplicaBufferSoftTime)
	r.ForkStall, r.Dataset = c.Duration("fork", 0), int64(c.Int("dataset", 0))
	r.SnapshotRate, r.LoadRate = int64(c.Int("snapshot_rate", 0)), int64(c.Int("load_rate", 0))
	r.FlushRate, r.ReplicaServeStale = int64(c.Int("flush_rate", 0)), c.Int("stale", 1) == 1
	costs := Costs{Turn: c.Duration("turn", 0)}
	for _, command := range []wire.Command{wire.GET, wire.SET, wire.EVAL} {
		costs.Commands[command].Base = c.Duration(strings.ToLower(command.String()), 0)
	}
	return cast{Replication: r, replicas: c.Int("replicas", 0), seed: uint64(c.Int("seed", 1)), costs: costs,
		oneWay: c.Duration("one_way", 100*time.Microsecond), bandwidth: int64(c.Int("bandwidth", 0)),
		until: c.Duration("until", time.Second), waitTimeout: c.Duration("wait_timeout", 0),
		version: cmp.Or(c.String("version"), "redis-7.0"), quiet: c.Int("quiet", 0) == 1}
}

// A player is the cluster of a story, the client, and the witness.
type player struct {
	*Shared
	nodes  []*Node
	log    []line
	agenda []deed
	until  sim.Time
	faults []int
	quiet  bool
	fail   func(string, ...any)
}

// A deed is something that is done at an instant.
type deed struct {
	at sim.Time
	do func(now sim.Time)
}

func newPlayer(c cast) *player {
	sched := sim.NewScheduler[wire.Message]()
	nodes := 1 + c.replicas
	p := &player{until: sim.Time(c.until), quiet: c.quiet, Shared: &Shared{
		Sched: sched, Costs: &c.costs, Lag: sim.Constant(0).Quantiles(), Seed: c.seed,
		Net:   network.New(sched, network.Config{OneWay: sim.Constant(c.oneWay), NodeBandwidth: c.bandwidth}, 1, nodes, 1),
		Meter: NewMeter(0, sim.Time(c.until), time.Second, 1), Timers: true, WaitTimeout: c.waitTimeout,
		Replication: &c.Replication,
	}}
	p.Rules, _, _ = gossip.Version(c.version)
	p.Witness = p
	p.nodes = append(p.nodes, New(p.Shared, 0, slots.Even(1)))
	for len(p.nodes) < nodes {
		p.nodes = append(p.nodes, NewReplica(p.Shared, p.nodes[0]))
	}
	p.Net.Connect(sim.ActorID(nodes), p)
	sched.Register(p)
	return p
}

// op sends the n-th request.
func (p *player) Restored(sim.Time, sim.ActorID, wire.Key, uint64, sim.ActorID) {}

func (p *player) Removed(sim.Time, sim.ActorID, wire.Key, uint64) {}

func (p *player) op(n int, words []string) {
	words = append(words, "0", "0", "0", "0")
	at, err := time.ParseDuration(words[0])
	command, ok := wire.ParseCommand(words[1])
	var numbers [4]int
	for i := range numbers {
		if v, err := strconv.Atoi(words[2+i]); err == nil {
			numbers[i] = v
		} else {
			p.fail("%v: %v", words, err)
		}
	}
	if err != nil || !ok {
		p.fail("%v: not TIME:COMMAND:NODE", words)
	}
	p.request(sim.Time(at), numbers[0], wire.Message{Call: uint32(n), Command: command, Flags: wire.Readonly,
		Conn: uint32(numbers[1]), Value: uint32(numbers[2]), Acks: uint8(numbers[3])})
}

func (p *player) request(at sim.Time, node int, request wire.Message) {
	ref, m := p.Sched.New()
	*m = request
	m.ID, m.Keys = wire.NewOpID(0, uint64(m.Call)), 1
	p.Net.ToNode(at, sim.ActorID(node), ref, m)
}

// plan puts a deed on the agenda.
func (p *player) plan(words []string) {
	words = append(words, "")
	at, err := time.ParseDuration(words[0])
	node, err2 := strconv.Atoi(words[2])
	if err != nil || err2 != nil {
		p.fail("%v: not TIME:VERB:NODE", words)
		return
	}
	n, when := p.nodes[node], sim.Time(at)
	d, _ := time.ParseDuration(words[3])
	verbs := map[string]func(sim.Time){
		"kill": n.Kill, "die": n.Kill, "lose": n.Lose, "freeze": n.Freeze, "thaw": n.Thaw,
		"restart": func(now sim.Time) { n.Restart(now, words[3] == "keep") },
		"block":   func(now sim.Time) { n.Block(now, d) }, "fork": func(now sim.Time) { n.Fork(now, d) },
		"cut": func(now sim.Time) { n.CutReplication(now, d) }, "promote": func(now sim.Time) {
			n.promote(now)
			for s := range n.view { // which all nodes share
				n.view[s] = slots.Owner(node)
			}
		},
		"follow": func(now sim.Time) {
			to, _ := strconv.Atoi(words[3])
			n.follow(now, slots.Owner(to))
		},
		"pause":  func(now sim.Time) { n.pauseWrites(now.Add(d)) },
		"resume": n.resumeWrites,
		"isolate": func(sim.Time) {
			a, b := network.Side{Nodes: make([]bool, len(p.nodes))}, network.Side{Nodes: make([]bool, len(p.nodes))}
			for i := range p.nodes {
				a.Nodes[i], b.Nodes[i] = i == node, i != node
			}
			p.faults = append(p.faults, p.Net.Impose(network.Fault{A: a, B: b, Cut: true}))
		},
		"join": func(sim.Time) {
			for _, fault := range p.faults {
				p.Net.Lift(fault)
			}
		},
		"info": func(now sim.Time) {
			said := strings.ReplaceAll(n.InfoReplication(now), "\r", "")
			p.note(now, "node %d says\n%s", node, strings.TrimSpace(said))
		},
	}
	do := verbs[words[1]]
	if do == nil {
		p.fail("%v: unknown verb", words)
		return
	}
	if words[1] == "kill" {
		p.agenda = append(p.agenda, deed{when.Add(-Announced), func(sim.Time) { n.Doom(when) }})
	}
	p.agenda = append(p.agenda, deed{when, do})
}

// Wake does what is due; what reaches the client is noted when it is sent.
func (p *player) Wake(now sim.Time) {
	for len(p.agenda) > 0 && p.agenda[0].at <= now {
		do := p.agenda[0].do
		p.agenda = p.agenda[1:]
		do(now)
	}
	if len(p.agenda) > 0 {
		p.Sched.SetAlarm(sim.ActorID(len(p.nodes)), p.agenda[0].at)
	}
}

func (p *player) run() {
	slices.SortStableFunc(p.agenda, func(a, b deed) int { return cmp.Compare(a.at, b.at) })
	if len(p.agenda) > 0 {
		p.Sched.SetAlarm(sim.ActorID(len(p.nodes)), max(0, p.agenda[0].at))
	}
	p.Sched.Run(p.until)
}

func (p *player) note(at sim.Time, format string, args ...any) {
	p.log = append(p.log, line{at, fmt.Sprintf(format, args...)})
}

func (p *player) Early(at sim.Time, m *wire.Message) bool {
	if !p.quiet || m.Verdict != wire.OK {
		short := ""
		if m.Flags&wire.Unreplicated != 0 {
			short = ", not by enough replicas"
		}
		p.note(at, "client: op %d %v of node %d  %v%s", m.Call, m.Command, m.From, m.Verdict, short)
	}
	return true
}

func (p *player) Wrote(sim.Time, sim.ActorID, wire.Key, uint64) {}

func (p *player) Applied(sim.ActorID, uint64) {}

func (p *player) Read(sim.Time, sim.ActorID, wire.Key) {}

func (p *player) Unacknowledged(id sim.ActorID, offset uint64) {
	p.note(p.Sched.Now(), "node %d: nobody hears of the write at %d", id, offset)
}

func (p *player) Promoted(at sim.Time, id sim.ActorID) {
	p.note(at, "node %d: primary at %d", id, p.nodes[id].offset)
}

func (p *player) Snapshot(id, from sim.ActorID) {}

func (p *player) Resynced(at sim.Time, id, from sim.ActorID) {
	p.note(at, "node %d: takes over the history of node %d", id, from)
}

func (p *player) Erased(at sim.Time, id sim.ActorID) { p.note(at, "node %d: has nothing", id) }

func (p *player) Happened(e wire.Event) {
	text := fmt.Sprintf("node %d: %v", e.Node, e.Kind)
	if e.About != slots.None {
		text += fmt.Sprintf(" about node %d", e.About)
	}
	if e.Reason != wire.NoReason {
		text += fmt.Sprintf(", %v", e.Reason)
	}
	if e.A != 0 {
		text += fmt.Sprintf(" (%d)", e.A)
	}
	p.note(e.At, "%s", text)
}

func (p *player) String() string {
	slices.SortStableFunc(p.log, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var out strings.Builder
	for _, l := range p.log {
		fmt.Fprintf(&out, "%-12v %s\n", l.at, l.text)
	}
	for i, n := range p.nodes {
		fmt.Fprintf(&out, "node %d ends at offset %d\n", i, n.Offset())
	}
	return out.String()
}
