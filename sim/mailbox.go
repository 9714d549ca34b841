package sim

// A mailbox holds the letters that are on their way to one actor, in the order
// in which they are due. Most senders write in time order, so a letter that is
// due no earlier than the last one goes to the end of a lane, which costs next
// to nothing; the others go to a heap.
type mailbox struct {
	lane Ring[key]
	end  uint64 // when the letter is due that was added to the lane last
	late heap   // letters due before the lane's last
}

// push adds a letter.
func (b *mailbox) push(k key) {
	if k.at < b.end && b.lane.Len() > 0 {
		b.late.push(k)
		return
	}
	b.lane.Push(k)
	b.end = k.at
}

// first returns the key of the letter that is due first, or never.
func (b *mailbox) first() key {
	k := b.inLane()
	if len(b.late) > 0 && before(b.late[0], k) == 1 {
		k = b.late[0]
	}
	return k
}

func (b *mailbox) inLane() key {
	if b.lane.Len() == 0 {
		return never
	}
	return *b.lane.First()
}

// pop removes and returns the letter that is due first, if it is due at or
// before now.
func (b *mailbox) pop(now Time) (key, bool) {
	k := b.inLane()
	if len(b.late) > 0 && before(b.late[0], k) == 1 {
		return b.popLate(now)
	}
	if k.at > uint64(now) {
		return key{}, false
	}
	b.lane.Drop()
	return k, true
}

func (b *mailbox) popLate(now Time) (key, bool) {
	if Time(b.late[0].at) > now {
		return key{}, false
	}
	return b.late.pop(), true
}

// len returns how many letters are on their way.
func (b *mailbox) len() int { return b.lane.Len() + len(b.late) }

// each calls f with the key of every letter, in no particular order.
func (b *mailbox) each(f func(key)) {
	for n := b.lane.Head(); n != b.lane.Tail(); n++ {
		f(*b.lane.At(n))
	}
	for _, k := range b.late {
		f(k)
	}
}
