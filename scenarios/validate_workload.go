package scenarios

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"hotslot/sim/client"
	"hotslot/sim/wire"
)

// Limits of a workload.
const (
	workloadsMax = 32
	keysMax      = 50_000_000
	keysPerOpMax = 4096      // that one operation may touch
	workersMax   = 1_000_000 //
	valueMax     = 512 << 20 // bytes: Redis's own limit of a string
	storedMax    = 4<<30 - 1 // bytes of a collection
)

// The keys that every workload takes, that name its keys, and that say when
// operations come.
var (
	ofAll    = []string{"kind", "value_size", "stored_size", "elements", "exists", "wait_replicas", "zone"}
	ofKeys   = []string{"keys", "count", "fields", "tags", "popularity"}
	ofOpen   = []string{"rate", "arrivals", "steps", "ramp", "on_off"}
	ofClosed = []string{"workers", "think", "pipeline"}
	ofParts  = []string{"split", "chunk", "chunk_first"}
)

// kinds returns the kinds of workloads.
func kinds() []string { return []string{"counter", "keys", "batch", "burst"} }

// settingsOf returns the keys that a kind of workload takes.
func settingsOf(kind string) []string {
	switch kind {
	case "counter":
		return slices.Concat(ofAll, ofOpen, ofClosed, ofParts, []string{"key", "reads", "shards", "keep_tag"})
	case "keys":
		return slices.Concat(ofAll, ofKeys, ofOpen, ofClosed, []string{"mix", "copies"})
	case "batch":
		return slices.Concat(ofAll, ofKeys, ofOpen, ofClosed, ofParts, []string{"command", "size", "order", "copies"})
	}
	return slices.Concat(ofAll, ofKeys, []string{"command", "size", "every", "over"})
}

// validateWorkloads notes what cannot be in the workloads.
func (b *binder) validateWorkloads(tree *value, s *Settings) {
	all := tree.at("workload")
	switch n := len(s.Workloads); {
	case n == 0 && isTable(all) && len(s.Events) == 0 && !tree.get("cluster").has("gossip"):
		b.fail(all, "it has no workload; write one such as [workload.NAME], "+
			"or cluster.gossip = true for an idle cluster")
	case n > workloadsMax:
		b.fail(all, "%d workloads are too many; write at most %d", n, workloadsMax)
	}
	for i := range s.Workloads {
		w := &s.Workloads[i]
		b.validateWorkload(all.get(w.Name), w)
		b.validateZone(all.get(w.Name), w, &s.Client)
		if w.Exists != nil && !s.Cluster.Gossip {
			b.fail(all.get(w.Name).at("exists"), "this needs the control plane; write cluster.gossip = true")
		}
	}
}

// validateZone notes a zone without client processes, and replicas to wait for
// that no primary has.
func (b *binder) validateZone(t *value, w *Workload, c *client.Config) {
	within(b, t.at("wait_replicas"), w.WaitReplicas, 0, replicasMax)
	if w.Zone == nil {
		return
	}
	for p := range min(c.Processes, processesMax) {
		if c.Zone(p) == *w.Zone {
			return
		}
	}
	b.fail(t.at("zone"), "no client process is in zone %d; write one such as client.zones = [%d]", *w.Zone, *w.Zone)
}

func (b *binder) validateWorkload(t *value, w *Workload) {
	if !isTable(t) {
		return // which was noted when it was read
	}
	before := len(b.errs)
	b.validateName(t, w.Name)
	if !t.has("kind") {
		b.fail(t, "kind is missing; write %s", oneOf(kinds()))
		return
	}
	if !slices.Contains(kinds(), w.Kind) {
		b.fail(t.at("kind"), "unknown kind %q%s", w.Kind, suggest(w.Kind, kinds()))
		return
	}
	allowed := settingsOf(w.Kind)
	for _, key := range keysOf(reflect.TypeFor[Workload]()) {
		if t.has(key) && !slices.Contains(allowed, key) {
			b.fail(t.get(key), "a workload of kind %q takes no %s", w.Kind, key)
		}
	}
	b.validateSettings(t, w)
	if len(b.errs) == before { // what only the workload itself knows
		if err := w.Validate(); err != nil {
			b.fail(t, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
}

// validateSettings notes what cannot be in the settings of a workload whose
// kind is known.
func (b *binder) validateSettings(t *value, w *Workload) {
	within(b, t.at("value_size"), w.ValueSize, 0, valueMax)
	within(b, t.at("stored_size"), w.StoredSize, 0, storedMax)
	within(b, t.at("elements"), w.Elements, 0, math.MaxUint32)
	if w.Exists != nil {
		within(b, t.at("exists"), *w.Exists, 0, 1)
	}
	if w.Kind == "burst" {
		b.validateBurst(t, w)
	} else {
		b.validateDemand(t, w)
	}
	switch w.Kind {
	case "counter":
		b.validateCounter(t, w)
	default:
		b.validateKeys(t, w)
		b.validateOperation(t, w)
	}
}

// validateName notes a name of a workload or strategy that a threshold could not
// refer to.
func (b *binder) validateName(t *value, name string) {
	if !isName(name) {
		b.fail(t, `a name is made of letters, digits, "-" and "_" alone; rename %q`, name)
	}
}

// validateDemand notes what cannot be about when operations come.
func (b *binder) validateDemand(t *value, w *Workload) {
	switch open, closed := t.has("rate"), t.has("workers"); {
	case open && closed:
		b.fail(t.get("workers"), "operations come either at a rate or from workers; remove one of the two")
	case open:
		b.validateOpen(t, w)
		b.unfit(t, ofClosed, "workers")
	case closed:
		within(b, t.get("workers"), w.Workers, 1, workersMax)
		within(b, t.at("pipeline"), w.Pipeline, 1, keysPerOpMax)
		b.unfit(t, ofOpen, "a rate")
	default:
		b.fail(t, `there is no demand; write rate = "1k/s" or workers = 10`)
	}
}

// unfit notes keys that mean nothing without another one.
func (b *binder) unfit(t *value, keys []string, without string) {
	for _, key := range keys {
		if t.has(key) {
			b.fail(t.get(key), "this means nothing without %s; remove it", without)
		}
	}
}

func (b *binder) validateOpen(t *value, w *Workload) {
	if text, is := t.get("rate").data.(string); is {
		if rate, err := parseRate(text); err == nil && rate == 0 {
			b.fail(t.get("rate"), `at this rate nothing happens; write one such as "10/s"`)
		}
	}
	oneOfThese(b, t.at("arrivals"), "arrivals", w.Arrivals, []string{"poisson", "constant"})
	steps, _ := t.at("steps").data.([]*value)
	for i, step := range steps {
		b.missing(step, "", "at", `"5s"`)
		b.missing(step, "", "rate", `"10k/s"`)
		if i > 0 && i < len(w.Steps) && w.Steps[i].At <= w.Steps[i-1].At {
			b.fail(step.at("at"), "a step comes after the one before it; sort them by time")
		}
	}
	if ramp := t.get("ramp"); ramp != nil && w.Ramp != nil {
		b.missing(ramp, "", "to", `"10k/s"`)
		b.positive(ramp, "over", w.Ramp.Over)
	}
	if onOff := t.get("on_off"); onOff != nil && w.OnOff != nil {
		b.positive(onOff, "on", w.OnOff.On)
		b.positive(onOff, "off", w.OnOff.Off)
	}
}

func (b *binder) validateCounter(t *value, w *Workload) {
	b.missing(t, "kind", "key", `"page:view:count"`)
	if t.has("key") && w.Key == "" {
		b.fail(t.get("key"), `a counter needs the name of its key; write one such as "page:view:count"`)
	}
	within(b, t.at("shards"), w.Shards, 1, keysPerOpMax)
	b.validateParts(t, w)
}

func (b *binder) validateBurst(t *value, w *Workload) {
	b.positive(t, "every", w.Every)
	b.missing(t, "kind", "size", "1000")
	if t.has("size") {
		within(b, t.get("size"), w.Size, 1, keysMax)
	}
	if w.Over > w.Every && w.Every > 0 {
		b.fail(t.at("over"), "the burst would not end before the next; write at most %v", w.Every)
	}
}

// validateOperation notes what cannot be in what an operation does.
func (b *binder) validateOperation(t *value, w *Workload) {
	switch w.Kind {
	case "keys":
		b.validateMix(t.at("mix"), w)
	case "batch":
		b.missing(t, "kind", "size", "50")
		if t.has("size") {
			within(b, t.get("size"), w.Size, 1, keysPerOpMax)
		}
		b.validateCommand(t.at("command"), w.Command, wire.Command.Multi)
		oneOfThese(b, t.at("order"), "order", w.Order, []string{"random", "given", "shuffled"})
		b.validateParts(t, w)
	case "burst":
		b.validateCommand(t.at("command"), w.Command, wire.Command.Aimed)
	}
	within(b, t.at("copies"), w.Copies, 1, keysPerOpMax)
	if w.Copies > 1 && w.Copies <= keysPerOpMax {
		b.validateCopies(t, w)
	}
}

// validateParts notes what cannot be in how an operation is split.
func (b *binder) validateParts(t *value, w *Workload) {
	if w.Split != "" {
		oneOfThese(b, t.at("split"), "policy", w.Split, splits())
	}
	if w.Chunk != nil {
		within(b, t.at("chunk"), *w.Chunk, 0, keysPerOpMax)
	}
}

func (b *binder) validateMix(mix *value, w *Workload) {
	sum, before := 0.0, len(b.errs)
	for _, share := range w.Mix {
		v := mix.at(share.Command)
		b.validateCommand(v, share.Command, wire.Command.Aimed)
		within(b, v, share.Share, 0, 1)
		sum += share.Share
	}
	if len(b.errs) == before && math.Abs(sum-1) > 1e-9 {
		b.fail(mix, "the shares add up to %.6g; write shares that add up to 1", sum)
	}
}

// validateCopies notes commands that copies of a key cannot stand: what a
// command makes of the old value would differ from copy to copy.
func (b *binder) validateCopies(t *value, w *Workload) {
	commands := []string{w.Command}
	if w.Kind == "keys" {
		commands = nil
		for _, share := range w.Mix {
			commands = append(commands, share.Command)
		}
	}
	for _, name := range commands {
		switch c, known := wire.ParseCommand(name); {
		case !known: // which was noted before
		case c == wire.GET, c == wire.SET, c == wire.DEL, c == wire.MGET, c == wire.MSET:
		default:
			b.fail(t.at("copies"), "copies of a key that %s changes would drift apart; write copies = 1", c)
		}
	}
	if w.Kind == "batch" && w.Size*w.Copies > keysPerOpMax {
		b.fail(t.at("copies"), "an operation would touch %d keys; write a size and copies whose product is at most %d",
			w.Size*w.Copies, keysPerOpMax)
	}
}
