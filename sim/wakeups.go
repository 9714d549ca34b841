package sim

// wakeups holds one key per actor, its next wake-up, and knows the first. It is
// a tournament: a complete binary tree whose leaves are the actors and whose
// inner nodes hold the winner, the one of the two below that is due first. A
// change plays the matches on one path to the root again, and no others, which
// takes the same few steps every time, without a search and without a branch
// that depends on the keys.
type wakeups struct {
	keys    []key    // by actor, filled up with never to a power of two
	winners []uint32 // winners[i] is the actor that won below inner node i; 1 is the root
	actors  int
}

// add makes room for one more actor, that never wakes.
func (w *wakeups) add() {
	w.actors++
	if w.actors <= len(w.keys) {
		return
	}
	size := max(2, 2*len(w.keys))
	keys := make([]key, size)
	copy(keys, w.keys)
	for i := len(w.keys); i < size; i++ {
		keys[i] = never
	}
	w.keys, w.winners = keys, make([]uint32, size)
	for i := range keys {
		w.replay(i)
	}
}

// first returns the key that is due first.
func (w *wakeups) first() key { return w.keys[w.winners[1]] }

// firstBut returns when the first of all actors but one wakes.
func (w *wakeups) firstBut(id ActorID) uint64 {
	first := w.keys[id^1].at
	for node := (len(w.keys) + int(id)) / 2; node > 1; node /= 2 {
		first = min(first, w.keys[w.winners[node^1]].at)
	}
	return first
}

// at returns when an actor wakes.
func (w *wakeups) at(id ActorID) uint64 { return w.keys[id].at }

// set changes when an actor wakes.
func (w *wakeups) set(id ActorID, k key) {
	if w.keys[id] == k {
		return
	}
	w.keys[id] = k
	w.replay(int(id))
}

// replay plays the matches between a leaf and the root.
func (w *wakeups) replay(leaf int) {
	size := len(w.keys)
	node := (size + leaf) / 2
	a, b := leaf&^1, leaf|1 // the two leaves of the first match
	winner := a + before(w.keys[b], w.keys[a])
	w.winners[node] = uint32(winner)
	for node > 1 {
		other := int(w.winners[node^1])
		winner ^= (winner ^ other) & -before(w.keys[other], w.keys[winner])
		node /= 2
		w.winners[node] = uint32(winner)
	}
}
