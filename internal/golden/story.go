package golden

import (
	"fmt"
	"slices"
	"strings"
)

const dashes = "----"

// A story is a file while it is run.
type story struct {
	name     string
	rewrite  bool // what was expected does not matter
	problems []string
}

// tell carries out the cases of a text and returns the text with the output
// that came out.
func (s *story) tell(text string, do func(*Case) string) string {
	var told []string
	var block []string
	for i, line := range append(strings.Split(text, "\n"), "") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			block = append(block, line)
			continue
		}
		if len(block) > 0 {
			told = append(told, s.tellBlock(i-len(block), block, do))
		}
		block = nil
	}
	return strings.Join(told, "\n")
}

// tellBlock carries out the case in the lines of a block, of which start stand
// before it in the file.
func (s *story) tellBlock(start int, block []string, do func(*Case) string) string {
	head := slices.IndexFunc(block, func(line string) bool { return !strings.HasPrefix(line, "#") })
	if head < 0 { // comments only
		return strings.Join(block, "\n") + "\n"
	}
	command := block[head]
	line := start + head + 1
	if command == dashes || head+1 == len(block) || block[head+1] != dashes {
		s.problem(line, command, "a case is one line of command, a line ----, and output without blank lines")
		return ""
	}
	want := strings.Join(block[head+2:], "\n")
	got, problems := carryOut(command, do)
	for _, problem := range problems {
		s.problem(line, command, problem)
	}
	if got != want && len(problems) == 0 && !s.rewrite {
		s.problem(line, command, difference(want, got))
	}
	told := append(slices.Clone(block[:head+2]), got)
	return strings.TrimRight(strings.Join(told, "\n"), "\n") + "\n"
}

// carryOut returns the output of a command as it stands in a file, and what is
// wrong with the command.
func carryOut(command string, do func(*Case) string) (got string, problems []string) {
	c := newCase(command)
	var lines []string
	for line := range strings.Lines(strings.Trim(do(c), "\n")) {
		lines = append(lines, strings.TrimRight(line, " \t\n"))
	}
	if slices.Contains(lines, "") {
		c.Errorf("the output has a blank line: %q", lines)
	}
	c.checkUnknown()
	return strings.Join(lines, "\n"), c.problems
}

func (s *story) problem(line int, command, what string) {
	s.problems = append(s.problems, fmt.Sprintf("%s:%d: %s: %s", s.name, line, command, what))
}

// difference shows two outputs, and the first line in which they differ.
func difference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	first := 0
	for first < min(len(wants), len(gots)) && wants[first] == gots[first] {
		first++
	}
	return fmt.Sprintf("output differs from line %d\n--- want\n%s\n--- got\n%s", first+1, want, got)
}
