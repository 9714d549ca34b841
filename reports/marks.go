package reports

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"hotslot/experiment"
)

// marksMost is how many events a plot marks; more would hide the lines.
const marksMost = 12

// marksOf returns the events that happened under the first strategy in which any
// did; nil where none did.
func marksOf(r *experiment.Result) []experiment.Mark {
	for i := range r.Strategies {
		if c := r.Strategies[i].Control; c != nil && len(c.Marks) > 0 {
			return c.Marks[:min(marksMost, len(c.Marks))]
		}
	}
	return nil
}

// flags marks instants with a thin line and a name, which is read upwards.
type flags []experiment.Mark

// Plot implements plot.Plotter. Names that would touch stand below one another.
func (f flags) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	grey := color.Gray{0x77}
	style := draw.LineStyle{Color: grey, Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
	label := text.Style{Color: color.Gray{0x44}, Font: font.From(plot.DefaultFont, vg.Points(8)), Rotation: math.Pi / 2,
		XAlign: draw.XRight, YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
	label.Font.Variant = "Sans"
	const width = 11 // points that a name takes across the time axis
	last, top := vg.Length(math.Inf(-1)), c.Max.Y
	for _, m := range f {
		at := x(m.Seconds)
		if at < c.Min.X || at > c.Max.X {
			continue
		}
		c.StrokeLine2(style, at, c.Min.Y, at, c.Max.Y)
		name := shorten(clean(m.Name), legendMost)
		if at-last >= width {
			top = c.Max.Y
		}
		c.FillText(label, vg.Point{X: at + 1, Y: top - 3}, name)
		last, top = at, top-label.Width(name)-8
	}
}
