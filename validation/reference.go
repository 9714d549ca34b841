package validation

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed testdata/redis-7.0.15/*.csv
var measured embed.FS

// A table is a file of measurements.
type table struct {
	file    string
	columns map[string]int
	rows    [][]string
}

// readTable returns a file of measurements.
func readTable(file string) (*table, error) {
	f, err := measured.Open("testdata/redis-7.0.15/" + file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t := &table{file: file, columns: map[string]int{}, rows: rows[1:]}
	for i, name := range rows[0] {
		t.columns[name] = i
	}
	return t, nil
}

// text returns what a column has in a row.
func (t *table) text(row int, column string) (string, error) {
	i, ok := t.columns[column]
	if !ok {
		return "", fmt.Errorf("%s: there is no column %q", t.file, column)
	}
	return t.rows[row][i], nil
}

// numbers returns the numbers that a column has in a row, none where it is empty.
func (t *table) numbers(row int, column string) ([]float64, error) {
	text, err := t.text(row, column)
	if err != nil {
		return nil, err
	}
	var xs []float64
	for _, word := range strings.Fields(text) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%s, row %d, %s: %w", t.file, row+1, column, err)
		}
		xs = append(xs, x)
	}
	return xs, nil
}

// number returns the number that a column has in a row, none where it is empty.
func (t *table) number(row int, column string) (float64, error) {
	xs, err := t.numbers(row, column)
	if err != nil || len(xs) == 0 {
		return none, err
	}
	return xs[0], nil
}

// columnOf says where a phase is written down.
var columnOf = map[Phase]string{
	FirstPFAIL: "t_first_pfail_ms", Failed: "t_fail_ms", Scheduled: "t_election_sched_ms",
	Started: "t_election_start_ms", Won: "t_won_ms", AllOK: "t_state_ok_last_ms",
	Delay: "election_delay_ms",
}

// delayedAck is what TCP adds to the news of an election on the machine of the
// measurements, and would not elsewhere: the winner's PONG is a small segment on a
// connection with one unacknowledged before it, the request for a vote. Nagle's
// algorithm holds it back until that is acknowledged, which the other kernel puts
// off for 40 ms (TCP_DELACK_MIN). It is taken off what was measured of AllOK, and
// of no other phase: nothing else is sent on a connection so soon after something
// that has no answer.
const delayedAck = 40

// Measured returns the trials of a design on real servers.
func Measured(d Design) ([]Trial, error) {
	t, err := readTable("failover_" + d.Name() + ".csv")
	if err != nil {
		return nil, err
	}
	var trials []Trial
	for row := range t.rows {
		var trial Trial
		for phase := range Phases {
			column, ok := columnOf[phase]
			if !ok {
				continue
			}
			if trial[phase], err = t.number(row, column); err != nil {
				return nil, err
			}
		}
		suspicions, err := t.numbers(row, "pfail_primaries_ms")
		if err != nil {
			return nil, err
		}
		trial[QuorumPFAIL] = nth(suspicions, d.quorum())
		if trial[AllOK] >= 0 {
			trial[AllOK] = max(trial[Won], trial[AllOK]-delayedAck)
		}
		trial.between()
		trials = append(trials, trial)
	}
	return trials, nil
}

// nth returns the n-th smallest of some instants, counted from 1, or none.
func nth(xs []float64, n int) float64 {
	if len(xs) < n {
		return none
	}
	return slices.Sorted(slices.Values(xs))[n-1]
}
