package slots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// triesMax bounds the search of Tags: about 256 tries for each slot, so that a
// primary with a single slot still finds more tags than anybody asks for.
const triesMax = 1 << 22

// Found is a hash tag and where it lands.
type Found struct {
	Tag   string // without braces; a key is "{" + Tag + "}" + anything
	Slot  Slot
	Owner Owner
}

// Tags finds hash tags that spread over primaries: it puts n = 0, 1, 2, … into
// the template, a text with one %d, and keeps a tag if the primary that owns
// its slot has fewer than perPrimary yet, until each of the primaries numbered
// 0 to primaries-1 has as many. Tags come in the order in which they were
// found; tried is how many were looked at. As the walk depends on its arguments
// alone, every process that makes it finds the same tags.
func Tags(template string, table *Table, primaries, perPrimary int) (tags []Found, tried int, err error) {
	before, after, err := cutTemplate(template)
	if err != nil {
		return nil, 0, err
	}
	wanted, err := checkWishes(table, primaries, perPrimary)
	if err != nil {
		return nil, 0, err
	}
	found := make([]int, primaries)
	for ; len(tags) < wanted; tried++ {
		if tried == triesMax {
			return nil, tried, fmt.Errorf("tag template %q: %d of %d tags found in %d tries",
				template, len(tags), wanted, tried)
		}
		tag := before + strconv.Itoa(tried) + after
		slot := Of(tag)
		owner := table[slot]
		if int(owner) >= primaries || found[owner] == perPrimary {
			continue
		}
		found[owner]++
		tags = append(tags, Found{tag, slot, owner})
	}
	return tags, tried, nil
}

// cutTemplate returns what stands before and after the template's %d.
func cutTemplate(template string) (before, after string, err error) {
	before, after, _ = strings.Cut(template, "%d")
	switch {
	case strings.Count(template, "%d") != 1:
		return "", "", fmt.Errorf("tag template %q: %%d must occur once", template)
	case strings.Contains(template, "}"):
		return "", "", fmt.Errorf("tag template %q: it stands between the braces of a key, so it has no '}'", template)
	}
	return before, after, nil
}

// checkWishes returns how many tags are wanted, or why they cannot be found.
func checkWishes(table *Table, primaries, perPrimary int) (wanted int, err error) {
	switch {
	case primaries < 1 || perPrimary < 1:
		return 0, fmt.Errorf("tags for %d primaries, %d for each: both must be positive", primaries, perPrimary)
	case perPrimary > triesMax/primaries:
		return 0, fmt.Errorf("tags for %d primaries, %d for each: more than the %d that are tried",
			primaries, perPrimary, triesMax)
	}
	for owner := range primaries {
		if !slices.Contains(table[:], Owner(owner)) {
			return 0, fmt.Errorf("tags for primary %d: it owns no slot", owner)
		}
	}
	return primaries * perPrimary, nil
}
