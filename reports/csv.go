package reports

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"hotslot/experiment"
)

// CSV writes what happened over time, one value a row, so that a spreadsheet or
// a data frame can turn it as it likes:
//
//	scenario,strategy,metric,subject,time_s,value
//
// Metrics are throughput_per_s, p99_us and, where any failed, errors_per_s, of all
// operations, and utilization, of the node that is the subject. Time is the beginning of a bucket, counted
// from the beginning of the run. A bucket without operations has no p99_us. An
// interrupted scenario begins with a row of the metric partial.
func CSV(w io.Writer, results ...*experiment.Result) error {
	c := &seriesWriter{csv: csv.NewWriter(w)}
	c.csv.Write([]string{"scenario", "strategy", "metric", "subject", "time_s", "value"})
	for _, r := range results {
		r = settled(r)
		c.scenario = r.File
		if r.Partial {
			c.csv.Write([]string{c.scenario, "", "partial", "", "", "1"})
		}
		for i := range r.Strategies {
			c.strategy(&r.Strategies[i])
		}
	}
	c.csv.Flush()
	return c.csv.Error() // of any write
}

// A seriesWriter writes the series of a scenario.
type seriesWriter struct {
	csv      *csv.Writer
	scenario string
}

func (c *seriesWriter) strategy(s *experiment.Strategy) {
	width := s.Series.BucketSeconds
	c.series(s.Name, "throughput_per_s", "", width, s.Series.Throughput, true)
	c.series(s.Name, "p99_us", "", width, s.Series.P99, false)
	if slices.ContainsFunc(s.Series.Errors, func(v float64) bool { return v > 0 }) {
		c.series(s.Name, "errors_per_s", "", width, s.Series.Errors, true)
	}
	for _, n := range s.Nodes {
		c.series(s.Name, "utilization", n.ID, width, n.Load, true)
	}
}

// series writes a row for each bucket. Where a value of 0 means that there is
// none, zeros are left out.
func (c *seriesWriter) series(strategy, metric, subject string, width float64, values []float64, zeros bool) {
	for i, v := range values {
		if !finite(v) || v == 0 && !zeros {
			continue
		}
		c.csv.Write([]string{c.scenario, strategy, metric, subject, tell(float64(i) * width), tell(v)})
	}
}

// tell writes a number for a program, in few enough digits to hide that 3 * 0.1
// is not 0.3.
func tell(v float64) string { return strconv.FormatFloat(v, 'g', digits, 64) }
