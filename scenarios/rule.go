package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"hotslot/sim"
	"hotslot/sim/cluster"
)

// rule reads the rule that an event waits for:
//
//	rule = term { "and" term } [ "for" duration ] .
//	term = metric ( "<" | ">" ) number .
//
// Metrics and numbers are those of thresholds.
func (b *binder) rule(v *value, text *eventText) cluster.When {
	if text.At != "" || text.After != "" {
		b.fail(v.at("when"), "an event happens at a time, after something or when a rule holds; remove all but one")
	}
	r, err := parseRule(text.When)
	if err != nil {
		b.fail(v.at("when"), "%v", err)
	}
	return cluster.When{At: sim.Time(text.Delay), Rule: r}
}

func parseRule(text string) (*cluster.Rule, error) {
	const example = `"node.utilization.max > 80% and node.utilization.mean < 40% for 2s"`
	p, r := thresholdParser{words: splitWords(text)}, new(cluster.Rule)
	for {
		name := p.next()
		metric, _ := FindMetric(name)
		if known := cluster.RuleMetrics(); !slices.Contains(known, name) {
			return nil, fmt.Errorf("no rule can be about %q%s", name, suggest(name, known))
		}
		op := p.next()
		if op != ">" && op != "<" {
			return nil, fmt.Errorf("%q cannot compare; write a rule such as %s", op, example)
		}
		limit, err := metric.Unit.parse(p.next())
		if err != nil {
			return nil, err
		}
		r.Terms = append(r.Terms, cluster.Term{Metric: name, Above: op == ">", Limit: limit})
		switch word := p.next(); word {
		case "and":
			continue
		case "for":
			if r.For, err = parseDuration(p.next()); err != nil {
				return nil, err
			}
		case "":
		default:
			return nil, fmt.Errorf("%q is not part of a rule; write one such as %s", word, example)
		}
		if rest := p.words; len(rest) > 0 {
			return nil, fmt.Errorf("there is more than a rule: remove %q", strings.Join(rest, " "))
		}
		return r, nil
	}
}
