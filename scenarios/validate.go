package scenarios

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hotslot/sim/client"
	"hotslot/sim/node"
	"hotslot/sim/wire"
)

// Limits of the settings.
const (
	seedsMax       = 10_000
	primariesMax   = 1000
	replicasMax    = 10
	processesMax   = 10_000
	retriesMax     = 1000
	connectionsMax = 10_000
	coresMax       = 1024
	machinesMax    = 10_000
	zonesMax       = 250
	runMax         = 10 * 24 * time.Hour
	operationsMax  = 1e10 // of open loads, in one run: about an hour of one core
)

// validate notes what cannot be in a run's settings. The tree that they were
// read from tells what was written and where.
func (b *binder) validate(tree *value, s *Settings) {
	if s.Duration == 0 {
		b.fail(tree.at("duration"), `nothing would be measured; write one such as "10s"`)
	}
	b.validateLength(tree, s)
	b.validateCluster(tree.at("cluster"), s.Cluster)
	b.validateNode(tree.at("node"), s.Node)
	b.validateNetwork(tree.at("network"), s)
	b.validateClient(tree.at("client"), s)
	b.validateWorkloads(tree, s)
	b.validateEvents(tree, s)
}

// validateLength notes a run that would not end while somebody waits for it.
func (b *binder) validateLength(tree *value, s *Settings) {
	length := s.Warmup + s.Duration
	if length > runMax || length < 0 {
		b.fail(tree.at("duration"), "a run lasts ten days at most, warm-up included; write one such as \"10s\"")
		return
	}
	operations := 0.0
	for _, w := range s.Workloads {
		perSecond := w.Rate + w.Reads
		if w.Every > 0 {
			perSecond += float64(w.Size) / w.Every.Seconds()
		}
		operations += perSecond * length.Seconds()
	}
	if operations > operationsMax {
		b.fail(tree.at("duration"), "these rates make %.1g operations, more than %.0g; "+
			"shorten the run or lower the rates", operations, operationsMax)
	}
}

func (b *binder) validateCluster(t *value, c Cluster) {
	oneOfThese(b, t.at("version"), "version", c.Version, Versions())
	within(b, t.at("primaries"), c.Primaries, 1, primariesMax)
	within(b, t.at("replicas"), c.Replicas, 0, replicasMax)
	within(b, t.at("machines"), c.Machines, 0, machinesMax)
	within(b, t.at("cores"), c.Cores, 0, coresMax)
	within(b, t.at("zones"), c.Zones, 0, zonesMax)
	within(b, t.at("replica_validity_factor"), c.ReplicaValidityFactor, 0, 1_000_000)
	within(b, t.at("migration_barrier"), c.MigrationBarrier, 0, replicasMax)
	if c.NodeTimeout < 100*time.Millisecond {
		b.fail(t.at("node_timeout"), `a node is looked at ten times a second; write 100ms or more, such as "15s"`)
	}
	if c.ManualFailoverTimeout < 100*time.Millisecond {
		b.fail(t.at("manual_failover_timeout"), `no failover is so quick; write one such as "5s"`)
	}
}

func (b *binder) validateNode(t *value, c node.Config) {
	costs := t.at("costs")
	oneOfThese(b, costs.at("profile"), "cost profile", c.Costs.Profile, Profiles())
	if d := c.Costs.Distribution; d != "" {
		oneOfThese(b, costs.at("distribution"), "distribution", d, []string{"constant", "exponential"})
	}
	if c.Costs.Byte != nil {
		within(b, costs.at("byte_ns"), *c.Costs.Byte, 0, 1e6)
	}
	if c.Costs.Move != nil {
		within(b, costs.at("move_ns"), *c.Costs.Move, 0, 1e6)
	}
	commands := costs.get("commands")
	for _, name := range commands.table().keys {
		b.validateCommand(commands.get(name), name, func(wire.Command) bool { return true })
	}
}

// validateNetwork notes latencies that are not given for each pair of zones.
func (b *binder) validateNetwork(t *value, s *Settings) {
	rows, zones := s.Network.Zones, max(1, s.Cluster.Zones)
	if rows == nil {
		return
	}
	if !t.has("zones") && zones < 2 {
		b.fail(t.at("one_way"), "there is nothing between zones; write cluster.zones = 2 or more")
	}
	for i := range rows {
		if len(rows) != zones || len(rows[i]) != zones {
			b.fail(t.at("zones"), "this must be %d lists of %d latencies each, one for each zone", zones, zones)
			return
		}
	}
}

func (b *binder) validateClient(t *value, s *Settings) {
	c := s.Client
	within(b, t.at("processes"), c.Processes, 1, processesMax)
	within(b, t.at("connections"), c.Connections, 0, connectionsMax)
	within(b, t.at("max_redirects"), c.MaxRedirects, 0, redirectsMax)
	within(b, t.at("chunk"), c.Chunk, 0, keysPerOpMax)
	within(b, t.at("cores"), c.Cores, 1, coresMax)
	oneOfThese(b, t.at("read_from"), "policy", c.ReadFrom,
		[]client.ReadFrom{client.FromPrimary, client.FromReplica, client.FromAny})
	oneOfThese(b, t.at("on_moved"), "policy", c.OnMoved,
		[]client.OnMoved{client.MovedPatch, client.MovedRefresh, client.MovedIgnore})
	oneOfThese(b, t.at("split"), "policy", c.Split, splits())
	if !isSlotMap(c.SlotMap) {
		b.fail(t.at("slot_map"), `no such slot map; write "current", "shifted" or "primaries:N" with N from 1 to %d`,
			primariesMax)
	}
	within(b, t.at("retries"), c.Retries, 0, retriesMax)
	for i, kind := range c.RetryOn {
		oneOfThese(b, t.element("retry_on", i), "error", kind, client.RetryKinds())
	}
	zones := max(1, s.Cluster.Zones)
	for i, zone := range c.Zones {
		within(b, t.element("zones", i), zone, 0, zones-1)
	}
	if c.ReadFrom == client.FromReplica && s.Cluster.Replicas == 0 {
		b.fail(t.at("read_from"), "there is no replica to read from; write cluster.replicas = 1 or more")
	}
	if c.Pipelined && c.Connections == 0 {
		b.fail(t.at("pipelined"), "there is no connection to share; write connections = 1 or more")
	}
}

// splits returns the ways to split a multi-key operation.
func splits() []client.Split {
	return []client.Split{client.SplitNone, client.SplitSlot, client.SplitSlotSequential, client.SplitNode}
}

// isSlotMap reports whether a client can start with such a slot map.
func isSlotMap(text string) bool {
	primaries, is := strings.CutPrefix(text, "primaries:")
	if !is {
		return text == "current" || text == "shifted"
	}
	n, err := strconv.Atoi(primaries)
	return err == nil && n >= 1 && n <= primariesMax
}

// validateCommand notes a command that is unknown or does not do here.
func (b *binder) validateCommand(v *value, name string, does func(wire.Command) bool) {
	var fit []string
	for c := range wire.Commands {
		if does(c) && !c.Tool() {
			fit = append(fit, strings.ToLower(c.String()))
		}
	}
	c, known := wire.ParseCommand(name)
	switch {
	case !known:
		b.fail(v, "unknown command %q%s", name, suggest(strings.ToLower(name), fit))
	case !does(c) || c.Tool():
		b.fail(v, "%s cannot be used here; write %s", c, oneOf(fit))
	}
}

// oneOfThese notes a word that is none of the known ones.
func oneOfThese[T ~string](b *binder, v *value, what string, word T, known []T) {
	if slices.Contains(known, word) {
		return
	}
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	b.fail(v, "unknown %s %q%s", what, string(word), suggest(string(word), words))
}

// within notes a number outside of its bounds.
func within[T cmp.Ordered](b *binder, v *value, n, low, high T) {
	if n < low || n > high {
		b.fail(v, "this cannot be %v; write a number from %v to %v", n, low, high)
	}
}

// positive notes a duration of 0.
func (b *binder) positive(t *value, key string, d time.Duration) {
	if !t.has(key) {
		b.fail(t, `%s is missing; write one such as %s = "1s"`, key, key)
	} else if d == 0 {
		b.fail(t.get(key), `this cannot be 0; write one such as "1s"`)
	}
}

// missing notes that a key which must be there is not. To blame is the value at
// another key, where that gives the reason, or else the table.
func (b *binder) missing(t *value, because, key, example string) {
	if !t.has(key) {
		b.fail(t.at(because), "%s is missing; write one such as %s = %s", key, key, example)
	}
}
