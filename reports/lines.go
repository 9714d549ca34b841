package reports

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"hotslot/experiment"
)

// A line is one strategy in a plot.
type line struct {
	name   string
	index  int     // of the strategy, which decides its look
	phase  float64 // where between two markers its first one is, 0 to 1
	points []plotter.XY
}

// linesOf makes a line of each strategy that has been run.
func linesOf(r *experiment.Result, points func(*experiment.Strategy) []plotter.XY) []line {
	var lines []line
	for i := range r.Strategies {
		if s := &r.Strategies[i]; s.Seeds > 0 {
			phase := (float64(i) + 0.5) / float64(len(r.Strategies))
			lines = append(lines, line{clean(s.Name), i, phase, points(s)})
		}
	}
	return lines
}

func throughputPicture(r *experiment.Result) picture {
	return ratePicture(r, "throughput", "throughput over time", "operations",
		func(s *experiment.Series) []float64 { return s.Throughput })
}

// errorsPicture shows when operations fail.
func errorsPicture(r *experiment.Result) picture {
	return ratePicture(r, "errors", "failed operations over time", "failed operations",
		func(s *experiment.Series) []float64 { return s.Errors })
}

// ratePicture shows how many of something there are per second over time.
func ratePicture(r *experiment.Result, name, title, things string, of func(*experiment.Series) []float64) picture {
	t := timelineOf(r, of, meanOfStep)
	most := 0.0
	for _, l := range t.lines {
		for _, p := range l.points {
			most = max(most, p.Y)
		}
	}
	p := newPlot(caption(r, title))
	u := rates.unit(experiment.Mean{Mean: most, High: most}, 0)
	ticks, end := linearTicks(most, u.exponent, 5)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, end, plot.ConstantTicks(ticks)
	unit := map[int]string{0: things, 3: "thousand " + things, 6: "million " + things}[u.exponent]
	p.Y.Label.Text = unit + " per second" + t.each("mean of")
	timeAxis(p, r, t)
	return linePicture(name, p, t.lines)
}

func p99Picture(r *experiment.Result) picture {
	t := timelineOf(r, func(s *experiment.Series) []float64 { return s.P99 }, highestOfStep)
	p := newPlot(caption(r, "P99 of latency over time"))
	timeAxis(p, r, t)
	of := "of"
	if t.merged {
		of = "highest of"
	}
	latencyAxis(p, t.lines, "P99 of latency (logarithmic)"+t.each(of))
	return linePicture("p99", p, t.lines)
}

func percentilePicture(r *experiment.Result) picture {
	lines := linesOf(r, func(s *experiment.Strategy) []plotter.XY { return distribution(&s.Latency) })
	p := newPlot(caption(r, "latency by percentile"))
	last := nines(0.9999)
	var ticks []plot.Tick
	for _, q := range []float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999} {
		ticks = append(ticks, plot.Tick{Value: nines(q), Label: tickLabel(q * 100)})
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, last, plot.ConstantTicks(ticks)
	p.X.Label.Text = "percentile of operations (logarithmic in the share that is slower)"
	latencyAxis(p, lines, "latency (logarithmic)")
	return linePicture("percentiles", p, lines)
}

// nines returns how many nines a quantile has: 2 for 0.99.
func nines(quantile float64) float64 { return -math.Log10(1 - quantile) }

// distribution returns latency by the nines of its quantile, up to four: from
// the curve, or from the percentiles where there is none.
func distribution(l *experiment.Latency) []plotter.XY {
	curve := l.Curve
	if len(curve) == 0 {
		curve = []experiment.CurvePoint{{Quantile: 0.5, Micros: l.P50}, {Quantile: 0.9, Micros: l.P90},
			{Quantile: 0.95, Micros: l.P95}, {Quantile: 0.99, Micros: l.P99.Mean},
			{Quantile: 0.999, Micros: l.P999}, {Quantile: 0.9999, Micros: l.P9999}}
	}
	var points []plotter.XY
	for _, c := range curve {
		if x := nines(c.Quantile); finite(x) && finite(c.Micros) && x <= nines(0.9999)+1e-9 {
			points = append(points, plotter.XY{X: x, Y: c.Micros})
		}
	}
	return points
}

// timeAxis makes x the time of the run and greys the warm-up. Runs of very
// different lengths are laid over each other.
func timeAxis(p *plot.Plot, r *experiment.Result, t *timeline) {
	if t.relative() {
		ticks, end := linearTicks(100, 0, 10)
		p.X.Min, p.X.Max, p.X.Tick.Marker = 0, end, plot.ConstantTicks(ticks)
		p.X.Label.Text = fmt.Sprintf("time since the start, %% of the run, warm-up included (runs last %s to %s)",
			micros.short(t.short*1e6), micros.short(t.long*1e6))
		return
	}
	end := max((r.Warmup + r.Duration).Seconds(), t.long)
	if end <= 0 {
		end = 1
	}
	ticks, _ := linearTicks(end, 0, 10)
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, end, plot.ConstantTicks(ticks)
	p.X.Label.Text = "time since the start, seconds"
	if r.Warmup > 0 {
		p.X.Label.Text += " (grey: warm-up, not measured)"
		p.Add(band{r.Warmup.Seconds()})
	}
	if t.marks != nil {
		p.Add(flags(t.marks))
	}
}

// A band greys a plot from its left edge to an x.
type band struct{ to float64 }

// Plot implements plot.Plotter.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	c.FillPolygon(color.Gray{0xee}, []vg.Point{
		{X: c.Min.X, Y: c.Min.Y}, {X: x(b.to), Y: c.Min.Y}, {X: x(b.to), Y: c.Max.Y}, {X: c.Min.X, Y: c.Max.Y}})
}

// latencyAxis makes y a latency by its logarithm and replaces the latencies of
// the lines by their logarithms. Where there is none the line has a gap, which
// NaN stands for.
func latencyAxis(p *plot.Plot, lines []line, label string) {
	r := logRangeOf(lines)
	for _, l := range lines {
		for i := range l.points {
			l.points[i].Y = logOrGap(l.points[i].Y)
		}
	}
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = r.low, r.high, plot.ConstantTicks(r.ticks())
	p.Y.Label.Text = label
}

func logOrGap(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	return math.Log10(v)
}

// linePicture draws lines with a legend beside the data.
func linePicture(name string, p *plot.Plot, lines []line) picture {
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xdd}, color.Gray{0xdd}
	p.Add(grid)
	legend := newLegend()
	for _, l := range lines {
		look := lookOf(l.index)
		p.Add(strokes{l, look})
		legend.Add(shorten(l.name, legendMost), strokes{l, look})
	}
	return picture{name, 10 * vg.Inch, 5 * vg.Inch, func(c draw.Canvas) {
		r := legend.Rectangle(c)
		width := r.Max.X - r.Min.X
		whole := draw.Crop(c, margin, -margin, margin, -margin)
		p.Draw(draw.Crop(whole, 0, -width-2*margin, 0, 0))
		legend.Draw(draw.Crop(whole, whole.Max.X-whole.Min.X-width, 0, 0, -3*margin))
	}}
}

const (
	margin     = vg.Length(10) // points
	legendMost = 28            // columns
)

// newLegend returns a legend for the right of a plot.
func newLegend() plot.Legend {
	l := plot.NewLegend()
	l.Top, l.Left = true, true
	l.TextStyle = sans(l.TextStyle, 9)
	l.Padding = vg.Points(4)
	l.ThumbnailWidth = vg.Points(34)
	return l
}

// shorten cuts a name that is too wide for a legend.
func shorten(name string, width int) string {
	if displayWidth(name) <= width {
		return name
	}
	head, _ := cut(name, width-1)
	return head + "…"
}

// strokes draws a line with a marker here and there.
type strokes struct {
	line
	look
}

// markers is how many markers a line has.
const markers = 9

// Plot implements plot.Plotter. A NaN interrupts the line. Markers stand at even
// distances, and for each strategy at other places, so that lines which coincide
// show theirs in turn.
func (s strokes) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var run []vg.Point
	flush := func() {
		if len(run) == 1 { // too short to be seen
			c.DrawGlyph(s.marker, run[0])
		}
		c.StrokeLines(s.look.line, c.ClipLinesXY(run)...)
		run = nil
	}
	for _, point := range s.points {
		if math.IsNaN(point.Y) {
			flush()
			continue
		}
		run = append(run, vg.Point{X: x(point.X), Y: y(point.Y)})
	}
	flush()
	for i := range markers {
		at := p.X.Min + (float64(i)+s.phase)/markers*(p.X.Max-p.X.Min)
		if v := s.height(at); !math.IsNaN(v) {
			c.DrawGlyph(s.marker, vg.Point{X: x(at), Y: y(v)})
		}
	}
}

// height returns where a line is at an x; NaN where it is not.
func (l line) height(x float64) float64 {
	for i := 1; i < len(l.points); i++ {
		a, b := l.points[i-1], l.points[i]
		if a.X <= x && x <= b.X && a.X < b.X {
			return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)
		}
	}
	return math.NaN()
}

// Thumbnail implements plot.Thumbnailer: a piece of the line with one marker.
func (s strokes) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	c.StrokeLine2(s.look.line, c.Min.X, middle.Y, c.Max.X, middle.Y)
	c.DrawGlyph(s.marker, middle)
}
