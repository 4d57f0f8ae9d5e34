// Package marks holds the pictures of the marks in the colours of the buttons, which the
// application uploads as emojis of its own. The tests have drawn them.
package marks

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
)

//go:generate go test -run ^TestPicturesAreThoseDrawn$ . -args -update

//go:embed png/*.png
var files embed.FS

// Mark is a picture. Its emoji's name ends with what the picture's bytes make, so that a
// picture that is drawn anew is another emoji, and messages keep the one that they were
// written with.
type Mark struct {
	Name  string // such as "x_win"
	Emoji string // such as "ttt_x_win_1a2b3c"
	PNG   []byte
}

var all = load()

// All returns every mark. The slice and what is in it must not be changed.
func All() []Mark { return all }

func load() (list []Mark) {
	names, err := fs.Glob(files, "png/*.png")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, file := range names {
		png, err := files.ReadFile(file)
		if err != nil {
			panic(err) // the files are part of the binary
		}
		name := strings.TrimSuffix(path.Base(file), ".png")
		hash := sha256.Sum256(png)
		list = append(list, Mark{Name: name, Emoji: "ttt_" + name + "_" + hex.EncodeToString(hash[:3]), PNG: png})
	}
	return list
}
