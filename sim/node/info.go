package node

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"hotslot/sim"
)

// InfoReplication returns what INFO replication says (genRedisInfoString), byte
// for byte as Redis 7.0 writes it.
func (n *Node) InfoReplication(now sim.Time) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\r\n", args...) }
	line("# Replication")
	if n.primary {
		line("role:master")
	} else {
		n.infoReplica(now, line)
	}
	line("connected_slaves:%d", len(n.followers))
	for i := range n.followers {
		f := &n.followers[i]
		host, port := n.address(f.id)
		line("slave%d:ip=%s,port=%d,state=%s,offset=%d,lag=%d", i, host, port, stateNames[f.state], f.acked, f.lag(now))
	}
	line("master_failover_state:no-failover")
	line("master_replid:%s", n.historyName(n.history.id))
	line("master_replid2:%s", n.historyName(n.history.before))
	line("master_repl_offset:%d", n.offset)
	second := int64(-1)
	if n.history.before != 0 {
		second = int64(n.history.fork) + 1
	}
	line("second_repl_offset:%d", second)
	active, first, length := 0, uint64(0), uint64(0)
	if n.history.backlog {
		oldest := n.history.oldest(n.offset, n.backlogSize())
		active, first, length = 1, oldest+1, n.offset-oldest
	}
	line("repl_backlog_active:%d", active)
	line("repl_backlog_size:%d", n.backlogSize())
	line("repl_backlog_first_byte_offset:%d", first)
	line("repl_backlog_histlen:%d", length)
	return b.String()
}

// infoReplica writes the lines that only a replica has.
func (n *Node) infoReplica(now sim.Time, line func(string, ...any)) {
	u := &n.upstream
	host, port := n.address(u.primary)
	status, heard, syncing := "down", int64(-1), 0
	if u.state == connected {
		status, heard = "up", lag(now, u.lastIO)
	}
	if u.state == transfer {
		syncing = 1
	}
	line("role:slave")
	line("master_host:%s", host)
	line("master_port:%d", port)
	line("master_link_status:%s", status)
	line("master_last_io_seconds_ago:%d", heard)
	line("master_sync_in_progress:%d", syncing)
	line("slave_read_repl_offset:%d", n.offset)
	line("slave_repl_offset:%d", n.offset)
	if syncing == 1 {
		line("master_sync_total_bytes:%d", u.expected)
		line("master_sync_read_bytes:%d", u.received)
		line("master_sync_left_bytes:%d", u.expected-u.received)
		line("master_sync_perc:%.2f", float64(u.received*100)/float64(max(u.expected, 1)))
		line("master_sync_last_io_seconds_ago:%d", lag(now, u.lastIO))
	}
	if u.state != connected {
		since := int64(-1)
		if u.downSince > 0 {
			since = lag(now, u.downSince)
		}
		line("master_link_down_since_seconds:%d", since)
	}
	line("slave_priority:100")
	line("slave_read_only:1")
	line("replica_announced:1")
}

var stateNames = [...]string{waitStart: "wait_bgsave", waitEnd: "wait_bgsave", sendBulk: "send_bulk", online: "online"}

// lag returns how many seconds ago a replica has acknowledged something, 0 where
// it is not online yet.
func (f *follower) lag(now sim.Time) int64 {
	if f.state != online {
		return 0
	}
	return lag(now, f.ackAt)
}

// address returns the host and port of a node.
func (n *Node) address(id sim.ActorID) (host string, port int) {
	if n.Env == nil {
		return fmt.Sprintf("10.0.%d.%d", id/250, id%250+1), 6379
	}
	return n.Env.Names[id].Host, n.Env.Names[id].Port
}

// historyName returns the replication id of a history: 40 hexadecimal digits that
// belong to its number.
func (n *Node) historyName(id uint32) string {
	var name [24]byte
	if id != 0 {
		names := sim.NewStream(n.Seed, "node/replid").Sub(int(id))
		for word := range uint64(3) {
			binary.BigEndian.PutUint64(name[8*word:], names.At(word))
		}
	}
	return hex.EncodeToString(name[:20])
}
