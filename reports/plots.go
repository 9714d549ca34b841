package reports

import (
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
	var paths []string
	for _, p := range pictures(r) {
		vector := vgsvg.New(p.width, p.height)
		pixels := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(dotsPerInch))}
		for _, f := range []struct {
			extension string
			canvas    vg.CanvasWriterTo
		}{{".svg", vector}, {".png", pixels}} {
			path := filepath.Join(dir, p.name+f.extension)
			p.draw(draw.NewCanvas(f.canvas, p.width, p.height))
			err := writeFile(path, func(w io.Writer) error {
				_, err := f.canvas.WriteTo(w)
				return err
			})
			if err != nil {
				return paths, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// pictures returns every picture of a result.
func pictures(r *experiment.Result) []picture {
	return []picture{
		throughputPicture(r),
		p99Picture(r),
		percentilePicture(r),
		loadPicture(r),
	}
}

// caption titles a picture.
func caption(r *experiment.Result, what string) string {
	title := what
	if r.Title != "" {
		title = fmt.Sprintf("%s — %s", clean(r.Title), what)
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

// lookOf returns the look of strategy i. Colours, dashes and markers repeat
// after seven, four and six, so that 84 strategies look different.
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
	dashes := [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}}
	markers := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}
	c := colors[i%len(colors)]
	return look{
		line:   draw.LineStyle{Color: c, Width: vg.Points(1.3), Dashes: dashes[i%len(dashes)]},
		marker: draw.GlyphStyle{Color: c, Radius: vg.Points(2.6), Shape: markers[i%len(markers)]},
	}
}
