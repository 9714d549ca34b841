package reports

import (
	"testing"

	"hotslot/experiment"
)

func TestBill(t *testing.T) {
	first := experiment.Strategy{
		Bill: experiment.Bill{Machines: 6, StoredKeys: 100},
		Workloads: []experiment.Workload{{Name: "a", CommandsPerRead: 1, CommandsPerWrite: 1},
			{Name: "b", CommandsPerRead: 1}},
	}
	tests := []struct {
		name   string
		change func(*experiment.Strategy)
		want   string
	}{
		{"nothing", func(*experiment.Strategy) {}, "-"},
		{"a machine", func(s *experiment.Strategy) { s.Bill.Machines = 7 }, "1 machine"},
		{"machines saved", func(s *experiment.Strategy) { s.Bill.Machines = 2 }, "4 machines fewer"},
		{"commands of one workload", func(s *experiment.Strategy) {
			s.Workloads[0].CommandsPerRead, s.Workloads[0].CommandsPerWrite = 16, 4
		}, "a read costs 16 commands, a write costs 4 commands"},
		{"commands of several workloads", func(s *experiment.Strategy) {
			s.Workloads[0].CommandsPerRead, s.Workloads[1].CommandsPerRead = 16, 2.5
		}, "a read of a costs 16 commands, a read of b costs 2.5 commands"},
		{"commands within noise", func(s *experiment.Strategy) { s.Workloads[0].CommandsPerRead = 1.01 }, "-"},
		{"a workload that the first strategy does not have", func(s *experiment.Strategy) {
			s.Workloads = append(s.Workloads, experiment.Workload{Name: "c", CommandsPerRead: 9})
		}, "-"},
		{"copies", func(s *experiment.Strategy) { s.Bill.StoredKeys = 400 }, "4x keys"},
		{"stale reads", func(s *experiment.Strategy) { s.Bill.StaleRate, s.Bill.StaleAge = 0.003, 210 },
			"0.30 % stale reads, 210 µs old"},
		{"refusals", func(s *experiment.Strategy) { s.Bill.CrossSlot = 1 }, "1 CROSSSLOT refusal"},
		{"lost writes", func(s *experiment.Strategy) { s.Bill.LostWrites = 12.5 }, "12.5 lost writes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := first
			s.Workloads = append([]experiment.Workload{}, first.Workloads...)
			test.change(&s)
			if got := bill(&s, &first); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
