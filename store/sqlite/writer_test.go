package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// until waits until the condition holds, and fails the test when the test's time
// is over before that.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatalf("never: %s", what)
		}
	}
}

// waiting returns how many changes wait for the writer.
func waiting(t *testing.T, s *sqlite.Store) int {
	t.Helper()
	stats, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stats.Waiting
}

// TestWaitingChangesShareACommit checks that what gathers during a commit is
// committed together.
func TestWaitingChangesShareACommit(t *testing.T) {
	s := open(t)
	release, blocked := s.Block(t.Context())
	const n = 100
	var wg sync.WaitGroup
	for id := range store.MatchID(n) {
		wg.Go(func() {
			if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id + 1)}}); err != nil {
				t.Errorf("Apply = %v", err)
			}
		})
	}
	until(t, "all changes wait", func() bool { return waiting(t, s) == n })
	release()
	wg.Wait()
	if err := <-blocked; err != nil {
		t.Fatal(err)
	}
	stats, err := s.Stats(t.Context())
	if stats.Commits != 2 || stats.Changes != n+1 || err != nil {
		t.Errorf("%d changes in %d commits (%v), want %d in 2", stats.Changes, stats.Commits, err, n+1)
	}
}

// TestContextEndsWhileWaiting checks that a change that was not taken up is
// withdrawn, and nothing of it is ever stored.
func TestContextEndsWhileWaiting(t *testing.T) {
	s := open(t)
	release, blocked := s.Block(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error, 1)
	go func() { outcome <- s.Apply(ctx, store.Change{Matches: []store.Match{newMatch(1)}}) }()
	until(t, "the change waits", func() bool { return waiting(t, s) == 1 })
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrPending) {
		t.Errorf("Apply = %v, want %v and not pending", err, context.Canceled)
	}
	if n := waiting(t, s); n != 0 {
		t.Errorf("%d changes wait after the only one was withdrawn", n)
	}
	release()
	if err := errors.Join(<-blocked, s.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Match(t.Context(), 1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Match = %v, want %v", err, store.ErrNotFound)
	}
}

// TestContextEndsDuringCommit checks that a change that was taken up is pending
// for a caller who does not wait, and stored all the same.
func TestContextEndsDuringCommit(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, nil)
	release, blocked := s.Block(ctx)
	cancel()
	if err := <-blocked; !errors.Is(err, store.ErrPending) || !errors.Is(err, context.Canceled) {
		t.Errorf("a change whose caller went = %v, want %v and %v", err, store.ErrPending, context.Canceled)
	}
	release()
	put(t, s, 1) // the writer goes on
}

// TestWaitingIsBounded checks that callers beyond the limit wait outside, and
// leave with their context's error.
func TestWaitingIsBounded(t *testing.T) {
	s := open(t)
	release, blocked := s.Block(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	const n = sqlite.MaxWaiting + 50
	outcomes := make(chan error, n)
	for range n {
		go func() { outcomes <- s.SaveUptime(ctx, 1) }()
	}
	until(t, "the queue is full", func() bool { return waiting(t, s) == sqlite.MaxWaiting })
	cancel()
	for range n {
		if err := <-outcomes; !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrPending) {
			t.Fatalf("SaveUptime = %v, want %v and not pending", err, context.Canceled)
		}
	}
	release()
	if err := errors.Join(<-blocked, s.Check(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestNotesCostNoCommit checks that notes are stored along with the next change,
// each record once, and that too many are dropped and counted.
func TestNotesCostNoCommit(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	before, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for v := range 1000 {
		s.Note(store.Note{Match: 1, Drawn: v})
	}
	after, err := s.Stats(t.Context())
	if after.Commits != before.Commits || after.PendingNotes != 1 || err != nil {
		t.Errorf("1000 notes about one match: %d commits, %d pending (%v), want 0, 1",
			after.Commits-before.Commits, after.PendingNotes, err)
	}
	for id := range store.MatchID(sqlite.MaxNotes + 10) {
		s.Note(store.Note{Match: id + 1, Drawn: 1})
	}
	after, err = s.Stats(t.Context())
	if after.PendingNotes != sqlite.MaxNotes || after.DroppedNotes != 10 || err != nil {
		t.Errorf("notes about %d matches: %d pending, %d dropped (%v), want %d, 10",
			sqlite.MaxNotes+10, after.PendingNotes, after.DroppedNotes, err, sqlite.MaxNotes)
	}
	put(t, s, 2)
	after, err = s.Stats(t.Context())
	if after.Commits != before.Commits+1 || after.PendingNotes != 0 || err != nil {
		t.Errorf("a change after the notes: %d commits, %d pending (%v), want 1, 0", after.Commits-before.Commits, after.PendingNotes, err)
	}
}

// TestNoteDoesNotWait checks that a note is taken and read while the writer is
// stuck.
func TestNoteDoesNotWait(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	release, blocked := s.Block(t.Context())
	s.Note(store.Note{Match: 1, Message: "5", Drawn: 1})
	got, err := s.Match(t.Context(), 1)
	if got.Message != "5" || err != nil {
		t.Errorf("Match = message %q, %v, want 5", got.Message, err)
	}
	release()
	if err := <-blocked; err != nil {
		t.Fatal(err)
	}
	if got, err := s.Match(t.Context(), 1); got.Message != "5" || err != nil {
		t.Errorf("Match = message %q, %v, want 5", got.Message, err)
	}
}

// TestClaimsAreDated checks that Purge goes by the clock that was given.
func TestClaimsAreDated(t *testing.T) {
	now := time.UnixMilli(1_000_000)
	s := open(t, sqlite.WithNow(func() time.Time { return now }))
	claim := func(i int) error {
		return s.Apply(t.Context(), store.Change{Interaction: store.InteractionID(fmt.Sprint(i))})
	}
	if err := claim(1); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		before time.Time
		want   error
	}{{now, store.ErrClaimed}, {now.Add(time.Millisecond), nil}} {
		if err := s.Purge(t.Context(), step.before, step.before); err != nil {
			t.Fatal(err)
		}
		if err := claim(1); !errors.Is(err, step.want) {
			t.Errorf("claim after Purge(%v) = %v, want %v", step.before, err, step.want)
		}
	}
}
