package cluster

import (
	"slices"
	"time"

	"hotslot/sim"
	"hotslot/sim/gossip"
	"hotslot/sim/network"
	"hotslot/sim/node"
	"hotslot/sim/slots"
	"hotslot/sim/wire"
)

// A script carries out the events of a scenario. It is an actor, the last one,
// and wakes when something is to be done.
type script struct {
	*Cluster
	id      sim.ActorID
	waiting []int  // events that wait for another one
	agenda  []item // what is known to come, in order
	cuts    []int  // by event: the number of its partition or link in the network; -1 none
	began   []sim.Time
	done    [][]int // by event: the nodes that it was done to, where that ends
	vigils  []vigil // events that wait for a rule
}

// An item of the agenda.
type item struct {
	at    sim.Time
	event int
	act   act
}

// act says what an item is: the event itself, or something around it.
type act uint8

const (
	begin    act = iota // the event
	announce            // a kill that is about to come, so that no turn runs over it
	end                 // what an event does when its time is over
	fill                // nodes that were added get slots, when all know them
	look                // at what monitoring shows
)

// newScript registers a script, which knows when the first events are due.
func newScript(cl *Cluster) *script {
	s := &script{Cluster: cl, cuts: make([]int, len(cl.Events)), began: make([]sim.Time, len(cl.Events)),
		done: make([][]int, len(cl.Events))}
	s.id = cl.Sched.Register(s)
	for i := range cl.Events {
		s.cuts[i], s.began[i] = -1, sim.Never
		w := &cl.Events[i].When
		switch {
		case w.Rule != nil:
			s.vigils = append(s.vigils, vigil{i, sim.Never})
			continue
		case w.After != "":
			s.waiting = append(s.waiting, i)
			continue
		}
		at := w.At
		if w.Until > at {
			// The draw belongs to the event's name, so that it does not move when
			// others are added.
			at += sim.Time(sim.Below(sim.NewStream(cl.Seed, "fault/times/"+cl.Events[i].Name).At(0), int(w.Until-at)))
		}
		s.plan(at, i)
	}
	if len(s.vigils) > 0 {
		s.add(item{sim.Time(lookEvery), -1, look})
	}
	return s
}

// plan puts an event on the agenda.
func (s *script) plan(at sim.Time, event int) {
	if at == sim.Never {
		return
	}
	if do := s.Events[event].Do; (do == DoKill || do == DoLose) && at > s.Sched.Now().Add(node.Announced) {
		s.add(item{at.Add(-node.Announced), event, announce})
	}
	s.add(item{at, event, begin})
}

// add puts an item in its place, behind those that are due at the same instant.
func (s *script) add(it item) {
	i := len(s.agenda)
	for i > 0 && s.agenda[i-1].at > it.at {
		i--
	}
	s.agenda = append(s.agenda, item{})
	copy(s.agenda[i+1:], s.agenda[i:])
	s.agenda[i] = it
	if i == 0 {
		s.Sched.SetAlarm(s.id, max(it.at, s.Sched.Now()))
	}
}

// Wake does what is due.
func (s *script) Wake(now sim.Time) {
	for len(s.agenda) > 0 && s.agenda[0].at <= now {
		it := s.agenda[0]
		s.agenda = s.agenda[1:]
		switch it.act {
		case announce:
			for _, id := range s.resolve(s.Events[it.event].Nodes) {
				s.Nodes[id].Doom(now.Add(node.Announced))
			}
		case begin:
			s.began[it.event] = now
			s.do(now, it.event)
			s.happened(now, s.Events[it.event].Name, nil)
		case end:
			s.end(now, it.event)
		case fill:
			s.fill(now, it.event)
		case look:
			s.keepVigil(now)
		}
	}
	if len(s.agenda) > 0 {
		s.Sched.SetAlarm(s.id, s.agenda[0].at)
	}
}

// happened looks whether events wait for another event, by its name, or for
// something on the timeline.
func (s *script) happened(at sim.Time, name string, told *wire.Event) {
	for i := 0; i < len(s.waiting); i++ {
		w := &s.Events[s.waiting[i]].When
		if !s.isWaitedFor(w, name, told) {
			continue
		}
		event := s.waiting[i]
		s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
		i--
		s.plan(max(at, s.Sched.Now()).Add(time.Duration(w.At)), event)
	}
}

// isWaitedFor reports whether an event is what another one waits for.
func (s *script) isWaitedFor(w *When, name string, told *wire.Event) bool {
	if told == nil {
		return w.After == name
	}
	if w.After != told.Kind.String() {
		return false
	}
	for i := range s.Events {
		if s.Events[i].Name == w.After {
			return false // an event of the scenario has that name, and is what is meant
		}
		if s.Events[i].Name == w.AfterEvent && told.At < s.began[i] {
			return false
		}
	}
	return true
}

// do carries out an event.
func (s *script) do(now sim.Time, event int) {
	e := &s.Events[event]
	ids := s.resolve(e.Nodes)
	switch e.Do {
	case DoPartition, DoLink:
		s.cut(event)
	case DoHeal:
		for i := range s.Events {
			if s.Events[i].Name == e.Ends {
				s.end(now, i)
			}
		}
	case DoSlow, DoStall, DoFork, DoCutReplication:
		for _, id := range ids {
			s.hinder(now, id, e)
		}
	case DoInterrupt:
		if s.operator != nil {
			s.operator.interrupt(now, e.Ends)
		}
	case DoFix:
		s.operator.fix(now, event, e)
	case DoScaleOut:
		for _, id := range s.resolve(append(slices.Clone(e.Nodes), e.Others...)) {
			s.command(now, id, &Event{Do: DoAdd})
		}
		s.add(item{now.Add(joinLook), event, fill})
	case DoMoveSlots, DoReshard, DoRebalance, DoDrain, DoHottest, DoIsolate, DoBalance:
		s.reshuffle(now, event)
	case DoFailover, DoTakeover, DoAdd, DoReplicate, DoClaim, DoAddSlots, DoDelSlots:
		for _, id := range ids {
			s.command(now, id, e)
		}
	default:
		for _, id := range ids {
			s.process(now, id, e)
		}
	}
	if e.For > 0 && e.Do != DoCutReplication {
		s.done[event] = ids
		s.add(item{now.Add(e.For), event, end})
	}
}

// process does something to a process.
func (s *script) process(now sim.Time, id int, e *Event) {
	n := s.Nodes[id]
	switch e.Do {
	case DoKill:
		n.Kill(now)
	case DoLose:
		n.Lose(now)
	case DoRestart:
		n.Restart(now, e.KeepData)
	case DoFreeze:
		n.Freeze(now)
	case DoThaw:
		n.Thaw(now)
	}
	s.outage.set(now, slots.Owner(id), s.servedBy(id))
}

// hinder keeps a node's thread, or its replication link, from working.
func (s *script) hinder(now sim.Time, id int, e *Event) {
	n := s.Nodes[id]
	switch e.Do {
	case DoSlow, DoStall:
		n.Block(now, e.Length)
	case DoFork:
		n.Fork(now, e.Length)
	case DoCutReplication:
		n.CutReplication(now, e.For)
	}
}

// command sends a node a command of an operator.
func (s *script) command(now sim.Time, id int, e *Event) {
	n := s.Nodes[id]
	other := slots.None
	if others := s.resolve(e.Others); len(others) > 0 {
		other = slots.Owner(others[0])
	}
	switch e.Do {
	case DoFailover:
		n.Failover(now, e.Mode)
	case DoTakeover:
		n.Failover(now, gossip.FailoverTakeover)
	case DoAdd:
		n.Restart(now, false)
		if peer := s.someone(id); peer != slots.None {
			n.Meet(now, peer)
		}
		if other != slots.None {
			n.Replicate(now, other)
		}
	case DoReplicate:
		n.Replicate(now, other)
	case DoClaim:
		n.Claim(now, e.Ranges, e.Epoch)
	case DoAddSlots:
		n.Assign(now, e.Ranges)
	case DoDelSlots:
		n.Unassign(now, e.Ranges)
	}
}

// someone returns a primary that is up, for a new node to meet; slots.None if there
// is none.
func (s *script) someone(but int) slots.Owner {
	for id, n := range s.Nodes {
		if id != but && n.Up() && n.PrimaryOf() == slots.Owner(id) {
			return slots.Owner(id)
		}
	}
	return slots.None
}

// cut parts the two sides of a partition, or slows what travels between them.
func (s *script) cut(event int) {
	e := &s.Events[event]
	f := network.Fault{Latency: e.Length, OneWay: e.OneWay, BusOnly: e.BusOnly, Loss: e.Loss, Cut: e.Do == DoPartition}
	f.A, f.B = s.side(e.Nodes), s.side(e.Others)
	if len(e.Others) == 0 {
		f.B = s.rest(f.A)
	}
	s.cuts[event] = s.Net.Impose(f)
	kind := wire.EventPartition
	if e.Do == DoLink {
		kind = wire.EventLinkChange
	}
	s.Cluster.happened(wire.Event{At: s.Sched.Now(), Kind: kind, Node: slots.None, About: slots.None, A: int64(event)})
}

// side returns one side of a partition.
func (s *script) side(places []Place) network.Side {
	side := network.Side{Nodes: make([]bool, len(s.Nodes)), Processes: make([]bool, s.Config.Client.Processes)}
	for _, id := range s.resolve(places) {
		side.Nodes[id] = true
	}
	for _, p := range places {
		if p.Kind != AtClients {
			continue
		}
		for i := range side.Processes {
			side.Processes[i] = side.Processes[i] || p.I < 0 || s.Config.Client.Zone(i) == p.I
		}
	}
	return side
}

// rest returns all nodes that are not on a side. Clients are on none unless they
// are named.
func (s *script) rest(a network.Side) network.Side {
	b := network.Side{Nodes: make([]bool, len(a.Nodes)), Processes: make([]bool, len(a.Processes))}
	for i := range a.Nodes {
		b.Nodes[i] = !a.Nodes[i]
	}
	return b
}

// end does what an event does when its time is over: a partition heals, a frozen
// process goes on, a dead one is started again.
func (s *script) end(now sim.Time, event int) {
	e := &s.Events[event]
	if s.cuts[event] >= 0 {
		s.Net.Lift(s.cuts[event])
		s.cuts[event] = -1
		s.Cluster.happened(wire.Event{At: now, Kind: wire.EventHeal, Node: slots.None, About: slots.None,
			A: int64(event)})
		return
	}
	for _, id := range s.done[event] {
		switch e.Do {
		case DoKill, DoLose:
			s.process(now, id, &Event{Do: DoRestart, KeepData: e.KeepData})
		case DoFreeze:
			s.process(now, id, &Event{Do: DoThaw})
		}
	}
}
