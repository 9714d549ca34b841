package client_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hotslot/internal/golden"
	"hotslot/sim"
	"hotslot/sim/client"
	"hotslot/sim/cluster"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// Troubles are what a story has happen to a cluster: nodes whose replies are
// others than they would be, or do not arrive, and a failover of which some nodes
// have not heard.
type troubles struct {
	answers  []answer
	acked    int // replicas that acknowledge a write
	shape    client.Shape
	now      func() sim.Time
	before   *slots.Table
	after    *slots.Table
	at       sim.Time
	old, new slots.Owner
	blind    map[int]bool
}

// An answer is what a node says, from an instant on and before another.
type answer struct {
	node     sim.ActorID
	from, to sim.Time
	verdict  wire.Verdict
	owner    slots.Owner // whom MOVED names
	lost     bool        // it does not arrive
	asked    bool        // it is OK if ASKING was sent before the command
	slots    bool        // CLUSTER SLOTS too
}

// parseTroubles reads the arguments of a story:
//
//	answers=NODE:FROM:TO:VERDICT,…  what a node answers to commands that reach the
//	                                client then; LOST for nothing, MOVED>NODE for a
//	                                redirection, ASKED>NODE for OK where ASKING was
//	                                sent before, else MOVED; with a ! behind it, to
//	                                CLUSTER SLOTS too
//	failover=TIME:OLD:NEW           NEW, a replica, owns all slots of OLD, in the view
//	                                of all nodes but those in blind=NODE,…
//	acked=N                         how many replicas acknowledge a write
func parseTroubles(c *golden.Case, shape client.Shape) *troubles {
	t := &troubles{shape: shape, at: sim.Never, blind: map[int]bool{}, acked: c.Int("acked", 255),
		before: slots.Even(shape.Primaries), after: slots.Even(shape.Primaries)}
	for _, word := range list(c.String("answers")) {
		var a answer
		w := strings.Split(word, ":")
		if len(w) != 4 {
			c.Errorf("%s is not NODE:FROM:TO:VERDICT", word)
			continue
		}
		a.node = sim.ActorID(number(c, w[0]))
		a.from, a.to = instant(c, w[1]), instant(c, w[2])
		w[3], a.slots = strings.CutSuffix(w[3], "!")
		a.lost = w[3] == "LOST"
		verdict, owner, named := strings.Cut(w[3], ">")
		if a.asked = verdict == "ASKED"; a.asked {
			verdict = wire.Moved.String()
		}
		if named {
			a.owner = slots.Owner(number(c, owner))
		}
		for v := range wire.Verdicts {
			if v.String() == verdict {
				a.verdict = v
			}
		}
		t.answers = append(t.answers, a)
	}
	if f := c.String("failover"); f != "" {
		w := strings.Split(f, ":")
		t.at, t.old, t.new = instant(c, w[0]), slots.Owner(number(c, w[1])), slots.Owner(number(c, w[2]))
		for s, owner := range t.after {
			if owner == t.old {
				t.after[s] = t.new
			}
		}
	}
	for _, word := range list(c.String("blind")) {
		t.blind[number(c, word)] = true
	}
	return t
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func number(c *golden.Case, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		c.Errorf("%v", err)
	}
	return n
}

func instant(c *golden.Case, text string) sim.Time {
	d, err := time.ParseDuration(text)
	if err != nil {
		c.Errorf("%v", err)
	}
	return sim.Time(d)
}

// View and PrimaryOf are what nodes tell clients.
func (t *troubles) View(node sim.ActorID) *slots.Table {
	if t.now() >= t.at && !t.blind[int(node)] {
		return t.after
	}
	return t.before
}

func (t *troubles) PrimaryOf(node, other sim.ActorID) slots.Owner {
	primary := slots.Owner(other)
	if i := int(other) - t.shape.Primaries; i >= 0 {
		primary = slots.Owner(i / t.shape.Replicas)
	}
	if t.View(node) == t.after && primary == t.old {
		primary = t.new
	}
	return primary
}

// change makes a reply what the story wants it to be. It reports whether it is
// lost.
func (t *troubles) change(at sim.Time, m *wire.Message) (lost bool) {
	for _, a := range t.answers {
		if m.From != a.node || at < a.from || at >= a.to || m.Command == wire.ClusterSlots && !a.slots {
			continue
		}
		if a.lost {
			return true
		}
		m.Verdict, m.Owner = a.verdict, a.owner
		if a.asked && m.Flags&wire.Asking != 0 {
			m.Verdict = wire.OK
		}
	}
	if t.acked < int(m.Acks) {
		m.Flags |= wire.Unreplicated
	}
	return false
}

// tally says what became of attempts.
func tally(cl *cluster.Cluster) string {
	m, text := &cl.Recorders[0].Measured, ""
	if m.Retries > 0 {
		text += fmt.Sprintf(", %d tried again", m.Retries)
	}
	if m.Repeated > 0 {
		executed := uint32(0)
		for _, n := range cl.Ledger.Writes {
			executed += n
		}
		text += fmt.Sprintf(", %d of them writes in doubt: %d executed", m.Repeated, executed)
	}
	if m.Unreplicated > 0 {
		text += fmt.Sprintf(", %d not replicated", m.Unreplicated)
	}
	return text
}
