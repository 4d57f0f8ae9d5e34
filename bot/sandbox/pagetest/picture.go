package pagetest

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"github.com/chromedp/chromedp"
)

// update is the -update flag of the tests that take pictures.
var update = flag.Bool("update", false, "write the pictures of the page anew")

// maxPicture is how large a picture may be, so that a repository can hold it.
const maxPicture = 150 << 10

// Picture takes a picture of what the tab shows. It is written to path only with
// -update; without, the picture at path must exist, so that a missing one is
// noticed. It is not compared: fonts differ between machines.
func (tab *Tab) Picture(path string) {
	tab.t.Helper()
	shot := tab.Shot()
	if !*update {
		if _, err := os.Stat(path); err != nil {
			tab.t.Errorf("pagetest: %v; run the test with -update", err)
		}
		return
	}
	small, err := shrink(shot)
	if err != nil {
		tab.t.Fatalf("pagetest: %s: %v", path, err)
	}
	if len(small) > maxPicture {
		tab.t.Errorf("pagetest: %s has %d bytes, more than %d", path, len(small), maxPicture)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tab.t.Fatal(err)
	}
	if err := os.WriteFile(path, small, 0o644); err != nil {
		tab.t.Fatal(err)
	}
}

// Shot is what the tab shows now, as a PNG, once its fonts are there and nothing
// moves any more.
func (tab *Tab) Shot() []byte {
	tab.t.Helper()
	tab.still()
	shot, err := chromedp.Run(tab.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		tab.t.Fatalf("pagetest: picture: %v", err)
	}
	return shot
}

// shrink writes a picture with 256 colours: its own most frequent ones, which for
// a page of flat colours are nearly all it has.
func shrink(shot []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	bounds := full.Bounds()
	counts := map[[3]uint8]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b, _ := full.At(x, y).RGBA()
			counts[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	colours := make([][3]uint8, 0, len(counts))
	for c := range counts {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b [3]uint8) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return slices.Compare(a[:], b[:])
	})
	chosen := slices.Clone(palette.WebSafe[:64:64])
	for _, c := range colours[:min(len(colours), 256-len(chosen))] {
		chosen = append(chosen, color.RGBA{c[0], c[1], c[2], 0xff})
	}
	flat := image.NewPaletted(bounds, chosen)
	draw.Draw(flat, bounds, full, bounds.Min, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, flat)
	return out.Bytes(), err
}
