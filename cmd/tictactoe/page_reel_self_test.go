package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"testing"
	"time"
)

// TestReel: what a viewer shows of the film, picture by picture, is what was filmed.
func TestReel(t *testing.T) {
	ground, mark := color.RGBA{0x31, 0x33, 0x38, 0xff}, color.RGBA{0x47, 0x57, 0xe0, 0xff}
	var f reel
	for i := range 4 {
		shot := image.NewRGBA(image.Rect(0, 0, 40, 30))
		draw.Draw(shot, shot.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
		if i < 3 { // the third is like the second
			draw.Draw(shot, image.Rect(5, 5, 10+10*min(i, 1), 12), image.NewUniform(mark), image.Point{}, draw.Src)
		}
		f.shots, f.waits = append(f.shots, shot), append(f.waits, 300*time.Millisecond)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, f.encode()); err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(&b)
	if err != nil || len(film.Image) != 4 || film.LoopCount != 0 || film.Delay[0] != 30 {
		t.Fatalf("%d pictures, %d times, %v; %v", len(film.Image), film.LoopCount, film.Delay, err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i, part := range film.Image {
		draw.Draw(screen, part.Bounds(), part, part.Bounds().Min, draw.Over)
		for y := range 30 {
			for x := range 40 {
				if screen.At(x, y) != f.shots[i].At(x, y) {
					t.Fatalf("picture %d has %v at %d, %d; filmed was %v", i, screen.At(x, y), x, y, f.shots[i].At(x, y))
				}
			}
		}
		if i == 1 && part.Bounds() != image.Rect(10, 5, 20, 12) {
			t.Errorf("the second picture has %v, want what has changed", part.Bounds())
		}
	}
}
