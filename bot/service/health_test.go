package service

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestHealthIsSharedForASecond: each check flushes a write, and anybody may ask.
func TestHealthIsSharedForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks := 0
		h := storeHealth{check: func(context.Context) error { checks++; return nil }}
		for range 5 {
			for range 100 { // a hundred within a second
				if err := h.ask(t.Context()); err != nil {
					t.Fatal(err)
				}
				time.Sleep(9 * time.Millisecond)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if checks != 5 {
			t.Errorf("%d checks in five seconds, want 5", checks)
		}
	})
}

// TestHealthTellsWhatChanges: what is shared is never older than a second, whether it
// was good or bad.
func TestHealthTellsWhatChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken error
		h := storeHealth{check: func(context.Context) error { return broken }}
		for _, broken = range []error{nil, errors.New("full"), nil} {
			time.Sleep(healthShared)
			if err := h.ask(t.Context()); !errors.Is(err, broken) {
				t.Errorf("says %v, want %v", err, broken)
			}
		}
	})
}

// TestHealthIsCheckedOnceForMany: who comes while a check is under way waits for it,
// and the check survives the one who began it. It has a time limit of its own.
func TestHealthIsCheckedOnceForMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks := 0
		h := storeHealth{check: func(ctx context.Context) error {
			checks++
			<-ctx.Done()
			return ctx.Err()
		}}
		impatient, leave := context.WithCancel(t.Context())
		begun := time.Now()
		var all sync.WaitGroup
		for i := range 50 {
			ctx := t.Context()
			if i == 0 {
				ctx = impatient
			}
			all.Go(func() {
				want := context.DeadlineExceeded
				if i == 0 {
					want = context.Canceled
				}
				if err := h.ask(ctx); !errors.Is(err, want) {
					t.Errorf("says %v, want %v", err, want)
				}
			})
			synctest.Wait()
		}
		leave()
		all.Wait()
		if got := time.Since(begun); checks != 1 || got != healthTime {
			t.Errorf("%d checks in %v, want one in %v", checks, got, healthTime)
		}
	})
}
