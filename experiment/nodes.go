package experiment

import (
	"cmp"
	"slices"

	"hotslot/sim/node"
)

// usedSlots returns the slots that got a command at least, hottest first.
func (m *measurement) usedSlots() []int {
	var used []int
	for slot := range m.cl.Meter.Slots {
		if m.cl.Meter.Slots[slot].Commands > 0 {
			used = append(used, slot)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int {
		return cmp.Compare(m.cl.Meter.Slots[b].Commands, m.cl.Meter.Slots[a].Commands)
	})
	return used
}

// totals returns what the slots' commands came to.
func (m *measurement) totals() (t node.SlotLoad) {
	for i := range m.cl.Meter.Slots {
		t.Commands += m.cl.Meter.Slots[i].Commands
		t.Work += m.cl.Meter.Slots[i].Work
	}
	return t
}

// load returns what a node has measured of itself.
func (m *measurement) load(i int) *node.Load { return m.cl.Nodes[i].Load() }

// utilization returns the share of the measured time that a node's thread was
// busy.
func (m *measurement) utilization(i int) float64 { return m.load(i).Busy.Seconds() / m.duration() }

// nic returns the share of the measured time that a node's card was busy, in the
// busier direction.
func (m *measurement) nic(i int) float64 {
	out, in := m.cl.Net.Busy(m.cl.Nodes[i].ID())
	return max(out, in).Seconds() / m.duration()
}

// bytesOut returns the bytes that left a node in the measured time. Where its
// card has a limit, that is less than the thread has written, or more.
func (m *measurement) bytesOut(i int) float64 {
	if bandwidth := m.strategy.Settings.Network.NodeBandwidth; bandwidth > 0 {
		out, _ := m.cl.Net.Busy(m.cl.Nodes[i].ID())
		return out.Seconds() * float64(bandwidth)
	}
	return float64(m.load(i).BytesOut)
}

// each returns a quantity of the nodes from one number up to another.
func each(from, to int, of func(int) float64) []float64 {
	var x []float64
	for i := from; i < to; i++ {
		x = append(x, of(i))
	}
	return x
}

// mean, largest and smallest return 0 for an empty list.
func mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func largest(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x)
}

func smallest(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Min(x)
}

// ratio returns a/b, or 0 where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// commandsOf returns how many commands a node executed.
func (m *measurement) commandsOf(i int) float64 { return float64(m.load(i).Commands) }

// nodeShare returns the share of a node's commands that its hottest key had.
func (m *measurement) nodeShare(i int) float64 {
	if !m.hot.any[i] {
		return 0
	}
	return ratio(float64(m.commands(m.hot.onNode[i])), m.commandsOf(i))
}
