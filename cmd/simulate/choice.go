package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A choice is one word of several. It is the value of a flag.
type choice struct {
	word string
	of   []string
}

// String implements pflag.Value.
func (c *choice) String() string { return c.word }

// Type implements pflag.Value.
func (c *choice) Type() string { return "choice" }

// Set implements pflag.Value.
func (c *choice) Set(word string) error {
	if !slices.Contains(c.of, word) {
		return fmt.Errorf("choose one of %s%s", strings.Join(c.of, ", "), didYouMean(word, c.of))
	}
	c.word = word
	return nil
}

// choose gives a command a flag that takes one of some words, the first of which is
// what it is if it is not given.
func choose(cmd *cobra.Command, flags *pflag.FlagSet, c *choice, name, usage string, words ...string) {
	*c = choice{words[0], words}
	flags.Var(c, name, usage+": "+strings.Join(words, ", "))
	if err := cmd.RegisterFlagCompletionFunc(name,
		cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}
