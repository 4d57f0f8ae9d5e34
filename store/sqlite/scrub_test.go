package sqlite

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tictactoe/store"
)

// page returns a page of a tree of the kind, with so many cells whose content begins at the
// place, and everything in between full of what was there before.
func page(size, header int, kind byte, cells, content int) []byte {
	p := bytes.Repeat([]byte{'x'}, size)
	tree := p[header:]
	tree[0] = kind
	binary.BigEndian.PutUint16(tree[cellCountAt:], uint16(cells))           //nolint:gosec // small
	binary.BigEndian.PutUint16(tree[contentAt:], uint16(content&(1<<16-1))) //nolint:gosec // as SQLite writes it
	return p
}

// TestWipe: the unused part of a page of every kind is overwritten, from behind the places of
// its cells to the first of them, and nothing else.
func TestWipe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		number         int64
		size, header   int
		kind           byte
		cells, content int
		from, to       int // what is overwritten
	}{
		"leaf of a table":                 {2, 4096, 0, 0x0d, 3, 4000, 8 + 6, 4000},
		"leaf of an index":                {2, 4096, 0, 0x0a, 3, 4000, 8 + 6, 4000},
		"branch of a table":               {2, 4096, 0, 0x05, 3, 4000, 12 + 6, 4000},
		"branch of an index":              {2, 4096, 0, 0x02, 3, 4000, 12 + 6, 4000},
		"the first page":                  {1, 4096, 100, 0x0d, 3, 4000, 100 + 8 + 6, 4000},
		"empty, of the largest size":      {2, 1 << 16, 0, 0x0d, 0, 1 << 16, 8, 1 << 16},
		"no page of a tree":               {2, 4096, 0, 0x00, 3, 4000, 0, 0},
		"no page of a tree, by its cells": {2, 4096, 0, 0x0d, 3, 4097, 0, 0},
		"full":                            {2, 4096, 0, 0x0d, 3, 14, 0, 0},
	} {
		got := page(c.size, c.header, c.kind, c.cells, c.content)
		want := bytes.Clone(got)
		clear(want[c.from:c.to])
		if changed := wipe(c.number, got); changed != (c.to > c.from) || !bytes.Equal(got, want) {
			t.Errorf("%s: overwritten is %v, and %d bytes are, want %d", name, changed, bytes.Count(got, []byte{0}), bytes.Count(want, []byte{0}))
		}
		if wipe(c.number, got) {
			t.Errorf("%s: there is something to overwrite the second time", name)
		}
	}
}

// leftover is whose id stands where SQLite leaves what it has moved.
const leftover = "803511102246789123"

// TestEveryPageIsLookedAt: what is left of somebody is found on the last page of a file of
// many, in some steps, and an erasure is done only after a round in which nothing was.
func TestEveryPageIsLookedAt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	within := func(f func(st *transaction) error) {
		t.Helper()
		if err := s.writer.queue.Do(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	within(func(st *transaction) error {
		for _, text := range []string{
			"CREATE TABLE filler (id INTEGER PRIMARY KEY, text TEXT)",
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 280) INSERT INTO filler SELECT i, '" + strings.Repeat("f", 3000) + "' FROM n",
		} {
			if _, err := st.conn.ExecContext(t.Context(), text); err != nil {
				return err
			}
		}
		return nil
	})
	plant := func(st *transaction) error { // in the unused part of the last page
		var last int64
		var leaf []byte
		if err := st.conn.QueryRowContext(t.Context(), "SELECT pgno, data FROM sqlite_dbpage ORDER BY pgno DESC LIMIT 1").Scan(&last, &leaf); err != nil {
			return err
		}
		if last <= scrubPages || leaf[0] != 0x0d {
			t.Fatalf("page %d is of kind %x, which proves nothing", last, leaf[0])
		}
		copy(leaf[leafHeader+2*int(binary.BigEndian.Uint16(leaf[cellCountAt:])):], leftover)
		_, err := st.conn.ExecContext(t.Context(), putPage, last, leaf)
		return err
	}
	within(plant)
	all := scrubs{}
	steps, pages := 0, int64(0)
	for done := false; !done; steps++ {
		within(func(st *transaction) (err error) {
			if err = st.conn.QueryRowContext(t.Context(), pageCount).Scan(&pages); err == nil {
				done, err = all.step(st, store.Erasure{Pseudonym: store.ErasedID(7)}, leftover)
			}
			return err
		})
		if steps > 100 {
			t.Fatal("it does not end")
		}
	}
	if round := int((pages + scrubPages - 1) / scrubPages); steps != 2*round {
		t.Errorf("%d steps, want two rounds of %d", steps, round)
	}

	within(plant)
	e := store.Erasure{User: leftover, Pseudonym: store.ErasedID(7), Begun: time.Unix(1_700_000_000, 0)}
	if err := s.Apply(t.Context(), store.Change{Erasures: []store.Erasure{e}}); err != nil {
		t.Fatal(err)
	}
	for step := store.ErasureGoesOn; step != store.ErasureDone; {
		var err error
		if step, err = s.Erase(t.Context(), e, 50); err != nil {
			t.Fatal(err)
		}
	}
	if content, err := os.ReadFile(path); err != nil || bytes.Contains(content, []byte(leftover)) { //nolint:gosec // the test's own file
		t.Errorf("the file still holds the id, %v", err)
	}
}
