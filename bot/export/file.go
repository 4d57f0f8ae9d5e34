package export

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"time"

	"tictactoe/store"
)

// ErrTooLarge: the file is larger than it may be, even when it is packed.
var ErrTooLarge = errors.New("export: the file is too large")

// File is a file that is done.
type File struct {
	Name   string
	Type   string // as in Content-Type
	Packed bool   // with gzip, since it would be too large otherwise
	Body   []byte
}

// Writer makes a file. It keeps no more of it than may be sent, whatever goes in. It is for
// one goroutine.
type Writer struct {
	most    int
	plain   bytes.Buffer // empty once it would be larger than that
	packed  bytes.Buffer
	zip     *gzip.Writer
	over    bool
	section string
	row     []byte
	rows    int
	err     error
}

// New begins the file about a person, of at most so many bytes.
func New(user store.UserID, now time.Time, most int) *Writer {
	w := &Writer{most: most}
	w.zip, _ = gzip.NewWriterLevel(&w.packed, gzip.BestSpeed) // the level is one
	about, err := json.Marshal(map[string]any{
		"you": user, "made": now.UTC().Format(time.RFC3339),
		"note": "Ids are Discord's. Times are UTC. A section without rows is left out. The other people in it are those of your own games, challenges and blocks.",
	})
	if w.err = err; err != nil {
		return w
	}
	w.write([]byte("{\n\"about\": "))
	w.write(about)
	w.write([]byte(",\n\"meaning\": "))
	w.write(meanings())
	return w
}

// meanings says what each field means, by section, in the order in which they are written.
func meanings() []byte {
	b := []byte("{")
	last := ""
	for _, k := range store.KeptParts {
		if k.Section == last {
			continue
		}
		if last != "" {
			b = append(b, ',')
		}
		last = k.Section
		b = append(b, "\n  "...)
		b = append(appendString(b, k.Section), ": {\n    "...)
		b = appendString(append(b, `"": `...), k.Means)
		for _, f := range k.Fields {
			b = append(b, ",\n    "...)
			b = appendString(append(appendString(b, f.Name), ": "...), f.Means)
		}
		b = append(b, '}')
	}
	return append(b, "}"...)
}

// Row adds a row of a part. Rows of a section come one after the other.
func (w *Writer) Row(k store.Kept, row []any) {
	b := w.row[:0]
	if k.Section != w.section {
		if w.section != "" {
			b = append(b, "\n]"...)
		}
		b = append(appendString(append(b, ",\n"...), k.Section), ": [\n"...)
		w.section = k.Section
	} else {
		b = append(b, ",\n"...)
	}
	b = appendRow(b, k, row)
	w.row = b
	w.rows++
	w.write(b)
}

// Rows returns how many rows were added.
func (w *Writer) Rows() int { return w.rows }

// Close ends the file. It returns ErrTooLarge for one that is larger than it may be.
func (w *Writer) Close() (File, error) {
	if w.section != "" {
		w.write([]byte("\n]"))
	}
	w.write([]byte("\n}\n"))
	if err := w.zip.Close(); w.err == nil {
		w.err = err
	}
	switch {
	case w.err != nil:
		return File{}, w.err
	case !w.over:
		return File{Name: "tictactoe.json", Type: "application/json", Body: w.plain.Bytes()}, nil
	case w.packed.Len() <= w.most:
		return File{Name: "tictactoe.json.gz", Type: "application/gzip", Packed: true, Body: w.packed.Bytes()}, nil
	default:
		return File{}, ErrTooLarge
	}
}

// write adds to the file in both forms, as long as they can be of use.
func (w *Writer) write(b []byte) {
	if !w.over && w.plain.Len()+len(b) <= w.most {
		w.plain.Write(b)
	} else if !w.over {
		w.over, w.plain = true, bytes.Buffer{}
	}
	if w.err == nil && w.packed.Len() <= w.most {
		_, w.err = w.zip.Write(b)
	}
}
