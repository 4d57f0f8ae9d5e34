package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// moveFiles moves the database file at from, and those beside it that are named.
func moveFiles(t *testing.T, from, to string, suffixes ...string) {
	t.Helper()
	for _, suffix := range suffixes {
		if err := os.Rename(from+suffix, to+suffix); err != nil {
			t.Fatal(err)
		}
	}
}

// all are the suffixes of the files of a database that is open.
var all = []string{"", "-wal", "-shm"}

// wantFailed checks that the store has failed for good, for a reason that names the
// file: nothing is stored and nothing read.
func wantFailed(t *testing.T, s *sqlite.Store, file string) {
	t.Helper()
	select {
	case <-s.Failed():
	default:
		t.Error("Failed is not closed")
	}
	_, read := s.Match(t.Context(), 1)
	for name, err := range map[string]error{
		"Apply":       s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(99)}}),
		"KeepSession": s.KeepSession(t.Context(), store.Session{Count: 1}),
		"Check":       s.Check(t.Context()),
		"Match":       read,
		"Err":         s.Err(),
	} {
		if !errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrPending) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s = %v, want %v about %s", name, err, store.ErrDamaged, file)
		}
	}
}

// stored returns the ids of the matches that are found when the file is opened.
func stored(t *testing.T, path string) []store.MatchID {
	t.Helper()
	s := openAt(t, path)
	matches, err := s.GuildMatches(t.Context(), "9", 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	var ids []store.MatchID
	for _, m := range matches {
		ids = append(ids, m.ID)
	}
	return ids
}

func wantStored(t *testing.T, path string, want ...store.MatchID) {
	t.Helper()
	if got := stored(t, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s holds the matches %v, want %v", filepath.Base(path), got, want)
	}
}

// TestTakenAway takes the files of an open database away, all or some of them: what
// would be stored could not be found by the next process. The store fails, also when
// they come back, and what was stored before is in the file, wherever that lies.
func TestTakenAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		moved []string
		then  string // where the database is found
	}{
		{"all files", all, ".old"},
		{"the database alone", []string{""}, ".old"},
		{"the log", []string{"-wal"}, ""},
		{"its index", []string{"-shm"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			s := openAt(t, path)
			put(t, s, 1)
			moveFiles(t, path, path+".old", c.moved...)
			if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(2)}}); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("Apply = %v, want %v", err, store.ErrDamaged)
			}
			wantFailed(t, s, path+c.moved[0])
			moveFiles(t, path+".old", path, c.moved...)
			wantFailed(t, s, path+c.moved[0])
			moveFiles(t, path, path+".old", c.moved...)
			if err := s.Close(); err != nil {
				t.Errorf("Close = %v", err)
			}
			wantStored(t, path+c.then, 1)
		})
	}
}

// withCopy opens a database with two matches, beside which a copy lies that has the first.
func withCopy(t *testing.T) (s *sqlite.Store, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "t.db")
	s = openAt(t, path)
	put(t, s, 1)
	var nothing any
	queryRow(t, path, "VACUUM INTO '"+path+".copy'; SELECT 1", &nothing)
	put(t, s, 2)
	return s, path
}

// TestReplaced puts other files in the place of an open database: the store fails and
// leaves them as they are.
func TestReplaced(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(t *testing.T, path string){
		"an empty file": func(t *testing.T, path string) { write(t, path, "") },
		"a text":        func(t *testing.T, path string) { write(t, path, strings.Repeat("no database ", 100)) },
		"a copy":        func(t *testing.T, path string) { moveFiles(t, path+".copy", path, "") },
	} {
		t.Run(name, func(t *testing.T) {
			s, path := withCopy(t)
			moveFiles(t, path, path+".old", "")
			write(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(t.Context()); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("Check = %v, want %v", err, store.ErrDamaged)
			}
			wantFailed(t, s, path)
			if err := s.Close(); err != nil {
				t.Errorf("Close = %v", err)
			}
			if after, err := os.ReadFile(path); string(after) != string(before) || err != nil {
				t.Errorf("the file was changed (%v)", err)
			}
			// The failed store's connections stay open until its process ends, and they index
			// the moved file beside the copy. So one of the two is open at a time.
			t.Run("moved", func(t *testing.T) { wantStored(t, path+".old", 1, 2) }) // nothing is lost there
			if name == "a copy" {
				t.Run("copy", func(t *testing.T) { wantStored(t, path, 1) })
			}
		})
	}
}

// TestReplacedIsCalledSo: who finds another file at the path may meet what looks like a failing
// disk first, since connections of both share what lies beside it. It is told by its reason.
func TestReplacedIsCalledSo(t *testing.T) {
	t.Parallel()
	s, path := withCopy(t)
	if _, err := s.Uptime(t.Context()); err != nil { // by a connection that goes on to look there
		t.Fatal(err)
	}
	moveFiles(t, path+".copy", path, "")
	if err := os.Truncate(path+"-wal", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Match(t.Context(), 2); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "replaced") {
		t.Errorf("Match = %v", err)
	}
}

// TestTakenAwayMidway has the files moved away while a batch is being written: it is
// refused as a whole, just before its commit.
func TestTakenAwayMidway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path)
	release, blocked := s.Block(t.Context())
	moveFiles(t, path, path+".old", all...)
	release()
	if err := <-blocked; !errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrPending) {
		t.Errorf("the commit = %v, want %v and not pending", err, store.ErrDamaged)
	}
	wantFailed(t, s, path)
}

// TestDamagedWhileOpen overwrites all of an open database but its first page: whoever
// meets it is told, the store fails, and nothing makes it trust the file again. What
// was stored and is whole is there for the next process.
func TestDamagedWhileOpen(t *testing.T) {
	t.Parallel()
	for name, meet := range map[string]func(s *sqlite.Store) error{
		"by reading": func(s *sqlite.Store) error {
			_, err := s.Match(context.Background(), 30)
			return err
		},
		"by writing": func(s *sqlite.Store) error {
			m := newMatch(30)
			m.Version, m.RematchTold = 1, true
			return s.Apply(context.Background(), store.Change{Matches: []store.Match{m}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			s := openAt(t, path)
			var c store.Change
			for id := store.MatchID(1); id <= 400; id++ {
				c.Matches = append(c.Matches, newMatch(id))
			}
			if err := s.Apply(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil { // which moves the log into the file
				t.Fatal(err)
			}
			s = openAt(t, path)
			put(t, s, 401) // in the log
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			const page = 4096
			overwrite(t, path, page, []byte(strings.Repeat("\xA5", len(content)-page)))
			until(t, "damage to be met", func() bool {
				err := meet(s)
				return errors.Is(err, store.ErrDamaged) && strings.Contains(err.Error(), path)
			})
			wantFailed(t, s, path)
			overwrite(t, path, page, content[page:])
			wantFailed(t, s, path)
			if err := s.Close(); err != nil {
				t.Errorf("Close = %v", err)
			}
			if got := stored(t, path); len(got) != 401 {
				t.Errorf("%d matches are there, want 401", len(got))
			}
		})
	}
}

// overwrite writes into a file.
func overwrite(t *testing.T, path string, at int64, content []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(content, at)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
