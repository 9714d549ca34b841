package node

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// Costs is a cost profile: what the node's thread spends on what. Byte costs are
// in picoseconds.
type Costs struct {
	// Turn is the fixed cost of one round of the event loop: poll, the hooks
	// before and after it.
	Turn time.Duration
	// Read and Write are the cost of one read from, and of one write to, one
	// connection.
	Read, Write time.Duration
	WriteByte   int64 // picoseconds for each byte written to a connection
	// Move is the cost, in picoseconds a byte, of moving what is left in the query
	// buffer to its beginning after each command, as Redis did before 5.0
	// (sdsrange in processInputBuffer); 0 since.
	Move int64
	// Refuse is the cost of a command that is parsed and not executed.
	Refuse   time.Duration
	Commands [wire.Commands]CommandCost

	// Cron is the cost of one serverCron, CronNode of a look at one other node in
	// clusterCron.
	Cron, CronNode time.Duration
	// BusMessage is the cost of putting together and writing, or of reading, one
	// packet of the cluster bus, BusEntry of each gossip entry in it.
	BusMessage, BusEntry time.Duration
	// BusCopy is the cost of writing one copy of a published message to another
	// node, BusPublish of reading one.
	BusCopy, BusPublish time.Duration
	// Moved is the cost of reading the answer to one key that MIGRATE has sent, and of
	// deleting it.
	Moved time.Duration
	// DumpElement and RestoreElement are the cost of each element of a collection that
	// MIGRATE sends and deletes, or RESTORE puts together.
	DumpElement, RestoreElement time.Duration
	// Connect is the cost of an attempt to connect to another node, Accept that of
	// accepting a connection.
	Connect, Accept time.Duration
	// Save is the cost of writing nodes.conf to disk for good, which nothing is sent
	// before that depends on it (clusterSaveConfig with fsync).
	Save time.Duration
	// TimerSlack is how late the kernel ends a poll that waits for a timer
	// (timerslack_ns), and how long a process takes to wake.
	TimerSlack time.Duration

	// Shape is how the cost of a command varies around its mean: constant or
	// exponential.
	Shape sim.Shape
}

// CommandCost is the cost of parsing and executing one command.
type CommandCost struct {
	Base time.Duration // with one key
	Key  time.Duration // each further key
	Byte int64         // picoseconds for each byte of a value
}

// of returns the mean cost of a request.
func (c *CommandCost) of(m *wire.Message) time.Duration {
	d := c.Base
	if m.Keys > 1 {
		d += time.Duration(m.Keys-1) * c.Key
	}
	if c.Byte > 0 {
		d += time.Duration(c.Byte * int64(m.Keys) * int64(m.Value) / 1000)
	}
	return d
}

// Profiles returns the names of the cost profiles.
func Profiles() []string { return slices.Sorted(maps.Keys(profiles())) }

// Profile returns a cost profile and a sentence about where it is from.
func Profile(name string) (c Costs, about string, ok bool) {
	p, ok := profiles()[name]
	return p.costs, p.about, ok
}

type profile struct {
	about string
	costs Costs
}

func profiles() map[string]profile {
	return map[string]profile{
		"redis-7.0.15": {"Redis 7.0.15 on one 2.6 GHz core, loopback; fitted to redis-benchmark", redis7015()},
		"round-100k":   {"a node that serves 100,000 simple operations a second; the round figure of textbooks", round100k()},
	}
}

// redis7015 is fitted to the server CPU per command of redis-benchmark against
// redis-server 7.0.15 (testdata/redis-7.0.15/bench_single.csv): 50 connections,
// pipelines of 1 and 16 separate what a connection costs from what a command
// costs, values of 3 to 1000 bytes what a byte costs; a single connection gives
// the cost of a turn. Where the two passes of a row differ, anything between them
// fits; base and byte of each command were moved until no row was further off
// than 12 %. MGET and MSET were measured with ten keys only: what they take
// beyond a GET and a SET is shared by the other nine. Neither values of 10,000
// bytes, of which each byte costs less, nor 200 connections were fitted: there a
// command costs up to 40 % more than this says, perhaps because what it needs to
// know of its connection is no longer in the processor's cache.
//
// MIGRATE and RESTORE are fitted to moves of a slot by redis-cli on loopback
// (sim/cluster/testdata/redis-7.0.15/migration_speed.csv): of 100,000 small values, of
// as many of 1000 bytes, and of one hash of 100,000 fields.
//
// PUBLISH was measured in clusters of 1 to 16 nodes, of which one was published to
// (sim/node/testdata/publish.csv).
//
// Commands that were not measured are set beside similar ones: DECR as INCR, DEL
// and PING as GET, EVAL as an MSET and MGET of its keys and 4 µs for the
// interpreter, CLUSTER SLOTS as measured on a cluster of three shards.
func redis7015() Costs {
	get := CommandCost{Base: 540, Byte: 240}
	incr := CommandCost{Base: 540}
	c := Costs{Turn: 2400, Read: 1775, Write: 1775, WriteByte: 210, Refuse: 300,
		Cron: 60 * time.Microsecond, CronNode: 500, BusMessage: 18 * time.Microsecond, BusEntry: 350,
		BusCopy: 1300, BusPublish: 1900,
		Save:  600 * time.Microsecond,
		Moved: 3400, DumpElement: 880, RestoreElement: 550,
		Connect: 50 * time.Microsecond, Accept: 20 * time.Microsecond, TimerSlack: 80 * time.Microsecond}
	c.Commands = [wire.Commands]CommandCost{
		wire.GET: get, wire.PING: {Base: 350}, wire.DEL: {Base: 540, Key: 200},
		wire.SET:  {Base: 740, Byte: 470},
		wire.INCR: incr, wire.DECR: incr,
		wire.LPUSH:   {Base: 560, Byte: 810},
		wire.MGET:    {Base: 540, Key: 255, Byte: 630},
		wire.MSET:    {Base: 740, Key: 420, Byte: 790},
		wire.EVAL:    {Base: 4740, Key: 675, Byte: 790},
		wire.PUBLISH: {Base: 800}, wire.SPUBLISH: {Base: 800},
		wire.ClusterSlots: {Base: 30 * time.Microsecond, Key: time.Microsecond},
		wire.SETSLOT:      {Base: 5 * time.Microsecond}, wire.COUNTKEYSINSLOT: {Base: 600},
		wire.GETKEYSINSLOT: {Base: 1000, Key: 100},
		wire.MIGRATE:       {Base: 3000, Key: 1500, Byte: 200}, wire.RESTORE: {Base: 1100, Byte: 3000},
	}
	return c
}

// round100k spends 10 µs on a simple command and nothing on anything else, so
// that it can be reckoned with in the head.
func round100k() Costs {
	c := Costs{Refuse: 10 * time.Microsecond}
	for i := range c.Commands {
		c.Commands[i].Base = 10 * time.Microsecond
	}
	for _, multi := range []wire.Command{wire.MGET, wire.MSET, wire.DEL, wire.EVAL, wire.MIGRATE} {
		c.Commands[multi].Key = time.Microsecond
	}
	return c
}

// CostSpec is a cost profile as a scenario gives it: a profile's name and what
// differs. A nil field stands as the profile has it.
type CostSpec struct {
	Profile      string                   `toml:"profile"`
	Turn         *time.Duration           `toml:"turn"`            // one round of the event loop
	Connection   *time.Duration           `toml:"connection"`      // reading from and writing to one connection in a turn, half each
	Command      *time.Duration           `toml:"command"`         // any one command with one key, and one refused
	CommandTime  map[string]time.Duration `toml:"commands"`        // single commands, by name
	Key          *time.Duration           `toml:"key"`             // each key of a command beyond the first
	Byte         *float64                 `toml:"byte_ns"`         // nanoseconds for each byte of a value, read or written, all in execution
	Move         *float64                 `toml:"move_ns"`         // nanoseconds for each byte left in the query buffer after a command; Redis before 5.0
	Cron         *time.Duration           `toml:"cron"`            // one serverCron
	CronNode     *time.Duration           `toml:"cron_node"`       // each other node in clusterCron
	BusMessage   *time.Duration           `toml:"bus_message"`     // a packet of the cluster bus, sent or received
	BusEntry     *time.Duration           `toml:"bus_entry"`       // each gossip entry in it
	BusCopy      *time.Duration           `toml:"bus_copy"`        // a copy of a published message, written
	BusPublish   *time.Duration           `toml:"bus_publish"`     // a published message, read
	Save         *time.Duration           `toml:"save"`            // nodes.conf to disk
	Connect      *time.Duration           `toml:"connect"`         // an attempt to connect to another node
	Accept       *time.Duration           `toml:"accept"`          // accepting a connection
	Dump         *time.Duration           `toml:"dump_element"`    // each element of a collection that MIGRATE sends
	Restore      *time.Duration           `toml:"restore_element"` // and that RESTORE takes in
	Distribution string                   `toml:"distribution"`    // of a command's cost: "constant" or "exponential" around its mean
}

// Resolve returns the costs that a specification describes.
func (s CostSpec) Resolve() (Costs, error) {
	c, _, ok := Profile(s.Profile)
	if !ok {
		return Costs{}, fmt.Errorf("no cost profile is called %q", s.Profile)
	}
	if s.Turn != nil {
		c.Turn = *s.Turn
	}
	if s.Connection != nil {
		c.Read, c.Write = *s.Connection/2, *s.Connection-*s.Connection/2
	}
	if s.Command != nil {
		c.Refuse = *s.Command
	}
	for i := range c.Commands {
		if s.Command != nil {
			c.Commands[i].Base = *s.Command
		}
		if s.Key != nil {
			c.Commands[i].Key = *s.Key
		}
		if s.Byte != nil {
			c.Commands[i].Byte, c.WriteByte = int64(*s.Byte*1000+0.5), 0
		}
	}
	for _, given := range []struct{ from, to *time.Duration }{{s.Cron, &c.Cron}, {s.CronNode, &c.CronNode},
		{s.BusMessage, &c.BusMessage}, {s.BusEntry, &c.BusEntry},
		{s.BusCopy, &c.BusCopy}, {s.BusPublish, &c.BusPublish}, {s.Save, &c.Save},
		{s.Connect, &c.Connect}, {s.Accept, &c.Accept},
		{s.Dump, &c.DumpElement}, {s.Restore, &c.RestoreElement}} {
		if given.from != nil {
			*given.to = *given.from
		}
	}
	if s.Move != nil {
		c.Move = int64(*s.Move*1000 + 0.5)
	}
	for name, d := range s.CommandTime {
		command, ok := wire.ParseCommand(name)
		if !ok {
			return Costs{}, fmt.Errorf("no command is called %q", name)
		}
		c.Commands[command].Base = d
	}
	if s.Distribution == "exponential" {
		c.Shape = sim.ShapeExponential
	}
	return c, nil
}
