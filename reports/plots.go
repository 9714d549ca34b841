package reports

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"hotslot/experiment"
)

// A picture is a plot that can be drawn on any canvas of its size.
type picture struct {
	name          string // of the file, without extension
	width, height vg.Length
	draw          func(draw.Canvas)
}

// dotsPerInch of PNG files: twice what a screen needs, for paper.
const dotsPerInch = 144

// Plots draws a result into an existing folder, each picture as SVG and as PNG,
// and returns the paths of the files. All strategies are in each picture.
func Plots(dir string, r *experiment.Result) ([]string, error) {
	formats := []struct {
		extension string
		render    func(picture, io.Writer) error
	}{{".svg", picture.svg}, {".png", picture.png}}
	var paths []string
	for _, p := range pictures(r) {
		for _, f := range formats {
			path := filepath.Join(dir, p.name+f.extension)
			if err := writeFile(path, func(w io.Writer) error { return f.render(p, w) }); err != nil {
				return paths, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

func (p picture) png(w io.Writer) error {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(dotsPerInch))}
	p.draw(draw.NewCanvas(c, p.width, p.height))
	_, err := c.WriteTo(w)
	return err
}

// svg names fonts of the same measures, for machines without that of the plots.
func (p picture) svg(w io.Writer) error {
	c := vgsvg.New(p.width, p.height)
	p.draw(draw.NewCanvas(c, p.width, p.height))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	const font = "font-family:Liberation Sans"
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte(font+";"), []byte(font+",Arial,Helvetica,sans-serif;")))
	return err
}

// pictures returns every picture of a result.
func pictures(r *experiment.Result) []picture {
	all := []picture{
		throughputPicture(r),
		p99Picture(r),
		percentilePicture(r),
		loadPicture(r),
	}
	if marksOf(r) != nil {
		all = append(all, errorsPicture(r))
	}
	return all
}

// titleMost is how much of a scenario's title fits above a plot, in columns.
const titleMost = 64

// caption titles a picture.
func caption(r *experiment.Result, what string) string {
	title := what
	if r.Title != "" {
		title = fmt.Sprintf("%s — %s", shorten(clean(r.Title), titleMost), what)
	}
	if r.Partial {
		title += " (partial result)"
	}
	return title
}

// newPlot returns an empty plot in the style of the house.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding = vg.Points(8)
	p.Title.TextStyle = sans(p.Title.TextStyle, 12)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle = sans(axis.Label.TextStyle, 10)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label = sans(axis.Tick.Label, 9)
		axis.LineStyle.Width = vg.Points(0.7)
		axis.Tick.LineStyle.Width = vg.Points(0.7)
		axis.Tick.Length = vg.Points(4)
		axis.Padding = 0
	}
	return p
}

// sans returns a style in a font without serifs of that size.
func sans(s text.Style, points float64) text.Style {
	s.Font.Variant = "Sans"
	s.Font.Size = vg.Points(points)
	return s
}

// A look tells the lines of strategies apart, in print without colours too.
type look struct {
	line   draw.LineStyle
	marker draw.GlyphStyle
}

// lookOf returns the look of strategy i. Dashes repeat after five and markers
// after six, so that 30 strategies differ without their colours. Only the first
// line is solid, and later ones are thinner: what is beneath shows through.
func lookOf(i int) look {
	// The colours of Okabe and Ito, which the colour-blind tell apart, from dark
	// to light.
	colors := []color.Color{
		color.RGBA{0x00, 0x00, 0x00, 0xff}, // black
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.RGBA{0x00, 0x9e, 0x73, 0xff}, // green
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // purple
		color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky
	}
	dashes := [][]vg.Length{{6, 2}, {2, 2}, {8, 2, 2, 2}, {4, 4}, {10, 3}}
	markers := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}
	c := colors[i%len(colors)]
	width := vg.Points(max(1.2, 2.2-0.2*float64(i)))
	line := draw.LineStyle{Color: c, Width: width}
	if i > 0 {
		line.Dashes = dashes[(i-1)%len(dashes)]
	}
	return look{
		line:   line,
		marker: draw.GlyphStyle{Color: c, Radius: vg.Points(2.8), Shape: markers[i%len(markers)]},
	}
}
