package validation

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed testdata/*.csv
var measuredFiles embed.FS

// A Phase is a step of a failover whose time is compared.
type Phase int

// The phases, in their order, as times after the fault.
const (
	FirstPFAIL Phase = iota // any node suspects the victim
	Quorum                  // a majority of the primaries does
	FAIL                    // it is taken for failed
	Scheduled               // a replica sets the time of an election
	Started                 // it asks for votes
	Won                     // it has them
	AllOK                   // the last node takes the cluster to be up again
	Phases                  // how many there are
)

// String returns the phase's name.
func (p Phase) String() string {
	return [...]string{"first PFAIL", "quorum of PFAIL", "FAIL", "scheduled", "started", "won", "all ok"}[p]
}

// columns are where the measurements have the phases.
var columns = [Phases]string{"t_first_pfail_ms", "pfail_primaries_ms", "t_fail_ms", "t_election_sched_ms",
	"t_election_start_ms", "t_won_ms", "t_state_ok_last_ms"}

// tcpDelay is by how much, in ms, the measurements on loopback were late to tell
// others of the winner: Nagle's algorithm and delayed acknowledgements, which the
// simulator leaves out. It concerns AllOK alone.
const tcpDelay = 43

// measured returns the measured times of each phase, in ms.
func measured(config string, primaries int) ([Phases][]float64, error) {
	var times [Phases][]float64
	rows, err := table("failover_" + config + ".csv")
	if err != nil {
		return times, err
	}
	for _, row := range rows {
		for p := range Phases {
			text := row[columns[p]]
			if p == Quorum {
				text = quorumOf(text, primaries)
			}
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				continue // not every trial saw every phase
			}
			if p == AllOK {
				x -= tcpDelay
			}
			times[p] = append(times[p], x)
		}
	}
	return times, nil
}

// quorumOf returns when a majority of the primaries suspected the victim, of a
// list of when each of the others did.
func quorumOf(list string, primaries int) string {
	fields := strings.Fields(list)
	slices.SortFunc(fields, func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return int(x*10) - int(y*10)
	})
	if quorum := primaries/2 + 1; len(fields) >= quorum {
		return fields[quorum-1]
	}
	return ""
}

// table reads a file of measurements: a map from column to text for each row.
func table(name string) ([]map[string]string, error) {
	f, err := measuredFiles.Open("testdata/" + name)
	if err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("validation: %s: %w", name, err)
	}
	var rows []map[string]string
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, field := range fields {
			if i < len(all[0]) {
				row[all[0][i]] = field
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}
