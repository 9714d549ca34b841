package main

import (
	"fmt"
	"slices"
	"strings"

	"hotslot/sim/slots"
)

// Ways to carry out a plan, by the value of --via.
const (
	viaAny     = "any"       // viaCLI if that can, else viaSetslot
	viaCLI     = "redis-cli" // redis-cli --cluster
	viaSetslot = "setslot"   // SETSLOT and MIGRATE, slot by slot
	viaValkey  = "valkey-9"  // CLUSTER MIGRATESLOTS on the source
	viaRedis   = "redis-8.4" // CLUSTER MIGRATION IMPORT on the target
)

func ways() []string { return []string{viaAny, viaCLI, viaSetslot, viaValkey, viaRedis} }

// commands returns the plan as lines for a shell. Where members are not real they
// name arrays, which have to be filled in.
func (o *outline) commands(via string) (string, error) {
	var b strings.Builder
	for line := range strings.Lines(o.summary()) {
		b.WriteString("# " + line)
	}
	b.WriteString("\n")
	if len(o.steps) == 0 {
		return b.String(), nil
	}
	lowest := o.lowest()
	whole := o.whole()
	switch {
	case via == viaCLI && whole == nil && lowest != nil:
		return "", fmt.Errorf("--via redis-cli: %w; --via setslot can", lowest)
	case via == viaAny && (whole != nil || lowest == nil):
		via = viaCLI
	case via == viaAny:
		via = viaSetslot
	}
	if via == viaSetslot || !o.real {
		b.WriteString(o.arrays())
	}
	switch via {
	case viaCLI:
		b.WriteString(o.viaCLI(whole))
	case viaSetslot:
		b.WriteString(o.viaSetslot())
	case viaValkey:
		b.WriteString(o.viaValkey())
	case viaRedis:
		b.WriteString(o.viaRedis())
	}
	return b.String(), nil
}

// whole returns the arguments of the one call of redis-cli --cluster that does all of
// it, if there is one.
func (o *outline) whole() []string {
	if o.planner.redisCLI == nil {
		return nil
	}
	return o.planner.redisCLI(o.census, o.flags, o.plan)
}

// lowest reports a step that does not move its source's lowest slots, as redis-cli
// --cluster reshard always does.
func (o *outline) lowest() error {
	owners := *o.layout.Owners
	for i, s := range o.steps {
		next := 0
		for _, r := range s.ranges {
			for slot := int(r.First); slot <= int(r.Last); slot++ {
				for ; next < slot; next++ {
					if owners[next] == s.source {
						return fmt.Errorf("step %d moves chosen slots, and --cluster moves the lowest ones", i+1)
					}
				}
				owners[slot] = s.target
			}
		}
	}
	return nil
}

// arrays returns where the members are and what they are called, or what is to be
// filled in.
func (o *outline) arrays() string {
	if !o.real {
		return fmt.Sprintf("# Fill in where primary 0 to primary %d are, and their ids:\nHOST=() PORT=() ID=()\n",
			len(o.members)-1)
	}
	var hosts, ports, ids []string
	for _, m := range o.members {
		hosts, ports, ids = append(hosts, shellQuote(m.host)), append(ports, fmt.Sprint(m.port)), append(ids, m.id)
	}
	return fmt.Sprintf("HOST=(%s)\nPORT=(%s)\nID=(%s)\n", strings.Join(hosts, " "), strings.Join(ports, " "),
		strings.Join(ids, " "))
}

// address returns where redis-cli --cluster finds a member.
func (c *census) address(n slots.Owner) string {
	if c.real {
		return fmt.Sprintf("%s:%d", c.members[n].host, c.members[n].port)
	}
	return fmt.Sprintf(`"${HOST[%d]}:${PORT[%d]}"`, n, n)
}

// id returns a member's id.
func (c *census) id(n slots.Owner) string {
	if c.real {
		return c.members[n].id
	}
	return fmt.Sprintf(`"${ID[%d]}"`, n)
}

// at returns the beginning of a command for a member.
func (c *census) at(n slots.Owner) string {
	if c.real {
		return fmt.Sprintf("redis-cli -h %s -p %d", shellQuote(c.members[n].host), c.members[n].port)
	}
	return fmt.Sprintf(`redis-cli -h "${HOST[%d]}" -p "${PORT[%d]}"`, n, n)
}

func (o *outline) viaCLI(whole []string) string {
	if whole != nil {
		return "redis-cli --cluster " + strings.Join(whole, " ") + "\n"
	}
	var b strings.Builder
	for _, s := range o.steps {
		b.WriteString("redis-cli --cluster " +
			strings.Join(o.reshardCommand(o.id(s.source), s.target, s.slots), " ") + "\n")
	}
	return b.String()
}

// moveFunction moves one slot as clusterManagerMoveSlot in redis-cli.c does. For a slot
// without keys redis-cli prints an empty line. When the new owner has said that it is
// that, the others hear of it anyway, and a primary that has lost its last slot takes
// no order any more, as it has become a replica: so what they say does not matter.
const moveFunction = `
set -e
node() { redis-cli -e -h "${HOST[$1]}" -p "${PORT[$1]}" "${@:2}"; }
move() { # SLOT FROM TO
  node $3 CLUSTER SETSLOT $1 IMPORTING ${ID[$2]}
  node $2 CLUSTER SETSLOT $1 MIGRATING ${ID[$3]}
  while mapfile -t keys < <(node $2 CLUSTER GETKEYSINSLOT $1 10); [ -n "${keys[*]}" ]; do
    node $2 MIGRATE "${HOST[$3]}" "${PORT[$3]}" "" 0 60000 KEYS "${keys[@]}"
  done
  node $3 CLUSTER SETSLOT $1 NODE ${ID[$3]}
  node $2 CLUSTER SETSLOT $1 NODE ${ID[$3]} || true
  for other in "${!ID[@]}"; do
    if [ $other != $2 ] && [ $other != $3 ]; then node $other CLUSTER SETSLOT $1 NODE ${ID[$3]} || true; fi
  done
}
`

// viaSetslot returns a script for bash. Keys with a line end in them are beyond it.
func (o *outline) viaSetslot() string {
	var b strings.Builder
	b.WriteString("# For bash. Keys must have no line ends in them.")
	b.WriteString(moveFunction)
	for _, s := range o.steps {
		for _, r := range s.ranges {
			if r.First == r.Last {
				fmt.Fprintf(&b, "move %d %d %d\n", r.First, s.source, s.target)
			} else {
				fmt.Fprintf(&b, "for slot in {%d..%d}; do move $slot %d %d; done\n",
					r.First, r.Last, s.source, s.target)
			}
		}
	}
	return b.String()
}

// pairs lists ranges, ascending, as first and last slot.
func (s *step) pairs() string {
	ranges := slices.Clone(s.ranges)
	slices.SortFunc(ranges, func(a, b slots.Range) int { return int(a.First) - int(b.First) })
	var words []string
	for _, r := range ranges {
		words = append(words, fmt.Sprintf("%d %d", r.First, r.Last))
	}
	return strings.Join(words, " ")
}

func (o *outline) viaValkey() string {
	var b strings.Builder
	b.WriteString("# Each begins a migration; GETSLOTMIGRATIONS of the same node tells when it has come to success.\n")
	for i := range o.steps {
		s := &o.steps[i]
		fmt.Fprintf(&b, "%s CLUSTER MIGRATESLOTS SLOTSRANGE %s NODE %s\n", o.at(s.source), s.pairs(), o.id(s.target))
	}
	return b.String()
}

func (o *outline) viaRedis() string {
	var b strings.Builder
	b.WriteString("# Each begins a task; MIGRATION STATUS ALL of the same node tells when it is completed.\n")
	for i := range o.steps {
		s := &o.steps[i]
		fmt.Fprintf(&b, "%s CLUSTER MIGRATION IMPORT %s\n", o.at(s.target), s.pairs())
	}
	return b.String()
}
