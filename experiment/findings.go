package experiment

import (
	"fmt"
	"slices"
)

// findings evaluates the rules of thumb that operators use on the simulated
// cluster, as one would on a real one.
func (m *measurement) findings() []Finding {
	var found []Finding
	average, count := mean(m.primaries(m.commandsOf)), len(m.primaries(m.commandsOf))
	for i := range m.cl.Nodes {
		if !m.owners.primary[i] {
			continue
		}
		if n := m.commandsOf(i); average > 0 && n > 3*average {
			found = append(found, m.finding("node-above-3x-mean", i, n/average,
				"%s executes %.1f times as many commands as the mean primary", n/average))
		}
		if u := m.utilization(i); u > 0.8 && count > 1 && m.peers(i) < u/2 {
			found = append(found, m.finding("cpu-above-80-idle-peers", i, u,
				"%s is busy %.0f %% of the time, its peers half as much at most", 100*u))
		}
	}
	suspects := len(found)
	seen := map[string]bool{}
	for _, f := range found[:suspects] {
		i, _ := m.node(f.Subject)
		if hot, ok := m.hotSlotOf(i); ok && !seen[hot.Subject] {
			seen[hot.Subject] = true
			found = append(found, hot)
		}
	}
	for i := range m.cl.Nodes {
		if share := m.nodeShare(i); share > 0.2 && m.commands(m.hot.onNode[i]) >= 1000 {
			name := m.keyName(m.hot.onNode[i])
			found = append(found, Finding{"key-above-20-percent", "key " + name, share,
				fmt.Sprintf("%.0f %% of the commands of %s are for the key %s", 100*share, m.cl.NodeName(i), name)})
		}
	}
	return slices.Concat(m.troubles(), found, m.fullSlots())
}

func (m *measurement) finding(rule string, node int, value float64, format string, arg float64) Finding {
	name := m.cl.NodeName(node)
	return Finding{rule, name, value, fmt.Sprintf(format, name, arg)}
}

// peers returns the mean utilization of the primaries but one.
func (m *measurement) peers(i int) float64 {
	u := m.primaries(m.utilization)
	return (mean(u)*float64(len(u)) - m.utilization(i)) / float64(len(u)-1)
}

// hotSlotOf names the slot that a suspect node owes its load to, where one slot
// has above a fifth of it.
func (m *measurement) hotSlotOf(node int) (Finding, bool) {
	for _, slot := range m.hot.slots {
		if owner, is := m.owners.of(slot); !is || owner != node {
			continue
		}
		share := ratio(float64(m.cl.Meter.Slots[slot].Commands), m.commandsOf(node))
		if share <= 0.2 {
			break
		}
		return Finding{"hot-slot", fmt.Sprintf("slot %d", slot), share,
			fmt.Sprintf("slot %d has %.0f %% of the commands of %s", slot, 100*min(1, share), m.cl.NodeName(node))}, true
	}
	return Finding{}, false
}

// fullSlots finds slots with a hundred times as many keys as the median slot,
// or, where keys are in very few slots only, those.
func (m *measurement) fullSlots() []Finding {
	const times, few, most = 100, 1000, 3
	var found []Finding
	median, used := m.medianKeys(), len(m.keysIn)-m.emptySlots()
	for slot, n := range m.keysIn {
		f := Finding{Subject: fmt.Sprintf("slot %d", slot)}
		switch {
		case n < few || len(found) == most:
			continue
		case n > times*median:
			f.Rule, f.Value = "slot-hundreds-of-times-the-keys", ratio(float64(n), float64(median))
			f.Text = fmt.Sprintf("slot %d holds %d keys, the median slot %d", slot, n, median)
		case used <= most:
			f.Rule, f.Value = "keys-in-few-slots", ratio(float64(n), float64(m.keys))
			f.Text = fmt.Sprintf("slot %d holds %d of all %d keys", slot, n, m.keys)
		default:
			continue
		}
		found = append(found, f)
	}
	return found
}

func (m *measurement) emptySlots() int {
	n := 0
	for _, keys := range m.keysIn {
		if keys == 0 {
			n++
		}
	}
	return n
}

// count returns how many findings fit a selector.
func (m *measurement) count(selector map[string]string) int {
	n := 0
	for _, f := range m.findings() {
		if (selector["rule"] == "" || selector["rule"] == f.Rule) &&
			(selector["subject"] == "" || selector["subject"] == f.Subject) {
			n++
		}
	}
	return n
}
