package slots

import (
	"strings"
	"testing"
)

// A published example: 5 primaries, 4 tags for each. It draws the third and
// the fourth range one slot longer than redis-cli makes them; the walk is the same.
func TestTags(t *testing.T) {
	table := Even(5)
	tags, tried, err := Tags("routing:v1:%d", table, 5, 4)
	if err != nil {
		t.Fatal(err)
	}
	if len(tags) != 20 || tried != 28 {
		t.Errorf("%d tags in %d tries, want 20 in 28", len(tags), tried)
	}
	var perOwner [5]int
	for _, f := range tags {
		perOwner[f.Owner]++
		key := "{" + f.Tag + "}:7"
		if Of(key) != f.Slot || table[f.Slot] != f.Owner {
			t.Errorf("%s: slot %d of primary %d, found as %+v", key, Of(key), table[Of(key)], f)
		}
	}
	if perOwner != [5]int{4, 4, 4, 4, 4} {
		t.Errorf("tags per primary: %v", perOwner)
	}
	if tags[0].Tag != "routing:v1:0" {
		t.Errorf("the walk starts at %q", tags[0].Tag)
	}
}

// Only what stands between braces is a tag, and only the %d is special in it.
func TestTagsTemplate(t *testing.T) {
	tags, _, err := Tags("100%/{%d/x", Even(2), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tags {
		if !strings.HasPrefix(f.Tag, "100%/{") || !strings.HasSuffix(f.Tag, "/x") {
			t.Errorf("tag %q", f.Tag)
		}
		if got := Of("{" + f.Tag + "}"); got != f.Slot {
			t.Errorf("%+v: its key is in slot %d", f, got)
		}
	}
}

// Slots of primaries that are not asked for are passed over.
func TestTagsOfSomePrimaries(t *testing.T) {
	tags, _, err := Tags("t%d", Even(10), 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tags {
		if f.Owner > 1 {
			t.Errorf("%+v", f)
		}
	}
}

func TestTagsErrors(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		template              string
		table                 *Table
		primaries, perPrimary int
		want                  string
	}{
		{"no %d", "routing", Even(3), 3, 1, "must occur once"},
		{"two %d", "%d:%d", Even(3), 3, 1, "must occur once"},
		{"braces", "{routing:%d}", Even(3), 3, 1, "no '}'"},
		{"no primaries", "%d", Even(3), 0, 1, "must be positive"},
		{"no tags", "%d", Even(3), 3, -1, "must be positive"},
		{"more than are tried", "%d", Even(3), 3, triesMax, "more than"},
		{"no slots", "%d", Even(3), 4, 1, "primary 3: it owns no slot"},
		{"more primaries than owners can be", "%d", Even(70_000), 70_000, 1, "owns no slot"},
		{"a single slot", "%d", &Table{7: 1}, 2, triesMax / 2, "tags found in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tags, _, err := Tags(tt.template, tt.table, tt.primaries, tt.perPrimary)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%d tags, error %v; want one with %q", len(tags), err, tt.want)
			}
		})
	}
}

// The bound on tries leaves room for the smallest primary there can be.
func TestTagsOfASingleSlot(t *testing.T) {
	tags, tried, err := Tags("routing:v1:%d", &Table{12182: 1}, 2, 100)
	if err != nil || len(tags) != 200 {
		t.Errorf("%d tags in %d tries, error %v", len(tags), tried, err)
	}
}
