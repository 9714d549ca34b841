package reports

import (
	"strings"

	"hotslot/experiment"
)

// noticeable is the ratio from which a price counts as higher than the first
// strategy's: less is noise of sampling.
const noticeable = 1.05

// bill says what a strategy costs: what it needs more of than the first
// strategy, and what it gives away whatever the first one does.
func bill(s, first *experiment.Strategy) string {
	var items []string
	add := func(when bool, item string) {
		if when {
			items = append(items, item)
		}
	}
	machines := float64(s.Bill.Machines - first.Bill.Machines)
	add(machines > 0, plural(machines, "machine"))
	add(machines < 0, plural(-machines, "machine")+" fewer")
	items = append(items, dearer(s, first)...)
	if first.Bill.StoredKeys > 0 {
		copies := s.Bill.StoredKeys / first.Bill.StoredKeys
		add(copies > noticeable, plain.short(copies)+"x keys")
	}
	add(s.Bill.StaleRate > 0, percent(s.Bill.StaleRate)+" stale reads, "+micros.short(s.Bill.StaleAge)+" old")
	add(s.Bill.CrossSlot > 0, plural(s.Bill.CrossSlot, "CROSSSLOT refusal"))
	add(s.Bill.LostWrites > 0, plural(s.Bill.LostWrites, "lost write"))
	if len(items) == 0 {
		return unknown
	}
	return strings.Join(items, ", ")
}

// dearer says which operations take more commands than under the first
// strategy. Workloads are named where several became dearer.
func dearer(s, first *experiment.Strategy) []string {
	type price struct {
		operation, of string
		commands      float64
	}
	var prices []price
	workloads := make(map[string]bool)
	consider := func(operation, of string, commands, was float64) {
		if was > 0 && commands > noticeable*was {
			prices = append(prices, price{operation, of, commands})
			workloads[of] = true
		}
	}
	for _, w := range s.Workloads {
		if was := workload(first, w.Name); was != nil {
			consider("a read", w.Name, w.CommandsPerRead, was.CommandsPerRead)
			consider("a write", w.Name, w.CommandsPerWrite, was.CommandsPerWrite)
		}
	}
	items := make([]string, len(prices))
	for i, p := range prices {
		if len(workloads) > 1 {
			p.operation += " of " + p.of
		}
		items[i] = p.operation + " costs " + plural(p.commands, "command")
	}
	return items
}

// workload returns a strategy's workload of that name, or nil.
func workload(s *experiment.Strategy, name string) *experiment.Workload {
	for i := range s.Workloads {
		if s.Workloads[i].Name == name {
			return &s.Workloads[i]
		}
	}
	return nil
}
