package marks

import (
	"image"
	"image/color"
	"math"
	"sync"
)

// The marks that people choose. Each has a silhouette of its own, so that shape alone tells
// them apart, and one of six colours, of which none is that of X, of O or of the winning line.
// All colours are about as light, so that in grey every mark has as much contrast.

// hue is the colour of a tile below a white mark, and of a mark that stands alone on a ground
// which may be dark or light.
type hue struct{ tile, lone color.NRGBA }

var (
	violet = hue{rgb(0x7A3FC8), rgb(0xA97BE8)}
	teal   = hue{rgb(0x0E7484), rgb(0x1E9FB2)}
	rust   = hue{rgb(0xA84F0C), rgb(0xDB7A2C)}
	pink   = hue{rgb(0xB42C78), rgb(0xE566A8)}
	slate  = hue{rgb(0x52607A), rgb(0x8794AE)}
	ochre  = hue{rgb(0x7D6200), rgb(0xB49414)}
)

// The winning line is light where all else is dark, and a mark that was moved just now has the
// frame that it has with X and O.
var mint, pine = rgb(0x7FE3A4), rgb(0x0C3B20)

// silhouettes are the marks by name, with their colours.
var silhouettes = map[string]struct {
	shape shape
	hue   hue
}{
	"star":     {star(64, 68, 43, 18, 3), ochre},
	"heart":    {heart, pink},
	"gem":      {gem, teal},
	"moon":     {moon, slate},
	"sun":      {sun, rust},
	"cloud":    {cloud, slate},
	"drop":     {drop, teal},
	"flame":    {flame, rust},
	"bolt":     {polygon(3, 76, 25, 34, 72, 58, 72, 50, 103, 94, 55, 69, 55), ochre},
	"leaf":     {leaf, violet},
	"flower":   {flower, pink},
	"tree":     {tree, teal},
	"mushroom": {mushroom, rust},
	"cat":      {cat, slate},
	"fish":     {fish, teal},
	"paw":      {paw, ochre},
	"crown":    {crown, violet},
	"key":      {key, ochre},
	"bell":     {bell, violet},
	"anchor":   {anchor, slate},
	"umbrella": {umbrella, pink},
	"house":    {house, rust},
	"ghost":    {ghost, violet},
	"rocket":   {rocket, pink},
}

// ownForms are the pictures of one of them. Vanishing marks have lost their tiles here too.
// Inside the frame of what was moved just now a mark is smaller, so that both stay apart.
func ownForms(name string) map[string][]layer {
	own := silhouettes[name]
	mark, framed := rastered(own.shape), rastered(scaled(own.shape, 0.86))
	return map[string][]layer{
		name:            {{tile, own.hue.tile}, {mark, white}},
		name + "_win":   {{tile, mint}, {mark, pine}, {edge(8), pine}},
		name + "_going": {{edge(8), own.hue.lone}, {mark, own.hue.lone}},
		name + "_moved": {{tile, own.hue.tile}, {framed, white}, {edge(13), amber}},
	}
}

// coverLevels is how many steps an edge of these pictures has. So they have few colours, and
// take a third of the bytes.
const coverLevels = 8

// pack paints like [paint], with few colours.
func pack(layers []layer) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, size, size), nil)
	known := map[color.NRGBA]uint8{}
	each(layers, coverLevels, func(x, y int, c color.NRGBA) {
		i, ok := known[c]
		if !ok {
			i = uint8(len(known)) //nolint:gosec // far fewer than 256
			known[c], img.Palette = i, append(img.Palette, c)
		}
		img.SetColorIndex(x, y, i)
	})
	return img
}

// rastered is a shape whose distances are measured once for all pictures with it.
func rastered(of shape) shape {
	distances := sync.OnceValue(func() *[size][size]float64 {
		grid := new([size][size]float64)
		for y := range size {
			for x := range size {
				grid[y][x] = of(float64(x)+0.5, float64(y)+0.5)
			}
		}
		return grid
	})
	return func(x, y float64) float64 { return distances()[int(y)][int(x)] }
}

// scaled is a shape made larger or smaller round the middle.
func scaled(of shape, by float64) shape {
	return func(x, y float64) float64 { return of(middle+(x-middle)/by, middle+(y-middle)/by) * by }
}

var (
	heart = union(disc(46, 52, 20), disc(82, 52, 20), polygon(3, 32.5, 64, 64, 98, 95.5, 64, 64, 46))
	gem   = without(polygon(3, 42, 33, 86, 33, 104, 56, 64, 101, 24, 56), bar(22, 57, 106, 57, 2.5), bar(49, 57, 64, 98, 2), bar(79, 57, 64, 98, 2))
	moon  = without(disc(62, 64, 41), disc(80, 52, 33))
	sun   = union(disc(64, 64, 21), around(64, 64, 8, 0, bar(64, 34, 64, 28, 6)))
	cloud = union(disc(42, 74, 19), disc(64, 57, 25), disc(88, 72, 20), bar(42, 82, 90, 82, 11))
	drop  = without(union(disc(64, 73, 31), polygon(2, 64, 21, 90, 58, 64, 75, 38, 58)), part(bent(64, 73, 19, 3.5), -1, 0.2, -40))
	flame = without(
		polygon(3, 62, 22, 74, 34, 86, 50, 95, 66, 97, 80, 91, 94, 79, 103, 64, 106, 49, 103, 37, 94, 31, 80, 33, 66, 41, 53, 47, 62, 55, 55, 61, 40),
		union(disc(64, 87, 11), polygon(1, 65, 63, 74, 82, 54, 82)))
	leaf   = union(without(turned(math.Pi/4, both(disc(92, 64, 52), disc(36, 64, 52))), bar(34, 94, 74, 54, 2.5)), bar(30, 98, 42, 86, 4.5))
	flower = without(around(64, 66, 5, 0, disc(64, 43, 17)), disc(64, 66, 11))
	tree   = union(polygon(3, 64, 25, 88, 55, 40, 55), polygon(3, 64, 40, 100, 86, 28, 86), bar(64, 86, 64, 100, 7))
	cap    = both(ellipse(64, 64, 41, 38), polygon(0, 0, 0, 128, 0, 128, 66, 0, 66))

	mushroom = union(without(cap, disc(46, 51, 7), disc(74, 42, 8), disc(88, 58, 5)), polygon(6, 57, 70, 71, 70, 75, 97, 53, 97))
	cat      = without(union(ellipse(64, 72, 37, 31), polygon(3, 32, 30, 62, 46, 32, 66), polygon(3, 96, 30, 66, 46, 96, 66)),
		ellipse(49, 68, 5, 7), ellipse(79, 68, 5, 7), polygon(1.5, 59, 82, 69, 82, 64, 87))
	fish = without(union(both(disc(56, 84, 42), disc(56, 44, 42)), polygon(3, 82, 64, 104, 44, 104, 84)),
		disc(40, 58, 5), part(bent(34, 64, 26, 2.5), 1, 0, 56))
	paw = union(ellipse(64, 83, 25, 19), turned(-0.35, ellipse(26, 61, 9, 12)), turned(0.35, ellipse(102, 61, 9, 12)),
		ellipse(50, 41, 10, 14), ellipse(78, 41, 10, 14))
	crown = without(union(polygon(3, 27, 44, 46, 62, 64, 33, 82, 62, 101, 44, 94, 96, 34, 96), disc(27, 42, 7), disc(64, 32, 7), disc(101, 42, 7)), bar(28, 82, 100, 82, 3))
	key   = union(bent(47, 47, 17, 7), bar(61, 61, 98, 98, 6.5), bar(84, 84, 95, 73, 6), bar(96, 96, 104, 88, 6))
	bell  = turned(0.3, without(union(bent(64, 29, 6, 4), disc(64, 58, 27), polygon(2, 39, 58, 89, 58, 95, 82, 33, 82), bar(28, 86, 100, 86, 6), disc(64, 100, 9)),
		bar(20, 77, 108, 77, 2.5)))

	anchor = union(bent(64, 33, 9, 5), bar(64, 42, 64, 98, 6), bar(46, 56, 82, 56, 5),
		part(bent(64, 66, 34, 6), 0, 1, 72), polygon(2, 20, 76, 34, 58, 46, 78), polygon(2, 108, 76, 94, 58, 82, 78))
	umbrella = union(without(both(disc(64, 66, 42), polygon(0, 0, 0, 128, 0, 128, 67, 0, 67)), disc(36, 72, 12), disc(64, 72, 12), disc(92, 72, 12)),
		bar(64, 24, 64, 94, 4.5), part(bent(75, 94, 11, 4.5), 0, 1, 94))
	house = without(union(polygon(3, 64, 27, 103, 64, 25, 64), polygon(2, 36, 60, 92, 60, 92, 100, 36, 100), bar(87, 36, 87, 54, 6)),
		polygon(2, 57, 76, 71, 76, 71, 108, 57, 108))
	ghost = without(union(disc(64, 58, 34), polygon(0, 30, 58, 98, 58, 98, 92, 30, 92), disc(41, 92, 11), disc(64, 92, 11), disc(87, 92, 11)),
		ellipse(52, 57, 6, 8), ellipse(77, 57, 6, 8))
	rocket = turned(math.Pi/4, union(without(both(both(disc(88, 66, 44), disc(40, 66, 44)), polygon(0, 0, 0, 128, 0, 128, 88, 0, 88)), disc(64, 56, 7.5)),
		polygon(2, 46, 68, 34, 88, 36, 98, 52, 88), polygon(2, 82, 68, 94, 88, 92, 98, 76, 88), polygon(3, 58, 96, 70, 96, 64, 110)))
)

func disc(x, y, r float64) shape {
	return func(px, py float64) float64 { return math.Hypot(px-x, py-y) - r }
}

// bent is a line that runs round a point, half as thick as said on each side.
func bent(x, y, r, half float64) shape {
	return func(px, py float64) float64 { return math.Abs(math.Hypot(px-x, py-y)-r) - half }
}

// ellipse is near enough to the distance close to the edge, where alone it counts.
func ellipse(x, y, rx, ry float64) shape {
	return func(px, py float64) float64 {
		px, py = px-x, py-y
		far, slope := math.Hypot(px/rx, py/ry), math.Hypot(px/rx/rx, py/ry/ry)
		if slope == 0 {
			return -min(rx, ry)
		}
		return far * (far - 1) / slope
	}
}

// bar is a line with round ends.
func bar(fromX, fromY, toX, toY, half float64) shape {
	return func(px, py float64) float64 { return line(px, py, fromX, fromY, toX, toY) + stroke - half }
}

// polygon has corners at x, y, x, y and so on, which are rounded outwards.
func polygon(round float64, at ...float64) shape {
	return func(px, py float64) float64 {
		inside, d := false, math.Inf(1)
		for i, n := 0, len(at); i < n; i += 2 {
			x, y, toX, toY := at[i], at[i+1], at[(i+2)%n], at[(i+3)%n]
			d = min(d, line(px, py, x, y, toX, toY)+stroke)
			if (y > py) != (toY > py) && px < x+(py-y)/(toY-y)*(toX-x) {
				inside = !inside
			}
		}
		if inside {
			d = -d
		}
		return d - round
	}
}

// star has five points.
func star(x, y, outer, inner, round float64) shape {
	var at []float64
	for i := range 10 {
		r, angle := outer-round, float64(i)*math.Pi/5
		if i%2 == 1 {
			r = inner
		}
		at = append(at, x+r*math.Sin(angle), y-r*math.Cos(angle))
	}
	return polygon(round, at...)
}

func union(all ...shape) shape {
	return func(x, y float64) float64 {
		d := math.Inf(1)
		for _, s := range all {
			d = min(d, s(x, y))
		}
		return d
	}
}

func both(a, b shape) shape {
	return func(x, y float64) float64 { return max(a(x, y), b(x, y)) }
}

// without is a shape with holes.
func without(of shape, holes ...shape) shape {
	cut := union(holes...)
	return func(x, y float64) float64 { return max(of(x, y), -cut(x, y)) }
}

// part is what lies on one side of a line: that to which the vector points, from as far along
// it as said.
func part(of shape, toX, toY, from float64) shape {
	n := math.Hypot(toX, toY)
	return func(x, y float64) float64 { return max(of(x, y), (from-x*toX-y*toY)/n) }
}

// turned is a shape turned to the right round the middle.
func turned(angle float64, of shape) shape {
	sin, cos := math.Sincos(angle)
	return func(x, y float64) float64 {
		x, y = x-middle, y-middle
		return of(middle+x*cos+y*sin, middle-x*sin+y*cos)
	}
}

// around repeats a shape so many times round a point.
func around(x, y float64, times int, first float64, of shape) shape {
	return func(px, py float64) float64 {
		d := math.Inf(1)
		for i := range times {
			sin, cos := math.Sincos(first + float64(i)*2*math.Pi/float64(times))
			dx, dy := px-x, py-y
			d = min(d, of(x+dx*cos+dy*sin, y-dx*sin+dy*cos))
		}
		return d
	}
}
