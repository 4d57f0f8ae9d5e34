package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// TestShrinkKeepsColours draws what a page has: large flat grounds, and pictures
// with soft transitions and few pixels.
func TestShrinkKeepsColours(t *testing.T) {
	full := image.NewRGBA(image.Rect(0, 0, 400, 300))
	flat := []color.RGBA{{0x1b, 0x1d, 0x23, 0xff}, {0x23, 0x26, 0x2e, 0xff}, {0x47, 0x57, 0xe0, 0xff}}
	for y := range 300 {
		for x := range 400 {
			full.SetRGBA(x, y, flat[x*len(flat)/400])
		}
	}
	for y := range 60 {
		for x := range 60 { // from blue to violet, as no other part of the picture
			full.SetRGBA(10+x, 10+y, color.RGBA{uint8(0x5a + x), uint8(0x6b - y), uint8(0xff - x), 0xff})
		}
	}
	var shot bytes.Buffer
	if err := png.Encode(&shot, full); err != nil {
		t.Fatal(err)
	}
	small, err := shrink(shot.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	worst := 0
	for y := range 300 {
		for x := range 400 {
			a, b := full.RGBAAt(x, y), color.RGBAModel.Convert(got.At(x, y)).(color.RGBA)
			off := max(distance(a.R, b.R), distance(a.G, b.G), distance(a.B, b.B))
			if off > 0 && (x >= 70 || y >= 70) {
				t.Fatalf("the ground at %d, %d: got %v, want %v", x, y, b, a)
			}
			worst = max(worst, off)
		}
	}
	if worst > 6 {
		t.Errorf("a colour is %d off, want at most 6 of 255", worst)
	}
}

func distance(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
