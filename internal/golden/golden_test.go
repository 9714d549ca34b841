package golden

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestStories runs the stories in testdata. Its commands:
//
//	wait base=D times=N   D, N times over; 1s and 2 unless given
//	say word=TEXT         the text
func TestStories(t *testing.T) {
	Run(t, func(*testing.T) func(*Case) string { return carry })
}

func carry(c *Case) string {
	switch c.Cmd {
	case "wait":
		var out strings.Builder
		for i := range c.Int("times", 2) {
			fmt.Fprintln(&out, time.Duration(i+1)*c.Duration("base", time.Second))
		}
		return out.String()
	case "say":
		return c.String("word")
	}
	c.Errorf("unknown command")
	return ""
}

const twoCases = `# A comment.
say word=hello
----
hello

# Another, alone.

wait base=2ms
----
2ms
4ms
`

func TestTellKeepsWhatIsTrue(t *testing.T) {
	s := story{name: "story.txt"}
	if told := s.tell(twoCases, carry); told != twoCases || s.problems != nil {
		t.Errorf("told %q, problems %v", told, s.problems)
	}
}

func TestTellRewrites(t *testing.T) {
	for name, text := range map[string]string{
		"wrong output":     strings.Replace(twoCases, "\n4ms", "\n5ms\n6ms", 1),
		"no output":        strings.Replace(twoCases, "\nhello", "", 1),
		"more blank lines": "\n" + strings.Replace(twoCases, "\n\n", "\n \n\n", 2) + "\n\n",
		"spaces at ends":   strings.Replace(twoCases, "hello\n", "hello \t\r\n", 2),
		"no last newline":  strings.TrimSuffix(twoCases, "\n"),
	} {
		s := story{name: "story.txt", rewrite: true}
		if told := s.tell(text, carry); told != twoCases || s.problems != nil {
			t.Errorf("%s: told %q, problems %v", name, told, s.problems)
		}
	}
}

func TestTellProblems(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"# c\nsay word=a\n----\nb\n", "s.txt:2: say word=a: output differs from line 1\n--- want\nb\n--- got\na"},
		{"\n\nwait\n----\n1s\n3s\n", "s.txt:3: wait: output differs from line 2\n--- want\n1s\n3s\n--- got\n1s\n2s"},
		{"say word=a\n----", "s.txt:1: say word=a: output differs from line 1\n--- want\n\n--- got\na"},
		{"shout\n----\n", "s.txt:1: shout: unknown command"},
		{"say wrod=a\n----\n", "s.txt:1: say wrod=a: say takes no argument wrod"},
		{"say a\n----\n", `s.txt:1: say a: argument "a" is not of the form name=value`},
		{"say =a\n----\n", `s.txt:1: say =a: argument "=a" is not of the form name=value`},
		{"say word=a word=b\n----\na", "s.txt:1: say word=a word=b: argument word is given twice"},
		{"wait times=x\n----\n", `s.txt:1: wait times=x: argument times: strconv.Atoi: parsing "x": invalid syntax`},
		{"wait times=1 base=1\n----\n", `argument base: time: missing unit in duration "1"`},
		{"say word=a\n", "s.txt:1: say word=a: a case is one line of command"},
		{"say\nsay\n----\n", "s.txt:1: say: a case is one line of command"},
		{"----\na\n", "s.txt:1: ----: a case is one line of command"},
	} {
		s := story{name: "s.txt"}
		s.tell(tt.text, carry)
		if len(s.problems) != 1 || !strings.Contains(s.problems[0], tt.want) {
			t.Errorf("%q: problems %q, want %q", tt.text, s.problems, tt.want)
		}
	}
}

func TestTellRefusesBlankLines(t *testing.T) {
	s := story{name: "s.txt", rewrite: true}
	s.tell("say\n----\n", func(*Case) string { return "a\n\nb" })
	if len(s.problems) != 1 || !strings.Contains(s.problems[0], "blank line") {
		t.Errorf("problems %q", s.problems)
	}
}
