package wire

import "strings"

// Command is a Redis command that the model knows. What it costs is the
// business of a node's cost profile.
type Command uint8

// The commands.
const (
	GET Command = iota
	SET
	INCR
	DECR
	DEL
	LPUSH
	MGET
	MSET
	EVAL // a script that reads and writes each of its keys
	PING
	PUBLISH      // a message to the subscribers of a channel, wherever they are
	SPUBLISH     // the same for a sharded channel: a slot's owner and its replicas alone
	ClusterSlots // CLUSTER SLOTS, what clients learn the slot map from

	// What operators' tools send, and a node that moves keys to another.
	CLUSTERNODES      // CLUSTER NODES
	SETSLOT           // CLUSTER SETSLOT
	ADDSLOTS          // CLUSTER ADDSLOTS
	DELSLOTS          // CLUSTER DELSLOTS
	BUMPEPOCH         // CLUSTER BUMPEPOCH
	GETKEYSINSLOT     // CLUSTER GETKEYSINSLOT
	COUNTKEYSINSLOT   // CLUSTER COUNTKEYSINSLOT
	MIGRATESLOTS      // CLUSTER MIGRATESLOTS: atomic migration, at the source
	MIGRATIONIMPORT   // CLUSTER MIGRATION IMPORT: the same, at the target
	GETSLOTMIGRATIONS // CLUSTER GETSLOTMIGRATIONS, or CLUSTER MIGRATION STATUS
	SYNCSLOTS         // CLUSTER SYNCSLOTS: what the two nodes tell each other
	MIGRATE           // the node sends keys to another one, and waits until that has them
	RESTORE           // RESTORE-ASKING, with a key and its value
	Commands          // how many there are
)

type commandInfo struct {
	name    string
	write   bool  // may change data
	multi   bool  // takes several keys
	keyed   bool  // takes keys at all, or a channel that has a slot like a key
	tool    bool  // no application sends it
	aimed   bool  // where it is not keyed: clients choose the node by a slot all the same
	payload int64 // 1: the request carries a value for each key
	returns int64 // 1: the reply carries a value for each key
	status  int64 // bytes of the reply, beside values
}

var commands = [Commands]commandInfo{
	GET:          {name: "GET", keyed: true, returns: 1},
	SET:          {name: "SET", status: statusBytes, keyed: true, write: true, payload: 1},
	INCR:         {name: "INCR", status: statusBytes, keyed: true, write: true},
	DECR:         {name: "DECR", status: statusBytes, keyed: true, write: true},
	DEL:          {name: "DEL", status: statusBytes, keyed: true, write: true, multi: true},
	LPUSH:        {name: "LPUSH", status: statusBytes, keyed: true, write: true, payload: 1},
	MGET:         {name: "MGET", keyed: true, multi: true, returns: 1},
	MSET:         {name: "MSET", status: statusBytes, keyed: true, write: true, multi: true, payload: 1},
	EVAL:         {name: "EVAL", status: statusBytes, keyed: true, write: true, multi: true, payload: 1},
	PING:         {name: "PING", status: statusBytes},
	PUBLISH:      {name: "PUBLISH", status: statusBytes, aimed: true, payload: 1},
	SPUBLISH:     {name: "SPUBLISH", status: statusBytes, keyed: true, payload: 1},
	ClusterSlots: {name: "CLUSTER SLOTS"},

	CLUSTERNODES:      {name: "CLUSTER NODES", status: 20 * statusBytes, tool: true},
	ADDSLOTS:          {name: "CLUSTER ADDSLOTS", status: statusBytes, tool: true},
	DELSLOTS:          {name: "CLUSTER DELSLOTS", status: statusBytes, tool: true},
	BUMPEPOCH:         {name: "CLUSTER BUMPEPOCH", status: statusBytes, tool: true},
	SETSLOT:           {name: "CLUSTER SETSLOT", status: statusBytes, tool: true},
	GETKEYSINSLOT:     {name: "CLUSTER GETKEYSINSLOT", status: keyBytes, tool: true},
	COUNTKEYSINSLOT:   {name: "CLUSTER COUNTKEYSINSLOT", status: statusBytes, tool: true},
	MIGRATESLOTS:      {name: "CLUSTER MIGRATESLOTS", status: statusBytes, tool: true},
	MIGRATIONIMPORT:   {name: "CLUSTER MIGRATION", status: statusBytes, tool: true},
	GETSLOTMIGRATIONS: {name: "CLUSTER GETSLOTMIGRATIONS", status: 20 * statusBytes, tool: true},
	SYNCSLOTS:         {name: "CLUSTER SYNCSLOTS", status: statusBytes, payload: 1, tool: true},
	MIGRATE:           {name: "MIGRATE", status: statusBytes, keyed: true, write: true, tool: true},
	RESTORE:           {name: "RESTORE-ASKING", status: statusBytes, keyed: true, write: true, payload: 1, tool: true},
}

// String returns the command's name as Redis writes it.
func (c Command) String() string { return commands[c].name }

// Writes reports whether c may change data, so that only a primary executes it.
func (c Command) Writes() bool { return commands[c].write }

// Multi reports whether c takes several keys, which must share a slot.
func (c Command) Multi() bool { return commands[c].multi }

// Keyed reports whether c takes keys: one that takes none is never redirected.
func (c Command) Keyed() bool { return commands[c].keyed }

// Aimed reports whether clients send c to the owner of a slot: that of its keys
// or, for PUBLISH, of its channel, though every node would take it.
func (c Command) Aimed() bool { return commands[c].keyed || commands[c].aimed }

// Publishes reports whether c is a message to subscribers.
func (c Command) Publishes() bool { return c == PUBLISH || c == SPUBLISH }

// Tool reports whether c is sent by operators' tools or by nodes, and not by
// applications.
func (c Command) Tool() bool { return commands[c].tool }

// ParseCommand returns the command of a name, in upper or lower case.
func ParseCommand(name string) (Command, bool) {
	for c, info := range commands {
		if strings.EqualFold(info.name, name) {
			return Command(c), true
		}
	}
	return 0, false
}
