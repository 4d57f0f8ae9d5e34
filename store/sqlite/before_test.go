package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// beside returns the names that stand in the folder of the file, those of SQLite's own left out.
func beside(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name != filepath.Base(path) && !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
			names = append(names, name)
		}
	}
	return names
}

func wantBeside(t *testing.T, path string, want ...string) {
	t.Helper()
	if got := beside(t, path); !slices.Equal(got, want) {
		t.Errorf("beside the file are %q, want %q", got, want)
	}
}

// wantCopy wants a whole copy of olderDatabase(t, 1).
func wantCopy(t *testing.T, name string) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the copy has mode %v", info.Mode())
	}
	var integrity string
	var version, matches int
	queryRow(t, name, "PRAGMA integrity_check", &integrity)
	queryRow(t, name, "SELECT max(version_id) FROM goose_db_version", &version)
	queryRow(t, name, "SELECT count(*) FROM matches WHERE state = 10", &matches)
	if integrity != "ok" || version != 1 || matches != 6 {
		t.Errorf("the copy: integrity %s, schema %d, %d matches; want ok, 1, 6", integrity, version, matches)
	}
}

// TestCopiedBeforeADrop opens a database of an older version: the copy is one that can be
// put in its place. What lies there under its name is of before, or half a copy.
func TestCopiedBeforeADrop(t *testing.T) {
	path := olderDatabase(t, 1)
	for _, name := range []string{path + ".schema-1", path + ".schema-1.part"} {
		if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := openAt(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	wantBeside(t, path, "t.db.schema-1")
	wantCopy(t, path+".schema-1")

	put(t, openAt(t, path), 1) // of this version
	wantBeside(t, path, "t.db.schema-1")
	wantCopy(t, path+".schema-1")

	back := filepath.Join(t.TempDir(), "t.db")
	if err := os.Rename(path+".schema-1", back); err != nil {
		t.Fatal(err)
	}
	if m, err := openAt(t, back).Match(t.Context(), 7894904837803478997); len(m.Moves) != 3 || err != nil {
		t.Errorf("of the copy: %v, %v, want three moves", m.Moves, err)
	}
}

// TestCopiedForDropsOnly applies steps: what can be made again, what is only spoken of, and
// a new file need no copy.
func TestCopiedForDropsOnly(t *testing.T) {
	first := "CREATE TABLE a (v INTEGER, w INTEGER); CREATE INDEX i ON a (v);\n-- +goose Down\nDROP TABLE a;"
	for name, c := range map[string]struct {
		step   string
		copied bool
	}{
		"a table":   {"DROP TABLE a;", true},
		"a column":  {"ALTER TABLE a\n\tdrop column w;", true},
		"an index":  {"DROP INDEX i;", false},
		"a comment": {"-- nothing to DROP TABLE for\nINSERT INTO a VALUES (1, 2);", false},
		"a return":  {"CREATE TABLE b (v INTEGER);\n-- +goose Down\nDROP TABLE b;", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			if err := sqlite.MigrateFile(t.Context(), path, steps(first, "SELECT 1;", c.step)); err != nil {
				t.Fatal(err)
			}
			wantBeside(t, path) // new

			path = filepath.Join(t.TempDir(), "t.db")
			if err := sqlite.MigrateFile(t.Context(), path, steps(first)); err != nil {
				t.Fatal(err)
			}
			if err := sqlite.MigrateFile(t.Context(), path, steps(first, "SELECT 1;", c.step)); err != nil {
				t.Fatal(err)
			}
			if c.copied {
				wantBeside(t, path, "t.db.schema-1")
			} else {
				wantBeside(t, path)
			}
		})
	}
}

// TestCopyGoes: after seven days, or as soon as somebody is erased.
func TestCopyGoes(t *testing.T) {
	path := olderDatabase(t, 1)
	now := time.Now()
	s := openAt(t, path, sqlite.WithNow(func() time.Time { return now }))
	purge := func() {
		t.Helper()
		if _, err := s.Purge(t.Context(), time.Time{}, time.Time{}, 1); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(7*24*time.Hour - time.Minute)
	purge()
	wantBeside(t, path, "t.db.schema-1")
	now = now.Add(2 * time.Minute)
	purge()
	wantBeside(t, path)

	for name, erase := range map[string]func(*sqlite.Store) error{
		"a person": func(s *sqlite.Store) error {
			_, err := s.Erase(t.Context(), erasure, 1)
			return err
		},
		"a server": func(s *sqlite.Store) error {
			_, err := s.EraseGuild(t.Context(), store.Departure{Application: "1", Guild: "2", Gone: now}, 1)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := olderDatabase(t, 1)
			s := openAt(t, path)
			if err := os.WriteFile(path+".schema-9.part", nil, 0o600); err != nil { // killed while it copied
				t.Fatal(err)
			}
			wantBeside(t, path, "t.db.schema-1", "t.db.schema-9.part")
			if err := erase(s); err != nil && !errors.Is(err, store.ErrNotFound) {
				t.Fatal(err)
			}
			wantBeside(t, path)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				t.Error("the file itself has gone")
			}
		})
	}
}
