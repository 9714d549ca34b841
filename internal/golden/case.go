package golden

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Case is one command of a file. What is wrong with it is reported with the
// line in the file once the command was carried out.
type Case struct {
	Cmd      string // the first word
	args     map[string]string
	known    map[string]bool // the arguments that were asked for
	problems []string
}

// newCase parses a line such as "get client=0 key=foo".
func newCase(line string) *Case {
	c := &Case{args: map[string]string{}, known: map[string]bool{}}
	for i, word := range strings.Fields(line) {
		if i == 0 {
			c.Cmd = word
			continue
		}
		name, value, ok := strings.Cut(word, "=")
		_, twice := c.args[name]
		switch {
		case !ok || name == "":
			c.Errorf("argument %q is not of the form name=value", word)
		case twice:
			c.Errorf("argument %s is given twice", name)
		default:
			c.args[name] = value
		}
	}
	return c
}

// String returns an argument, or "" where it is not given.
func (c *Case) String(name string) string {
	return argument(c, name, "", func(value string) (string, error) { return value, nil })
}

// Int returns an argument, or otherwise where it is not given.
func (c *Case) Int(name string, otherwise int) int {
	return argument(c, name, otherwise, strconv.Atoi)
}

// Duration returns an argument such as 250us, or otherwise.
func (c *Case) Duration(name string, otherwise time.Duration) time.Duration {
	return argument(c, name, otherwise, time.ParseDuration)
}

// Errorf reports that the command is wrong or cannot be carried out: a test
// calls it for a Cmd that it does not know.
func (c *Case) Errorf(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func argument[T any](c *Case, name string, otherwise T, parse func(string) (T, error)) T {
	c.known[name] = true
	value, ok := c.args[name]
	if !ok {
		return otherwise
	}
	parsed, err := parse(value)
	if err != nil {
		c.Errorf("argument %s: %v", name, err)
		return otherwise
	}
	return parsed
}

// checkUnknown reports the arguments that the command has not asked for: most
// often a name that is misspelt.
func (c *Case) checkUnknown() {
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		if !c.known[name] {
			c.Errorf("%s takes no argument %s", c.Cmd, name)
		}
	}
}
