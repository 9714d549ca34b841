package scenarios

// moveMetrics returns the metrics of slots that move. Those of a migration are about
// the event that is selected, or about all that move slots: counts are added up, and
// durations are the longest.
func moveMetrics() []Metric {
	event := []string{"event"}
	return []Metric{
		{Name: "migration.duration", Unit: Micros, Selectors: event,
			Meaning: "from when slots began to move until the last had; never where they do not all arrive"},
		{Name: "migration.slots", Selectors: event, Meaning: "slots that were moved"},
		{Name: "migration.keys", Selectors: event, Meaning: "keys that were"},
		{Name: "migration.bytes", Unit: Bytes, Selectors: event, Meaning: "and what their values came to"},
		{Name: "migration.round_trips", Selectors: []string{"event", "command"},
			Meaning: "answers that the tool, and MIGRATE on its behalf, waited for; or commands of a name"},
		{Name: "migration.failed", Selectors: event, Meaning: "migrations that did not begin, or ended before their time"},
		{Name: "migration.block.source", Unit: Micros, Selectors: event,
			Meaning: "the longest time that a thread was busy with one MIGRATE"},
		{Name: "migration.block.target", Unit: Micros,
			Meaning: "the longest turn in which a thread took in keys"},
		{Name: "migrate.mean", Unit: Micros, Selectors: event, Meaning: "what a MIGRATE took"},
		{Name: "restore.mean", Unit: Micros, Meaning: "what a RESTORE took"},
		{Name: "slots.open", Meaning: "slots that are migrating or importing for a node when the run ends"},
		{Name: "slots.uncovered", Meaning: "slots that nobody serves when the run ends"},
		{Name: "keys.doubled", Meaning: "keys that more than one primary has when the run ends"},
		{Name: "keys.stranded", Meaning: "keys that a primary has when the run ends, but not the owner of their slot"},
		{Name: "keys.missing", Meaning: "keys that were there, were not deleted by a client, and that no node has when the run ends"},
		{Name: "misses", Meaning: "keys that were read and not there"},
	}
}
