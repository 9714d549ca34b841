package sim

// A mailbox holds the letters that are on their way to one actor, in the order
// in which they are due. Most senders write in time order, so a letter that is
// due no earlier than the last one goes to the end of a lane, which costs next
// to nothing; the others go to a heap.
type mailbox struct {
	lane       []key // ring; length is a power of two
	head, tail uint32
	end        uint64 // when the letter is due that was added to the lane last
	late       heap   // letters due before the lane's last
}

// push adds a letter.
func (b *mailbox) push(k key) {
	if k.at < b.end || b.tail-b.head == uint32(len(b.lane)) {
		b.pushElsewhere(k)
		return
	}
	b.lane[b.tail&uint32(len(b.lane)-1)] = k
	b.tail++
	b.end = k.at
}

// pushElsewhere adds a letter to a lane that is full or, unless it is empty, to
// the late ones.
func (b *mailbox) pushElsewhere(k key) {
	switch {
	case b.head == b.tail:
		b.end = 0
	case k.at < b.end:
		b.late.push(k)
		return
	}
	if b.tail-b.head == uint32(len(b.lane)) {
		b.grow()
	}
	b.push(k)
}

// first returns the key of the letter that is due first, or never.
func (b *mailbox) first() key {
	k := never
	if b.head != b.tail {
		k = b.lane[b.head&uint32(len(b.lane)-1)]
	}
	if len(b.late) > 0 && before(b.late[0], k) == 1 {
		k = b.late[0]
	}
	return k
}

// pop removes and returns the letter that is due first, if it is due at or
// before now.
func (b *mailbox) pop(now Time) (key, bool) {
	lane := never
	if b.head != b.tail {
		lane = b.lane[b.head&uint32(len(b.lane)-1)]
	}
	if len(b.late) > 0 && before(b.late[0], lane) == 1 {
		return b.popLate(now)
	}
	if lane.at > uint64(now) {
		return key{}, false
	}
	b.head++
	return lane, true
}

func (b *mailbox) popLate(now Time) (key, bool) {
	if Time(b.late[0].at) > now {
		return key{}, false
	}
	return b.late.pop(), true
}

func (b *mailbox) grow() {
	bigger := make([]key, max(16, 2*len(b.lane)))
	n := uint32(0)
	for ; b.head != b.tail; b.head++ {
		bigger[n] = b.lane[b.head&uint32(len(b.lane)-1)]
		n++
	}
	b.lane, b.head, b.tail = bigger, 0, n
}

// len returns how many letters are on their way.
func (b *mailbox) len() int { return int(b.tail-b.head) + len(b.late) }

// each calls f with the key of every letter, in no particular order.
func (b *mailbox) each(f func(key)) {
	for i := b.head; i != b.tail; i++ {
		f(b.lane[i&uint32(len(b.lane)-1)])
	}
	for _, k := range b.late {
		f(k)
	}
}
