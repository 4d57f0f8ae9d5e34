package main

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tictactoe/bot/sandbox/pagetest"
)

// update is the -update flag of the tests that take pictures.
var update = flag.Bool("update", false, "write the pictures of the page anew")

// maxPicture is how large a picture may be, so that a repository can hold it.
const maxPicture = 150 << 10

// takePicture takes a picture of what the tab shows. It is written to path only with
// -update; without, the picture at path must exist, so that a missing one is
// noticed. It is not compared: fonts differ between machines.
func takePicture(t *testing.T, tab *pagetest.Tab, path string) {
	t.Helper()
	if !*update {
		pictureStands(t, path)
		return
	}
	small, err := shrink(tab.Shot())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if len(small) > maxPicture {
		t.Errorf("%s has %d bytes, more than %d", path, len(small), maxPicture)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // pictures of the repository, for everybody
		t.Fatal(err)
	}
	if err := os.WriteFile(path, small, 0o644); err != nil { //nolint:gosec // pictures of the repository, for everybody
		t.Fatal(err)
	}
}

func pictureStands(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%v; run the test with -update", err)
	}
}

// How the 256 colours of a picture are chosen: its most frequent ones as they are,
// which for a page of flat colours are nearly all of it, and for gradients and the
// edges of letters a spread over all the others.
const (
	exactColours  = 144
	spreadColours = 256 - exactColours
)

// shrink writes a picture with 256 colours.
func shrink(shot []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	bounds := full.Bounds()
	flat := image.NewPaletted(bounds, paletteOf(full))
	draw.Draw(flat, bounds, full, bounds.Min, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, flat)
	return out.Bytes(), err
}

// paletteOf chooses the colours of pictures.
func paletteOf(pictures ...image.Image) color.Palette {
	counts := map[rgb]int{}
	for _, p := range pictures {
		bounds := p.Bounds()
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				counts[at(p, x, y)]++
			}
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b rgb) int {
		return cmp.Or(counts[b]-counts[a], slices.Compare(a[:], b[:]))
	})
	exact := colours[:min(len(colours), exactColours)]
	chosen := color.Palette{}
	for _, c := range append(slices.Clone(exact), spread(colours[len(exact):], spreadColours)...) {
		chosen = append(chosen, color.RGBA{c[0], c[1], c[2], 0xff})
	}
	return chosen
}

// at is the colour of a point.
func at(p image.Image, x, y int) rgb {
	r, g, b, _ := p.At(x, y).RGBA()
	return rgb{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)} //nolint:gosec // RGBA gives 16 bits
}

// rgb is an opaque colour.
type rgb [3]uint8

// spread chooses n colours that lie among all of these: the group that reaches
// widest is cut in two until there are n, and each gives its middle.
func spread(colours []rgb, n int) []rgb {
	if len(colours) <= n {
		return colours
	}
	groups := [][]rgb{slices.Clone(colours)}
	for len(groups) < n {
		widest, along, reach := 0, 0, 0
		for i, g := range groups {
			for channel := range 3 {
				low, high := extent(g, channel)
				if r := int(high) - int(low); r > reach {
					widest, along, reach = i, channel, r
				}
			}
		}
		g := groups[widest]
		slices.SortFunc(g, func(a, b rgb) int { return cmp.Compare(a[along], b[along]) })
		low, high := extent(g, along)
		middle := uint8((int(low) + int(high) + 1) / 2) //nolint:gosec // between two bytes
		at, _ := slices.BinarySearchFunc(g, middle, func(c rgb, m uint8) int { return cmp.Compare(c[along], m) })
		groups[widest] = g[:at]
		groups = append(groups, g[at:])
	}
	var out []rgb
	for _, g := range groups {
		var c rgb
		for channel := range c {
			low, high := extent(g, channel)
			c[channel] = uint8((int(low) + int(high)) / 2) //nolint:gosec // between two bytes
		}
		out = append(out, c)
	}
	return out
}

// extent is the least and the greatest value of a channel.
func extent(colours []rgb, channel int) (low, high uint8) {
	low = 0xff
	for _, c := range colours {
		low, high = min(low, c[channel]), max(high, c[channel])
	}
	return low, high
}
