package marks

import (
	"image"
	"image/color"
	"math"
)

// The pictures are drawn here: this made the files, and they are compared with it. Shapes
// are given by their signed distance: how far a point is from the edge, negative inside.
// That makes smooth edges one line of code, and needs no fonts.

// size is the width and the height of a picture in pixels: that of which Discord's
// documentation says that emojis should be.
const size = 128

// The colours of the buttons, and those that stand alone on a ground which may be dark
// or light.
var (
	blue, red, green        = rgb(0x4757E0), rgb(0xC2323C), rgb(0x1F7A43)
	loneBlue, loneRed, lone = rgb(0x7983F5), rgb(0xF0595E), rgb(0x3BA55D)
	white, amber            = rgb(0xFFFFFF), rgb(0xF0B232)
	emptyGround             = color.NRGBA{0x80, 0x84, 0x8E, 0x59}
)

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xFF} //nolint:gosec // one byte each
}

// shape is the signed distance of a point from an edge, in pixels.
type shape func(x, y float64) float64

// layer is a shape in a colour.
type layer struct {
	shape shape
	color color.NRGBA
}

// drawings are the pictures of X and O. A mark stands in white on a tile of its button's colour. On
// the winning line the tile is green. A mark that vanishes next has lost its tile, one that
// was moved just now has a frame, and shapes alone tell them apart too.
var drawings = map[string][]layer{
	"x":       {{tile, blue}, {cross, white}},
	"o":       {{tile, red}, {circle, white}},
	"empty":   {{tile, emptyGround}},
	"x_win":   {{tile, green}, {cross, white}},
	"o_win":   {{tile, green}, {circle, white}},
	"x_going": {{edge(8), loneBlue}, {cross, loneBlue}},
	"o_going": {{edge(8), loneRed}, {circle, loneRed}},
	"x_moved": {{tile, blue}, {cross, white}, {edge(13), amber}},
	"o_moved": {{tile, red}, {circle, white}, {edge(13), amber}},
	"better":  {{edge(8), lone}, {tick, lone}},
}

const middle = size / 2

// tile is the cell: it leaves a gap to its neighbours.
func tile(x, y float64) float64 { return roundedSquare(x, y, 60, 24) }

func roundedSquare(x, y, half, radius float64) float64 {
	dx, dy := math.Abs(x-middle)-(half-radius), math.Abs(y-middle)-(half-radius)
	return math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - radius
}

// edge is the outermost part of the tile, so many pixels wide.
func edge(width float64) shape {
	return func(x, y float64) float64 {
		d := tile(x, y)
		return math.Max(d, -d-width)
	}
}

// stroke is half of how thick lines are.
const stroke = 10.0

func cross(x, y float64) float64 {
	const from, to = middle - 24, middle + 24
	return math.Min(line(x, y, from, from, to, to), line(x, y, from, to, to, from))
}

func circle(x, y float64) float64 {
	return math.Abs(math.Hypot(x-middle, y-middle)-27) - stroke
}

func tick(x, y float64) float64 {
	return math.Min(line(x, y, 38, 66, 56, 84), line(x, y, 56, 84, 90, 46))
}

// line is a line with round ends.
func line(x, y, fromX, fromY, toX, toY float64) float64 {
	dx, dy := toX-fromX, toY-fromY
	along := ((x-fromX)*dx + (y-fromY)*dy) / (dx*dx + dy*dy)
	along = math.Min(math.Max(along, 0), 1)
	return math.Hypot(x-fromX-along*dx, y-fromY-along*dy) - stroke
}

// paint lays the layers over each other on a clear ground.
func paint(layers []layer) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	each(layers, 0, img.SetNRGBA)
	return img
}

// each gives every point of the layers, whose edges have so many steps, or as many as there
// can be where that is 0.
func each(layers []layer, steps float64, set func(x, y int, c color.NRGBA)) {
	for y := range size {
		for x := range size {
			var under color.NRGBA
			for _, l := range layers {
				// A pixel is covered as far as its middle is inside.
				cover := math.Min(math.Max(0.5-l.shape(float64(x)+0.5, float64(y)+0.5), 0), 1)
				if steps > 0 {
					cover = math.Round(cover*steps) / steps
				}
				under = over(under, l.color, cover)
			}
			set(x, y, under)
		}
	}
}

// over lays a colour over another one, as far as it covers.
func over(under, top color.NRGBA, cover float64) color.NRGBA {
	a := cover * float64(top.A) / 255
	b := float64(under.A) / 255 * (1 - a)
	if a+b == 0 {
		return color.NRGBA{}
	}
	mix := func(u, t uint8) uint8 { return uint8(math.Round((float64(t)*a + float64(u)*b) / (a + b))) }
	return color.NRGBA{mix(under.R, top.R), mix(under.G, top.G), mix(under.B, top.B), uint8(math.Round(255 * (a + b)))}
}
