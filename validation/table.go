package validation

import (
	"fmt"
	"strings"
)

// Text returns the report as a table.
func (r *Report) Text() string {
	var b strings.Builder
	if len(r.Comparisons) > 0 {
		fmt.Fprintf(&b, "%-19s%-23s%6s%8s%11s%11s%8s%9s  %s\n", "CONFIGURATION", "PHASE", "REAL", "SIMUL.",
			"MEDIAN", "SIMUL.", "D", "P", "VERDICT")
	}
	last := ""
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		fmt.Fprintf(&b, "%-19s%-23s%6d%8d%11s%11s%8.3f%9.4f  %s\n", once(c.Set, &last), c.What, len(c.Measured),
			len(c.Simulated), number(median(c.Measured), c.Unit), number(median(c.Simulated), c.Unit), c.D, c.P,
			verdict(c.Rejected()))
	}
	if len(r.Checks) > 0 {
		fmt.Fprintf(&b, "\n%-19s%-34s%11s%11s%10s  %s\n", "CONFIGURATION", "QUANTITY", "MEASURED", "SIMUL.", "OFF BY",
			"VERDICT")
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		fmt.Fprintf(&b, "%-19s%-34s%11.2f%11.2f%9.1f%%  %s\n", once(c.Set, &last), c.What, c.Measured, c.Simulated,
			100*(c.Simulated/c.Measured-1), verdict(c.Rejected()))
	}
	all := len(r.Comparisons) + len(r.Checks)
	fmt.Fprintf(&b, "\n%d of %d hold. Two samples are of different distributions where P is below %g.\n",
		all-r.Rejected(), all, Level)
	return b.String()
}

// once returns a name where it is not the same as in the row before.
func once(name string, last *string) string {
	if name == *last {
		return ""
	}
	*last = name
	return name
}

func number(x float64, unit string) string { return strings.TrimSpace(fmt.Sprintf("%.0f %s", x, unit)) }

func verdict(rejected bool) string {
	if rejected {
		return "differs"
	}
	return "agrees"
}
