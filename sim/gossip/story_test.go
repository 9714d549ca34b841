package gossip

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
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// TestStories runs the stories of the control plane. Their commands:
//
//	cluster primaries=3 replicas=1  a cluster that is whole, at 10 s; spare nodes know nobody;
//	                                version, timeout, seed, coverage=no, barrier, migration=no,
//	                                no_failover=yes, validity; delay of the bus, 100 µs unless
//	                                given; age, 10 s unless given
//	run for=D hide=KIND,…           goes on, and shows what happens: when first and last, what,
//	                                and at which nodes
//	kill, lose, restart, freeze, thaw node=I,…
//	                                the process or the host is gone, begins anew, stands still
//	cut nodes=I,…                   keeps nodes from all others, until heal
//	offset node=I is=N link=down    what the node says of its replication
//	failover node=I mode=M          CLUSTER FAILOVER; M is FORCE or TAKEOVER
//	meet, forget, replicate node=I other=J
//	claim node=I first=S last=S epoch=E
//	ask from=I to=J epoch=E config=C force=yes
//	                                a request for a vote, whatever it takes
//	view node=I                     what a node believes
func TestStories(t *testing.T) {
	golden.Run(t, func(t *testing.T) func(*golden.Case) string {
		teller := &teller{t: t}
		return teller.carry
	})
}

type teller struct {
	t *testing.T
	w *world
}

func (tl *teller) carry(c *golden.Case) string {
	w := tl.w
	if c.Cmd == "cluster" {
		tl.found(c)
		return ""
	}
	from := len(w.events)
	switch c.Cmd {
	case "run":
		w.run(time.Duration(w.now) + c.Duration("for", time.Second))
		return tell(w.events[from:], strings.Split(c.String("hide"), ","))
	case "heal":
		w.heal()
	case "cut":
		w.cut(numbers(c, "nodes")...)
	case "view":
		return view(w.nodes[c.Int("node", 0)])
	case "ask":
		ask(w, c)
		return tell(w.events[from:], nil)
	default:
		if c.Cmd != "kill" && c.Cmd != "lose" && c.Cmd != "restart" && c.Cmd != "freeze" && c.Cmd != "thaw" {
			return order(w, c)
		}
		for _, i := range numbers(c, "node") {
			map[string]func(int){"kill": w.kill, "lose": w.lose, "restart": w.restart, "thaw": w.thaw,
				"freeze": func(i int) { w.frozen[i] = true }}[c.Cmd](i)
		}
	}
	return ""
}

func (tl *teller) found(c *golden.Case) {
	conf := config(c.Duration("timeout", 2*time.Second))
	conf.RequireFullCoverage = c.String("coverage") != "no"
	conf.AllowReplicaMigration = c.String("migration") != "no"
	conf.ReplicaNoFailover = c.String("no_failover") == "yes"
	conf.MigrationBarrier = c.Int("barrier", 1)
	conf.ReplicaValidityFactor = c.Int("validity", 10)
	tl.w = newWorld(tl.t, cmp.Or(c.String("version"), "redis-7.0"), uint64(c.Int("seed", 1)), c.Int("primaries", 3),
		c.Int("replicas", 1), c.Int("spare", 0), conf)
	tl.w.delay = c.Duration("delay", tl.w.delay)
	tl.w.run(c.Duration("age", 10*time.Second))
}

func numbers(c *golden.Case, name string) (list []int) {
	for _, word := range strings.Split(c.String(name), ",") {
		i, err := strconv.Atoi(word)
		if err != nil {
			c.Errorf("%s: %v", name, err)
		}
		list = append(list, i)
	}
	return list
}

// order gives a node an order, and tells what it says at once.
func order(w *world, c *golden.Case) (reply string) {
	node, other := slots.Owner(c.Int("node", 0)), slots.Owner(0)
	if c.Cmd == "meet" || c.Cmd == "forget" || c.Cmd == "replicate" {
		other = slots.Owner(c.Int("other", 0))
	}
	s, from := w.nodes[node], len(w.events)
	w.call(node, func(f *Facts, out *Out) {
		switch c.Cmd {
		case "offset":
			f.Offset, f.LinkUp = uint64(c.Int("is", 0)), c.String("link") != "down" && !s.IsPrimary()
		case "failover":
			mode := map[string]FailoverMode{"": FailoverDefault, "FORCE": FailoverForce, "TAKEOVER": FailoverTakeover}
			if reason := s.Failover(w.now, mode[c.String("mode")], f, out); reason != wire.NoReason {
				reply = "refused: " + reason.String() + "\n"
			}
		case "meet":
			s.Meet(w.now, other, out)
		case "forget":
			if !s.Forget(w.now, other, out) {
				reply = "refused\n"
			}
		case "replicate":
			s.Replicate(w.now, other, f, out)
		case "claim":
			r := slots.Range{First: slots.Slot(c.Int("first", 0)), Last: slots.Slot(c.Int("last", 0))}
			s.Claim(w.now, []slots.Range{r}, uint64(c.Int("epoch", 0)), f, out)
		default:
			c.Errorf("unknown command")
		}
	})
	return reply + tell(w.events[from:], nil)
}

// ask has a node hear a request for a vote that another may never have made.
func ask(w *world, c *golden.Case) {
	from, to := slots.Owner(c.Int("from", 0)), slots.Owner(c.Int("to", 0))
	s := w.nodes[from]
	s.enter(w.now, &w.facts[from], &w.out)
	p := s.packet(AuthRequest)
	p.CurrentEpoch = uint64(c.Int("epoch", int(p.CurrentEpoch)))
	p.ConfigEpoch = uint64(c.Int("config", int(p.ConfigEpoch)))
	p.ForceAck = c.String("force") == "yes"
	gen, _ := s.Link(to)
	w.call(to, func(f *Facts, out *Out) { w.nodes[to].Receive(w.now, p, gen, false, f, out) })
}

// tell shows events: equal ones once, with the nodes that they happened to.
func tell(events []wire.Event, hidden []string) string {
	type line struct {
		first, last sim.Time
		what        string
		nodes       []slots.Owner
	}
	var lines []*line
	for _, e := range events {
		if slices.Contains(hidden, e.Kind.String()) {
			continue
		}
		what := describe(e)
		i := slices.IndexFunc(lines, func(l *line) bool { return l.what == what })
		if i < 0 {
			i = len(lines)
			lines = append(lines, &line{first: e.At, what: what})
		}
		lines[i].last = e.At
		lines[i].nodes = append(lines[i].nodes, e.Node)
	}
	var b strings.Builder
	for _, l := range lines {
		when := fmt.Sprintf("%.3fs", time.Duration(l.first).Seconds())
		if l.last > l.first.Add(10*time.Millisecond) {
			when += fmt.Sprintf("..%.3fs", time.Duration(l.last).Seconds())
		}
		slices.Sort(l.nodes)
		fmt.Fprintf(&b, "%-17s  %s at %s\n", when, l.what, strings.Trim(fmt.Sprint(slices.Compact(l.nodes)), "[]"))
	}
	return b.String()
}

func describe(e wire.Event) string {
	what := e.Kind.String()
	if e.About != slots.None {
		what += fmt.Sprintf(" node=%d", e.About)
	}
	switch e.Kind {
	case wire.EventFAIL:
		if e.A == 0 {
			what += " told"
		} else {
			what += fmt.Sprintf(" reports=%d", e.A)
		}
	case wire.EventElectionScheduled:
		what += fmt.Sprintf(" delay=%dms rank=%d offset=%d", e.A, e.B, e.C)
	case wire.EventElectionDelayed:
		what += fmt.Sprintf(" added=%dms rank=%d", e.A, e.B)
	case wire.EventElectionStarted, wire.EventElectionExpired, wire.EventVoteGranted, wire.EventVoteRefused,
		wire.EventElectionWon, wire.EventEpochCollision, wire.EventBecamePrimary:
		what += fmt.Sprintf(" epoch=%d", e.A)
	case wire.EventSlotOwner:
		what += fmt.Sprintf(" slots=%d-%d epoch=%d", e.A, e.B, e.C)
	case wire.EventManualFailover:
		what += []string{"", " FORCE", " TAKEOVER"}[e.A]
	case wire.EventWritesPaused:
		what += fmt.Sprintf(" until=%.3fs", time.Duration(e.A).Seconds())
	}
	if e.Reason != wire.NoReason {
		what += " (" + e.Reason.String() + ")"
	}
	return what
}

// view shows what a node believes.
func view(s *State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ok=%v size=%d epoch=%d\n", s.ok, s.size, s.currentEpoch)
	for _, node := range s.roster {
		fmt.Fprintf(&b, "node %d  %s", node, s.flagsOf(node))
		if of := s.peer[node].of; of != node && of != slots.None {
			fmt.Fprintf(&b, " of %d", of)
		}
		for _, r := range slots.Ranges(&s.table, node) {
			fmt.Fprintf(&b, " %v", r)
		}
		if s.isPrimary(node) {
			fmt.Fprintf(&b, " epoch=%d", s.peer[node].epoch)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
