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

// TestRows checks how each kind of value is written, and that every file explains columns.
func TestRows(t *testing.T) {
	k := store.Kept{Table: "things", Columns: []string{"a", "b"}}
	w := export.New("7", made, 1<<20)
	w.Row(k, []any{`a "b"`, int64(1 << 60)})
	w.Row(k, []any{[]byte{0, 5, 11}, int64(4)})
	w.Row(store.Kept{Table: "others", Columns: []string{"c", "d"}}, []any{nil, true})
	f, err := w.Close()
	if err != nil || f.Packed || f.Type != "application/json" {
		t.Fatal(f.Name, err)
	}
	var got struct {
		You, Made      string
		Meaning        map[string]string
		Things, Others []json.RawMessage
	}
	if err := json.Unmarshal(f.Body, &got); err != nil {
		t.Fatalf("%v\n%s", err, f.Body)
	}
	if got.You != "7" || got.Made != "2024-02-03T04:05:06Z" || got.Meaning["channel"] != "the channel" {
		t.Errorf("it begins with %q, %q, %q", got.You, got.Made, got.Meaning)
	}
	for i, want := range []string{`{"a":"a \"b\"","b":"1152921504606846976"}`, `{"a":[0,5,11],"b":4}`, `{"c":null,"d":true}`} {
		if row := append(got.Things, got.Others...)[i]; string(row) != want {
			t.Errorf("row %d: %s\nwant %s", i, row, want)
		}
	}
}

// TestTooLarge: what does not fit is packed, and no more is kept than may be sent.
func TestTooLarge(t *testing.T) {
	k := store.Kept{Table: "s", Columns: []string{"n"}}
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

// TestMeanings: whoever has a person be told of a column explains it.
func TestMeanings(t *testing.T) {
	f, err := export.New("7", made, 1<<20).Close()
	var got struct{ Meaning map[string]string }
	if err := errors.Join(err, json.Unmarshal(f.Body, &got)); err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	explains := func(name string) {
		if explained[name] = true; got.Meaning[name] == "" {
			t.Errorf("%s is not explained", name)
		}
	}
	for _, k := range store.KeptParts {
		explains(k.Table)
		for _, column := range k.Columns {
			if got.Meaning[k.Table+"."+column] != "" {
				column = k.Table + "." + column
			}
			explains(column)
		}
	}
	for name := range got.Meaning {
		if !explained[name] {
			t.Errorf("%s is explained, and nobody is told of it", name)
		}
	}
}
