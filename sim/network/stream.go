package network

import (
	"hotslot/sim"
	"hotslot/sim/wire"
)

// Stream sends a part of the replication stream, or something else on the
// connection that a replica has opened, from its primary to the replica.
func (n *Network) Stream(depart sim.Time, from, to sim.ActorID, ref sim.Ref, m *wire.Message) {
	m.Kind, m.From = wire.Replicate, from
	if n.disturbed {
		m.Owner = ownerOf(to)
		if n.hinders(depart, ref, m, n.wayOf(m)) {
			return
		}
	}
	at := n.follow(&n.lane(to, 0).toNode, depart, int(from), int(to), m, 0, m.Bytes())
	n.sched.Post(at, to, ref)
}

// Send sends what a letter says on the connection of a replica and its primary:
// From is one of the two, Owner the other, Conn the generation of the connection.
func (n *Network) Send(depart sim.Time, ref sim.Ref, m *wire.Message) {
	m.Sent = depart
	if n.disturbed && n.hinders(depart, ref, m, n.wayOf(m)) {
		return
	}
	n.stream(depart, ref, m)
}

// stream sends what nothing keeps from going.
func (n *Network) stream(depart sim.Time, ref sim.Ref, m *wire.Message) {
	from, to := int(m.From), int(m.Owner)
	last := &n.lane(sim.ActorID(to), 0).toNode
	if s := &n.streams[from]; s.primary == sim.ActorID(to) && s.generation == m.Conn {
		last = &n.lane(sim.ActorID(from), 0).toClient // from the replica
	}
	n.sched.Post(n.follow(last, depart, from, to, m, 0, m.Bytes()), sim.ActorID(to), ref)
}

// replicaOf returns which of the two ends of a letter's connection is the
// replica's, or whether neither is any more.
func (n *Network) replicaOf(m *wire.Message) (sim.ActorID, bool) {
	a, b := m.From, sim.ActorID(m.Owner)
	if s := &n.streams[a]; s.generation == m.Conn && s.primary == b && s.state != closed {
		return a, true
	}
	if s := &n.streams[b]; s.generation == m.Conn && s.primary == a && s.state != closed {
		return b, true
	}
	return 0, false
}

// StreamTakes reports whether the connection of a replica that a letter was sent
// on is still open.
func (n *Network) StreamTakes(m *wire.Message) bool {
	_, ok := n.replicaOf(m)
	return ok
}

// Fits reports whether the socket to a replica takes so many bytes more. If not,
// its primary gets a letter Room when half of the socket is empty again.
func (n *Network) Fits(replica sim.ActorID, bytes int64) bool {
	s := &n.streams[replica]
	if s.full || s.unread > 0 && s.unread+bytes > socketBytes {
		s.full = true
		return false
	}
	s.unread += bytes
	return true
}

// Read tells that a replica has read so many bytes from its primary.
func (n *Network) Read(at sim.Time, replica sim.ActorID, bytes int64) {
	s := &n.streams[replica]
	s.unread -= bytes
	if s.full && s.unread <= socketBytes/2 {
		s.full = false
		ref, m := n.sched.New()
		*m = wire.Message{Kind: wire.Room, From: replica, Owner: ownerOf(s.primary), Conn: s.generation}
		n.sched.Post(at, s.primary, ref)
	}
}

// Join puts a replica on an open connection to its primary, as at the beginning
// of a run.
func (n *Network) Join(replica, primary sim.ActorID, generation uint32) {
	n.streams[replica] = stream{generation: generation, state: open, primary: primary}
}

// Hang closes the connection of a replica to its primary; by is the end that does
// it. The other one gets a letter Closed, with the reason, unless it cannot be
// reached.
func (n *Network) Hang(at sim.Time, by, replica sim.ActorID, generation uint32, reason wire.Reason) {
	s := &n.streams[replica]
	if s.generation != generation || s.state == closed {
		return
	}
	other := s.primary
	if by == other {
		other = replica
	}
	known := s.state != opening
	s.state = closed
	if known {
		n.close(at, by, other, generation, wire.OnStream, reason)
	}
}

// close sends an end of a connection word that the other one is gone.
func (n *Network) close(at sim.Time, from, to sim.ActorID, generation uint32, flags wire.Flags, reason wire.Reason) {
	if n.dead[to] || n.cut(int(from), int(to), flags&wire.OnStream == 0) {
		return
	}
	ref, m := n.sched.New()
	*m = wire.Message{Kind: wire.Closed, From: from, Owner: ownerOf(to), Conn: generation, Flags: flags,
		Part: uint16(reason)}
	m.ID = wire.NewOpID(closeLoad, uint64(from)<<16|uint64(to))
	if flags&wire.OnStream != 0 { // behind what was written before
		n.stream(at, ref, m)
		return
	}
	n.sched.Post(n.arrival(at, m, 0), to, ref)
}

// closeLoad takes the place of a load in the identity of the end of a connection.
const closeLoad = 63

// Died tells that a node's process is gone: its kernel closes all connections,
// and refuses new ones.
func (n *Network) Died(at sim.Time, node sim.ActorID) {
	n.dead[node] = true
	for peer := range sim.ActorID(n.nodes) {
		if l := &n.links[n.link(peer, node)]; l.state == answered || l.state == open {
			n.close(at, node, peer, uint32(l.generation), 0, wire.Reset)
		}
		n.Close(node, peer)
		s := &n.streams[peer]
		if s.state != closed && (peer == node || s.primary == node) {
			n.Hang(at, node, peer, s.generation, wire.Reset)
		}
	}
}

// Vanished tells that a node's host is gone: nothing comes back from it, not even
// word that its process is.
func (n *Network) Vanished(node sim.ActorID) {
	n.disturb()
	n.gone[node], n.dead[node] = true, true
	for peer := range sim.ActorID(n.nodes) {
		n.Close(node, peer)
	}
	n.streams[node].state = closed
}

// Absent tells that a node's process has never run.
func (n *Network) Absent(node sim.ActorID) { n.dead[node] = true }

// Started tells that a node's process runs, on a host that is there.
func (n *Network) Started(node sim.ActorID) { n.dead[node], n.gone[node] = false, false }

// Refuses reports whether a node's process is gone, and its host says so.
func (n *Network) Refuses(from, to sim.ActorID) bool {
	return n.dead[to] && !n.gone[to] && !n.cut(int(from), int(to), false)
}

// Reset answers a packet, something on a replica's connection or a letter Accept
// that has reached a process that wants nothing of it: the sender learns that its
// connection is gone.
func (n *Network) Reset(at sim.Time, m *wire.Message) {
	flags := wire.OnStream
	if m.Kind == wire.Bus || m.Kind == wire.Accept {
		flags &= m.Flags
	}
	if flags == 0 && (m.Flags&wire.Back != 0 || !n.Takes(m)) || flags != 0 && !n.StreamTakes(m) {
		return
	}
	n.close(at, sim.ActorID(m.Owner), m.From, m.Conn, flags, wire.Reset)
}
