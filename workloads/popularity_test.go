package workloads

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"hotslot/sim"
)

// shareBelow returns the exact share of the draws that give a number below end,
// of a sampler that never falls, by looking for the first draw that does not.
func shareBelow(s sampler, end int) float64 {
	low, high := uint64(0), uint64(math.MaxUint64)
	if s.number(high) < end {
		return 1
	}
	for low < high {
		middle := low + (high-low)/2
		if s.number(middle) < end {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return float64(low) / (1 << 64)
}

// The share of the hottest of a million keys, from the generalized harmonic
// numbers.
func TestZipfHottest(t *testing.T) {
	for _, tt := range []struct{ theta, percent float64 }{
		{0, 0.0001}, {0.9, 3.29}, {0.99, 6.50}, {1.2, 18.95}, {1.5, 38.31}, {5, 96.44},
	} {
		got := 100 * shareBelow(newZipf(zipfShape{1_000_000, tt.theta}), 1)
		if math.Abs(got-tt.percent) > 0.005 {
			t.Errorf("theta %v: the hottest key has %.3f %%, want %.2f %%", tt.theta, got, tt.percent)
		}
	}
}

// The guide table against a search of the whole table, the table against the
// definition.
func TestZipfOracle(t *testing.T) {
	for _, count := range []int{1, 2, 3, 7, 8, 9, 100, 1000} {
		for _, theta := range []float64{0, 0.5, 0.99, 1, 2, 5} {
			z := newZipf(zipfShape{count, theta})
			weights, sum := make([]float64, count), 0.0
			for r := range weights {
				weights[r] = math.Pow(float64(r+1), -theta)
				sum += weights[r]
			}
			below := 0.0
			for r := range count - 1 {
				below += weights[r] / sum
				if got := float64(z.bounds[r]) / (1 << 64); math.Abs(got-below) > 1e-12 {
					t.Fatalf("%d ranks, theta %v: share of the first %d is %v, want %v", count, theta, r+1, got, below)
				}
			}
			draws := []uint64{0, 1, math.MaxUint64}
			for _, b := range z.bounds {
				draws = append(draws, b-1, b, b+1)
			}
			for _, draw := range draws {
				want := sort.Search(len(z.bounds), func(i int) bool { return z.bounds[i] > draw })
				if got := z.number(draw); got != want {
					t.Fatalf("%d ranks, theta %v: draw %d gives rank %d, want %d", count, theta, draw, got, want)
				}
			}
		}
	}
}

func TestZipfChiSquare(t *testing.T) {
	const count, n = 100, 200_000
	z := newZipf(zipfShape{count, 0.99})
	var seen [count]float64
	stream := sim.NewStream(1, "workload/keys")
	for i := range uint64(n) {
		seen[z.number(stream.At(i))]++
	}
	chi2, before := 0.0, 0.0
	for r := range seen {
		share := shareBelow(z, r+1)
		want := n * (share - before)
		chi2 += (seen[r] - want) * (seen[r] - want) / want
		before = share
	}
	if chi2 > 148.2 { // of 99 degrees of freedom, exceeded once in a thousand
		t.Errorf("chi-square %.1f", chi2)
	}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct {
		about string
		p     Popularity
		count int
		end   int
		share float64
	}{
		{"uniform", Popularity{Kind: "uniform"}, 1000, 250, 0.25},
		{"uniform by default", Popularity{}, 3, 1, 1. / 3},
		{"hot set", Popularity{Kind: "hot-set", Hot: 0.2, Share: 0.8}, 1000, 200, 0.8},
		{"half of the hot set", Popularity{Kind: "hot-set", Hot: 0.2, Share: 0.8}, 1000, 100, 0.4},
		{"half of the cold set", Popularity{Kind: "hot-set", Hot: 0.2, Share: 0.8}, 1000, 600, 0.9},
		{"a hot set of two", Popularity{Kind: "hot-set", Hot: 0.002, Share: 0.6}, 1000, 1, 0.3},
		{"a hot set is never empty", Popularity{Kind: "hot-set", Hot: 0, Share: 0.8}, 10, 1, 0.8},
		{"all is hot", Popularity{Kind: "hot-set", Hot: 1, Share: 0.8}, 10, 5, 0.5},
		{"the rest is not asked for", Popularity{Kind: "hot-set", Hot: 0.1, Share: 1}, 10, 1, 1},
		{"the hot set is not asked for", Popularity{Kind: "hot-set", Hot: 0.1, Share: 0}, 10, 1, 0},
		{"nobody asks for all", Popularity{Kind: "hot-set", Hot: 1, Share: 0}, 10, 5, 0.5},
		{"hot key", Popularity{Kind: "hot-key", Share: 0.7}, 1000, 1, 0.7},
		{"the others", Popularity{Kind: "hot-key", Share: 0.7}, 1001, 501, 0.85},
	} {
		s := tt.p.sampler(tt.count, NewCache())
		if got := shareBelow(s, tt.end); math.Abs(got-tt.share) > 1e-12 {
			t.Errorf("%s: numbers below %d of %d have %v, want %v", tt.about, tt.end, tt.count, got, tt.share)
		}
	}
}

// A curve holds at each of its points, as finely as whole keys allow.
func TestCurves(t *testing.T) {
	if got := Curves(); len(got) != len(curves) || !slices.IsSorted(got) || !slices.Contains(got, "meta-kvcache") {
		t.Errorf("curves %v", got)
	}
	for _, name := range Curves() {
		shares := curves[name]
		for _, count := range []int{1, 10, 1000, 1_000_000, 100_000_000} {
			c := newCurve(shares, count)
			last := 0
			for i, x := range curveKeys {
				end := rounded(x * float64(count))
				if end == last {
					continue // fewer keys than points
				}
				last = end
				if got := shareBelow(c, end); end < count && math.Abs(got-shares[i]) > 1e-9 {
					t.Errorf("%s, %d keys: the hottest %d have %v, want %v", name, count, end, got, shares[i])
				}
			}
		}
		for i := 1; i < len(shares); i++ {
			hotter, colder := slope(shares, i-1), slope(shares, i)
			if colder > hotter {
				t.Errorf("%s: keys after point %d are hotter than those before", name, i-1)
			}
		}
	}
}

// slope returns the share of the requests per share of the keys before point i.
func slope(shares [len(curveKeys)]float64, i int) float64 {
	if i == 0 {
		return shares[0] / curveKeys[0]
	}
	return (shares[i] - shares[i-1]) / (curveKeys[i] - curveKeys[i-1])
}

// kinds returns one popularity of each kind.
func kinds() []Popularity {
	list := []Popularity{
		{Kind: "uniform"},
		{Kind: "zipf", Theta: 0.99},
		{Kind: "zipf", Theta: 5},
		{Kind: "hot-set", Hot: 0.1, Share: 0.9},
		{Kind: "hot-key", Share: 0.5},
	}
	for _, name := range Curves() {
		list = append(list, Popularity{Kind: name})
	}
	return list
}

func TestNumbersStayInRangeAndNeverFall(t *testing.T) {
	cache := NewCache()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(kinds()).Draw(t, "popularity")
		count := rapid.SampledFrom([]int{1, 2, 3, 10, 1000, 65_536, 1_000_000}).Draw(t, "count")
		s := p.sampler(count, cache)
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
		low, high := s.number(min(a, b)), s.number(max(a, b))
		if low < 0 || low > high || high >= count {
			t.Fatalf("draws %d, %d give %d, %d of %d", min(a, b), max(a, b), low, high, count)
		}
		if s.number(0) != 0 {
			t.Fatalf("draw 0 gives %d", s.number(0))
		}
	})
}

// Whatever the points, numbers stay in range and never fall.
func TestPiecesOfAnyPoints(t *testing.T) {
	const count = 50
	rapid.Check(t, func(t *rapid.T) {
		ends := rapid.SliceOfN(rapid.IntRange(0, count), 1, 20).Draw(t, "ends")
		shares := rapid.SliceOfN(rapid.Float64Range(0, 1), len(ends), len(ends)).Draw(t, "shares")
		slices.Sort(ends)
		slices.Sort(shares)
		var points []point
		for i, end := range ends {
			points = append(points, point{end, shares[i]})
		}
		p := newPieces(append(points, point{count, 1})...)
		last := 0
		for _, draw := range append(edges(p), math.MaxUint64) {
			number := p.number(draw)
			if number < last || number >= count {
				t.Fatalf("draw %d gives %d after %d", draw, number, last)
			}
			last = number
		}
	})
}

// edges returns the draws around the beginning of each piece, in order.
func edges(p *pieces) []uint64 {
	var draws []uint64
	for _, c := range p.list {
		if c.from > 0 {
			draws = append(draws, c.from-1)
		}
		draws = append(draws, c.from, c.from+1)
	}
	return draws
}

func TestLatest(t *testing.T) {
	s := Popularity{Kind: "latest", Theta: 0.99}.sampler(1000, NewCache())
	ranks := newZipf(zipfShape{1000, 0.99})
	for _, draw := range []uint64{0, 1 << 62, 1 << 63, math.MaxUint64} {
		if got, want := s.number(draw), 999-ranks.number(draw); got != want {
			t.Errorf("draw %d gives %d, want %d", draw, got, want)
		}
	}
}

// YCSB calls its first records user6284781860667377211 and so on.
func TestScrambledZipf(t *testing.T) {
	for x, want := range []uint64{6284781860667377211, 8517097267634966620, 1820151046732198393} {
		if got := ycsbHash(uint64(x)); got != want {
			t.Errorf("hash of %d is %d, want %d", x, got, want)
		}
	}
	for x := range uint64(1000) {
		oracle := fnv.New64a()
		binary.Write(oracle, binary.LittleEndian, x)
		want := int64(oracle.Sum64())
		if got := ycsbHash(x); int64(got) != max(want, -want) {
			t.Fatalf("hash of %d is %d, want the absolute value of %d", x, got, want)
		}
	}
	s := Popularity{Kind: "scrambled-zipf", Theta: 0.99}.sampler(1000, NewCache())
	if got, want := s.number(0), 6284781860667377211%1000; got != want {
		t.Errorf("the hottest number is %d, want %d", got, want)
	}
}

func TestTinyCounts(t *testing.T) {
	for _, p := range append(kinds(),
		Popularity{Kind: "latest", Theta: 1},
		Popularity{Kind: "scrambled-zipf", Theta: 1},
		Popularity{Kind: "hot-key", Share: 0},
		Popularity{Kind: "hot-set", Hot: 1, Share: 0},
	) {
		s := p.sampler(1, NewCache())
		for _, draw := range []uint64{0, 1 << 63, math.MaxUint64} {
			if got := s.number(draw); got != 0 {
				t.Errorf("%s: draw %d of one number gives %d", p.Kind, draw, got)
			}
		}
	}
}

func TestPopularityCheck(t *testing.T) {
	for _, p := range append(kinds(), Popularity{}, Popularity{Kind: "sequential"}) {
		if err := p.check(); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
	for _, p := range []Popularity{
		{Kind: "zip"},
		{Kind: "zipf", Theta: -1}, {Kind: "zipf", Theta: 5.1}, {Kind: "zipf", Theta: math.NaN()},
		{Kind: "hot-set", Hot: 2}, {Kind: "hot-set", Share: -1}, {Kind: "hot-key", Share: math.Inf(1)},
	} {
		if p.check() == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}
