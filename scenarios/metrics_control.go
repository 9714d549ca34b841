package scenarios

// controlMetrics returns the metrics of the control plane. Times count from an
// event of the scenario, the first one unless another is named, or from the first
// line of a kind of the timeline; what never happens takes for ever, which a
// threshold may compare with "never".
func controlMetrics() []Metric {
	event := []string{"event"}
	onTimeline := []string{"kind", "node", "reason", "event"}
	return []Metric{
		{Name: "time.pfail", Unit: Micros, Selectors: event, Meaning: "until the first node suspected another"},
		{Name: "time.quorum", Unit: Micros, Selectors: event, Meaning: "until a majority of the primaries suspected it"},
		{Name: "time.fail", Unit: Micros, Selectors: event, Meaning: "until it was taken for failed"},
		{Name: "time.scheduled", Unit: Micros, Selectors: event, Meaning: "until a replica set the time of an election"},
		{Name: "time.election", Unit: Micros, Selectors: event, Meaning: "until a replica asked for votes"},
		{Name: "time.won", Unit: Micros, Selectors: event, Meaning: "until one had won"},
		{Name: "time.owner", Unit: Micros, Selectors: event, Meaning: "until the last of the other nodes knew the new owner"},
		{Name: "time.ok", Unit: Micros, Selectors: event, Meaning: "until all nodes took the cluster to be up again"},

		{Name: "outage.slot_seconds", Meaning: "for how long slots were not served, added up over slots, in seconds"},
		{Name: "outage.slots", Meaning: "slots that were not served at any time"},
		{Name: "outage.longest", Unit: Micros, Meaning: "the longest time that a slot was not served"},
		{Name: "recovery_time", Unit: Micros, Meaning: "from the first slot that was not served until all were"},

		{Name: "elections", Meaning: "how often a replica asked for votes"},
		{Name: "elections.won", Meaning: "how often one had a majority"},
		{Name: "promotions", Meaning: "how often a replica became a primary, by vote or by order"},
		{Name: "votes.refused", Selectors: []string{"reason"}, Meaning: "votes that were refused"},
		{Name: "events", Selectors: onTimeline, Window: true, Meaning: "lines of the timeline, of a kind such as pfail"},
		{Name: "first", Unit: Micros, Selectors: onTimeline, Needs: "kind", Meaning: "until the first line of a kind"},
		{Name: "last", Unit: Micros, Selectors: onTimeline, Needs: "kind", Meaning: "until the last line of a kind"},
		{Name: "gap.max", Unit: Micros, Selectors: onTimeline, Needs: "kind",
			Meaning: "the longest time between two lines of a kind at one node"},
		{Name: "primaries.down", Meaning: "nodes that own slots and are not there when the run ends"},
		{Name: "states.down", Meaning: "nodes that take the cluster to be down when the run ends"},

		{Name: "full_resyncs", Meaning: "how often a replica got a snapshot of its primary"},
		{Name: "partial_resyncs", Meaning: "how often one got what it lacked from the backlog"},

		{Name: "replication.lag.max", Unit: Bytes,
			Meaning: "what a replica lacked of its primary's stream, the most at any of 256 looks"},

		{Name: "bus.bytes", Unit: BytesPerSecond, Selectors: ofNode, Meaning: "what a node sends on the cluster bus; the mean of all"},
		{Name: "bus.bytes.mean", Unit: BytesPerSecond, Meaning: "the mean of all nodes, too"},
		{Name: "bus.messages", Unit: PerSecond, Selectors: ofNode, Meaning: "messages that a node sends on it; the mean of all"},
		{Name: "bus.message_bytes", Unit: Bytes, Meaning: "size of a mean message on it"},
		{Name: "bus.connects", Unit: PerSecond, Selectors: ofNode, Meaning: "links that nodes try to open; all together"},
		{Name: "bus.utilization.max", Unit: Share, Meaning: "time that a thread spends on it; the most of any node"},
		{Name: "bus.utilization.mean", Unit: Share, Meaning: "time that a thread spends on it; the mean of all nodes"},
	}
}
