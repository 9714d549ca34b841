package workloads

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim/slots"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		about string
		spec  Spec
		want  []string // the first keys
		len   int
	}{
		{"number", Spec{Kind: "keys", KeyPattern: "product:%d", Count: 1000},
			[]string{"product:0", "product:1"}, 1000},
		{"width", Spec{Kind: "keys", KeyPattern: "key:%012d", Count: 3},
			[]string{"key:000000000000", "key:000000000001", "key:000000000002"}, 3},
		{"percent", Spec{Kind: "keys", KeyPattern: "%d%%%d", Count: 2},
			[]string{"0%0", "1%1"}, 2},
		{"one key needs no number", Spec{Kind: "keys", KeyPattern: "stock"},
			[]string{"stock"}, 1},
		{"list", Spec{Kind: "keys", KeyList: []string{"a%d", "b"}},
			[]string{"a%d", "b"}, 2},
		{"counted tags", Spec{Kind: "keys", KeyPattern: "{%t}:%d", Count: 4, Tags: Tags{Count: 3}},
			[]string{"{0}:0", "{1}:1", "{2}:2", "{0}:3"}, 4},
		{"fields", Spec{Kind: "keys", KeyPattern: "{user:%d}:%f", Count: 2, Fields: []string{"name", "cart"}},
			[]string{"{user:0}:name", "{user:0}:cart", "{user:1}:name", "{user:1}:cart"}, 4},
		{"copies", Spec{Kind: "keys", KeyPattern: "p:%d", Count: 2, Copies: 2},
			[]string{"p:0:0", "p:0:1", "p:1:0", "p:1:1"}, 4},
		{"copies inside the tag", Spec{Kind: "keys", KeyPattern: "{u:%d}:%f", Count: 1, Fields: []string{"a", "b"}, Copies: 2},
			[]string{"{u:0#0}:a", "{u:0#1}:a", "{u:0#0}:b", "{u:0#1}:b"}, 4},
		{"copies beside an empty tag", Spec{Kind: "keys", KeyPattern: "a{}", Copies: 2},
			[]string{"a{}:0", "a{}:1"}, 2},
		{"counter", Spec{Kind: "counter", Key: "page"},
			[]string{"page"}, 1},
		{"one shard is the key", Spec{Kind: "counter", Key: "{page}:n", Shards: 1, KeepTag: true},
			[]string{"{page}:n"}, 1},
		{"shards", Spec{Kind: "counter", Key: "page", Shards: 2},
			[]string{"page:0", "page:1"}, 2},
		{"shards of a tagged key", Spec{Kind: "counter", Key: "a{page}{x}b", Shards: 2},
			[]string{"apagexb:0", "apagexb:1"}, 2},
		{"shards that keep the tag", Spec{Kind: "counter", Key: "{page}:n", Shards: 2, KeepTag: true},
			[]string{"{page}:n:0", "{page}:n:1"}, 2},
		{"shards that become a tag", Spec{Kind: "counter", Key: "page", Shards: 2, KeepTag: true},
			[]string{"{page}:0", "{page}:1"}, 2},
	} {
		keys := newKeys(mustName(t, tt.spec))
		if keys.Len() != tt.len {
			t.Errorf("%s: %d keys, want %d", tt.about, keys.Len(), tt.len)
			continue
		}
		for i, want := range tt.want {
			if got := keys.Name(i); got != want {
				t.Errorf("%s: key %d is %q, want %q", tt.about, i, got, want)
			}
		}
	}
}

func TestSlotsBelongToNames(t *testing.T) {
	for _, tt := range []struct {
		spec Spec
		name func(i int) string
	}{
		{Spec{Kind: "keys", KeyPattern: "key:%016d", Count: 20_000},
			func(i int) string { return fmt.Sprintf("key:%016d", i) }},
		{Spec{Kind: "keys", KeyPattern: "{user:%d}:a name that is longer than most", Count: 20_000},
			func(i int) string { return fmt.Sprintf("{user:%d}:a name that is longer than most", i) }},
		{Spec{Kind: "keys", KeyPattern: "{t%t}:%d", Count: 5_000, Tags: Tags{Count: 7}},
			func(i int) string { return fmt.Sprintf("{t%d}:%d", i%7, i) }},
		{Spec{Kind: "keys", KeyPattern: "%f:%d", Count: 1_000, Fields: []string{"a", "{b}", "c"}, Copies: 2},
			func(i int) string {
				number := i / 6
				return []string{
					fmt.Sprintf("a:%d:0", number), fmt.Sprintf("a:%d:1", number),
					fmt.Sprintf("{b#0}:%d", number), fmt.Sprintf("{b#1}:%d", number),
					fmt.Sprintf("c:%d:0", number), fmt.Sprintf("c:%d:1", number),
				}[i%6]
			}},
	} {
		keys := newKeys(mustName(t, tt.spec))
		for i, slot := range keys.Slots {
			want := tt.name(i)
			if got := keys.Name(i); got != want || slot != slots.Of(want) {
				t.Fatalf("key %d is %q in slot %d, want %q in slot %d", i, got, slot, want, slots.Of(want))
			}
		}
	}
}

// However text, tags and copies mix, names are distinct and slots are theirs.
func TestNamesAreDistinct(t *testing.T) {
	text := rapid.SampledFrom([]string{"", "a", "{", "}", "{}", ":", "%%", "#", "{x}"})
	rapid.Check(t, func(t *rapid.T) {
		spec := Spec{
			Kind: "keys",
			KeyPattern: text.Draw(t, "before") + "{%t}" + text.Draw(t, "between") + "%d" +
				text.Draw(t, "middle") + ":%f" + text.Draw(t, "after"),
			Count:  rapid.IntRange(1, 30).Draw(t, "count"),
			Tags:   Tags{Count: rapid.IntRange(1, 5).Draw(t, "tags")},
			Fields: []string{"f", "g"},
			Copies: rapid.IntRange(1, 3).Draw(t, "copies"),
		}
		if err := spec.Validate(); err == nil || !strings.Contains(err.Error(), "mix") {
			t.Fatalf("the mix alone is missing, got %v", err)
		}
		names, err := spec.names(1)
		if err != nil {
			t.Fatal(err)
		}
		keys := newKeys(names)
		seen := make(map[string]bool)
		for i, slot := range keys.Slots {
			name := keys.Name(i)
			if seen[name] || slot != slots.Of(name) {
				t.Fatalf("key %d is %q (seen before: %t) in slot %d", i, name, seen[name], slot)
			}
			seen[name] = true
		}
	})
}

// Claim S05: shards spread over the slots, unless they share a tag.
func TestShardsSpread(t *testing.T) {
	for _, tt := range []struct {
		key     string
		keepTag bool
		slots   int
	}{
		{"page:view:count", false, 16},
		{"{page}:view:count", false, 16},
		{"page:view:count", true, 1},
		{"{page}:view:count", true, 1},
	} {
		keys := newKeys(mustName(t, Spec{Kind: "counter", Key: tt.key, Shards: 16, KeepTag: tt.keepTag}))
		if got := distinct(keys.Slots); got != tt.slots {
			t.Errorf("16 shards of %q, keep tag %t: %d slots, want %d", tt.key, tt.keepTag, got, tt.slots)
		}
	}
	whole := newKeys(mustName(t, Spec{Kind: "counter", Key: "page", Shards: 2, KeepTag: true}))
	if got, want := whole.Slots[1], slots.Of("page"); got != want {
		t.Errorf("a key that becomes a tag moves from slot %d to %d", want, got)
	}
}

func TestCopiesSpread(t *testing.T) {
	for _, pattern := range []string{"product:%d", "{product:%d}:stock"} {
		keys := newKeys(mustName(t, Spec{Kind: "keys", KeyPattern: pattern, Count: 1, Copies: 8}))
		if got := distinct(keys.Slots); got != 8 {
			t.Errorf("8 copies of %q are in %d slots", pattern, got)
		}
	}
}

// Claim S41: tags are searched for the cluster that the workload runs on.
func TestTagsReachEveryPrimary(t *testing.T) {
	spec := Spec{Kind: "keys", KeyPattern: "{%t}:%d", Count: 20, Tags: Tags{Template: "routing:v1:%d", PerPrimary: 4}}
	names, err := spec.names(5)
	if err != nil {
		t.Fatal(err)
	}
	table := slots.Even(5)
	var perPrimary [5]int
	for _, slot := range newKeys(names).Slots {
		perPrimary[table[slot]]++
	}
	if perPrimary != [5]int{4, 4, 4, 4, 4} {
		t.Errorf("keys per primary %v, want 4 each", perPrimary)
	}
}

func TestParsePatternErrors(t *testing.T) {
	for _, pattern := range []string{"%", "a%", "%x", "%5d", "%021d", "%05", "%05t", "%5%", "%99999999999999999999d"} {
		if _, err := parsePattern(pattern); err == nil {
			t.Errorf("pattern %q is accepted", pattern)
		}
	}
}

func mustName(t *testing.T, spec Spec) naming {
	t.Helper()
	names, err := spec.names(3)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func distinct(s []slots.Slot) int {
	return len(slices.Compact(slices.Sorted(slices.Values(s))))
}
