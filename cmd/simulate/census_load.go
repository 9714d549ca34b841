package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"hotslot/sim/cluster"
	"hotslot/sim/migration"
)

// statistics are the fields of CLUSTER SLOT-STATS that tell a quantity.
var statistics = map[cluster.Quantity]string{
	cluster.ByWork: "cpu-usec", cluster.ByBytes: "memory-bytes", cluster.ByKeys: "key-count",
}

// adornment is what redis-cli puts around values on a terminal.
var adornment = regexp.MustCompile(`^(\d+[)#]|\(integer\)|=>)$`)

// A loadReader reads what slots cost.
type loadReader struct {
	load *migration.Load
	seen []bool // by slot
}

// parseLoad reads what slots cost from either of two texts: a table with a slot and
// its load in each line, which may have a head, and comments behind #; or what
// redis-cli CLUSTER SLOT-STATS prints, of one primary or of several one after
// another. The error says in which line it is.
func parseLoad(text string, by cluster.Quantity) (*migration.Load, error) {
	r := &loadReader{load: new(migration.Load)}
	r.seen = make([]bool, len(r.load))
	read := r.table
	if strings.Contains(text, "key-count") {
		read = r.statistics
	}
	if err := read(text, by); err != nil {
		return nil, err
	}
	return r.load, nil
}

// note takes the load of a slot.
func (r *loadReader) note(line int, slot, load string) error {
	s, err := parseSlot(slot)
	if err != nil {
		return fmt.Errorf("%d: %w", line, err)
	}
	n, err := strconv.ParseInt(load, 10, 64)
	switch {
	case err != nil || n < 0:
		return fmt.Errorf("%d: %q is no load; write a whole number from 0 up", line, load)
	case r.seen[s]:
		return fmt.Errorf("%d: slot %d is there twice", line, s)
	}
	r.load[s], r.seen[s] = n, true
	return nil
}

func (r *loadReader) table(text string, _ cluster.Quantity) error {
	head := true
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ,;\t\r", r) })
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return fmt.Errorf("%d: write a slot and its load in each line", i+1)
		}
		_, err := strconv.Atoi(fields[0])
		if first := head; err != nil && first {
			head = false
			continue
		}
		head = false
		if err := r.note(i+1, fields[0], fields[1]); err != nil {
			return err
		}
	}
	return nil
}

// statistics reads the answer to CLUSTER SLOT-STATS: of each slot its number, then
// names and values.
func (r *loadReader) statistics(text string, by cluster.Quantity) error {
	wanted := statistics[by]
	if wanted == "" {
		return fmt.Errorf("1: CLUSTER SLOT-STATS does not tell %s", by)
	}
	slot, name, told := "", "", false
	for i, line := range strings.Split(text, "\n") {
		for _, word := range strings.Fields(line) {
			if adornment.MatchString(word) {
				continue
			}
			word = strings.Trim(word, `"`)
			_, err := strconv.ParseInt(word, 10, 64)
			switch {
			case err != nil:
				name = word
			case name == "":
				slot = word
			default:
				if name == wanted {
					told = true
					if err := r.note(i+1, slot, word); err != nil {
						return err
					}
				}
				name = ""
			}
		}
	}
	if !told {
		return fmt.Errorf("1: these slots have no %s, which tells %s (cluster-slot-stats-enabled yes)", wanted, by)
	}
	return nil
}
