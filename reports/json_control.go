package reports

import (
	"math"

	"hotslot/experiment"
)

// jsonControl is what became of a cluster in which something happened. Times count
// from the first event of the scenario; one that did not come in every seed is a
// mean over the n seeds in which it did, and null where n is 0.
type jsonControl struct {
	PFAIL          jsonMean `json:"pfail_us"`
	Quorum         jsonMean `json:"quorum_us"`
	FAIL           jsonMean `json:"fail_us"`
	Scheduled      jsonMean `json:"scheduled_us"`
	Election       jsonMean `json:"election_us"`
	Won            jsonMean `json:"won_us"`
	Owner          jsonMean `json:"owner_us"`
	OK             jsonMean `json:"ok_us"`
	SlotSeconds    jsonMean `json:"outage_slot_seconds"`
	Slots          jsonMean `json:"outage_slots"`
	Longest        jsonMean `json:"outage_longest_us"`
	Recovery       jsonMean `json:"recovery_us"`
	Elections      jsonMean `json:"elections"`
	ElectionsWon   jsonMean `json:"elections_won"`
	Promotions     jsonMean `json:"promotions"`
	FullResyncs    jsonMean `json:"full_resyncs"`
	PartialResyncs jsonMean `json:"partial_resyncs"`
	LostWrites     jsonMean `json:"lost_writes"`
	LostKeys       jsonMean `json:"lost_keys"`
	PrimariesDown  jsonMean `json:"primaries_down"`

	Marks []jsonMark `json:"marks"` // of the first seed
}

type jsonMark struct {
	Name    string `json:"name"`
	Seconds number `json:"s"`
}

// jsonStep is a line of the folded timeline.
type jsonStep struct {
	Seconds number `json:"s"`
	Until   number `json:"until_s"`
	Since   number `json:"since_s"` // what was done to the cluster last; null before anything was
	Kind    string `json:"kind"`
	Node    string `json:"node"` // "" where there are several, or none
	Nodes   int    `json:"nodes"`
	Times   int    `json:"times"`
	Alike   int    `json:"alike"` // steps of the kind that came with it and are not told
	Text    string `json:"text"`
}

func controlOf(c *experiment.Control) *jsonControl {
	if c == nil {
		return nil
	}
	return &jsonControl{
		PFAIL: meanOf(c.PFAIL), Quorum: meanOf(c.Quorum), FAIL: meanOf(c.FAIL), Scheduled: meanOf(c.Scheduled),
		Election: meanOf(c.Election), Won: meanOf(c.Won), Owner: meanOf(c.Owner), OK: meanOf(c.OK),
		SlotSeconds: meanOf(c.SlotSeconds), Slots: meanOf(c.Slots), Longest: meanOf(c.Longest),
		Recovery: meanOf(c.Recovery), Elections: meanOf(c.Elections), ElectionsWon: meanOf(c.ElectionsWon),
		Promotions: meanOf(c.Promotions), FullResyncs: meanOf(c.FullResyncs), PartialResyncs: meanOf(c.PartialResyncs),
		LostWrites: meanOf(c.LostWrites), LostKeys: meanOf(c.LostKeys), PrimariesDown: meanOf(c.Down),
		Marks: each(c.Marks, func(m *experiment.Mark) jsonMark { return jsonMark{m.Name, number(m.Seconds)} }),
	}
}

// timelineSteps converts the folded timeline of a strategy's first run.
func timelineSteps(c *experiment.Control) []jsonStep {
	if c == nil {
		return []jsonStep{}
	}
	return each(c.Steps, func(s *experiment.Step) jsonStep {
		out := jsonStep{Seconds: number(s.Seconds), Until: number(s.Until), Since: number(s.Since), Kind: s.Kind,
			Node: s.Node, Nodes: s.Nodes, Times: s.Times, Alike: s.Alike, Text: s.Text}
		if s.Since < 0 {
			out.Since = number(math.NaN())
		}
		return out
	})
}
