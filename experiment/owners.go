package experiment

import (
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// owners is who had which slots in a run. Loads of keys and slots are known of
// the whole run only, so they are told of a node for slots that were its own all
// the time.
type owners struct {
	last    *slots.Table // when the run was over, as a node believes that is up
	stayed  []bool       // by slot: nobody has noticed that it moved
	primary []bool       // by node: it was a primary at some time
}

// findOwners reads from the timeline who became a primary, and which slots moved.
func (m *measurement) findOwners() owners {
	o := owners{last: m.view(), stayed: make([]bool, slotCount), primary: make([]bool, len(m.cl.Nodes))}
	for slot := range o.stayed {
		o.stayed[slot] = o.last[slot] != slots.None
	}
	for i := range m.shape().Primaries {
		o.primary[i] = true
	}
	first := slots.Even(m.shape().Primaries)
	for _, e := range m.cl.Timeline.Events {
		switch e.Kind {
		case wire.EventBecamePrimary:
			o.primary[e.Node] = true
		case wire.EventSlotOwner:
			o.primary[e.Node] = o.primary[e.Node] || e.About == e.Node
			for slot := e.A; slot <= e.B; slot++ {
				o.stayed[slot] = o.stayed[slot] && e.About == first[slot] // which a node that joins learns
			}
		}
	}
	return o
}

// of returns the node that had a slot all the time, if one had.
func (o *owners) of(slot int) (node int, ok bool) {
	if !o.stayed[slot] {
		return 0, false
	}
	return int(o.last[slot]), true
}

// view returns what the first node that is up believes of the slots; of those
// that take the cluster to be up, if there are any.
func (m *measurement) view() *slots.Table {
	best := m.cl.Nodes[0]
	for i := len(m.cl.Nodes) - 1; i >= 0; i-- {
		if n := m.cl.Nodes[i]; n.Up() && (n.Serving() || !best.Serving()) {
			best = n
		}
	}
	return best.View()
}

// ownerName returns the name of a slot's last owner, "" where it has none.
func (m *measurement) ownerName(slot int) string { return m.nameOf(m.owners.last[slot]) }

// role tells what a node was when the run was over, or when it died.
func (m *measurement) role(i int) string {
	if m.cl.Nodes[i].PrimaryOf() == slots.Owner(i) {
		return "primary"
	}
	return "replica"
}

// primaries returns a quantity of each node that was a primary at some time, and
// replicas of each that never was.
func (m *measurement) primaries(of func(int) float64) []float64 { return m.each(true, of) }

func (m *measurement) replicas(of func(int) float64) []float64 { return m.each(false, of) }

func (m *measurement) each(primary bool, of func(int) float64) []float64 {
	var x []float64
	for i := range m.cl.Nodes {
		if m.owners.primary[i] == primary {
			x = append(x, of(i))
		}
	}
	return x
}

// machines returns how many machines the nodes are on.
func (m *measurement) machines() int {
	if n := m.cl.Placement.Machines; n > 0 {
		return min(n, len(m.cl.Nodes))
	}
	return len(m.cl.Nodes)
}
