package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hotslot/internal/golden"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/gossip"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// TestTranscripts asks the nodes of a cluster of three primaries, A, B and C, and
// their replicas, rA, rB and rC, what was once asked of redis-server 7.0.15, and
// expects its answers: the stories in testdata. The node timeout is 2 s. Commands:
//
//	listen port=P                       A listens there, the others behind it
//	send to=NODE command=NAME keys=K,…  a command, with the reply as Redis words it;
//	                                    "OK" where it is carried out
//	readonly to=NODE, readwrite to=NODE what the connection to the node says
//	addslots, delslots to=NODE slots=S  as CLUSTER ADDSLOTS and DELSLOTS
//	config NAME=yes|no                  CONFIG SET on all nodes, of what is named cluster-…
//	setslot to=NODE slot=S action=A node=N
//	                                    CLUSTER SETSLOT
//	migrate to=NODE target=N keys=K,… [replace=yes] [copy=yes] [timeout=D]
//	                                    MIGRATE
//	count, getkeys to=NODE slot=S       CLUSTER COUNTKEYSINSLOT and GETKEYSINSLOT
//	asking to=NODE                      what the connection to the node says before the next command
//	epochs to=NODE                      how much larger the current epoch, and the node's own, are
//	                                    than the largest at the beginning
//	owners slot=S                       who owns it, as each node sees it
//	pass time=D                         nothing happens
//	kill, restart nodes=N,…             kill -9, and a start without data
//	wait to=NODE state=S least=D most=D until the node says cluster_state:S: how long
//	                                    that takes if it is not within D and D
//	info to=NODE                        CLUSTER INFO, but for epochs and messages
//	nodes to=NODE                       CLUSTER NODES, with names for ids and addresses,
//	                                    and without times
func TestTranscripts(t *testing.T) {
	golden.Run(t, func(t *testing.T) func(*golden.Case) string { return newShell(t).carryOut })
}

// A shell has one connection to each node.
type shell struct {
	*Cluster
	port     int // of node A
	readonly map[string]bool
	asking   string // the node that was told ASKING last; empty if the next command was another
	order    migration.Order
	keys     []wire.KeyRef // of the command that is under way
	reply    wire.Message
}

var shellNodes = []string{"A", "B", "C", "rA", "rB", "rC"}

// shellKeys are all keys there may be. None of them is there at first.
var shellKeys = []string{
	"{t0}1", "{t0}k", "{t0}q", "{t1003}1", "{t1}0", "{t1}1", "{t1}2", "{t1}3", "{t1}4", "{t1}k", "{t2}1",
	"{t2}2", "{t2}3", "{t2}4", "{t2}5", "{t2}6", "{t2}c", "{t2}ctr", "{t2}k", "{t2}k2", "{t2}new", "{t2}new2",
	"{t2}nokey", "{t2}nope", "{t2}nope2", "{u0}c", "{u0}x", "{u2}x", "{u3}x",
}

func newShell(t *testing.T) *shell {
	c := controlled(t, 1, 2*time.Second, time.Hour)
	c.Client.Processes, c.Client.SlotMap = 1, client.SlotMapCurrent
	c.Events = []Event{{Name: "never", When: When{At: sim.Never}, Do: DoMoveSlots}}
	for i, key := range shellKeys {
		c.KeySlots, c.KeyValue = append(c.KeySlots, slots.Of(key)), append(c.KeyValue, 3)
		c.Lacking = append(c.Lacking, wire.Key(i))
	}
	c.Keys = len(shellKeys)
	s := &shell{Cluster: New(c), port: 7300, readonly: map[string]bool{}}
	s.Net.Connect(sim.ActorID(len(s.Nodes)), s)
	for _, n := range s.Nodes {
		n.Lists, n.Orders = s, s
	}
	s.Sched.Run(sim.Time(10 * time.Second))
	return s
}

// Keys returns the keys of a command that has several.
func (s *shell) Keys(*wire.Message) []wire.KeyRef { return s.keys }

// Order returns the operator's command that is under way.
func (s *shell) Order(*wire.Message) *migration.Order { return &s.order }

// NewConn returns a number for a connection.
func (s *shell) NewConn() uint32 { return s.Client.NewConn() }

// Early takes the reply.
func (s *shell) Early(_ sim.Time, m *wire.Message) bool {
	s.reply = *m
	return true
}

func (s *shell) carryOut(c *golden.Case) string {
	switch c.Cmd {
	case "listen":
		s.port = c.Int("port", s.port)
		return "OK"
	case "config":
		return s.config(c)
	case "pass":
		s.Sched.Run(s.Sched.Now().Add(c.Duration("time", 0)))
		return "OK"
	case "kill", "restart":
		for _, name := range strings.Split(c.String("nodes"), ",") {
			n := s.Nodes[s.number(c, name)]
			if c.Cmd == "kill" {
				n.Kill(s.Sched.Now())
			} else {
				n.Restart(s.Sched.Now(), false)
			}
		}
		return "OK"
	}
	if c.Cmd == "owners" {
		return s.owners(slots.Slot(c.Int("slot", 0)))
	}
	to := c.String("to")
	number := s.number(c, to)
	state := s.Nodes[number].State()
	switch c.Cmd {
	case "setslot", "migrate", "count", "getkeys":
		s.asking = ""
		return s.operate(c, sim.ActorID(number))
	case "asking":
		s.asking = to
		return "OK"
	case "epochs":
		return fmt.Sprintf("current +%d, own %+d", state.CurrentEpoch()-3, int(state.ConfigEpoch())-3)
	case "readonly", "readwrite":
		s.readonly[to] = c.Cmd == "readonly"
		return "OK"
	case "addslots", "delslots":
		return s.reassign(c, number)
	case "wait":
		return s.wait(c, state)
	case "info":
		return info(state.ClusterInfo())
	case "nodes":
		return s.nodes(state.ClusterNodes())
	case "send":
		command, ok := wire.ParseCommand(c.String("command"))
		if !ok {
			c.Errorf("no command is called %q", c.String("command"))
		}
		var keys []string
		if list := c.String("keys"); list != "" {
			keys = strings.Split(list, ",")
		}
		return s.send(sim.ActorID(number), command, keys, s.readonly[to])
	}
	c.Errorf("unknown command")
	return ""
}

// number returns the number of a node.
func (s *shell) number(c *golden.Case, name string) int {
	i := slices.Index(shellNodes, name)
	if i < 0 {
		c.Errorf("no node is called %q", name)
	}
	return max(i, 0)
}

// config sets what is given.
func (s *shell) config(c *golden.Case) string {
	for name, setting := range map[string]*bool{
		"require-full-coverage":       &s.Nodes[0].Env.RequireFullCoverage,
		"allow-reads-when-down":       &s.Nodes[0].Env.AllowReadsWhenDown,
		"allow-pubsubshard-when-down": &s.Nodes[0].Env.AllowPubsubshardWhenDown,
	} {
		if word := c.String(name); word != "" {
			*setting = word == "yes"
		}
	}
	return "OK"
}

// reassign tries, so that the reply is known, and then sends the order.
func (s *shell) reassign(c *golden.Case, number int) string {
	slot := slots.Slot(c.Int("slots", 0))
	list := []slots.Range{{First: slot, Last: slot}}
	n := s.Nodes[number]
	free := n.State().Table()[slot] == slots.None
	switch {
	case c.Cmd == "addslots" && !free:
		return fmt.Sprintf("-ERR Slot %d is already busy", slot)
	case c.Cmd == "delslots" && free:
		return fmt.Sprintf("-ERR Slot %d is already unassigned", slot)
	case c.Cmd == "addslots":
		n.Assign(s.Sched.Now(), list)
	default:
		n.Unassign(s.Sched.Now(), list)
	}
	s.Sched.Run(s.Sched.Now().Add(5 * time.Millisecond))
	return "OK"
}

// wait runs until a node takes the cluster to be up, or down.
func (s *shell) wait(c *golden.Case, state *gossip.State) string {
	up, began := c.String("state") == "ok", s.Sched.Now()
	least, most := c.Duration("least", 0), c.Duration("most", 10*time.Second)
	for state.OK() != up && s.Sched.Now() < began.Add(time.Minute) {
		s.Sched.Run(s.Sched.Now().Add(time.Millisecond))
	}
	took := s.Sched.Now().Sub(began)
	switch {
	case state.OK() != up:
		return "never"
	case took < least || took > most:
		return fmt.Sprintf("%s after %v", c.String("state"), took)
	}
	return c.String("state")
}

// info leaves out of CLUSTER INFO what depends on how the cluster was created, and
// for how long it has run.
func info(text string) string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\r\n") {
		if !strings.Contains(line, "_epoch:") && !strings.Contains(line, "_stats_") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// nodes rewrites CLUSTER NODES.
func (s *shell) nodes(text string) string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		f[0] = s.name(f[0])
		if last := f[len(f)-1]; strings.HasPrefix(last, "[") {
			id := strings.TrimSuffix(last[strings.LastIndex(last, "-")+1:], "]")
			f[len(f)-1] = strings.ReplaceAll(last, id, s.name(id))
		}
		if f[3] != "-" {
			f[3] = s.name(f[3])
		}
		lines = append(lines, strings.Join(slices.Delete(slices.Delete(f, 4, 6), 1, 2), " "))
	}
	return strings.Join(lines, "\n")
}

// name returns the name of a node of an id.
func (s *shell) name(id string) string {
	for i, name := range s.Nodes[0].Env.Names {
		if fmt.Sprintf("%x", name.ID) == id {
			return shellNodes[i]
		}
	}
	return id
}

// send sends a command and returns the reply in Redis's words.
func (s *shell) send(to sim.ActorID, command wire.Command, keys []string, readonly bool) string {
	ref, m := s.Sched.New()
	*m = wire.Message{Command: command, Next: ref, Keys: uint16(len(keys))}
	s.keys = s.keys[:0]
	for i, key := range keys {
		number := slices.Index(shellKeys, key)
		if number < 0 {
			return "the shell does not know the key " + key
		}
		k := wire.KeyRef{Slot: slots.Of(key), Key: wire.Key(number)}
		s.keys = append(s.keys, k)
		if i == 0 {
			m.Slot, m.Key = k.Slot, k.Key
		} else if k.Slot != m.Slot {
			m.Flags |= wire.Mixed
		}
	}
	if readonly {
		m.Flags |= wire.Readonly
	}
	if s.asking != "" && s.asking == shellNodes[to] {
		m.Flags |= wire.Asking
	}
	s.asking = ""
	s.reply = wire.Message{}
	s.Net.ToNode(s.Sched.Now(), to, ref, m)
	s.Sched.Run(s.Sched.Now().Add(5 * time.Millisecond))
	r := &s.reply
	switch {
	case r.Kind != wire.Reply:
		return "no reply"
	case r.Verdict == wire.OK && !command.Writes() && command.Keyed() && !command.Publishes():
		return s.found(to)
	case r.Verdict == wire.OK:
		return "OK"
	}
	address := fmt.Sprintf("127.0.0.1:%d", s.port+int(r.Owner))
	return "-" + r.Verdict.Text(r.Slot, address)
}

// found is "OK" if a node has all keys of a command, else it says for each.
func (s *shell) found(to sim.ActorID) string {
	var words []string
	for _, k := range s.keys {
		word := "OK"
		if !s.Nodes[to].Has(k.Slot, k.Key) {
			word = "(nil)"
		}
		words = append(words, word)
	}
	if !slices.Contains(words, "(nil)") {
		return "OK"
	}
	return strings.Join(words, " ")
}

// operate sends an operator's command and returns the reply in Redis's words.
func (s *shell) operate(c *golden.Case, to sim.ActorID) string {
	o := &s.order
	*o = migration.Order{Slot: slots.Slot(c.Int("slot", 0)), Count: 100, Copy: c.String("copy") == "yes",
		Replace: c.String("replace") == "yes", Timeout: c.Duration("timeout", time.Second)}
	node := c.String("node")
	switch c.Cmd {
	case "count":
		o.Command = wire.COUNTKEYSINSLOT
	case "getkeys":
		o.Command = wire.GETKEYSINSLOT
	case "migrate":
		o.Command, node = wire.MIGRATE, c.String("target")
		for _, key := range strings.Split(c.String("keys"), ",") {
			o.Slot = slots.Of(key)
			o.Keys = append(o.Keys, wire.Key(slices.Index(shellKeys, key)))
		}
	case "setslot":
		o.Command = wire.SETSLOT
		o.Action = map[string]wire.SlotAction{"MIGRATING": wire.Migrating, "IMPORTING": wire.Importing,
			"STABLE": wire.Stable, "NODE": wire.ToNode}[c.String("action")]
	}
	o.Node = slots.None
	if i := slices.Index(shellNodes, node); i >= 0 {
		o.Node = slots.Owner(i)
	}
	ref, m := s.Sched.New()
	*m = wire.Message{Command: o.Command, Next: ref, Slot: o.Slot, Keys: uint16(len(o.Keys)), Call: 1}
	s.reply = wire.Message{}
	s.Net.ToNode(s.Sched.Now(), to, ref, m)
	s.Sched.Run(s.Sched.Now().Add(o.Timeout + 5*time.Millisecond))
	if s.reply.Kind != wire.Reply {
		return "no reply"
	}
	return s.answer(&o.Answer, node)
}

// answer returns a node's answer to an operator in Redis's words.
func (s *shell) answer(a *migration.Answer, node string) string {
	address := fmt.Sprintf("127.0.0.1:%d", s.port+int(a.Owner))
	switch {
	case a.Refusal != wire.Accepted:
		return "-" + a.Refusal.Text(s.order.Slot, node)
	case a.Verdict == wire.NoKey:
		return "NOKEY"
	case a.Remote:
		return "-ERR Target instance replied with error: " + a.Verdict.Text(s.order.Slot, address)
	case a.Verdict != wire.OK:
		return "-" + a.Verdict.Text(s.order.Slot, address)
	case s.order.Command == wire.COUNTKEYSINSLOT:
		return fmt.Sprint(a.Count)
	case s.order.Command == wire.GETKEYSINSLOT:
		var names []string
		for _, key := range a.Keys {
			names = append(names, shellKeys[key])
		}
		return strings.Join(names, " ")
	}
	return "OK"
}

// owners says who owns a slot, as each node sees it.
func (s *shell) owners(slot slots.Slot) string {
	var words []string
	for i, n := range s.Nodes {
		words = append(words, shellNodes[i]+":"+shellNodes[n.View()[slot]])
	}
	return strings.Join(words, " ")
}
