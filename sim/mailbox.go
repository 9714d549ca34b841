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

// follows reports whether a letter can simply be appended to the lane; else it is
// pushed elsewhere. It and append are short enough to be inlined.
func (b *mailbox) follows(k key) bool { return k.at >= b.end && !b.lane.full() }

func (b *mailbox) append(k key) {
	b.lane.put(k)
	b.end = k.at
}

// pushElsewhere adds a letter to a lane that has to grow, or to the late ones
// unless the lane is empty.
func (b *mailbox) pushElsewhere(k key) {
	if k.at < b.end && b.lane.Len() > 0 {
		b.late.push(k)
		return
	}
	b.lane.Push(k)
	b.end = k.at
}

// first returns the key of the letter that is due first, or never.
func (b *mailbox) first() key {
	k := never
	if b.lane.Len() > 0 {
		k = *b.lane.First()
	}
	if len(b.late) > 0 && before(b.late[0], k) == 1 {
		k = b.late[0]
	}
	return k
}

// due reports whether nothing is late and the lane's first letter is due at or
// before now.
func (b *mailbox) due(now Time) bool {
	return len(b.late) == 0 && b.lane.Len() > 0 && b.lane.First().at <= uint64(now)
}

// pop removes and returns the letter that is due first, if it is due at or
// before now.
func (b *mailbox) pop(now Time) (key, bool) {
	k := b.first()
	switch {
	case k.at > uint64(now):
		return key{}, false
	case b.lane.Len() > 0 && k == *b.lane.First():
		b.lane.Drop()
		return k, true
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
