package marks

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the pictures anew")

// drawnPictures are all pictures by name.
func drawnPictures() map[string]image.Image {
	all := map[string]image.Image{}
	for name, layers := range drawings {
		all[name] = paint(layers)
	}
	for mark := range silhouettes {
		for name, layers := range ownForms(mark) {
			all[name] = pack(layers)
		}
	}
	return all
}

// TestPicturesAreThoseDrawn compares points, not files: another release of Go may pack
// them otherwise, and another processor may round otherwise.
func TestPicturesAreThoseDrawn(t *testing.T) {
	drawn := drawnPictures()
	if *update {
		for name, img := range drawn {
			var file bytes.Buffer
			e := png.Encoder{CompressionLevel: png.BestCompression}
			if err := errors.Join(e.Encode(&file, img), os.WriteFile(filepath.Join("png", name+".png"), file.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		t.Skip("written; the next run reads them")
	}
	want := slices.Sorted(maps.Keys(drawn))
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
		others, may := different(img, drawn[m.Name]), 0
		if _, packed := drawn[m.Name].(*image.Paletted); packed {
			may = 8 // points whose cover another processor may round to the next step
		}
		if len(others) > may {
			t.Errorf("%s differs from what is drawn at %d points, first at %v; write it with -update", m.Name, len(others), others[0])
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("there are pictures of %v, and drawn are %v", got, want)
	}
}

// different returns the points at which two pictures differ by more than rounding.
func different(a, b image.Image) (at []image.Point) {
	if a.Bounds() != b.Bounds() {
		return []image.Point{a.Bounds().Max}
	}
	apart := func(p, q uint32) bool { return max(p, q)-min(p, q) > 3*0x101 }
	for y := range b.Bounds().Max.Y {
		for x := range b.Bounds().Max.X {
			r, g, bl, al := a.At(x, y).RGBA()
			r2, g2, bl2, al2 := b.At(x, y).RGBA()
			if apart(r, r2) || apart(g, g2) || apart(bl, bl2) || apart(al, al2) {
				at = append(at, image.Pt(x, y))
			}
		}
	}
	return at
}

// smallest is as wide as Discord shows an emoji between words, in pixels.
const smallest = 22

// small is a picture on a ground, as wide as between words, by how light each of its points is
// from 0 to 1: what is left of it for who sees no colours.
func small(img image.Image, ground color.NRGBA) (grey [smallest * smallest]float64) {
	const fine = 4 // points looked at in each direction
	for i := range grey {
		for j := range fine * fine {
			x := (float64(i%smallest) + (float64(j%fine)+0.5)/fine) * size / smallest
			y := (float64(i/smallest) + (float64(j/fine)+0.5)/fine) * size / smallest
			c := over(ground, color.NRGBAModel.Convert(img.At(int(x), int(y))).(color.NRGBA), 1)
			grey[i] += (0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)) / 255 / fine / fine
		}
	}
	return grey
}

// grounds are those of Discord's dark and light looks.
var grounds = map[string]color.NRGBA{"dark": rgb(0x313338), "light": rgb(0xFFFFFF)}

// apart is by how much two pictures of that width differ at a point, on average.
func apart(a, b [smallest * smallest]float64) (sum float64) {
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum / float64(len(a))
}

// TestFormsDifferInGrey: of each mark that people choose, the forms differ between words for
// who sees no colours, on dark and on light.
func TestFormsDifferInGrey(t *testing.T) {
	least := 1.0
	for mark := range silhouettes {
		for look, ground := range grounds {
			forms := map[string][smallest * smallest]float64{}
			for name, layers := range ownForms(mark) {
				forms[name] = small(pack(layers), ground)
			}
			for a := range forms {
				for b := range forms {
					if a >= b {
						continue
					}
					d := apart(forms[a], forms[b])
					if least = min(least, d); d < 0.08 {
						t.Errorf("%s and %s are alike in grey on %s: %.3f", a, b, look, d)
					}
				}
			}
		}
	}
	t.Logf("the two that are most alike differ by %.3f of black and white at a point", least)
}

// TestSilhouettesDiffer: no two marks are told apart by their colours alone, X and O among
// them. Of what either covers between words, at least a quarter only one does.
func TestSilhouettesDiffer(t *testing.T) {
	shapes := map[string][smallest * smallest]float64{}
	black := rgb(0x000000)
	for name, s := range silhouettes {
		shapes[name] = small(paint([]layer{{s.shape, white}}), black)
	}
	shapes["x"], shapes["o"] = small(paint([]layer{{cross, white}}), black), small(paint([]layer{{circle, white}}), black)
	if len(shapes) != 24+2 {
		t.Errorf("there are %d marks", len(shapes))
	}
	least, of := 1.0, ""
	for a := range shapes {
		for b := range shapes {
			if a >= b {
				continue
			}
			var one, either float64
			for i := range shapes[a] {
				one += math.Abs(shapes[a][i] - shapes[b][i])
				either += max(shapes[a][i], shapes[b][i])
			}
			if one/either < least {
				least, of = one/either, a+" and "+b
			}
			if one/either < 0.25 {
				t.Errorf("%s and %s cover the same but for %.2f", a, b, one/either)
			}
		}
	}
	t.Logf("most alike are %s, of which %.2f differs", of, least)
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
