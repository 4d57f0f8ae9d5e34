package marks

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the pictures anew")

// TestPicturesAreThoseDrawn compares points, not files: another release of Go may pack
// them otherwise, and another processor may round otherwise.
func TestPicturesAreThoseDrawn(t *testing.T) {
	if *update {
		for name, layers := range drawings {
			var file bytes.Buffer
			e := png.Encoder{CompressionLevel: png.BestCompression}
			if err := errors.Join(e.Encode(&file, paint(layers)), os.WriteFile(filepath.Join("png", name+".png"), file.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		t.Skip("written; the next run reads them")
	}
	want := slices.Sorted(maps.Keys(drawings))
	var got []string
	for _, m := range All() {
		got = append(got, m.Name)
		img, err := png.Decode(bytes.NewReader(m.PNG))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if !slices.Contains(want, m.Name) {
			continue
		}
		if at, differ := different(img, paint(drawings[m.Name])); differ {
			t.Errorf("%s differs from what is drawn, first at %v; write it with -update", m.Name, at)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("there are pictures of %v, and drawn are %v", got, want)
	}
}

// different returns the first point at which two pictures differ by more than rounding.
func different(a, b image.Image) (at image.Point, _ bool) {
	if a.Bounds() != b.Bounds() {
		return at, true
	}
	apart := func(p, q uint32) bool { return max(p, q)-min(p, q) > 3*0x101 }
	for y := range b.Bounds().Max.Y {
		for x := range b.Bounds().Max.X {
			r, g, bl, al := a.At(x, y).RGBA()
			r2, g2, bl2, al2 := b.At(x, y).RGBA()
			if apart(r, r2) || apart(g, g2) || apart(bl, bl2) || apart(al, al2) {
				return image.Pt(x, y), true
			}
		}
	}
	return at, false
}

// TestDiscordTakesThem: the limits are those of Discord's documentation of emojis, and
// pictures that are alike would be told apart by nobody.
func TestDiscordTakesThem(t *testing.T) {
	name := regexp.MustCompile(`^ttt_[a-z_]+_[0-9a-f]{6}$`)
	seen := map[string]bool{}
	for _, m := range All() {
		if !name.MatchString(m.Emoji) || len(m.Emoji) > 32 {
			t.Errorf("an emoji is called %q", m.Emoji)
		}
		if len(m.PNG) > 8<<10 {
			t.Errorf("%s has %d bytes", m.Name, len(m.PNG))
		}
		if seen[string(m.PNG)] {
			t.Errorf("%s looks like another one", m.Name)
		}
		seen[string(m.PNG)] = true
	}
}
