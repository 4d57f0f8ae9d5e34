// Package draw draws the marks of package marks. It is what made the files there, and
// what they are compared with; the program does not use it.
//
// Shapes are given by their signed distance: how far a point is from the edge, negative
// inside. That makes smooth edges one line of code, and needs no fonts.
package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Size is the width and the height of a picture in pixels: that of which Discord's
// documentation says that emojis should be.
const Size = 128

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

// Names are the names of all pictures.
func Names() []string {
	return []string{"x", "o", "empty", "x_win", "o_win", "x_going", "o_going", "x_moved", "o_moved", "better"}
}

// Picture draws one of [Names]; any other name panics. A mark stands in white on a tile of
// its button's colour. On the winning line the tile is green. A mark that vanishes next has
// lost its tile, one that was moved just now has a frame, and shapes alone tell them
// apart too.
func Picture(name string) *image.NRGBA {
	switch name {
	case "x":
		return paint(layer{tile, blue}, layer{cross, white})
	case "o":
		return paint(layer{tile, red}, layer{circle, white})
	case "empty":
		return paint(layer{tile, emptyGround})
	case "x_win":
		return paint(layer{tile, green}, layer{cross, white})
	case "o_win":
		return paint(layer{tile, green}, layer{circle, white})
	case "x_going":
		return paint(layer{edge(8), loneBlue}, layer{cross, loneBlue})
	case "o_going":
		return paint(layer{edge(8), loneRed}, layer{circle, loneRed})
	case "x_moved":
		return paint(layer{tile, blue}, layer{cross, white}, layer{edge(13), amber})
	case "o_moved":
		return paint(layer{tile, red}, layer{circle, white}, layer{edge(13), amber})
	case "better":
		return paint(layer{edge(8), lone}, layer{tick, lone})
	default:
		panic("draw: no picture is called " + name)
	}
}

// PNG is a picture as a file.
func PNG(name string) []byte {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, Picture(name)); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

const middle = Size / 2

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
func paint(layers ...layer) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, Size, Size))
	for y := range Size {
		for x := range Size {
			var under color.NRGBA
			for _, l := range layers {
				// A pixel is covered as far as its middle is inside.
				cover := 0.5 - l.shape(float64(x)+0.5, float64(y)+0.5)
				under = over(under, l.color, math.Min(math.Max(cover, 0), 1))
			}
			img.SetNRGBA(x, y, under)
		}
	}
	return img
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
