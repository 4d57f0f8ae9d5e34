package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
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

// TestCopiedBeforeAMigration opens a database of an older version: the copy is one that can
// be put in its place. What lies there under its name is of before, or half a copy. Where
// the schema stays there is no copy.
func TestCopiedBeforeAMigration(t *testing.T) {
	path := olderDatabase(t, 1)
	for _, name := range []string{path + ".schema-1", path + ".schema-1.part"} {
		write(t, name, "old")
		if err := os.Chmod(name, 0o644); err != nil { //nolint:gosec // the test is about it
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

	path = filepath.Join(t.TempDir(), "t.db")
	makeDatabase(t, path) // anew
	wantBeside(t, path)
}

// TestBack goes to a newer version and back, by the command that it tells, and people play
// ten moves on each: by each game is whole, and what was played on the newer is lost.
func TestBack(t *testing.T) {
	newer, command := false, ""
	path := filepath.Join(t.TempDir(), "it's $HOME.db")
	sqlitetest.Empty(t, path)
	w := bottest.New(t, bottest.DatabaseAt(path), bottest.GoesBack(), bottest.SQLite(
		sqlite.WithStep(&newer, "CREATE TABLE later (v INTEGER); UPDATE matches SET moves = x'', version = version + 1;"),
		sqlite.WithMigration(func(back string) { command = back }),
	))
	m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", "5x5"))
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2")
	w.Shows(t, m, "XOXOX/OXOXO/...../...../.....")
	older := command

	w.Stop(t)
	newer = true
	w.Start(t)
	w.Shows(t, m, "...../...../...../...../.....") // what this one thinks of it
	w.Cells(t, m, w.Ada, w.Bob, "a5", "b5", "c5", "d5", "e5", "a4", "b4", "c4", "d4", "e4")
	w.Crash(t) // with a log beside the file
	if older != "" || !strings.HasPrefix(command, "rm -f ") {
		t.Fatalf("told: %q, and then %q", older, command)
	}

	newer = false
	before := snapshot(t, filepath.Dir(path))
	_, err := sqlite.Open(t.Context(), path)
	if want := "its schema has number 9999 and this program knows "; !errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), want) {
		t.Errorf("the older version says %v, want %q", err, want)
	}
	after := snapshot(t, filepath.Dir(path))
	delete(before, path+"-shm") // of which SQLite makes a new one to look
	delete(after, path+"-shm")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the older version has changed something: before - after +:\n%s", diff)
	}
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	w.Start(t)
	w.Shows(t, m, "XOXOX/OXOXO/...../...../.....")
	w.Cells(t, m, w.Ada, w.Bob, "a3", "b3", "c3", "d3", "e3", "a4", "b4", "c4", "d4", "e4")
	w.Shows(t, m, "XOXOX/OXOXO/XOXOX/OXOXO/.....")
	wantBeside(t, path)
}

// TestOlderVersionRefuses what this version has brought up to date, and goes on with the copy.
func TestOlderVersionRefuses(t *testing.T) {
	for _, schema := range []int64{1, 30} {
		path := olderDatabase(t, schema)
		put(t, openAt(t, path), 1)
		before := snapshot(t, filepath.Dir(path))
		_, err := sqlite.Open(t.Context(), path, sqlite.WithLast(schema))
		want := fmt.Sprintf("this program knows %d; run a newer version of the program", schema)
		if !errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), want) {
			t.Errorf("the version of schema %d says %v, want %q", schema, err, want)
		}
		after := snapshot(t, filepath.Dir(path))
		delete(before, path+"-shm") // which whoever looks writes
		delete(after, path+"-shm")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("schema %d: before - after +:\n%s", schema, diff)
		}
		var version int64
		copied := fmt.Sprintf("%s.schema-%d", path, schema)
		if queryRow(t, copied, "SELECT max(version_id) FROM goose_db_version", &version); version != schema {
			t.Errorf("the copy %s has schema %d", filepath.Base(copied), version)
		}
	}
}

// TestCommandBack has names quoted for the shell that each system has.
func TestCommandBack(t *testing.T) {
	for goos, c := range map[string]struct{ path, want string }{
		"linux":   {"/a/it's $x", `rm -f '/a/it'\''s $x-wal' '/a/it'\''s $x-shm' && mv '/a/it'\''s $x.schema-3' '/a/it'\''s $x'`},
		"windows": {`C:\a\it's`, "Remove-Item 'C:/a/it''s-wal', 'C:/a/it''s-shm' -ErrorAction Ignore; Move-Item -Force 'C:/a/it''s.schema-3' 'C:/a/it''s'"},
	} {
		if got := sqlite.Back(goos, c.path, c.path+".schema-3"); got != c.want {
			t.Errorf("%s: %s\nwant %s", goos, got, c.want)
		}
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
