// Package export writes what is kept about a person as one JSON file, for that person.
//
// It reads nothing and knows neither Discord nor a database: rows of [store.KeptParts] go
// in, a file comes out. What columns mean stands at the beginning of each file, since that is
// all that its reader has.
package export

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for meanings
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tictactoe/store"
)

// meanings says what tables hold, and what columns mean in every table, or in the one that is
// named before the point.
//
//go:embed meanings.json
var meanings []byte

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
	most   int
	plain  bytes.Buffer // empty once it would be larger than that
	packed bytes.Buffer
	zip    *gzip.Writer
	over   bool
	table  string
}

// New begins the file about a person, of at most so many bytes.
func New(user store.UserID, now time.Time, most int) *Writer {
	w := &Writer{most: most}
	w.zip, _ = gzip.NewWriterLevel(&w.packed, gzip.BestSpeed) // the level is one
	w.write(fmt.Appendf(nil, "{\n%q: %q,\n%q: %q,\n%q: %s", "you", user, "made", now.UTC().Format(time.RFC3339), "meaning", bytes.TrimSpace(meanings)))
	return w
}

// Row adds a row of a part. Rows of a table come one after the other.
func (w *Writer) Row(k store.Kept, row []any) {
	b := []byte(",\n")
	if k.Table != w.table {
		b = fmt.Appendf(w.end(), ",\n%q: [\n", k.Table)
		w.table = k.Table
	}
	before := '{'
	for i, column := range k.Columns {
		b = fmt.Appendf(b, "%c%q:%s", before, column, value(row[i]))
		before = ','
	}
	w.write(append(b, '}'))
}

// end returns what ends the table that was begun, if one was.
func (w *Writer) end() []byte {
	if w.table == "" {
		return nil
	}
	return []byte("\n]")
}

// value returns what a database gave as JSON: bytes as a list of numbers, and numbers that
// are too large for JavaScript's as texts.
func value(v any) []byte {
	switch n := v.(type) {
	case []byte:
		list := make([]int, len(n))
		for i, b := range n {
			list[i] = int(b)
		}
		v = list
	case int64:
		if n > 1<<53 {
			v = strconv.FormatInt(n, 10)
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // no driver gives anything else than texts, numbers, truth values and nil
	}
	return b
}

// Close ends the file. It returns ErrTooLarge for one that is larger than it may be.
func (w *Writer) Close() (File, error) {
	w.write(append(w.end(), "\n}\n"...))
	switch err := w.zip.Close(); {
	case err != nil:
		return File{}, err
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
	if w.packed.Len() <= w.most {
		_, _ = w.zip.Write(b) // into memory
	}
}
