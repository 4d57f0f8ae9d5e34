package arena

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// panel is one heat map of the picture: how many points in percent the row's opponent
// makes against the column's.
type panel struct {
	title  string
	names  []string
	points func(row, column int) float64
}

// Dims returns the size of the grid. The plotter counts rows from the bottom, the panel
// from the top.
func (p panel) Dims() (columns, rows int) { return len(p.names), len(p.names) }

// Z returns the points in percent.
func (p panel) Z(column, row int) float64 { return p.points(len(p.names)-1-row, column) }

// X returns where the column lies.
func (p panel) X(column int) float64 { return float64(column) }

// Y returns where the row lies.
func (p panel) Y(row int) float64 { return float64(row) }

// shades runs from orange, everything lost, over white, even, to blue, everything
// won: colours that people who cannot tell red from green can tell.
type shades struct{}

// Colors returns the shades from 0 to 100 percent.
func (shades) Colors() []color.Color {
	lost, even, won := [3]float64{230, 97, 1}, [3]float64{247, 247, 247}, [3]float64{44, 123, 182}
	const steps = 101
	all := make([]color.Color, steps)
	for i := range all {
		from, to, t := lost, even, float64(i)/50
		if t > 1 {
			from, to, t = even, won, t-1
		}
		mix := func(k int) uint8 { return uint8(math.Round(from[k] + (to[k]-from[k])*t)) }
		all[i] = color.NRGBA{R: mix(0), G: mix(1), B: mix(2), A: 255}
	}
	return all
}

var _ palette.Palette = shades{}

// picture writes the report as PNG: a heat map for every board.
func picture(w io.Writer, r Report) error {
	panels := []panel{{
		title: "3x3, exact", names: r.Standard.Opponents,
		points: func(i, j int) float64 {
			points, _ := r.Standard.Against(i, j).Points().Float64()
			return 100 * points
		},
	}}
	for _, s := range r.Sampled {
		panels = append(panels, panel{
			title: fmt.Sprintf("%v, %d games a pair", s.Rules, s.Against(0, 1).Games()), names: s.Opponents,
			points: func(i, j int) float64 { return 100 * s.Against(i, j).Points() },
		})
	}
	const columns, side = 2, 11 * vg.Centimeter
	rows := (len(panels) + columns - 1) / columns
	across := min(columns, len(panels))
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(across)*side, vg.Length(rows)*side), vgimg.UseDPI(110))
	tiles := draw.Tiles{
		Cols: across, Rows: rows, PadX: vg.Points(14), PadY: vg.Points(14),
		PadTop: vg.Points(8), PadBottom: vg.Points(8), PadLeft: vg.Points(8), PadRight: vg.Points(8),
	}
	for i, p := range panels {
		plotted, err := p.plot()
		if err != nil {
			return err
		}
		plotted.Draw(tiles.At(draw.New(canvas), i%columns, i/columns))
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// plot draws one heat map with its numbers.
func (p panel) plot() (*plot.Plot, error) {
	plotted := plot.New()
	plotted.Title.Text = p.title + ": points of the row in %"
	plotted.Title.Padding = vg.Points(6)
	heat := plotter.NewHeatMap(p, shades{})
	heat.Min, heat.Max = 0, 100
	numbers := plotter.XYLabels{}
	for row := range p.names {
		for column := range p.names {
			numbers.XYs = append(numbers.XYs, plotter.XY{X: p.X(column), Y: p.Y(row)})
			numbers.Labels = append(numbers.Labels, fmt.Sprintf("%.0f", p.Z(column, row)))
		}
	}
	labels, err := plotter.NewLabels(numbers)
	if err != nil {
		return nil, err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = text.XCenter, text.YCenter
	}
	plotted.Add(heat, labels)
	var across, down []string
	for i, name := range p.names {
		across = append(across, name)
		down = append(down, p.names[len(p.names)-1-i])
	}
	plotted.NominalX(across...)
	plotted.NominalY(down...)
	plotted.X.Tick.Label.Rotation = math.Pi / 4
	plotted.X.Tick.Label.XAlign, plotted.X.Tick.Label.YAlign = text.XRight, text.YCenter
	return plotted, nil
}
