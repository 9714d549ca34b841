package validation

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The size of one panel, how many stand beside each other, and the dots per inch
// of PNG files.
const (
	panelWidth   = 7.5 * vg.Centimeter
	panelHeight  = 6 * vg.Centimeter
	panelsAcross = 3
	dotsPerInch  = 144
)

// Plots draws a page for each set of comparisons into an existing folder, as SVG
// and as PNG, and returns the paths of the files. A panel shows both empirical
// distributions of one quantity: what was measured black, what was simulated
// vermilion.
func (r *Report) Plots(dir string) ([]string, error) {
	var paths []string
	for _, page := range r.pages() {
		for _, f := range []struct {
			extension string
			render    func(io.Writer, []*Comparison) error
		}{{".svg", svg}, {".png", png}} {
			var b bytes.Buffer
			if err := f.render(&b, page); err != nil {
				return paths, err
			}
			path := filepath.Join(dir, page[0].Set+f.extension)
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				return paths, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// pages returns the comparisons of each set.
func (r *Report) pages() (pages [][]*Comparison) {
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if n := len(pages); n > 0 && pages[n-1][0].Set == c.Set {
			pages[n-1] = append(pages[n-1], c)
		} else {
			pages = append(pages, []*Comparison{c})
		}
	}
	return pages
}

// size returns the size of a page.
func size(page []*Comparison) (w, h vg.Length) {
	rows := (len(page) + panelsAcross - 1) / panelsAcross
	return panelsAcross * panelWidth, vg.Length(rows) * panelHeight
}

func svg(w io.Writer, page []*Comparison) error {
	width, height := size(page)
	c := vgsvg.New(width, height)
	if err := drawPage(draw.NewCanvas(c, width, height), page); err != nil {
		return err
	}
	_, err := c.WriteTo(w)
	return err
}

func png(w io.Writer, page []*Comparison) error {
	width, height := size(page)
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch))}
	if err := drawPage(draw.NewCanvas(c, width, height), page); err != nil {
		return err
	}
	_, err := c.WriteTo(w)
	return err
}

// drawPage draws the panels of a page, row by row.
func drawPage(c draw.Canvas, page []*Comparison) error {
	top := c.Max.Y
	for i, comparison := range page {
		p, err := panel(comparison)
		if err != nil {
			return err
		}
		x, y := vg.Length(i%panelsAcross)*panelWidth, top-vg.Length(i/panelsAcross+1)*panelHeight
		p.Draw(draw.Crop(c, x+vg.Points(6), x+panelWidth-vg.Points(8)-c.Max.X, y+vg.Points(4),
			y+panelHeight-vg.Points(6)-c.Max.Y))
	}
	return nil
}

// panel draws both distributions of a comparison.
func panel(c *Comparison) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s\nD = %.3f, p = %.3f", c.What, c.D, c.P)
	p.Title.TextStyle = sans(p.Title.TextStyle, 9)
	p.X.Label.Text = c.Unit
	p.Y.Min, p.Y.Max = 0, 1
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle = sans(axis.Label.TextStyle, 8)
		axis.Tick.Label = sans(axis.Tick.Label, 7)
	}
	for _, s := range []struct {
		xs    []float64
		color color.Color
		width vg.Length
	}{{c.Simulated, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, vg.Points(1.6)}, {c.Measured, color.Black, vg.Points(0.9)}} {
		if len(s.xs) == 0 {
			continue
		}
		line, err := plotter.NewLine(steps(s.xs))
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = s.color, s.width
		p.Add(line)
	}
	return p, nil
}

// steps returns the empirical distribution function of a sample.
func steps(xs []float64) plotter.XYs {
	xs = slices.Sorted(slices.Values(xs))
	var points plotter.XYs
	for i, x := range xs {
		points = append(points, plotter.XY{X: x, Y: float64(i) / float64(len(xs))},
			plotter.XY{X: x, Y: float64(i+1) / float64(len(xs))})
	}
	return points
}

// sans returns a style in a font without serifs of that size.
func sans(s text.Style, points float64) text.Style {
	s.Font.Variant = "Sans"
	s.Font.Size = vg.Points(points)
	return s
}
