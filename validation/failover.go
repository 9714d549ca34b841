package validation

import "context"

// Simulated returns at least so many trials of a design, in sessions as long as
// the one that was measured. Session i has seed i+1.
func Simulated(ctx context.Context, d Design, trials int) ([]Trial, error) {
	real, err := Measured(d)
	if err != nil {
		return nil, err
	}
	s := session{d, len(real)}
	sessions, err := onAllCores((trials+s.trials-1)/s.trials, func(i int) ([]Trial, error) {
		return s.run(ctx, uint64(i)+1)
	})
	if err != nil {
		return nil, err
	}
	var all []Trial
	for _, trials := range sessions {
		all = append(all, trials...)
	}
	return all, nil
}

// compare compares the failovers of a design, phase by phase.
func (d Design) compare(ctx context.Context, trials int, r *Report) error {
	real, err := Measured(d)
	if err != nil {
		return err
	}
	simulated, err := Simulated(ctx, d, trials)
	if err != nil {
		return err
	}
	for p := range Phases {
		r.Comparisons = append(r.Comparisons,
			compare(d.Name(), p.String(), "ms", sample(real, p), sample(simulated, p)))
	}
	return nil
}
