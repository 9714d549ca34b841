package reports

import (
	"math"
	"strconv"
	"strings"

	"hotslot/experiment"
)

// A scale is the units in which a quantity is told, smallest first. Sizes are
// powers of ten in the unit of the result.
type scale []unit

type unit struct {
	exponent int
	symbol   string
}

var (
	micros    = scale{{-3, "ns"}, {0, "µs"}, {3, "ms"}, {6, "s"}}
	rates     = scale{{0, "/s"}, {3, "k/s"}, {6, "M/s"}}
	shares    = scale{{-2, "%"}}
	bytesOf   = scale{{0, "B"}, {3, "kB"}, {6, "MB"}, {9, "GB"}}
	bytesASec = scale{{0, "B/s"}, {3, "kB/s"}, {6, "MB/s"}, {9, "GB/s"}}
	plain     = scale{{0, ""}}
)

// scaleOf returns the scale of a threshold's unit.
func scaleOf(unit string) scale {
	switch unit {
	case "us":
		return micros
	case "/s":
		return rates
	case "%":
		return shares
	case "B":
		return bytesOf
	case "B/s":
		return bytesASec
	}
	return plain
}

// unknown stands for a number that was not measured.
const unknown = "-"

// mean tells a mean with its unit, in as many digits as are known.
func (sc scale) mean(m experiment.Mean) string {
	if !finite(m.Mean) {
		return unknown
	}
	last := sc.lastDigit(m)
	u := sc.unit(m, last)
	return strings.TrimSpace(decimal(m.Mean, last, u.exponent) + " " + u.symbol)
}

// interval tells the confidence interval of a mean in the mean's unit and
// digits: "[3.0, 3.2]". It is empty where there is none.
func (sc scale) interval(m experiment.Mean) string {
	if m.N < 2 || !finite(m.Mean) || !finite(m.Low) || !finite(m.High) {
		return ""
	}
	last := sc.lastDigit(m)
	u := sc.unit(m, last)
	return "[" + decimal(m.Low, last, u.exponent) + ", " + decimal(m.High, last, u.exponent) + "]"
}

// number tells a number of which no interval is known.
func (sc scale) number(v float64) string {
	return sc.mean(experiment.Mean{Mean: v, Low: v, High: v, N: 1})
}

// short tells a number without the zeros at its end, as in running text: "10 s".
func (sc scale) short(v float64) string {
	number, symbol, _ := strings.Cut(sc.number(v), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + symbol)
}

// unit returns the largest unit of which there is at least one. Nothing at all
// has no unit.
func (sc scale) unit(m experiment.Mean, last int) unit {
	v := roundTo(m.Mean, last)
	if v == 0 {
		v = roundTo(m.High, last)
	}
	if v == 0 {
		return unit{}
	}
	chosen := sc[0]
	for _, u := range sc {
		if math.Abs(v) >= math.Pow10(u.exponent) {
			chosen = u
		}
	}
	return chosen
}

// lastDigit returns the power of ten of the last digit of m that is known: the
// second digit of half the interval, and never beyond m's own third digit. Of a
// share just below one, the digits that count are those of the rest.
func (sc scale) lastDigit(m experiment.Mean) int {
	if m.N < 2 && m.Mean == math.Trunc(m.Mean) && math.Abs(m.Mean) < 1000 {
		return 0 // a count
	}
	last := exponent(m.Mean, 3) - 2
	if rest := round(1 - m.Mean); sc[0].exponent == -2 && rest > 0 && rest < 0.01 {
		last = min(last, exponent(rest, 2)-1)
	}
	if half := (m.High - m.Low) / 2; m.N > 1 && finite(half) && half > 0 {
		last = max(last, exponent(half, 2)-1)
	}
	return last
}

// exponent returns the power of ten of v's first digit, once v is rounded to so
// many digits. It reads it off the decimal representation because math.Log10
// is not exact.
func exponent(v float64, digits int) int {
	s := strconv.FormatFloat(v, 'e', digits-1, 64)
	e, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	return e
}

// roundTo rounds v to a multiple of a power of ten.
func roundTo(v float64, last int) float64 {
	if last < 0 {
		return math.Round(v*math.Pow10(-last)) / math.Pow10(-last)
	}
	return math.Round(v/math.Pow10(last)) * math.Pow10(last)
}

// decimal tells v in units of a power of ten, down to the digit last.
func decimal(v float64, last, unit int) string {
	v = roundTo(v, last)
	if v == 0 {
		return "0"
	}
	return thousands(strconv.FormatFloat(v/math.Pow10(unit), 'f', max(0, unit-last), 64))
}

// thousands sets a comma between groups of three digits of a number of five
// digits or more.
func thousands(s string) string {
	end := strings.IndexByte(s, '.')
	if end < 0 {
		end = len(s)
	}
	digits := strings.TrimPrefix(s[:end], "-")
	if len(digits) < 5 {
		return s
	}
	for at := end - 3; at > end-len(digits); at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// percent tells a share: whole percents from ten upwards, two digits below.
func percent(share float64) string {
	p := share * 100
	switch {
	case !finite(p):
		return unknown
	case p == 0:
		return "0 %"
	}
	return decimal(p, max(-4, min(0, exponent(p, 2)-1)), 0) + " %"
}

// wholePercent tells a share in whole percents, where small ones do not matter.
func wholePercent(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1 %"
	}
	return decimal(share*100, 0, 0) + " %"
}

// finite says whether v is a number.
func finite(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}
