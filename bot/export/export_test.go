package export_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"tictactoe/bot/export"
	"tictactoe/store"
)

var made = time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)

// TestRows checks how each kind of value is written.
func TestRows(t *testing.T) {
	k := store.Kept{Section: "things", Fields: []store.KeptField{
		{Column: "a", Name: "text", Kind: store.KeptText},
		{Column: "m", Name: "columns", Kind: store.KeptNumber},
		{Column: "b", Name: "id", Kind: store.KeptID},
		{Column: "c", Name: "yes", Kind: store.KeptYes},
		{Column: "d", Name: "at", Kind: store.KeptMoment},
		{Column: "e", Name: "length", Kind: store.KeptLength},
		{Column: "f", Name: "day", Kind: store.KeptDay},
		{Column: "g", Name: "period", Kind: store.KeptPeriod},
		{Column: "h", Name: "cells", Kind: store.KeptCells},
		{Column: "i", Name: "mark", Kind: store.KeptMark},
		{Column: "j", Name: "code", Kind: store.KeptCode, Codes: map[int64]string{0: "", 5: "five"}},
		{Column: "k", Name: "honours", Kind: store.KeptHonours},
	}}
	w := export.New("7", made, 1<<20)
	w.Row(k, []any{`a "b"`, int64(4), int64(1 << 60), int64(1), int64(1000), int64(90e9), int64(20000), int64(202402), []byte{0, 5, 11}, int64(2), int64(5), int64(9)})
	w.Row(k, []any{"", int64(0), int64(0), false, int64(0), nil, int64(0), int64(0), []byte{3}, int64(0), int64(0), int64(0)})
	w.Row(k, []any{"x", int64(3), "9", true, int64(0), int64(0), int64(1), int64(1), nil, int64(1), int64(6), int64(1)})
	if w.Rows() != 3 {
		t.Errorf("%d rows", w.Rows())
	}
	f, err := w.Close()
	if err != nil || f.Packed || f.Type != "application/json" {
		t.Fatal(f.Name, err)
	}
	var got struct {
		About  struct{ You, Made string }
		Things []json.RawMessage
	}
	if err := json.Unmarshal(f.Body, &got); err != nil {
		t.Fatalf("%v\n%s", err, f.Body)
	}
	if got.About.You != "7" || got.About.Made != "2024-02-03T04:05:06Z" {
		t.Errorf("about: %+v", got.About)
	}
	for i, want := range []string{
		`{"text":"a \"b\"","columns":4,"id":"1152921504606846976","yes":true,"at":"1970-01-01T00:00:01.000Z","length":90,"day":"2024-10-04","period":"2024-02","cells":["a1","b2","d3"],"mark":"O","code":"five","honours":[0,3]}`,
		`{"columns":0,"yes":false,"at":"1970-01-01T00:00:00.000Z","period":"all time","cells":[3],"honours":[]}`,
		`{"text":"x","columns":3,"id":"9","yes":true,"at":"1970-01-01T00:00:00.000Z","length":0,"day":"1970-01-02","period":"wins against the program","mark":"X","code":6,"honours":[0]}`,
	} {
		if string(got.Things[i]) != want {
			t.Errorf("row %d: %s\nwant %s", i, got.Things[i], want)
		}
	}
}

// TestMeanings: every section and each of its fields is explained, in every file.
func TestMeanings(t *testing.T) {
	f, err := export.New("7", made, 1<<20).Close()
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Meaning map[string]map[string]string }
	if err := json.Unmarshal(f.Body, &got); err != nil {
		t.Fatalf("%v\n%s", err, f.Body)
	}
	for _, k := range store.KeptParts {
		if got.Meaning[k.Section][""] == "" {
			t.Errorf("%s is not explained", k.Section)
		}
		for _, field := range k.Fields {
			if got.Meaning[k.Section][field.Name] == "" {
				t.Errorf("%s.%s is not explained", k.Section, field.Name)
			}
		}
	}
}

// TestTooLarge: what does not fit is packed, and no more is kept than may be sent.
func TestTooLarge(t *testing.T) {
	k := store.Kept{Section: "s", Fields: []store.KeptField{{Column: "a", Name: "n", Kind: store.KeptNumber}}}
	fill := func(rows, most int) (export.File, error) {
		w := export.New("7", made, most)
		for i := range rows {
			w.Row(k, []any{int64(i) * 7919})
		}
		return w.Close()
	}
	f, err := fill(20_000, 200_000)
	if err != nil || !f.Packed || f.Type != "application/gzip" || len(f.Body) > 200_000 {
		t.Fatalf("%s has %d bytes, %v", f.Name, len(f.Body), err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(f.Body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	var got struct{ S []struct{ N int } }
	if err != nil || json.Unmarshal(text, &got) != nil || len(got.S) != 20_000 || got.S[19_999].N != 19_999*7919 {
		t.Errorf("%d rows, %v", len(got.S), err)
	}
	if _, err := fill(20_000, 5000); !errors.Is(err, export.ErrTooLarge) {
		t.Errorf("Close: %v, want ErrTooLarge", err)
	}
}
