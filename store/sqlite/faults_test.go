package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// lockChild locks the database for writing until its input ends.
func lockChild(args []string) int {
	ctx := context.Background()
	db, err := sql.Open("sqlite", args[0])
	if err != nil {
		return 1
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return 1
	}
	say("locked")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if _, err := db.ExecContext(ctx, "COMMIT"); err != nil {
		return 1
	}
	return 0
}

// TestLocked has another process lock the database: nothing is stored and all are
// told, reading goes on, and when the lock is gone all is well.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path, sqlite.WithBusyTimeout(20*time.Millisecond))
	put(t, s, 1)
	cmd := child(t, "lock", path)
	out, in := start(t, cmd)
	wantLine(t, out, "locked")

	var wg sync.WaitGroup
	for id := store.MatchID(2); id < 10; id++ {
		wg.Go(func() {
			err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id)}})
			if !errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrPending) || !strings.Contains(err.Error(), path) {
				t.Errorf("Apply while locked = %v, want %v about %s and not pending", err, store.ErrBusy, path)
			}
		})
	}
	s.Deliver(store.Delivery{Match: 1, Message: "5"})
	wg.Wait()
	if err := s.Check(t.Context()); !errors.Is(err, store.ErrBusy) {
		t.Errorf("Check while locked = %v, want %v", err, store.ErrBusy)
	}
	if _, err := s.Match(t.Context(), 1); err != nil {
		t.Errorf("Match while locked = %v", err)
	}

	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check when the lock is gone = %v", err)
	}
	if got, err := s.GuildMatches(t.Context(), "9", 0, 100); len(got) != 1 || err != nil {
		t.Errorf("%d matches are there (%v), want the first one only", len(got), err)
	}
	put(t, s, 2)
	if m, err := s.Match(t.Context(), 1); m.Message != "5" || err != nil {
		t.Errorf("Match = message %q, %v, want 5: a delivery was lost in a commit that failed", m.Message, err)
	}
}

// TestLockedBriefly checks that a short lock only delays.
func TestLockedBriefly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path, sqlite.WithBusyTimeout(time.Minute))
	cmd := child(t, "lock", path)
	out, in := start(t, cmd)
	wantLine(t, out, "locked")
	outcome := make(chan error, 1)
	go func() { outcome <- s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(1)}}) }()
	if err := errors.Join(in.Close(), cmd.Wait(), <-outcome); err != nil {
		t.Error(err)
	}
}

// TestDamaged overwrites parts of a database: whatever cannot be read is answered
// as damaged, never as absent, and what can be is right.
func TestDamaged(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, whole)
	var c store.Change
	for id := store.MatchID(1); id <= 60; id++ {
		c.Matches = append(c.Matches, newMatch(id))
	}
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	damaged := 0
	for n := range len(content) / page {
		path := filepath.Join(t.TempDir(), "t.db")
		spoiled := append([]byte(nil), content...)
		from := n * page
		if n == 0 {
			from += 100 // the header is looked at by other tests
		}
		for i := from; i < (n+1)*page; i++ {
			spoiled[i] = 0xA5
		}
		write(t, path, string(spoiled))
		s, err := sqlite.Open(t.Context(), path, unflushed())
		if err != nil {
			if !errors.Is(err, store.ErrDamaged) {
				t.Errorf("page %d: Open = %v, want %v", n+1, err, store.ErrDamaged)
			}
			damaged++
			continue
		}
		hit := false
		for id := store.MatchID(1); id <= 60; id++ {
			got, err := s.Match(t.Context(), id)
			switch {
			case errors.Is(err, store.ErrDamaged):
				hit = true
			case err != nil:
				t.Errorf("page %d: Match(%d) = %v, want the match or %v", n+1, id, err, store.ErrDamaged)
			case got.Channel != newMatch(id).Channel || got.Version != 2: // a copy was opened
				t.Errorf("page %d: Match(%d) = %+v", n+1, id, got)
			}
			m := newMatch(id)
			m.Version, m.RematchTold = 2, true
			err = s.Apply(t.Context(), store.Change{Matches: []store.Match{m}})
			if err != nil && !errors.Is(err, store.ErrDamaged) {
				t.Errorf("page %d: Apply(%d) = %v, want success or %v", n+1, id, err, store.ErrDamaged)
			}
		}
		if hit {
			damaged++
		}
		_ = s.Close() // may well fail
	}
	if damaged < 3 {
		t.Errorf("only %d of %d pages made a difference", damaged, len(content)/page)
	}
}
