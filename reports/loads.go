package reports

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"hotslot/experiment"
)

const (
	nodesMost    = 16 // nodes in a panel
	uprightMost  = 8  // nodes whose names fit beside each other
	panelColumns = 3
)

// loadPicture draws how busy each node is, in a panel for each strategy.
func loadPicture(r *experiment.Result) picture {
	var panels []*plot.Plot
	for i := range r.Strategies {
		if s := &r.Strategies[i]; s.Seeds > 0 {
			panels = append(panels, loadPanel(s))
		}
	}
	columns := max(1, min(panelColumns, len(panels)))
	rows := max(1, (len(panels)+columns-1)/columns)
	grid := make([][]*plot.Plot, rows)
	for y := range grid {
		grid[y] = make([]*plot.Plot, columns)
		copy(grid[y], panels[min(len(panels), y*columns):])
	}
	title := newPlot(caption(r, "load per node"))
	height := vg.Length(rows)*2.6*vg.Inch + headline
	return picture{"load", 10 * vg.Inch, height, func(c draw.Canvas) {
		whole := draw.Crop(c, margin, -margin, margin, -margin)
		c.FillText(title.Title.TextStyle, vg.Point{X: whole.Center().X, Y: whole.Max.Y}, title.Title.Text)
		tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 2 * margin, PadY: 2 * margin, PadTop: headline}
		for y, row := range plot.Align(grid, tiles, whole) {
			for x, tile := range row {
				if grid[y][x] != nil {
					grid[y][x].Draw(tile)
				}
			}
		}
	}}
}

// headline is the height of the title over the panels.
const headline = vg.Length(30)

// loadPanel draws the nodes of one strategy.
func loadPanel(s *experiment.Strategy) *plot.Plot {
	nodes, all := shownNodes(s.Nodes), len(s.Nodes)
	p := newPlot(shorten(clean(s.Name), 36))
	p.Title.TextStyle.Font.Size = vg.Points(10)
	p.Title.Padding = vg.Points(4)
	p.X.Label.Text = "node (p: primary, r: replica)"
	if len(nodes) < all {
		p.X.Label.Text = fmt.Sprintf("the %d busiest of %d nodes (p: primary, r: replica)", len(nodes), all)
	}
	p.X.Label.TextStyle.Font.Size = vg.Points(8)
	p.Y.Label.Text = "thread busy, %"
	p.Y.Label.TextStyle.Font.Size = vg.Points(8)
	ticks, end := linearTicks(1, -2, 5)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, end, plot.ConstantTicks(ticks)
	names := make([]plot.Tick, len(nodes))
	for i, n := range nodes {
		names[i] = plot.Tick{Value: float64(i), Label: shortID(n)}
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = -0.6, max(float64(len(nodes)), 1)-0.4, plot.ConstantTicks(names)
	p.X.Tick.LineStyle.Color = color.Transparent // only the distance of the labels is wanted
	if len(nodes) > uprightMost {
		p.X.Tick.Label.Rotation = math.Pi / 2
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	p.Add(bars(nodes))
	return p
}

// shownNodes returns the busiest nodes, in the order of the result: as many as
// there is room for.
func shownNodes(nodes []experiment.Node) []experiment.Node {
	if len(nodes) <= nodesMost {
		return nodes
	}
	order := make([]int, len(nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[b].Utilization, nodes[a].Utilization) })
	order = order[:nodesMost]
	slices.Sort(order)
	shown := make([]experiment.Node, nodesMost)
	for i, n := range order {
		shown[i] = nodes[n]
	}
	return shown
}

// shortID shortens "primary 0" to "p0" and "replica 0.1" to "r0.1".
func shortID(n experiment.Node) string {
	id := clean(n.ID)
	if number, ok := strings.CutPrefix(id, n.Role+" "); ok && n.Role != "" {
		return n.Role[:1] + number
	}
	return shorten(id, 5)
}

// bars draws the utilization of nodes: those of primaries dark, those of
// replicas light.
type bars []experiment.Node

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, n := range b {
		if !finite(n.Utilization) {
			continue
		}
		left, right := x(float64(i)-0.35), x(float64(i)+0.35)
		top := y(min(n.Utilization, p.Y.Max))
		fill := color.Gray{0x44}
		if n.Role == "replica" {
			fill = color.Gray{0xbb}
		}
		c.FillPolygon(fill, []vg.Point{
			{X: left, Y: c.Min.Y}, {X: right, Y: c.Min.Y}, {X: right, Y: top}, {X: left, Y: top}})
	}
}
