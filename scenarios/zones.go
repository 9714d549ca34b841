package scenarios

import (
	"reflect"

	"hotslot/sim"
	"hotslot/sim/network"
)

// acrossZones is one_way as a table: the latency within each zone, and that
// between any two of them.
type acrossZones struct {
	Within  sim.Distribution `toml:"within"`
	Between sim.Distribution `toml:"between"`
}

// network sets the network, whose one_way may be a table. What is between zones
// is then spread by spread, when it is known how many there are.
func (b *binder) network(v *value, c *network.Config) {
	oneWay := v.get("one_way")
	if oneWay == nil || !isTable(oneWay) {
		b.structure(v, reflect.ValueOf(c).Elem())
		return
	}
	b.structure(without(v, "one_way"), reflect.ValueOf(c).Elem())
	if v.has("zones") {
		b.fail(v.get("zones"), "latencies stand here or in one_way; remove one of the two")
	}
	var across acrossZones
	b.bind(oneWay, &across)
	for _, key := range []string{"within", "between"} {
		b.missing(oneWay, "", key, `"500us"`)
	}
	c.OneWay = across.Within
	c.Zones = [][]sim.Distribution{{across.Within, across.Between}}
}

// spread makes a table of latencies, by zone and zone, of the two that stand in
// one_way.
func spread(t *value, s *Settings) {
	if oneWay := t.get("one_way"); oneWay == nil || !isTable(oneWay) || t.has("zones") || len(s.Network.Zones) == 0 {
		return
	}
	within, between := s.Network.Zones[0][0], s.Network.Zones[0][1]
	s.Network.Zones = nil
	zones := min(max(1, s.Cluster.Zones), zonesMax)
	for i := range zones {
		row := make([]sim.Distribution, zones)
		for j := range row {
			row[j] = between
			if i == j {
				row[j] = within
			}
		}
		s.Network.Zones = append(s.Network.Zones, row)
	}
}
