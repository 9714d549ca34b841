package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLineIndex(t *testing.T) {
	const text = "\ufeff# [none]\r\n" + // line 1
		"a = 1\r\n" +
		"b.c = '''\n" +
		"x = 1\n" +
		"'''' # two quotes of its own\n" +
		"[t]\n" + // 6
		"\"d.e\" = \"\"\"\n" +
		"y = \\\"\"\" \"\"\"\n" +
		"f = { g = [ 1,\n" +
		"  { h = '#' } ], i = \"]\\\"\" }\n" + // 10
		"[[l]]\n" +
		"[l.m]\n" +
		"n = 2020-01-01\n" +
		"[[l]]\n" +
		"[l . 'm']\n" + // 15
		"n = [\n" +
		"  # ]\n" +
		"  2, ]"
	want := strings.Fields(`
		2:a 3:b 3:b.c 6:t 7:t."d.e" 9:t.f 9:t.f.g 9:t.f.g[0] 10:t.f.g[1] 10:t.f.g[1].h 10:t.f.i
		11:l 11:l[0] 12:l[0].m 13:l[0].m.n 14:l[1] 15:l[1].m 16:l[1].m.n 18:l[1].m.n[0]`)
	index := indexLines(text)
	var got []string
	for path, offset := range index.offsets {
		got = append(got, fmt.Sprintf("%d:%s", index.line(offset), path))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if index.tooDeep {
		t.Error("given up")
	}
}

func TestLineIndexGivesUp(t *testing.T) {
	for _, text := range []string{
		"a = " + strings.Repeat("[", nestingMax+1),
		"a = " + strings.Repeat("{b=", nestingMax+1),
		strings.Repeat("a.", nestingMax+1) + "a = 1",
	} {
		if !indexLines(text).tooDeep {
			t.Errorf("%s is not too deep", text)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"rate", "rate", 0}, {"rte", "rate", 1}, {"raet", "rate", 1}, {"rates", "rate", 1}, {"", "ab", 2}, {"sitting", "kitten", 3},
	} {
		if got := distance(test.a, test.b, 5); got != test.want {
			t.Errorf("%q to %q: got %d, want %d", test.a, test.b, got, test.want)
		}
	}
	if got := didYouMean("colour", []string{"rate", "workers"}); got != "" {
		t.Errorf("got %q for a word that is near none", got)
	}
}
