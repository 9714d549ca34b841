package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"hotslot/sim/cluster"
	"hotslot/sim/slots"
)

// ParsePlace reads where something happens, such as "primary 0".
func ParsePlace(text string) (cluster.Place, error) {
	if key, is := strings.CutPrefix(text, "primary of key "); is {
		return cluster.Place{Kind: cluster.AtPrimaryOfSlot, I: int(slots.Of(key))}, nil
	}
	if key, is := strings.CutPrefix(text, "replica of key "); is {
		return cluster.Place{Kind: cluster.AtReplicaOfSlot, I: int(slots.Of(key))}, nil
	}
	switch text {
	case "all":
		return cluster.Place{Kind: cluster.AtAll}, nil
	case "clients":
		return cluster.Place{Kind: cluster.AtClients, I: -1}, nil
	}
	var i, j int
	for _, form := range []struct {
		kind   cluster.PlaceKind
		format string
		args   []any
	}{
		{cluster.AtPrimaryOfSlot, "primary of slot %d", []any{&i}},
		{cluster.AtReplicaOfSlot, "replica of slot %d", []any{&i}},
		{cluster.AtReplicaOfSlot, "replica %d of slot %d", []any{&j, &i}},
		{cluster.AtReplica, "replica %d.%d", []any{&i, &j}},
		{cluster.AtPrimaries, "primaries %d to %d", []any{&i, &j}},
		{cluster.AtPrimary, "primary %d", []any{&i}},
		{cluster.AtMachine, "machine %d", []any{&i}},
		{cluster.AtZone, "zone %d", []any{&i}},
		{cluster.AtAdded, "added %d", []any{&i}},
		{cluster.AtClients, "clients in zone %d", []any{&i}},
	} {
		i, j = 0, 0
		n, err := fmt.Sscanf(text, form.format, form.args...)
		if err == nil && n == len(form.args) && i >= 0 && j >= 0 &&
			text == fmt.Sprintf(form.format, deref(form.args)...) {
			return cluster.Place{Kind: form.kind, I: i, J: j}, nil
		}
	}
	return cluster.Place{}, fmt.Errorf(`%q is nowhere; write one such as "primary 0", "primaries 0 to 9", `+
		`"replica 0.1", "primary of slot 12", "primary of key foo", "machine 2", "zone 1", "clients" or "all"`, text)
}

func deref(pointers []any) []any {
	values := make([]any, len(pointers))
	for i, p := range pointers {
		values[i] = *p.(*int)
	}
	return values
}

// validatePlaces notes places that the cluster does not have.
func (b *binder) validatePlaces(t *value, s *Settings, e *cluster.Event) {
	c := &s.Cluster
	machines := c.Machines
	if machines == 0 {
		machines = c.Primaries * (1 + c.Replicas)
	}
	for n, p := range slices.Concat(e.Nodes, e.Others) {
		what, most, i := "", 0, p.I
		switch p.Kind {
		case cluster.AtPrimary:
			what, most = "primary", c.Primaries
		case cluster.AtPrimaries:
			what, most, i = "primary", c.Primaries, p.J
		case cluster.AtReplica:
			if what, most = "replica", c.Replicas; p.I < c.Primaries {
				i = p.J
			}
		case cluster.AtMachine:
			what, most = "machine", machines
		case cluster.AtZone:
			what, most = "zone", max(1, c.Zones)
		case cluster.AtPrimaryOfSlot, cluster.AtReplicaOfSlot:
			what, most = "slot", slots.Count
		}
		if what == "" || i < most {
			continue
		}
		keys := []string{"node", "nodes"}
		if n >= len(e.Nodes) {
			keys = []string{"from", "to"}
		}
		if !t.has(keys[0]) {
			keys[0] = keys[1]
		}
		has := fmt.Sprintf("%d, counted from 0", most)
		if most == 0 {
			has = "none"
		}
		b.fail(t.at(keys[0]), "there is no %s %d: this cluster has %s", what, i, has)
	}
}
