package reports

import (
	"fmt"
	"slices"
	"testing"

	"hotslot/experiment"
)

func TestQuantity(t *testing.T) {
	tests := []struct {
		unit            string
		value           experiment.Mean
		want, wantRange string
	}{
		{"%", mean(0.801, 0.79, 0.812), "80.1 %", "[79.0, 81.2]"},
		{"%", mean(0.801, 0.8, 0.802), "80.1 %", "[80.0, 80.2]"},
		{"%", mean(1, 1, 1), "100 %", "[100, 100]"},
		{"%", mean(0.99988, 0.99984, 0.99992), "99.988 %", "[99.984, 99.992]"},
		{"%", mean(0, 0, 0), "0", "[0, 0]"},
		{"%", exactly(0.5), "50.0 %", ""},
		{"", mean(1, 1, 1), "1", "[1, 1]"},
		{"", mean(300_983, 300_983, 300_983), "300,983", "[300,983, 300,983]"},
		{"", mean(16.5, 16.5, 16.5), "16.5", "[16.5, 16.5]"},
		{"", mean(16, 15.9, 16.1), "16.0", "[15.9, 16.1]"},
		{"", exactly(12_345), "12,345", ""},
		{"B", mean(1310, 1300, 1320), "1.31 kB", "[1.30, 1.32]"},
		{"B/s", exactly(2.5e7), "25.0 MB/s", ""},
	}
	for _, test := range tests {
		value, interval := quantity(experiment.Threshold{Unit: test.unit, Value: test.value})
		if value != test.want || interval != test.wantRange {
			t.Errorf("%v %q: %q %q, want %q %q", test.value, test.unit, value, interval, test.want, test.wantRange)
		}
	}
}

func TestThresholdsOfEveryStrategy(t *testing.T) {
	r := &experiment.Result{}
	for _, name := range []string{"a", "b", "c"} {
		r.Strategies = append(r.Strategies, experiment.Strategy{Name: name})
		verdict := experiment.Pass
		if name == "b" {
			verdict = experiment.Fail
		}
		r.Thresholds = append(r.Thresholds,
			experiment.Threshold{Strategy: name, Expr: "holds", Value: mean(1, 1, 1), Verdict: experiment.Pass},
			experiment.Threshold{Strategy: name, Expr: "varies", Value: exactly(float64(len(r.Strategies))),
				Verdict: experiment.Pass},
			experiment.Threshold{Strategy: name, Expr: "fails for one", Verdict: verdict})
	}
	r.Thresholds = append(r.Thresholds, experiment.Threshold{Strategy: "a", Expr: "alone", Verdict: experiment.Pass})
	var got []string
	for _, row := range thresholdGrid(r).rows {
		got = append(got, fmt.Sprint(row[1:5]))
	}
	want := []string{"[b fails for one 0 ]", "[every strategy holds 1 [1, 1]]", "[every strategy varies 1 to 3 ]",
		"[a fails for one 0 ]", "[c fails for one 0 ]", "[a alone 0 ]"}
	if !slices.Equal(got, want) {
		t.Errorf("rows are\n%q, want\n%q", got, want)
	}
	r.Strategies = r.Strategies[:2]
	if n := len(thresholdGrid(r).rows); n != len(r.Thresholds) {
		t.Errorf("%d rows for two strategies, want %d", n, len(r.Thresholds))
	}
}

func TestFindingsAreFew(t *testing.T) {
	r := &experiment.Result{Strategies: make([]experiment.Strategy, 7)}
	for i := range r.Strategies {
		s := &r.Strategies[i]
		s.Name = string(rune('a' + i))
		s.Findings = []experiment.Finding{
			{Rule: "hot-slot", Subject: "slot 7", Text: fmt.Sprintf("slot 7 has %d %%", 90+i)},
			{Rule: "hot-key", Subject: fmt.Sprintf("key %d", i), Text: fmt.Sprintf("key %d is hot", i)},
			{Rule: "hot-key", Subject: fmt.Sprintf("key %d", 10+i), Text: fmt.Sprintf("key %d is hot", 10+i)},
		}
	}
	rows := findingGrid(r).rows
	if len(rows) != findingsMost {
		t.Fatalf("%d rows, want %d", len(rows), findingsMost)
	}
	if got, want := rows[0][1], "slot 7 has 90 %; similar under 6 other strategies"; got != want {
		t.Errorf("first row is %q, want %q", got, want)
	}
	if got, want := rows[len(rows)-1][1], "… and 4 more (see result.json)"; got != want {
		t.Errorf("last row is %q, want %q", got, want)
	}
	r.Strategies = r.Strategies[:3]
	if got, want := findingGrid(r).rows[0][1], "slot 7 has 90 %; similar under b and c"; got != want {
		t.Errorf("first row is %q, want %q", got, want)
	}
	for i := range 20 {
		r.Strategies[0].Findings = append(r.Strategies[0].Findings, experiment.Finding{Text: fmt.Sprint(i)})
	}
	if got := len(findingGrid(r).rows); got != 24 { // all 23 of the first, and the line that says how many more
		t.Errorf("%d rows where the first strategy has 23 findings", got)
	}
}
