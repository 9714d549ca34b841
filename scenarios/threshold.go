package scenarios

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ownName refers to the strategy that a threshold is about.
const ownName = "self"

// A thresholdParser reads a threshold word by word:
//
//	threshold = quantity ( op value | "in" "[" number "," number "]"
//	                     | "within" percent "of" value ) [ seeds ] .
//	seeds     = "in" ( "every" "seed" | percent [ "to" percent ] "of" "seeds" ) .
//	quantity  = metric [ "{" key ":" text { "," key ":" text } "}" ] [ window ] .
//	window    = "from" edge "to" edge | ( "after" | "before" ) event "for" duration
//	          | "during" event .
//	edge      = duration | event .
//	op        = "<" | "<=" | ">" | ">=" | "==" | "!=" .
//	value     = number | [ factor "*" ] reference .
//	reference = ( strategy | "self" ) [ "." quantity ] .
//	number    = digits [ unit ] | "never" .
//	unit      = "ns" | "us" | "ms" | "s" | "%" | ( "k" | "M" ) [ "/s" ] | "/s"
//	          | ( "B" | "KB" | "KiB" | "MB" | "MiB" | "GB" | "GiB" ) [ "/s" ] .
//
// A reference without a quantity is to the threshold's own quantity. A window
// counts from the beginning of the run, or from an event of the scenario or a
// kind of the timeline; one during an event reaches until what that began is over.
type thresholdParser struct {
	words      []string
	strategies []string // that there are
}

// parseThreshold reads a threshold of one of the strategies.
func parseThreshold(expr, strategy string, strategies []string) (Threshold, error) {
	p := thresholdParser{words: splitWords(expr), strategies: strategies}
	t := Threshold{Strategy: strategy, Expr: expr}
	var err error
	if t.Quantity, err = p.quantity(p.next()); err != nil {
		return t, err
	}
	if err = p.comparison(&t); err != nil {
		return t, err
	}
	if err = p.seeds(&t); err != nil {
		return t, err
	}
	if rest := p.peek(); rest != "" {
		return t, fmt.Errorf("there is more than a threshold: remove %q and what follows", rest)
	}
	return t, nil
}

// splitWords splits an expression into words, operators and {selectors}.
func splitWords(expr string) []string {
	var words []string
	for expr = strings.TrimSpace(expr); expr != ""; expr = strings.TrimSpace(expr) {
		n := wordLength(expr)
		words = append(words, expr[:n])
		expr = expr[n:]
	}
	return words
}

func wordLength(expr string) int {
	switch first := expr[0]; {
	case first == '{':
		return braced(expr)
	case strings.IndexByte("<>=!", first) >= 0:
		if len(expr) > 1 && expr[1] == '=' {
			return 2
		}
		return 1
	case strings.IndexByte("[],*", first) >= 0:
		return 1
	}
	if n := strings.IndexAny(expr, " \t\r\n{<>=![],*"); n > 0 {
		return n
	}
	return len(expr)
}

// braced returns the length of the selector that an expression begins with. The
// hash tag of a key may stand in it, in braces of its own.
func braced(expr string) int {
	depth := 0
	for i := range len(expr) {
		switch expr[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(expr)
}

// peek returns the next word, "" at the end.
func (p *thresholdParser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

// next takes the next word.
func (p *thresholdParser) next() string {
	word := p.peek()
	if word != "" {
		p.words = p.words[1:]
	}
	return word
}

// expect takes a word that must come now.
func (p *thresholdParser) expect(word, example string) error {
	if got := p.next(); got != word {
		return fmt.Errorf("%q is missing; write one such as %q", word, example)
	}
	return nil
}

// quantity reads a metric that has been taken already, and what restricts it.
func (p *thresholdParser) quantity(name string) (Quantity, error) {
	metric, known := FindMetric(name)
	switch {
	case name == "":
		return Quantity{}, fmt.Errorf(`a threshold is missing; write one such as "p99 < 10ms"`)
	case !known:
		return Quantity{}, fmt.Errorf("unknown metric %q%s", name, didYouMean(name, metricNames()))
	}
	q := Quantity{Metric: name}
	if strings.HasPrefix(p.peek(), "{") {
		var err error
		if q.Selector, err = parseSelector(p.next(), metric); err != nil {
			return q, err
		}
	}
	if metric.Needs != "" && q.Selector[metric.Needs] == "" {
		example := map[string]string{"node": "primary 0", "kind": "pfail"}[metric.Needs]
		return q, fmt.Errorf("%s of which %s? Write one such as \"%s{%s:%s}\"",
			name, metric.Needs, name, metric.Needs, example)
	}
	return q, p.window(&q, metric)
}

// parseSelector reads "{key:text, key:text}".
func parseSelector(text string, metric Metric) (map[string]string, error) {
	if len(metric.Selectors) == 0 {
		return nil, fmt.Errorf("%s cannot be restricted; remove %s", metric.Name, text)
	}
	inside, closed := strings.CutSuffix(text[1:], "}")
	if !closed {
		return nil, fmt.Errorf(`%q has no end; write the "}"`, text)
	}
	selector := map[string]string{}
	for pair := range strings.SplitSeq(inside, ",") {
		key, value, is := strings.Cut(pair, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !is || value == "":
			return nil, fmt.Errorf(`%q selects nothing; write one such as "{%s:NAME}"`, text, metric.Selectors[0])
		case !slices.Contains(metric.Selectors, key):
			return nil, fmt.Errorf("%s cannot be restricted by %q%s", metric.Name, key, suggest(key, metric.Selectors))
		case selector[key] != "":
			return nil, fmt.Errorf("%q stands twice in %q; remove one", key, text)
		}
		selector[key] = value
	}
	return selector, nil
}

// comparison reads the operator and what stands behind it.
func (p *thresholdParser) comparison(t *Threshold) (err error) {
	metric, _ := FindMetric(t.Quantity.Metric)
	switch t.Op = p.next(); t.Op {
	case "<", "<=", ">", ">=", "==", "!=":
		return p.value(t, metric.Unit)
	case "in":
		return p.interval(t, metric.Unit)
	case "within":
		percent := p.next()
		share, unit, ok := splitNumber(percent)
		if !ok || unit != "%" || share < 0 || share > 100 {
			return fmt.Errorf(`%q is no tolerance; write one such as "within 5%% of"`, percent)
		}
		t.Tolerance = share / 100
		if err := p.expect("of", "within 5% of"); err != nil {
			return err
		}
		return p.value(t, metric.Unit)
	}
	return fmt.Errorf(`%q is no comparison; write "<", "<=", ">", ">=", "==", "!=", `+
		`"in [low, high]" or "within 5%% of"`, t.Op)
}

// interval reads "[low, high]".
func (p *thresholdParser) interval(t *Threshold, unit Unit) (err error) {
	const example = "in [1ms, 2ms]"
	if err = p.expect("[", example); err != nil {
		return err
	}
	if t.Low, err = unit.parse(p.next()); err != nil {
		return err
	}
	if err = p.expect(",", example); err != nil {
		return err
	}
	if t.High, err = unit.parse(p.next()); err != nil {
		return err
	}
	if t.High < t.Low {
		return fmt.Errorf("nothing is in an interval whose end is below its beginning; swap them")
	}
	return p.expect("]", example)
}

// value reads a number, or a reference and what it is multiplied by.
func (p *thresholdParser) value(t *Threshold, unit Unit) (err error) {
	word := p.next()
	t.Factor = 1
	if p.peek() == "*" {
		p.next()
		t.Factor, err = strconv.ParseFloat(word, 64)
		if err != nil || !(t.Factor > 0 && t.Factor < 1e12) {
			return fmt.Errorf(`%q is no factor; write one such as "1.2 * baseline"`, word)
		}
		word = p.next()
	} else if !p.isReference(word) {
		if word == "never" && t.Quantity.Window != (Window{}) {
			t.Low = math.Inf(1) // what the window is about does not happen
			return nil
		}
		t.Low, err = unit.parse(word)
		return err
	}
	return p.reference(t, word, unit)
}

// isReference reports whether a word refers to a strategy. One that begins with
// a digit is a number unless a strategy is called so.
func (p *thresholdParser) isReference(word string) bool {
	name, _, _ := strings.Cut(word, ".")
	if word == "never" && !slices.Contains(p.strategies, word) {
		return false
	}
	return slices.Contains(p.strategies, name) || word != "" && strings.IndexByte("+-.0123456789", word[0]) < 0
}

// reference reads what quantity of which strategy is meant.
func (p *thresholdParser) reference(t *Threshold, word string, unit Unit) (err error) {
	name, metric, named := strings.Cut(word, ".")
	ref := Reference{Strategy: name, Quantity: t.Quantity}
	if name == ownName {
		ref.Strategy = t.Strategy
	}
	if !slices.Contains(p.strategies, ref.Strategy) {
		if _, is := FindMetric(word); is {
			return fmt.Errorf("%s of which strategy? Write \"self.%s\" for the same one", word, word)
		}
		return fmt.Errorf("there is no strategy %q%s", name, suggest(name, append([]string{ownName}, p.strategies...)))
	}
	if named {
		if ref.Quantity, err = p.quantity(metric); err != nil {
			return err
		}
	}
	if other, _ := FindMetric(ref.Quantity.Metric); other.Unit != unit {
		return fmt.Errorf("%s and %s are not measured in the same unit", t.Quantity.Metric, ref.Quantity.Metric)
	}
	t.Reference = &ref
	return nil
}

// units returns what a number of this unit can be followed by, with the factor
// to the unit.
func (u Unit) units() map[string]float64 {
	switch u {
	case Micros:
		return map[string]float64{"ns": 1e-3, "us": 1, "µs": 1, "μs": 1, "ms": 1e3, "s": 1e6}
	case PerSecond:
		return map[string]float64{"": 1, "/s": 1, "k": 1e3, "k/s": 1e3, "M": 1e6, "M/s": 1e6}
	case Share:
		return map[string]float64{"": 1, "%": 0.01}
	case Bytes:
		return withPlain(sizeUnits)
	case BytesPerSecond:
		return withPlain(bandwidthUnits)
	}
	return map[string]float64{"": 1, "k": 1e3, "M": 1e6}
}

// withPlain returns the units and that a number may stand without one.
func withPlain(units map[string]float64) map[string]float64 {
	units = maps.Clone(units)
	units[""] = 1
	return units
}

// parse reads a number with a unit that fits.
func (u Unit) parse(text string) (float64, error) {
	number, unit, ok := splitNumber(text)
	factor, known := u.units()[unit]
	switch {
	case text == "never" && u == Micros:
		return math.Inf(1), nil
	case text == "":
		return 0, fmt.Errorf("a value is missing; write one such as %q", u.example(10))
	case ok && number == 0 && unit == "":
		return 0, nil
	case ok && unit == "" && !known:
		return 0, fmt.Errorf("a latency needs a unit: write %q", u.example(number))
	case !ok || !known:
		return 0, fmt.Errorf("%q does not fit; write one such as %q", text, u.example(10))
	case u == Share && unit == "" && number > 1:
		return 0, fmt.Errorf("a share is at most 1: write %q", u.example(number))
	}
	return number * factor, nil
}

// example returns how a number is written in this unit.
func (u Unit) example(number float64) string {
	digits := strconv.FormatFloat(number, 'g', -1, 64)
	switch u {
	case Micros:
		return digits + "ms"
	case PerSecond:
		return digits + "k/s"
	case Bytes:
		return digits + "KiB"
	case BytesPerSecond:
		return digits + "MB/s"
	}
	return digits + string(u)
}
