package reports

import (
	"slices"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text string
		width      int
		want       []string
	}{
		{"fits", "a read", 6, []string{"a read"}},
		{"empty", "", 6, []string{""}},
		{"at blanks, not at hyphens", "a read of page-views", 14, []string{"a read of", "page-views"}},
		{"a long word at hyphens", "one-two-three", 8, []string{"one-two-", "three"}},
		{"a longer word anywhere", "abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"wide characters", "名前名前", 5, []string{"名前", "名前"}},
		{"narrower than one character", "名前", 1, []string{"名", "前"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := wrap(test.text, test.width); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestGridAlignsByDisplayWidth(t *testing.T) {
	g := &grid{columns: []column{{head: "NAME"}, {head: "N", right: true}, {}}}
	g.add("µ✓", "1", "x")
	g.add("名前-a", "100", "y")
	g.add("plain", "", "")
	var b strings.Builder
	g.text(&b, "  ", Style{Width: 40})
	want := "" +
		"  NAME      N\n" +
		"  µ✓        1  x\n" +
		"  名前-a  100  y\n" +
		"  plain\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTextFitsItsWidth(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, hotCounter(), Style{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if w := displayWidth(strings.TrimSuffix(line, "\n")); w > defaultWidth {
			t.Errorf("%d columns: %s", w, line)
		}
	}
}
