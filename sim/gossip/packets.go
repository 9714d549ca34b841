package gossip

// Packets are the packets of a run. They are used again.
type Packets struct {
	all  []*Packet
	free []uint32
}

// New returns an empty packet for one receiver.
func (s *Packets) New() *Packet {
	if n := len(s.free); n > 0 {
		p := s.all[s.free[n-1]]
		s.free = s.free[:n-1]
		*p = Packet{Number: p.Number, refs: 1, Entries: p.Entries[:0], Forgotten: p.Forgotten[:0]}
		return p
	}
	p := &Packet{Number: uint32(len(s.all)), refs: 1}
	s.all = append(s.all, p)
	return p
}

// At returns the packet of a number.
func (s *Packets) At(number uint32) *Packet { return s.all[number] }

// Share says that a packet goes to one receiver more.
func (s *Packets) Share(p *Packet) { p.refs++ }

// Release gives up one receiver's packet.
func (s *Packets) Release(p *Packet) {
	if p.refs--; p.refs == 0 {
		s.free = append(s.free, p.Number)
	}
}

// InUse returns how many packets are on their way.
func (s *Packets) InUse() int { return len(s.all) - len(s.free) }
