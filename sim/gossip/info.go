package gossip

import (
	"fmt"
	"slices"
	"strings"

	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// messages are the types that CLUSTER INFO counts, in its order, and what it calls
// them (clusterGetMessageTypeString).
var messages = []struct {
	is   Type
	name string
}{{Ping, "ping"}, {Pong, "pong"}, {Meet, "meet"}, {Fail, "fail"}, {Publish, "publish"}, {AuthRequest, "auth-req"},
	{AuthAck, "auth-ack"}, {Update, "update"}, {MFStart, "mfstart"}, {PublishShard, "publishshard"},
	{AuthNack, "auth-nack"}}

// ClusterInfo returns the reply to CLUSTER INFO as Redis 7.0 writes it.
func (s *State) ClusterInfo() string {
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%s:%v\r\n", name, value) }
	state := "fail"
	if s.ok {
		state = "ok"
	}
	assigned, pfail, fail := 0, 0, 0
	for _, node := range s.roster {
		owned := int(s.peer[node].owned)
		assigned += owned
		switch {
		case s.failed(node):
			fail += owned
		case s.is(node, PFAIL):
			pfail += owned
		}
	}
	line("cluster_state", state)
	line("cluster_slots_assigned", assigned)
	line("cluster_slots_ok", assigned-pfail-fail)
	line("cluster_slots_pfail", pfail)
	line("cluster_slots_fail", fail)
	line("cluster_known_nodes", len(s.roster))
	line("cluster_size", s.size)
	line("cluster_current_epoch", s.currentEpoch)
	line("cluster_my_epoch", s.ownEpoch())
	for _, way := range []struct {
		name   string
		counts *[Types]uint64
	}{{"sent", &s.Sent}, {"received", &s.Taken}} {
		total := uint64(0)
		for _, m := range messages {
			if n := way.counts[m.is]; n > 0 {
				total += n
				line("cluster_stats_messages_"+m.name+"_"+way.name, n)
			}
		}
		line("cluster_stats_messages_"+way.name, total)
	}
	line("total_cluster_links_buffer_limit_exceeded", 0)
	return b.String()
}

// ClusterNodes returns the reply to CLUSTER NODES as Redis 7.0 writes it
// (clusterGenNodesDescription), the nodes in the order of their numbers.
func (s *State) ClusterNodes() string {
	var b strings.Builder
	for _, node := range s.roster {
		p, of := &s.peer[node], "-"
		epoch := p.epoch
		if !s.isPrimary(node) && p.of != slots.None {
			of, epoch = s.id(p.of), s.peer[p.of].epoch
		}
		link := "disconnected"
		if node == s.self || s.is(node, linked) {
			link = "connected"
		}
		name := &s.env.Names[node]
		fmt.Fprintf(&b, "%s %s:%d@%d %s %s %d %d %d %s", s.id(node), name.Host, name.Port, name.Port+busPort,
			s.flagsOf(node), of, unixMillis(p.pingSent), unixMillis(s.pong[node]), epoch, link)
		if p.owned > 0 {
			for _, r := range slots.Ranges(&s.table, node) {
				b.WriteString(" " + r.String())
			}
		}
		if node == s.self {
			b.WriteString(s.describeOpen())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// describeOpen returns the node's open slots as CLUSTER NODES writes them, in the
// order of their numbers.
func (s *State) describeOpen() string {
	var b strings.Builder
	list := slices.Clone(s.moving)
	slices.SortStableFunc(list, func(a, z wire.OpenSlot) int { return int(a.Slot) - int(z.Slot) })
	for _, o := range list {
		arrow := "->-"
		if o.Importing {
			arrow = "-<-"
		}
		fmt.Fprintf(&b, " [%d%s%s]", o.Slot, arrow, s.id(o.Peer))
	}
	return b.String()
}

// busPort is what is added to a node's port for the cluster bus
// (CLUSTER_PORT_INCR).
const busPort = 10000

// id returns a node's id as it is written.
func (s *State) id(node slots.Owner) string { return fmt.Sprintf("%x", s.env.Names[node].ID) }

// flagsOf returns a node's flags as CLUSTER NODES writes them
// (representClusterNodeFlags).
func (s *State) flagsOf(node slots.Owner) string {
	var flags []string
	add := func(name string, on bool) {
		if on {
			flags = append(flags, name)
		}
	}
	add("myself", node == s.self)
	add("master", s.isPrimary(node))
	add("slave", !s.is(node, Primary|Handshake))
	add("fail?", s.is(node, PFAIL))
	add("fail", s.failed(node))
	add("handshake", s.is(node, Handshake))
	add("noaddr", s.is(node, NoAddr))
	add("nofailover", s.is(node, NoFailover))
	return strings.Join(flags, ",")
}

// unixMillis returns an instant as mstime() has it, and 0 for one that has not been.
func unixMillis(t millis) int64 {
	if t <= longAgo || t == always {
		return 0
	}
	return Epoch + int64(t)
}
