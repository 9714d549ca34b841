package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hotslot/sim"
	"hotslot/sim/cluster"
	"hotslot/sim/gossip"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// An eventText is an event as a file has it.
type eventText struct {
	At    string        `toml:"at"`    // a duration, "random(5s, 10s)" or "never"
	When  string        `toml:"when"`  // a rule
	After string        `toml:"after"` // an event's name, or a kind of the timeline
	Of    string        `toml:"of"`    // with a kind: the event after which it counts
	Delay time.Duration `toml:"delay"` // with after
	Do    string        `toml:"do"`

	Node  placesText `toml:"node"`
	Nodes placesText `toml:"nodes"`
	From  placesText `toml:"from"` // the other side of a partition or a link
	To    placesText `toml:"to"`   // whom to follow

	For       time.Duration `toml:"for"`
	Length    time.Duration `toml:"length"`
	Latency   time.Duration `toml:"latency"`
	Loss      float64       `toml:"loss"`
	Direction string        `toml:"direction"` // "both" or "one-way"
	BusOnly   bool          `toml:"bus_only"`
	KeepData  bool          `toml:"keep_data"`
	Mode      string        `toml:"mode"` // "default", "force" or "takeover"
	Slots     string        `toml:"slots"`
	Epoch     uint64        `toml:"epoch"`
	Ends      string        `toml:"ends"`

	reshuffleText
}

// placesText is one place, or a list of them.
type placesText []string

// events sets the events, in the order of the file.
func (b *binder) events(v *value, all *[]cluster.Event) {
	t, is := v.data.(*table)
	if !is {
		b.fail(v, "this must be tables such as [event.NAME], not %s", kindOf(v.data))
		return
	}
	*all = nil
	for _, name := range t.keys {
		if e, ok := b.event(name, t.values[name]); ok {
			*all = append(*all, e)
		}
	}
}

// event reads one event.
func (b *binder) event(name string, v *value) (cluster.Event, bool) {
	before := len(b.errs)
	b.validateName(v, name)
	var text eventText
	b.bind(v, &text)
	if len(b.errs) > before {
		return cluster.Event{}, false
	}
	e := cluster.Event{Name: name, Do: cluster.Do(text.Do), For: text.For, Length: text.Length + text.Latency,
		Loss: text.Loss, OneWay: text.Direction == "one-way", BusOnly: text.BusOnly, KeepData: text.KeepData,
		Epoch: text.Epoch, Ends: text.Ends}
	b.eventKeys(v, e.Do)
	e.When = b.when(v, &text)
	e.Nodes = b.places(v.at("node"), v.at("nodes"), text.Node, text.Nodes)
	e.Others = b.places(v.at("from"), v.at("to"), text.From, text.To)
	if slices.Contains(doKeys[e.Do], "node") && len(e.Nodes) == 0 && len(b.errs) == before {
		b.fail(v, `node is missing; write one such as node = "primary 0"`)
	}
	b.eventValues(v, &text, &e)
	if isReshuffle(e.Do) {
		b.reshuffle(v, &text.reshuffleText, &e)
	}
	return e, len(b.errs) == before
}

// eventKeys notes keys that what an event does has no use for, and those that it
// lacks.
func (b *binder) eventKeys(v *value, do cluster.Do) {
	keys, known := doKeys[do]
	if !known {
		if do == "" {
			b.fail(v, `do is missing; write one such as do = "kill"`)
		} else {
			b.fail(v.at("do"), "nothing is called %q%s", string(do), suggest(string(do), actNames()))
		}
		return
	}
	for _, key := range v.table().keys {
		if !slices.Contains(keys, key) && !slices.Contains(whenKeys, key) {
			b.fail(v.get(key), "an event that does %q has no use for this; remove it", string(do))
		}
	}
	if need := needs[do]; need != nil && !v.has(need[0]) {
		b.fail(v, "%s is missing; write one such as %s = %s", need[0], need[0], need[1])
	}
}

// when reads when an event happens.
func (b *binder) when(v *value, text *eventText) cluster.When {
	switch {
	case text.At == "never": // also where a strategy says so of an event that has an after
		return cluster.When{At: sim.Never}
	case text.At != "" && text.After != "":
		b.fail(v.at("after"), "an event happens at a time or after something; remove one of the two")
	case text.When != "":
		return b.rule(v, text)
	case text.At == "" && text.After == "":
		b.fail(v, `at is missing; write one such as at = "5s"`)
	case text.After != "":
		return cluster.When{At: sim.Time(text.Delay), After: text.After, AfterEvent: text.Of}
	case v.has("delay") || v.has("of"):
		b.fail(v, "delay and of belong to after; remove them")
	}
	if text.At == "" {
		return cluster.When{At: sim.Never}
	}
	name, args, ok := parseCall(text.At)
	if ok && name == "random" && len(args) == 2 {
		from, err1 := parseDuration(args[0])
		until, err2 := parseDuration(args[1])
		if err1 == nil && err2 == nil && until >= from {
			return cluster.When{At: sim.Time(from), Until: sim.Time(until)}
		}
	}
	d, err := parseDuration(text.At)
	if err != nil {
		b.fail(v.at("at"), `%q is no time of an event; write one such as "5s", "random(5s, 10s)" or "never"`, text.At)
	}
	return cluster.When{At: sim.Time(d)}
}

// places reads the places that stand at either of two keys.
func (b *binder) places(one, other *value, texts ...placesText) []cluster.Place {
	var all []cluster.Place
	for i, list := range texts {
		for _, text := range list {
			p, err := ParsePlace(text)
			if err != nil {
				b.fail([]*value{one, other}[i], "%v", err)
				continue
			}
			all = append(all, p)
		}
	}
	return all
}

// eventValues reads what is left.
func (b *binder) eventValues(v *value, text *eventText, e *cluster.Event) {
	switch text.Direction {
	case "", "both", "one-way":
	default:
		b.fail(v.at("direction"), `%q is no direction; write "both" or "one-way"`, text.Direction)
	}
	modes := map[string]gossip.FailoverMode{"": gossip.FailoverDefault, "default": gossip.FailoverDefault,
		"force": gossip.FailoverForce, "takeover": gossip.FailoverTakeover}
	mode, known := modes[text.Mode]
	if !known {
		b.fail(v.at("mode"), `%q is no mode of a failover; write "default", "force" or "takeover"`, text.Mode)
	}
	e.Mode = mode
	if text.Loss < 0 || text.Loss >= 1 {
		b.fail(v.at("loss"), "this cannot be %v; write a share from 0 to 0.99, or a partition", text.Loss)
	}
	if text.Slots != "" {
		for part := range strings.SplitSeq(text.Slots, ",") {
			r, err := parseRange(strings.TrimSpace(part))
			if err != nil {
				b.fail(v.at("slots"), "%v", err)
				return
			}
			e.Ranges = append(e.Ranges, r)
		}
	}
}

// parseRange reads "5461-10922" or "5461".
func parseRange(text string) (slots.Range, error) {
	first, last, two := strings.Cut(text, "-")
	if !two {
		last = first
	}
	a, err1 := strconv.Atoi(first)
	z, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || a < 0 || z < a || z >= slots.Count {
		return slots.Range{}, fmt.Errorf(`%q is no range of slots; write one such as "5461-10922"`, text)
	}
	return slots.Range{First: slots.Slot(a), Last: slots.Slot(z)}, nil
}

// validateEvents notes events that refer to what is not there.
func (b *binder) validateEvents(tree *value, s *Settings) {
	if len(s.Events) > eventsMax {
		b.fail(tree.at("event"), "%d events are too many; write at most %d", len(s.Events), eventsMax)
	}
	var names []string
	for i := range s.Events {
		names = append(names, s.Events[i].Name)
	}
	for i := range s.Events {
		e := &s.Events[i]
		t := tree.at("event").at(e.Name)
		if after := e.When.After; after != "" && !slices.Contains(names, after) {
			if _, is := wire.ParseEventKind(after); !is {
				b.fail(t.at("after"), "there is no such event, nor such a kind of the timeline%s",
					suggest(after, append(slices.Clone(names), EventKinds()...)))
			}
		}
		for key, name := range map[string]string{"of": e.When.AfterEvent, "ends": e.Ends} {
			if name != "" && !slices.Contains(names, name) {
				b.fail(t.at(key), "there is no event %q%s", name, didYouMean(name, names))
			}
		}
		b.validatePlaces(t, s, e)
		if !s.Cluster.Gossip && !slices.Contains(withoutGossip, e.Do) {
			b.fail(t.at("do"), "this needs the control plane; write cluster.gossip = true")
		}
	}
}

// withoutGossip is what can be done to nodes that do not talk to each other.
var withoutGossip = []cluster.Do{cluster.DoSlow, cluster.DoStall, cluster.DoFork, cluster.DoFreeze, cluster.DoThaw,
	cluster.DoPartition, cluster.DoHeal, cluster.DoLink, cluster.DoKill, cluster.DoLose}

// eventsMax is how many events a scenario may have.
const eventsMax = 1000

// EventKinds returns the kinds of the timeline.
func EventKinds() []string {
	var kinds []string
	for k := range wire.EventKinds {
		kinds = append(kinds, k.String())
	}
	return kinds
}

// Reasons returns the reasons that the timeline gives.
func Reasons() []string {
	var reasons []string
	for r := wire.NoReason + 1; r < wire.Reasons; r++ {
		reasons = append(reasons, r.String())
	}
	return reasons
}
