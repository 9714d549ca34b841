package migration

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hotslot/sim/slots"
)

// layout makes a layout of what redis-cli's transcripts tell: the slots of N1, N2
// and so on, and the order of CLUSTER NODES at N1, which redis-cli was given. N1
// is node 0.
func layout(t *testing.T, order string, ranges ...string) *Layout {
	t.Helper()
	l := &Layout{Owners: new(slots.Table), Nodes: []slots.Owner{0}}
	for i := range l.Owners {
		l.Owners[i] = slots.None
	}
	for _, name := range strings.Fields(order) {
		if node := nodeOf(t, name); node != 0 {
			l.Nodes = append(l.Nodes, node)
		}
	}
	for node, text := range ranges {
		for _, part := range strings.Fields(text) {
			first, last, several := strings.Cut(part, "-")
			if !several {
				last = first
			}
			for slot := atoi(t, first); slot <= atoi(t, last); slot++ {
				l.Owners[slot] = slots.Owner(node)
			}
		}
	}
	return l
}

// nodeOf returns the number of a node such as N1.
func nodeOf(t *testing.T, name string) slots.Owner {
	t.Helper()
	return slots.Owner(atoi(t, strings.TrimPrefix(name, "N")) - 1)
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// told tells a plan in the words of redis-cli rebalance, whose moves are all the
// slots between two nodes that come one after the other.
func told(p *Plan) []string {
	var lines []string
	for i := 0; i < len(p.Moves); {
		m, n := p.Moves[i], 0
		for ; i < len(p.Moves) && p.Moves[i].Source == m.Source && p.Moves[i].Target == m.Target; i++ {
			n += p.Moves[i].Len()
		}
		lines = append(lines, fmt.Sprintf("%d N%d N%d", n, m.Source+1, m.Target+1))
	}
	return lines
}

// moved returns the ranges that belong to somebody else than before, as the rows
// of the CSV files have them.
func moved(before, after *slots.Table) []string {
	var rows []string
	for first := 0; first < slots.Count; first++ {
		source, target := before[first], after[first]
		if source == target {
			continue
		}
		last := first
		for last+1 < slots.Count && before[last+1] == source && after[last+1] == target {
			last++
		}
		rows = append(rows, fmt.Sprintf("%d,%d,N%d,N%d,%d", first, last, source+1, target+1, last-first+1))
		first = last
	}
	return rows
}

// A transcript is one call of redis-cli 7.0.15 on a real cluster.
type transcript struct {
	name   string
	layout *Layout
	plan   func(*Layout) (*Plan, error)
	moves  []string // "Moving n slots from … to …", in order; for reshard what its list of single slots comes to
}

func reshard(sources []slots.Owner, target slots.Owner, count int) func(*Layout) (*Plan, error) {
	return func(l *Layout) (*Plan, error) { return Reshard(l, sources, target, count) }
}

// rebalance plans as redis-cli does with weights in the order of the layout.
func rebalance(threshold Decimal, useEmpty bool, weights ...Decimal) func(*Layout) (*Plan, error) {
	return func(l *Layout) (*Plan, error) {
		return Rebalance(l, Rebalancing{Rules: DefaultRules(), Weights: weights, Threshold: threshold,
			UseEmpty: useEmpty})
	}
}

func drain(node slots.Owner) func(*Layout) (*Plan, error) {
	return func(l *Layout) (*Plan, error) {
		return Drain(l, node, Rebalancing{Rules: DefaultRules(), Threshold: DefaultThreshold})
	}
}

func transcripts(t *testing.T) []transcript {
	even := []string{"0-5460", "5461-10922", "10923-16383"}
	quarters := []string{"1365-5460", "6827-10922", "12288-16383", "0-1364 5461-6826 10923-12287"}
	balanced := []string{"0-5338 10800-10922", "5339-10799", "10923-16383"}
	usual := rebalance(DefaultThreshold, false)
	withEmpty := rebalance(DefaultThreshold, true)
	const r1, r2, r3 = "R1 3 even + 1 empty/", "R2 3->4 reshard 4096 from all", "R3 reshard explicit sources/"
	const r4, r5, r6 = "R4 weights on 3 even/", "R5 uneven 1000/5000/10384", "R6 threshold: 5300/5500/5584/"
	const r7, d = "R7 5 nodes uneven+empty, noncontiguous/", "drain check cluster-allow-replica-migration="
	beforeDrain := []string{"0-5460", "5461-10922", "10923-16370", "16371-16383"}
	return []transcript{
		{r1 + "a plain rebalance", layout(t, "N4 N3 N2 N1", even...), usual, nil},
		{r1 + "c use-empty-masters", layout(t, "N4 N3 N2 N1", even...), withEmpty,
			[]string{"1366 N2 N4", "1365 N3 N4", "1365 N1 N4"}},
		{r1 + "d again", layout(t, "N4 N3 N2 N1", quarters...), withEmpty, nil},
		{r1 + "e weight N4=0 (drain)", layout(t, "N4 N3 N2 N1", quarters...), drain(3),
			[]string{"1366 N4 N1", "1365 N4 N3", "1365 N4 N2"}},
		{r2, layout(t, "N3 N1 N2 N4", even...), reshard(nil, 3, 4096), []string{"1366 N2 N4", "1365 N1 N4", "1365 N3 N4"}},
		{r3 + "a 100 from N2", layout(t, "N2 N1 N4 N3", even...), reshard([]slots.Owner{1}, 3, 100),
			[]string{"100 N2 N4"}},
		{r3 + "b 101 from N3,N1", layout(t, "N2 N1 N4 N3", "0-5460", "5561-10922", "10923-16383", "5461-5560"),
			reshard([]slots.Owner{2, 0}, 3, 101), []string{"51 N3 N4", "50 N1 N4"}},
		{r3 + "c 10 from all", layout(t, "N2 N1 N4 N3", "50-5460", "5561-10922", "10974-16383", "0-49 5461-5560 10923-10973"),
			reshard(nil, 3, 10), []string{"4 N1 N4", "3 N3 N4", "3 N2 N4"}},
		{r3 + "d 1 from N4 to N1",
			layout(t, "N2 N1 N4 N3", "54-5460", "5564-10922", "10977-16383", "0-53 5461-5563 10923-10976"),
			reshard([]slots.Owner{3}, 0, 1), []string{"1 N4 N1"}},
		{r3 + "e more than source has",
			layout(t, "N2 N1 N4 N3", "0 54-5460", "5564-10922", "10977-16383", "1-53 5461-5563 10923-10976"),
			reshard([]slots.Owner{3}, 0, 9999), []string{"210 N4 N1"}},
		{r4 + "a 2:1:1", layout(t, "N1 N2 N3", even...), rebalance(DefaultThreshold, false, 2*One, One, One),
			[]string{"1366 N2 N1", "1365 N3 N1"}},
		{r4 + "b back to 1:1:1", layout(t, "N1 N2 N3", "0-6826 10923-12287", "6827-10922", "12288-16383"),
			rebalance(DefaultThreshold, false, One, One, One), []string{"1366 N1 N2", "1365 N1 N3"}},
		{r4 + "c 1:2.5:1", layout(t, "N1 N2 N3", "2731-6826 10923-12287", "0-1365 6827-10922", "1366-2730 12288-16383"),
			rebalance(DefaultThreshold, false, One, 5*One/2, One), []string{"1821 N3 N2", "1821 N1 N2"}},
		{r5, layout(t, "N1 N3 N2", "0-999", "1000-5999", "6000-16383"), usual, []string{"4462 N3 N1", "461 N3 N2"}},
		{r6 + "a default threshold 2", layout(t, "N3 N2 N1", "0-5299", "5300-10799", "10800-16383"), usual,
			[]string{"123 N3 N1", "39 N2 N1"}},
		{r6 + "b threshold 5", layout(t, "N3 N2 N1", balanced...), rebalance(5*One, false), nil},
		{r6 + "c threshold 1", layout(t, "N3 N2 N1", balanced...), rebalance(One, false), nil},
		{r7 + "a no empty", layout(t, "N2 N1 N5 N3 N4",
			"0-99 200-299 8000-9999", "100-199 300-3999", "4000-7999 10000-12000", "12001-16383"),
			usual, []string{"1896 N3 N1", "9 N3 N2", "287 N4 N2"}},
		{r7 + "b with empty", layout(t, "N2 N1 N5 N3 N4",
			"0-99 200-299 4000-5895 8000-9999", "100-199 300-3999 5896-5904 12001-12287", "5905-7999 10000-12000", "12288-16383"),
			withEmpty, []string{"820 N4 N5", "820 N3 N5", "820 N2 N5", "820 N1 N5"}},
		{d + "yes", layout(t, "N3 N4 N2 N1", beforeDrain...), drain(3), []string{"13 N4 N3", "1 N2 N1"}},
		{d + "no", layout(t, "N3 N2 N1 N4", beforeDrain...), drain(3), []string{"13 N4 N3", "1 N2 N1"}},
	}
}

// What redis-cli 7.0.15 moved on real clusters, slot by slot and in its order.
func TestAgainstRedisCLI(t *testing.T) {
	want := map[string][]string{}
	for _, file := range []string{"testdata/rebalance_moves.csv", "testdata/drain_moves.csv"} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			want[row[0]] = append(want[row[0]], strings.Join(row[1:], ","))
		}
	}
	for _, tt := range transcripts(t) {
		t.Run(tt.name, func(t *testing.T) {
			p, err := tt.plan(tt.layout)
			if err != nil {
				t.Fatal(err)
			}
			after, err := tt.layout.After(p)
			if err != nil {
				t.Fatal(err)
			}
			if got := moved(tt.layout.Owners, after.Owners); !slices.Equal(got, want[tt.name]) {
				t.Errorf("moved %v, want %v", got, want[tt.name])
			}
			if got := told(p); !slices.Equal(got, tt.moves) {
				t.Errorf("moves in the order %v, want %v", got, tt.moves)
			}
			if (p.Outcome == Balanced) != (len(tt.moves) == 0) {
				t.Errorf("the outcome is %v", p.Outcome)
			}
		})
		delete(want, tt.name)
	}
	for name := range want {
		t.Errorf("%s: not planned", name)
	}
}
