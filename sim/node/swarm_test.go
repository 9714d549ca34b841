package node

import (
	"fmt"
	"testing"
	"time"

	"hotslot/sim"
	"hotslot/sim/wire"
)

// TestSwarm has anything happen to a primary and its replicas, in any order, while
// clients write. Every request is answered or still on its way; no letter gets
// lost; and when all is well again for long enough, the replicas have what the
// primary has.
func TestSwarm(t *testing.T) {
	const seeds = 300
	resets, resyncs := 0, 0
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := newSwarm(t, seed)
			p.run()
			checkLetters(t, p)
			for i, n := range p.nodes[1:] {
				if n.upstream.state != connected || n.offset != p.nodes[0].offset {
					t.Errorf("replica %d is at %d, in state %d; the primary is at %d", i+1, n.offset, n.upstream.state,
						p.nodes[0].offset)
				}
			}
			answers, other := p.replies()
			if answers != p.asked {
				t.Errorf("%d requests, %d answers", p.asked, answers)
			}
			resets += other[wire.Connection]
			resyncs += p.resynced
		})
	}
	if resets < 100 || resyncs < 100 {
		t.Errorf("only %d requests were reset, and %d resynchronisations", resets, resyncs)
	}
}

// A swarm is a player whose deeds are drawn.
type swarm struct {
	*player
	asked, resynced int
	verdicts        [wire.Verdicts]int
}

func newSwarm(t *testing.T, seed uint64) *swarm {
	draws, drawn := sim.NewStream(seed, "swarm"), uint64(0)
	below := func(n int) int { drawn++; return sim.Below(draws.At(drawn), n) }
	pick := func(from ...int) int { return from[below(len(from))] }
	c := cast{Replication: DefaultReplication(), replicas: 1 + below(2), seed: seed, until: 240 * time.Second,
		oneWay: time.Duration(20+below(500)) * time.Microsecond, waitTimeout: 50 * time.Millisecond,
		version: []string{"redis-6.2", "redis-7.0", "valkey-8.0"}[below(3)], costs: Costs{Turn: 5 * time.Microsecond}}
	c.costs.Commands[wire.SET].Base = 20 * time.Microsecond
	c.Dataset, c.ReplBacklogSize = int64(pick(0, 5_000_000)), int64(pick(100, 10_000, 1<<20))
	c.ReplDisklessSyncDelay = time.Duration(pick(0, 2)) * time.Second
	c.SnapshotRate, c.LoadRate = 10_000_000, 20_000_000
	s := &swarm{player: newPlayer(c)}
	s.fail = t.Errorf
	s.Net.Connect(sim.ActorID(len(s.nodes)), s)
	for i := range s.nodes {
		s.nodes[i].Witness = s
	}
	for at := sim.Time(0); at < sim.Time(20*time.Second); at += sim.Time(below(4e7)) {
		command := []wire.Command{wire.SET, wire.SET, wire.GET}[below(3)]
		s.request(at, below(len(s.nodes)), wire.Message{Call: uint32(s.asked), Command: command, Flags: wire.Readonly,
			Conn: uint32(below(3)), Value: uint32(below(2000)), Acks: uint8(below(8) / 7)})
		s.asked++
	}
	verbs := []string{"kill", "die", "lose", "freeze", "block", "fork", "cut", "pause", "isolate", "restart", "thaw",
		"join"}
	for range 3 + below(8) {
		verb := verbs[below(len(verbs))]
		at := time.Duration(below(20e9))
		s.plan([]string{at.String(), verb, fmt.Sprint(below(len(s.nodes))), (time.Duration(below(3e9))).String()})
	}
	for i := range s.nodes { // all is well again
		for j, verb := range []string{"join", "thaw", "resume", "restart"} {
			if verb != "restart" {
				s.plan([]string{fmt.Sprintf("%dms", 30_000+j), verb, fmt.Sprint(i)})
				continue
			}
			n := s.nodes[i]
			s.agenda = append(s.agenda, deed{sim.Time(30100 * time.Millisecond), func(now sim.Time) {
				if !n.Up() {
					n.Restart(now, true)
				}
			}})
		}
	}
	return s
}

// Early counts an answer.
func (s *swarm) Early(_ sim.Time, m *wire.Message) bool {
	s.verdicts[m.Verdict]++
	return true
}

func (s *swarm) Resynced(sim.Time, sim.ActorID, sim.ActorID) { s.resynced++ }

func (s *swarm) replies() (answers int, by [wire.Verdicts]int) {
	for _, n := range s.verdicts {
		answers += n
	}
	return answers, s.verdicts
}

// checkLetters holds the letters that are in use against those that can be found.
func checkLetters(t *testing.T, p *swarm) {
	t.Helper()
	found := p.Net.Held()
	p.Sched.Pending(func(sim.ActorID, sim.Time, *wire.Message) { found++ })
	for _, n := range p.nodes {
		n.Held(func(*wire.Message) { found++ })
	}
	if found != p.Sched.InUse() {
		t.Errorf("%d letters are in use, %d are somewhere", p.Sched.InUse(), found)
	}
}
