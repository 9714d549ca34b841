package workloads

import "hotslot/sim/slots"

// Keys are the keys of a workload. A key is an index here, and its slot is
// looked up; its name is put together only when somebody wants to read it.
// Keys do not change, so that any number of runs share them.
type Keys struct {
	Slots []slots.Slot // by key index
	names naming
}

// newKeys hashes every name.
func newKeys(names naming) *Keys {
	k := &Keys{Slots: make([]slots.Slot, names.len()), names: names}
	var name []byte
	for i := range k.Slots {
		name = names.append(name[:0], i)
		k.Slots[i] = slots.Of(string(name))
	}
	return k
}

// Len returns how many keys there are.
func (k *Keys) Len() int { return len(k.Slots) }

// Name returns the name of key i.
func (k *Keys) Name(i int) string { return string(k.names.append(nil, i)) }
