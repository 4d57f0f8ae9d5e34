package sqlite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/sqlite"
)

// newMatch returns a new match in place 1 of a channel of its own.
func newMatch(id store.MatchID) store.Match {
	return store.Match{
		ID: id, Guild: "9", Channel: store.ChannelID(fmt.Sprint(id)), Place: 1, Rules: engine.Standard,
		X: store.Player{User: "1"}, O: store.Player{Opponent: "easy"}, State: store.Active,
	}
}

// put stores new matches.
func put(t *testing.T, s *sqlite.Store, ids ...store.MatchID) {
	t.Helper()
	for _, id := range ids {
		if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id)}}); err != nil {
			t.Fatalf("Apply(new match %d) = %v", id, err)
		}
	}
}

// execSQL runs statements on a database file as another program would.
func execSQL(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// TestExportChangesNothing: a file with an older schema, which others may read, and one whose
// log was left behind, stay as they are, and nothing stays beside them. What whoever reads
// notes in the index of the log is nothing that is kept.
func TestExportChangesNothing(t *testing.T) {
	older := filepath.Join(t.TempDir(), "games.db")
	if err := sqlite.MigrateFileTo(t.Context(), older, 20); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(older, 0o644); err != nil { //nolint:gosec // of a test
		t.Fatal(err)
	}
	left := filepath.Join(t.TempDir(), "games.db")
	open := filepath.Join(t.TempDir(), "games.db")
	s, err := sqlite.Open(t.Context(), open)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, 1, 2)
	copyFile(t, open, left)
	copyFile(t, open+"-wal", left+"-wal")
	copyFile(t, open+"-shm", left+"-shm")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{older: 0, left: 2} {
		before := snapshot(t, filepath.Dir(path))
		matches := -1
		err := sqlite.Export(t.Context(), path, func(rows sqlite.Source) (err error) {
			matches = 0
			for _, err = range rows.Each(sqlstore.Tables[0]) {
				matches++
			}
			return err
		})
		if err != nil || matches != want {
			t.Errorf("Export = %d matches, %v, want %d", matches, err, want)
		}
		after := snapshot(t, filepath.Dir(path))
		delete(before, path+"-shm")
		delete(after, path+"-shm")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("before - after +:\n%s", diff)
		}
	}
}

// snapshot returns what is in a folder: names with modes, sizes, times and sums.
func snapshot(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += fmt.Sprintf(" %d %v %x", info.Size(), info.ModTime(), sha256.Sum256(content))
		}
		all[path] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	newer := "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)"
	for _, c := range []struct {
		name  string
		make  func(t *testing.T, path string) (open string)
		want  error
		words string // part of what the operator reads
	}{
		{
			"MissingFolder", func(_ *testing.T, path string) string { return filepath.Join(path, "none", "t.db") },
			fs.ErrNotExist, "does not exist",
		},
		{"FileAsFolder", func(t *testing.T, path string) string {
			write(t, path, "hello")
			return filepath.Join(path, "t.db")
		}, syscall.ENOTDIR, "not a directory"},
		{"Directory", func(t *testing.T, path string) string {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			return path
		}, store.ErrNotDatabase, "is a directory"},
		{"Device", func(*testing.T, string) string { return os.DevNull }, store.ErrNotDatabase, "not a regular file"},
		{"TextFile", func(t *testing.T, path string) string {
			write(t, path, strings.Repeat("Dear diary, ", 1000))
			return path
		}, store.ErrNotDatabase, "not an SQLite file"},
		{"ShortFile", func(t *testing.T, path string) string {
			write(t, path, "x")
			return path
		}, store.ErrNotDatabase, "not an SQLite file"},
		{"OtherProgram", func(t *testing.T, path string) string {
			execSQL(t, path, "CREATE TABLE recipes (name TEXT)")
			return path
		}, store.ErrNotDatabase, "another program"},
		{"OtherProgramSameTool", func(t *testing.T, path string) string {
			execSQL(t, path, "CREATE TABLE goose_db_version (version_id INTEGER)", "CREATE TABLE recipes (name TEXT)")
			return path
		}, store.ErrNotDatabase, "another program"},
		{"OtherProgramInWAL", func(t *testing.T, path string) string {
			execSQL(t, path, "PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name TEXT)")
			return path
		}, store.ErrNotDatabase, "another program"},
		{"NewerSchema", func(t *testing.T, path string) string {
			makeDatabase(t, path)
			execSQL(t, path, newer)
			return path
		}, store.ErrNewerSchema, "newer version of the program"},
		{"NewerSchemaInLog", func(t *testing.T, path string) string {
			// As a newer program leaves it that was killed after its migration.
			makeDatabase(t, path)
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), newer); err != nil {
				t.Fatal(err)
			}
			killed := filepath.Join(filepath.Dir(path), "killed.db")
			for _, suffix := range []string{"", "-wal", "-shm"} {
				copyFile(t, path+suffix, killed+suffix)
			}
			return killed
		}, store.ErrNewerSchema, "newer version of the program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			path := c.make(t, filepath.Join(folder, "t.db"))
			before := snapshot(t, folder)
			s, err := sqlite.Open(t.Context(), path)
			if err == nil {
				t.Errorf("Open succeeded; Close: %v", s.Close())
			}
			if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.words) {
				t.Errorf("Open = %v, want %v with %q in it", err, c.want, c.words)
			}
			after := snapshot(t, folder)
			// SQLite's index of the log is no content; looking may rewrite it.
			shm := filepath.Join(folder, "killed.db-shm")
			delete(before, shm)
			delete(after, shm)
			if !maps.Equal(before, after) {
				t.Errorf("the folder was changed:\nbefore %v\nafter  %v", before, after)
			}
		})
	}
}

// makeDatabase makes a database with a match in it.
func makeDatabase(t *testing.T, path string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(content))
}

// patient waits for other processes as long as a busy machine needs.
func patient() sqlite.Option { return sqlite.WithBusyTimeout(waittest.Patience()) }

// openChild opens the database, stores something, and says how that went.
func openChild(args []string) int {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, args[0], patient())
	if err == nil {
		err = errors.Join(s.Apply(ctx, store.Change{Interaction: store.InteractionID(fmt.Sprint(os.Getpid()))}), s.Close())
	}
	switch {
	case err == nil:
		say("ok")
	case errors.Is(err, store.ErrReadOnly):
		say("read-only: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	default:
		say("other: %v", err)
	}
	return 0
}

// TestFileMode checks that nobody else can read the database, whatever the umask.
func TestFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path)
	put(t, s, 1)
	wantPrivate := func(suffixes ...string) {
		t.Helper()
		for _, suffix := range suffixes {
			info, err := os.Stat(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != 0o600 {
				t.Errorf("mode of t.db%s = %v, want %v", suffix, got, fs.FileMode(0o600))
			}
		}
	}
	wantPrivate(all...)

	// Files that are there already, as a program leaves them that was killed.
	for _, suffix := range all {
		if err := os.Chmod(path+suffix, 0o644); err != nil { //nolint:gosec // the test is about it
			t.Fatal(err)
		}
	}
	openAt(t, path)
	wantPrivate(all...)
}

// TestCloseLeavesOneFile checks that after Close the database is the file alone.
func TestCloseLeavesOneFile(t *testing.T) {
	folder := t.TempDir()
	makeDatabase(t, filepath.Join(folder, "t.db"))
	files, err := os.ReadDir(folder)
	if len(files) != 1 || err != nil {
		t.Errorf("after Close the folder holds %v (%v), want t.db", files, err)
	}
}

func TestOpenOddNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{":memory:", "a b.db", "per%20cent.db", "what?mode=memory", "#1.db", "日本.db", "file:x.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			makeDatabase(t, path)
			if _, err := os.Stat(path); err != nil {
				t.Errorf("the database is not in the file of its name: %v", err)
			}
			if _, err := openAt(t, path).Match(t.Context(), 1); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOpenTogether has several processes and goroutines make the same database in
// the same instant.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	for range 3 {
		path := filepath.Join(t.TempDir(), "t.db")
		var wg sync.WaitGroup
		for n := range 3 {
			cmd := child(t, "open", path)
			wg.Go(func() {
				if out, err := cmd.Output(); string(out) != "ok\n" || err != nil {
					t.Errorf("child: %q, %v", out, err)
				}
			})
			wg.Go(func() {
				s, err := sqlite.Open(t.Context(), path, patient())
				if err != nil {
					t.Errorf("Open = %v", err)
					return
				}
				if err := errors.Join(s.Apply(t.Context(), store.Change{Interaction: store.InteractionID(fmt.Sprint(n))}), s.Close()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		// Each of them has stored something, and nothing that another stored was lost.
		var claims int
		var integrity string
		queryRow(t, path, "SELECT count(*) FROM claims", &claims)
		queryRow(t, path, "PRAGMA integrity_check", &integrity)
		if claims != 6 || integrity != "ok" {
			t.Errorf("%d of 6 claims are there, integrity: %s", claims, integrity)
		}
	}
}

// queryRow reads one value from a database file as another program would.
func queryRow(t *testing.T, path, query string, into any) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query).Scan(into); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}
