package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hotslot/sim"
	"hotslot/sim/migration"
	"hotslot/sim/slots"
)

// createFlags are the flags of plan create.
type createFlags struct {
	hosts    []string
	replicas int
	seed     uint64
	format   choice
}

// hostsMax is how many nodes a cluster is laid out for.
const hostsMax = 2000

func (m *Main) createVerb() *cobra.Command {
	f := &createFlags{}
	cmd := &cobra.Command{
		Use:   "create --hosts HOSTS",
		Short: "Lay a new cluster out over hosts",
		Long: `Lay a new cluster out as redis-cli --cluster create proposes it: which nodes become
primaries, with which slots, and which replicas are whose, so that no replica is on
the host of its primary or of another replica of it. redis-cli draws by the clock to
get there, and may end elsewhere as well as you with another seed.`,
		Example: `  simulate plan create --hosts a,a,b,b,c,c --replicas 1
  simulate plan create --hosts 10.0.0.1:6379,10.0.0.2:6379,10.0.0.3:6379 --format commands`,
		Args: none,
		RunE: func(*cobra.Command, []string) error { return m.create(f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.hosts, "hosts", nil,
		"`HOSTS` of the nodes, one for each node, with or without ports (required)")
	flags.IntVar(&f.replicas, "replicas", 0, "`N` replicas of each primary")
	flags.Uint64Var(&f.seed, "seed", 1, "seed `N` of what is drawn")
	choose(cmd, flags, &f.format, "format", "`FORMAT` of the plan", planFormats()...)
	return cmd
}

func (m *Main) create(f *createFlags) error {
	switch {
	case len(f.hosts) == 0:
		return fmt.Errorf("where are the nodes? Give --hosts, one for each node, such as a,a,b,b,c,c")
	case len(f.hosts) > hostsMax:
		return fmt.Errorf("--hosts: %d nodes; there may be %d", len(f.hosts), hostsMax)
	}
	hosts, names, err := f.nodes()
	if err != nil {
		return err
	}
	c, err := migration.Create(hosts, f.replicas, sim.NewStream(f.seed, "plan/create"))
	if err != nil {
		return err
	}
	switch f.format.word {
	case string(jsonFormat):
		return m.print(jsonText(jsonCreationOf(c, hosts, names)))
	case commandsFormat:
		for i := range hosts {
			if !strings.Contains(f.hosts[i], ":") {
				return fmt.Errorf("--format commands: redis-cli needs to know the port of %s", f.hosts[i])
			}
		}
		line := "redis-cli --cluster create " + strings.Join(names, " ")
		if f.replicas > 0 {
			line += fmt.Sprintf(" --cluster-replicas %d", f.replicas)
		}
		return m.print(line + "\n")
	}
	rows := [][]string{{"PRIMARY", "SLOTS", "COUNT", "REPLICAS"}}
	for _, primary := range c.Primaries {
		owned, replicas := slots.Ranges(c.Owners, slots.Owner(primary)), "-"
		if of := replicasOf(c, primary, names); len(of) > 0 {
			replicas = strings.Join(of, ", ")
		}
		count := 0
		for _, r := range owned {
			count += int(r.Last) - int(r.First) + 1
		}
		rows = append(rows, []string{names[primary], rangesText(owned), fmt.Sprint(count), replicas})
	}
	return m.print(affinityText(c, hosts) + "\n\n" + table(rows))
}

// nodes returns each node's host and name. Nodes without a port that share a host
// are numbered.
func (f *createFlags) nodes() (hosts, names []string, err error) {
	count, taken := map[string]int{}, map[string]bool{}
	for _, text := range f.hosts {
		if text == "" {
			return nil, nil, fmt.Errorf("--hosts: there is a host without a name")
		}
		host, name := text, text
		if colon := strings.LastIndexByte(text, ':'); colon > 0 {
			if host, _, err = parseAddress(text); err != nil {
				return nil, nil, fmt.Errorf("--hosts: %w", err)
			}
		} else {
			name = fmt.Sprintf("%s/%d", text, count[text])
			count[text]++
		}
		if taken[name] {
			return nil, nil, fmt.Errorf("--hosts: %s is there twice", name)
		}
		taken[name] = true
		hosts, names = append(hosts, host), append(names, name)
	}
	return hosts, names, nil
}

// replicasOf returns the names of a primary's replicas.
func replicasOf(c *migration.Creation, primary int, names []string) []string {
	of := []string{}
	for node, p := range c.PrimaryOf {
		if p == primary && node != primary {
			of = append(of, names[node])
		}
	}
	return of
}

// sharing returns how many replicas are on the host of their primary, and how many
// on that of another replica of it.
func sharing(c *migration.Creation, hosts []string) (withPrimary, withReplica int) {
	for node, primary := range c.PrimaryOf {
		switch {
		case node == primary:
		case hosts[node] == hosts[primary]:
			withPrimary++
		default:
			for other, of := range c.PrimaryOf {
				if of == primary && other != node && other != primary && hosts[other] == hosts[node] {
					withReplica++
					break
				}
			}
		}
	}
	return withPrimary, withReplica
}

// affinityText says how well replicas are kept apart.
func affinityText(c *migration.Creation, hosts []string) string {
	primaries := plural(len(c.Primaries), "primary", "primaries")
	replicas := len(hosts) - len(c.Primaries)
	withPrimary, withReplica := sharing(c, hosts)
	switch {
	case replicas == 0:
		return primaries + ", no replicas."
	case withPrimary+withReplica == 0:
		return fmt.Sprintf("%s and %s, all on other hosts than their primaries and each other.", primaries,
			plural(replicas, "replica", "replicas"))
	}
	return fmt.Sprintf("%s and %s: %d on the host of their primary, %d on that of another replica of it.", primaries,
		plural(replicas, "replica", "replicas"), withPrimary, withReplica)
}

type jsonCreation struct {
	Schema      string            `json:"schema"`
	Primaries   []jsonCreatedNode `json:"primaries"`
	WithPrimary int               `json:"replicas_on_host_of_primary"`
	WithReplica int               `json:"replicas_on_host_of_replica"`
}

type jsonCreatedNode struct {
	Name     string   `json:"name"`
	Ranges   [][2]int `json:"ranges"` // first and last slot
	Replicas []string `json:"replicas"`
}

func jsonCreationOf(c *migration.Creation, hosts, names []string) jsonCreation {
	j := jsonCreation{Schema: "hotslot.creation/1"}
	j.WithPrimary, j.WithReplica = sharing(c, hosts)
	for _, primary := range c.Primaries {
		n := jsonCreatedNode{Name: names[primary], Replicas: replicasOf(c, primary, names)}
		for _, r := range slots.Ranges(c.Owners, slots.Owner(primary)) {
			n.Ranges = append(n.Ranges, [2]int{int(r.First), int(r.Last)})
		}
		j.Primaries = append(j.Primaries, n)
	}
	return j
}
