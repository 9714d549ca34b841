package sim

// wakeups holds one key per actor, its next wake-up, and knows the first. It is
// a tournament: a complete binary tree whose leaves are the actors and whose
// inner nodes hold the winner, the key of the two below that is due first. A
// change plays the matches on one path to the root again, and no others. That
// takes the same few steps every time, without a search, without a branch that
// depends on the keys, and with loads that do not wait for each other.
type wakeups struct {
	tree   []key // 1 is the root, the children of i are 2i and 2i+1; leaves are filled up with never
	leaves int   // a power of two
	actors int
}

// add makes room for one more actor, that never wakes.
func (w *wakeups) add() {
	w.actors++
	if w.actors <= w.leaves {
		return
	}
	old, leaves := w.tree, w.leaves
	w.leaves = max(2, 2*leaves)
	w.tree = make([]key, 2*w.leaves)
	for i := range w.tree {
		w.tree[i] = never
	}
	for i := range leaves {
		w.set(ActorID(i), old[leaves+i])
	}
}

// first returns the key that is due first. Its order ends with the actor.
func (w *wakeups) first() key { return w.tree[1] }

// firstBut returns when the first of all actors but one wakes.
func (w *wakeups) firstBut(id ActorID) uint64 {
	first := never.at
	for i := w.leaves + int(id); i > 1; i /= 2 {
		first = min(first, w.tree[i^1].at)
	}
	return first
}

// at returns when an actor wakes.
func (w *wakeups) at(id ActorID) uint64 { return w.tree[w.leaves+int(id)].at }

// set changes when an actor wakes.
func (w *wakeups) set(id ActorID, k key) {
	i := w.leaves + int(id)
	if w.tree[i] == k {
		return
	}
	w.tree[i] = k
	for i > 1 {
		other := w.tree[i^1]
		lost := -uint64(before(other, k)) // all ones if the other is first
		k.at ^= (k.at ^ other.at) & lost
		k.order ^= (k.order ^ other.order) & lost
		i /= 2
		w.tree[i] = k
	}
}
