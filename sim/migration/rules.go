package migration

// A Decimal is a number with up to six digits behind the point, in millionths:
// what people type as weight or as percentage.
type Decimal int64

// Values of a Decimal.
const (
	One              Decimal = 1_000_000
	DefaultThreshold         = 2 * One // per cent; redis-cli.c: CLUSTER_MANAGER_REBALANCE_THRESHOLD
	DecimalMax               = 1_000_000 * One
)

// Rules are what programs that rebalance do differently.
type Rules struct {
	// Fair: shares are computed without rounding, and every node ends with one
	// of the two whole numbers next to its share. All else is what programs do.
	Fair bool
	// Doubles: shares are computed in floats of 64 bits, else of 32.
	Doubles bool
	// Rounding says to whom the slots go that rounding leaves over.
	Rounding Rounding
	// EmptyDue is how many slots an empty node may be due and still be within
	// the threshold.
	EmptyDue int
}

// Rounding says to which nodes the slots go that are left over because every
// share is rounded down.
type Rounding uint8

// The kinds of rounding.
const (
	ToNobody    Rounding = iota // they stay where they are
	ToReceivers                 // one by one to nodes that get slots anyway; where there are none, for ever
	ToAnybody                   // and to nodes that would keep what they have
)

var rules = []struct {
	name  string
	about string
	rules Rules
}{
	{"redis-cli", "redis-cli --cluster rebalance of Redis 7 and 8, move for move", Rules{Rounding: ToAnybody, EmptyDue: 1}},
	{"redis-trib-4", "redis-trib.rb rebalance of Redis 4, which may never end",
		Rules{Doubles: true, Rounding: ToReceivers}},
	{"redis-trib-3", "redis-trib.rb rebalance of Redis 3, which leaves slots over",
		Rules{Doubles: true, Rounding: ToNobody}},
	{"fair", "no two nodes of a weight differ by more than a slot, with the fewest moves", Rules{Fair: true}},
}

// DefaultRules returns the rules of redis-cli in Redis 7.
func DefaultRules() Rules { return rules[0].rules }

// RulesOf returns the rules of a name, and what there is to say about them.
func RulesOf(name string) (r Rules, about string, ok bool) {
	for _, known := range rules {
		if known.name == name {
			return known.rules, known.about, true
		}
	}
	return Rules{}, "", false
}

// RulesNames returns the names of all rules.
func RulesNames() []string {
	var names []string
	for _, known := range rules {
		names = append(names, known.name)
	}
	return names
}
