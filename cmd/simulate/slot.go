package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"hotslot/sim/slots"
)

// primariesMax is how many primaries a scenario's cluster may have too.
const primariesMax = 1000

func (m *Main) slotVerb() *cobra.Command {
	var primaries int
	cmd := &cobra.Command{
		Use:   "slot KEY...",
		Short: "Show the slot, hash tag and primary of keys",
		Long: `Show the hash slot of each key, the hash tag that alone decides it where the key
has one, and the primary that owns the slot in a cluster as redis-cli --cluster
create makes it.`,
		Example: `  simulate slot page:view:count '{user:7}:cart' '{user:7}:orders'
  simulate slot --primaries 5 -- -key-that-begins-with-a-dash`,
		Args: atLeastOne("a KEY"),
		RunE: func(_ *cobra.Command, keys []string) error { return m.slot(keys, primaries) },
	}
	cmd.Flags().IntVar(&primaries, "primaries", 3, "`N` primaries in the cluster")
	return cmd
}

func (m *Main) slot(keys []string, primaries int) error {
	if err := checkPrimaries(primaries); err != nil {
		return err
	}
	owners := slots.Even(primaries)
	rows := [][]string{{"KEY", "SLOT", "TAG", "PRIMARY"}}
	for _, key := range keys {
		slot, shown := slots.Of(key), "-"
		if tag, ok := slots.Tag(key); ok {
			shown = printable(tag)
		}
		rows = append(rows, []string{printable(key), number(slot), shown, number(owners[slot])})
	}
	return m.print(table(rows))
}

func (m *Main) tagsVerb() *cobra.Command {
	var template string
	var primaries, perPrimary int
	cmd := &cobra.Command{
		Use:   "tags --template TEMPLATE",
		Short: "Find hash tags that land on each primary",
		Long: `Find hash tags that land on each primary, so that copies or shards of a hot key
can be placed: numbers from 0 up are put into the template, and a tag is kept
if its primary lacks one. The same arguments find the same tags everywhere.`,
		Example: `  simulate tags --template 'routing:v1:%d' --primaries 5 --per-primary 4`,
		Args:    none,
		RunE:    func(*cobra.Command, []string) error { return m.tags(template, primaries, perPrimary) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&template, "template", "", "`TEXT` of the tags, with %d for the number (required)")
	cmd.Flags().IntVar(&primaries, "primaries", 3, "`N` primaries in the cluster")
	cmd.Flags().IntVar(&perPrimary, "per-primary", 1, "`N` tags to find for each")
	return cmd
}

func (m *Main) tags(template string, primaries, perPrimary int) error {
	if template == "" {
		return fmt.Errorf("--template is missing; write one such as 'routing:v1:%%d'")
	}
	if err := checkPrimaries(primaries); err != nil {
		return err
	}
	tags, tried, err := slots.Tags(template, slots.Even(primaries), primaries, perPrimary)
	if err != nil {
		return err
	}
	slices.SortStableFunc(tags, func(a, b slots.Found) int { return cmp.Compare(a.Owner, b.Owner) })
	rows := [][]string{{"PRIMARY", "SLOT", "TAG"}}
	for _, t := range tags {
		rows = append(rows, []string{number(t.Owner), number(t.Slot), printable(t.Tag)})
	}
	return m.print(fmt.Sprintf("%s\n%s tried, %d thrown away\n", table(rows),
		plural(tried, "number", "numbers"), tried-len(tags)))
}

func checkPrimaries(n int) error {
	if n < 1 || n > primariesMax {
		return fmt.Errorf("--primaries %d: a cluster has from 1 to %d", n, primariesMax)
	}
	return nil
}

func number[N ~uint16](n N) string { return strconv.Itoa(int(n)) }
