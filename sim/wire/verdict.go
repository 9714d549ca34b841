package wire

import (
	"fmt"

	"hotslot/sim/slots"
)

// Verdict is a node's answer to a request. The zero value means that all went
// well; the others carry Redis's own words.
type Verdict uint8

// The verdicts. Moved and Ask name the node to try next in Message.Owner.
const (
	OK Verdict = iota
	Moved
	Ask
	TryAgain
	CrossSlot
	ClusterDown  // the cluster is down
	Unbound      // CLUSTERDOWN: the slot has no owner
	DownReadonly // CLUSTERDOWN: the cluster is down and takes reads alone
	ReadOnly
	PrimaryDown // a replica without its primary that must not serve what it has
	Loading     // the node is loading its data
	NoReplicas  // a write, and too few replicas are in sync
	BusyKey     // RESTORE of a key that is there already
	IOError     // MIGRATE: the other node did not answer, or not in time
	NoKey       // MIGRATE: none of the keys is there, which is no error
	Connection  // no answer: the connection was refused or broken
	Timeout     // the client's own: no reply in time
	Verdicts    // how many there are
)

var verdictNames = [Verdicts]string{OK: "OK", Moved: "MOVED", Ask: "ASK", TryAgain: "TRYAGAIN",
	CrossSlot: "CROSSSLOT", ClusterDown: "CLUSTERDOWN", Unbound: "CLUSTERDOWN", DownReadonly: "CLUSTERDOWN",
	ReadOnly: "READONLY", PrimaryDown: "MASTERDOWN", Loading: "LOADING", NoReplicas: "NOREPLICAS",
	BusyKey: "BUSYKEY", IOError: "IOERR", NoKey: "NOKEY", Connection: "CONNECTION", Timeout: "TIMEOUT"}

// String returns the error code as Redis writes it, or "OK". The three kinds of
// CLUSTERDOWN have one code.
func (v Verdict) String() string { return verdictNames[v] }

var verdictTexts = [Verdicts]string{
	TryAgain:     "TRYAGAIN Multiple keys request during rehashing of slot",
	CrossSlot:    "CROSSSLOT Keys in request don't hash to the same slot",
	ClusterDown:  "CLUSTERDOWN The cluster is down",
	Unbound:      "CLUSTERDOWN Hash slot not served",
	DownReadonly: "CLUSTERDOWN The cluster is down and only accepts read commands",
	ReadOnly:     "READONLY You can't write against a read only replica.",
	PrimaryDown:  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
	Loading:      "LOADING Redis is loading the dataset in memory",
	NoReplicas:   "NOREPLICAS Not enough good replicas to write.",
	BusyKey:      "BUSYKEY Target key name already exists.",
	IOError:      "IOERR error or timeout reading to target instance",
}

// Text returns the error as Redis writes it, without the sign before it. MOVED
// and ASK name the slot and the address of the node to try next. What is not
// Redis's own word is the verdict's name.
func (v Verdict) Text(slot slots.Slot, address string) string {
	switch {
	case v == Moved || v == Ask:
		return fmt.Sprintf("%v %d %s", v, slot, address)
	case verdictTexts[v] != "":
		return verdictTexts[v]
	}
	return v.String()
}
