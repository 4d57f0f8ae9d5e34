package bot_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// stepwise counts the steps in which old records go, and notes how many each may take.
type stepwise struct {
	store.Store
	steps, most atomic.Int64
	rounds      atomic.Int64 // that have come to their end
}

func (s *stepwise) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	s.steps.Add(1)
	s.most.Store(max(s.most.Load(), int64(limit)))
	n, err := s.Store.Purge(ctx, claims, challenges, limit)
	if n == 0 {
		s.rounds.Add(1)
	}
	return n, err
}

// TestOldRecordsGo: the ids of clicks and commands are kept for an hour, and challenges for
// a week after they are closed. They go in steps, between which people can play.
func TestOldRecordsGo(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	var old stepwise
	w := bottest.New(t, bottest.ByClock(clock), bottest.SQLite(sqlite.WithNow(clock.Now)),
		bottest.Behind(func(real store.Store) store.Store { old.Store = real; return &old }))
	claimed := func(id store.InteractionID) bool {
		t.Helper()
		is, err := w.Store.Claimed(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	closed := func() bool {
		t.Helper()
		at, err := w.Store.Declined(t.Context(), store.UserID(w.Ada.ID()), store.UserID(w.Bob.ID()), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return !at.IsZero()
	}
	w.Bob.Click(t, w.Offer(t, w.Ada, w.Bob), "Decline")
	for i := range 250 {
		if err := w.Store.Apply(t.Context(), store.Change{Interaction: store.InteractionID(fmt.Sprint("old-", i))}); err != nil {
			t.Fatal(err)
		}
	}
	clock.Advance(31 * time.Minute)
	later := store.InteractionID("later")
	if err := w.Store.Apply(t.Context(), store.Change{Interaction: later}); err != nil {
		t.Fatal(err)
	}
	before, rounds := old.steps.Load(), old.rounds.Load()
	clock.Advance(30 * time.Minute)
	waittest.Until(t, "what is older than an hour to go", func() bool { return !claimed("old-0") && !claimed("old-249") && old.rounds.Load() > rounds })
	if !claimed(later) || !closed() {
		t.Errorf("gone too early: a click of half an hour ago %t, a challenge of an hour ago %t", !claimed(later), !closed())
	}
	if n, most := old.steps.Load()-before, old.most.Load(); n < 3 || most > 100 {
		t.Errorf("250 ids went in %d steps of up to %d", n, most)
	}
	clock.Advance(7*24*time.Hour - 2*time.Hour)
	waittest.Until(t, "the other click to go", func() bool { return !claimed(later) })
	if !closed() {
		t.Error("a closed challenge is gone before a week is over")
	}
	clock.Advance(2 * time.Hour)
	waittest.Until(t, "the challenge to go", func() bool { return !closed() })
}
