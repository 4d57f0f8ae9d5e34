package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"testing"
	"time"

	"tictactoe/bot/sandbox/pagetest"
)

// reel is pictures of a page that follow each other. Its zero value is empty.
type reel struct {
	shots []image.Image
	waits []time.Duration
}

// add takes a picture of what the tab shows, which stands for that long.
func (f *reel) add(t *testing.T, tab *pagetest.Tab, d time.Duration) {
	t.Helper()
	shot, err := png.Decode(bytes.NewReader(tab.Shot()))
	if err != nil {
		t.Fatalf("film: %v", err)
	}
	f.shots = append(f.shots, shot)
	f.waits = append(f.waits, d)
}

// write writes the film as a GIF that begins again at its end, in 256 colours that all of
// its pictures share.
func (f *reel) write(path string) error {
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, f.encode()); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644) //nolint:gosec // a picture of the repository, for everybody
}

// encode makes a GIF whose pictures after the first have only what has changed.
func (f *reel) encode() *gif.GIF {
	colours := paletteOf(f.shots...)
	film := &gif.GIF{}
	var shown *image.Paletted
	for i, shot := range f.shots {
		flat := flatten(shot, colours)
		part := flat
		if shown != nil {
			part = image.NewPaletted(changed(shown, flat), colours)
			draw.Draw(part, part.Rect, flat, part.Rect.Min, draw.Src)
		}
		shown = flat
		film.Image = append(film.Image, part)
		film.Delay = append(film.Delay, int(f.waits[i]/(10*time.Millisecond)))
		film.Disposal = append(film.Disposal, gif.DisposalNone)
	}
	return film
}

// flatten draws a picture in the colours, each once looked up.
func flatten(shot image.Image, colours color.Palette) *image.Paletted {
	bounds := shot.Bounds()
	flat := image.NewPaletted(bounds, colours)
	known := map[rgb]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := at(shot, x, y)
			index, ok := known[c]
			if !ok {
				index = uint8(colours.Index(color.RGBA{c[0], c[1], c[2], 0xff})) //nolint:gosec // there are 256
				known[c] = index
			}
			flat.SetColorIndex(x, y, index)
		}
	}
	return flat
}

// changed is the least rectangle outside which two pictures are the same, and one point
// where they are the same everywhere: a GIF has no empty pictures.
func changed(before, after *image.Paletted) image.Rectangle {
	var all image.Rectangle
	bounds := after.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if before.ColorIndexAt(x, y) != after.ColorIndexAt(x, y) {
				all = all.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if all.Empty() {
		return image.Rect(bounds.Min.X, bounds.Min.Y, bounds.Min.X+1, bounds.Min.Y+1)
	}
	return all
}
