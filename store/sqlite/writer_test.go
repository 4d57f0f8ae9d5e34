package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// TestWaitingChangesShareACommit checks that what gathers during a commit is
// committed together.
func TestWaitingChangesShareACommit(t *testing.T) {
	var commits []int
	s := open(t, sqlite.WithOnCommit(func(changes int) { commits = append(commits, changes) }))
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
	until(t, "all changes wait", func() bool { return s.Waiting() == n })
	release()
	wg.Wait()
	if err := <-blocked; err != nil {
		t.Fatal(err)
	}
	if want := []int{1, n}; !slices.Equal(commits, want) {
		t.Errorf("changes in each commit: %v, want %v", commits, want)
	}
}

// TestTroubleOfOne: what fails in a way that undoes all of its commit fails alone.
func TestTroubleOfOne(t *testing.T) {
	s := open(t)
	release, blocked := s.Block(t.Context())
	trouble := errors.New("the disk has a hole")
	var wg sync.WaitGroup
	const n = 5
	for id := range store.MatchID(n) {
		wg.Go(func() {
			if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id + 1)}}); err != nil {
				t.Errorf("Apply = %v", err)
			}
		})
	}
	wg.Go(func() {
		if err := s.Fail(t.Context(), trouble); !errors.Is(err, trouble) {
			t.Errorf("the one with the trouble: %v", err)
		}
	})
	until(t, "all wait", func() bool { return s.Waiting() == n+1 })
	release()
	wg.Wait()
	if err := <-blocked; err != nil {
		t.Fatal(err)
	}
	for id := range store.MatchID(n) {
		if _, err := s.Match(t.Context(), id+1); err != nil {
			t.Error(err)
		}
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
	until(t, "the change waits", func() bool { return s.Waiting() == 1 })
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrPending) {
		t.Errorf("Apply = %v, want %v and not pending", err, context.Canceled)
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
		go func() { outcomes <- s.Check(ctx) }()
	}
	until(t, "the queue is full", func() bool { return s.Waiting() == sqlite.MaxWaiting })
	cancel()
	for range n {
		if err := <-outcomes; !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrPending) {
			t.Fatalf("Check = %v, want %v and not pending", err, context.Canceled)
		}
	}
	release()
	if err := errors.Join(<-blocked, s.Check(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestDeliveriesCostNoCommit checks that deliveries are stored along with the next
// change, those about one message together, and that too many are dropped.
func TestDeliveriesCostNoCommit(t *testing.T) {
	var commits int
	s := open(t, sqlite.WithOnCommit(func(int) { commits++ }))
	put(t, s, 1)
	for v := range 1000 {
		s.Deliver(store.Delivery{Match: 1, Drawn: v})
	}
	if n := s.Deliveries(); n != 1 || commits != 1 {
		t.Errorf("1000 deliveries about one message: %d waiting, %d commits, want 1, 1", n, commits)
	}
	for id := range store.MatchID(sqlite.MaxDeliveries + 10) {
		s.Deliver(store.Delivery{Match: id + 1, Drawn: 1})
	}
	if n := s.Deliveries(); n != sqlite.MaxDeliveries {
		t.Errorf("deliveries about %d matches: %d waiting, want %d", sqlite.MaxDeliveries+10, n, sqlite.MaxDeliveries)
	}
	put(t, s, 2)
	if n := s.Deliveries(); n != 0 || commits != 2 {
		t.Errorf("a change after the deliveries: %d waiting, %d commits, want 0, 2", n, commits)
	}
}

// TestDeliverDoesNotWait checks that a delivery is taken while the writer is stuck,
// and that reads show it when it is committed and not before.
func TestDeliverDoesNotWait(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	release, blocked := s.Block(t.Context())
	s.Deliver(store.Delivery{Match: 1, Message: "5", Drawn: 1})
	if got, err := s.MatchVersion(t.Context(), 1); got.Message != "" || err != nil {
		t.Errorf("MatchVersion before the commit = %+v, %v, want no message", got, err)
	}
	release()
	if err := errors.Join(<-blocked, s.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got, err := s.MatchVersion(t.Context(), 1); got.Message != "5" || err != nil {
		t.Errorf("MatchVersion = %+v, %v, want message 5", got, err)
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
		if _, err := s.Purge(t.Context(), step.before, step.before, 10); err != nil {
			t.Fatal(err)
		}
		if err := claim(1); !errors.Is(err, step.want) {
			t.Errorf("claim after Purge(%v) = %v, want %v", step.before, err, step.want)
		}
	}
}
