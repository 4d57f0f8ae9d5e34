package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sqlitedriver "modernc.org/sqlite"

	"tictactoe/engine"
	"tictactoe/store"
)

// copyOf makes a copy of a database that may be open, as SQLite's own tools do: page
// by page, or built anew.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		b, err := c.(interface {
			NewBackup(to string) (*sqlitedriver.Backup, error)
		}).NewBackup(copied)
		if err != nil {
			return err
		}
		_, err = b.Step(-1)
		return errors.Join(err, b.Finish())
	})
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// clocked returns a match with ten minutes for a move, of which some are left.
func clocked(id store.MatchID, up, left time.Duration) store.Match {
	m := newMatch(id)
	m.Clock, m.Deadline, m.Message, m.Drawn = 10*time.Minute, up+left, "50", 1
	return m
}

// TestCopyPutInPlace goes back to a copy in which clocks had little left. The boards
// on Discord show what came later, so that whoever is to move does not know: every
// clock begins anew and every running board is due to be drawn again. That happens
// once, and what has ended stays as it is.
func TestCopyPutInPlace(t *testing.T) {
	t.Parallel()
	later := time.Now().Add(2 * time.Hour)
	for name, put := range map[string]func(t *testing.T, from, to string){
		"moved": func(t *testing.T, from, to string) { moveFiles(t, from, to, "") },
		"copied over it, later": func(t *testing.T, from, to string) {
			copyFile(t, from, to)
			if err := os.Chtimes(to, later, later); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			const up = time.Hour
			path := filepath.Join(t.TempDir(), "t.db")
			s := openAt(t, path)
			over := newMatch(4)
			over.State, over.EndReason, over.Winner = store.Ended, store.Resignation, engine.X
			c := store.Change{
				Matches: []store.Match{clocked(1, up, time.Second), clocked(2, up, -time.Second), newMatch(3), over},
			}
			up1, up2 := store.Uptimes{}, store.Uptimes{}
			up1[newMatch(1).Guild.Domain()], up2[newMatch(1).Guild.Domain()] = up, up+24*time.Hour
			if err := s.Apply(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Lease(t.Context(), store.Wanted{}, up1); err != nil {
				t.Fatal(err)
			}
			copied := copyOf(t, path)
			// It is played on for a day.
			if _, err := s.Lease(t.Context(), store.Wanted{}, up2); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			put(t, copied, path)

			for range 2 {
				s = openAt(t, path)
				for _, was := range c.Matches {
					want := was
					want.Version = 1
					if was.State == store.Active {
						want.Version = 2
					}
					if was.Clock > 0 {
						want.Deadline = up + was.Clock
					}
					want.Created, want.Updated = want.Created.UTC(), want.Updated.UTC()
					got, err := s.Match(t.Context(), was.ID)
					if diff := cmp.Diff(want, got); diff != "" || err != nil {
						t.Errorf("match %d (%v): got + want -:\n%s", was.ID, err, diff)
					}
				}
				undrawn, err := s.UndrawnMatches(t.Context(), time.Time{}, store.Cursor{}, 10)
				if len(undrawn) != 2 || err != nil {
					t.Errorf("%d boards are due to be drawn (%v), want 2", len(undrawn), err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestNoCopy starts on the file that was there, after whatever an operator does with
// it: no clock is touched.
func TestNoCopy(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(t *testing.T, path string){
		"nothing":          func(*testing.T, string) {},
		"chmod":            func(t *testing.T, path string) { chmod(t, path, 0o644) },
		"read by sqlite":   func(t *testing.T, path string) { var n int; queryRow(t, path, "SELECT count(*) FROM matches", &n) },
		"copied elsewhere": func(t *testing.T, path string) { copyOf(t, path) },
		"folder moved and back": func(t *testing.T, path string) {
			moveFiles(t, filepath.Dir(path), filepath.Dir(path)+"-away", "")
			moveFiles(t, filepath.Dir(path)+"-away", filepath.Dir(path), "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "db", "t.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			for n := range 3 {
				s := openAt(t, path)
				if n == 0 {
					if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{clocked(1, 0, time.Second)}}); err != nil {
						t.Fatal(err)
					}
				}
				if m, err := s.Match(t.Context(), 1); m.Version != 1 || m.Deadline != time.Second || err != nil {
					t.Errorf("start %d: version %d, deadline %v (%v), want 1 and 1s", n+1, m.Version, m.Deadline, err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				between(t, path)
			}
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// TestBackup copies the database with SQLite's own tool, by the README's command, while
// it is played on, and goes back to each copy: it holds everything that was acknowledged
// before it was begun, and each change whole or not at all.
func TestBackup(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("sqlite3 is not installed: the README's way to copy the database is not tried")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("`(\\(umask 077; sqlite3 [^`]*)`").FindSubmatch(readme)
	if command == nil {
		t.Fatal("the README does not say how to copy the database")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "tictactoe.db")
	s := openAt(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	l := newLedger()
	var wg sync.WaitGroup
	for p := range players {
		wg.Go(func() {
			if err := play(ctx, s, p, 1, l.add); !errors.Is(err, context.Canceled) {
				t.Errorf("player %d: %v", p, err)
			}
		})
	}
	var copies []string
	var known []*ledger
	backUp := func(to string) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", string(command[1]))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command[1], err, out)
		}
		copied := filepath.Join(dir, "copy.db")
		if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("the copy: %v, %v", info, err)
		}
		moveFiles(t, copied, to, "")
	}
	for n := range 4 {
		until(t, "some changes", func() bool { return l.acknowledged() > 50*(n+1) })
		copied := filepath.Join(dir, fmt.Sprint("copy", n))
		// Players wait for the ledger: the writer is idle in the end.
		known = append(known, l.copied(func() { backUp(copied) }))
		copies = append(copies, copied)
	}
	busy := filepath.Join(dir, "busy.db")
	backUp(busy)
	cancel()
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for i, copied := range copies {
		moveFiles(t, copied, path, "")
		s := openAt(t, path)
		known[i].copy = true
		for _, f := range known[i].settle(t.Context(), s) {
			t.Errorf("copy %d: %s", i, f)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var integrity string
	if queryRow(t, busy, "PRAGMA integrity_check", &integrity); integrity != "ok" {
		t.Errorf("the copy made while playing: %s", integrity)
	}
}
