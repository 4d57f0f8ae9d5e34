package service

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/store"
)

// checked is a store of which nothing but its checks is asked.
type checked struct {
	store.Store
	check func(context.Context) error
}

func (c checked) Check(ctx context.Context) error { return c.check(ctx) }

// health returns how the health of a store with such checks is asked for.
func health(check func(context.Context) error) func(context.Context) (writable bool, err error) {
	return New(Options{Store: checked{check: check}}).writable
}

// TestHealthIsSharedForASecond: each check flushes a write, and anybody may ask.
func TestHealthIsSharedForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks := 0
		ask := health(func(context.Context) error { checks++; return nil })
		for range 5 {
			for range 100 { // a hundred within a second
				if ok, err := ask(t.Context()); !ok || err != nil {
					t.Fatal(ok, err)
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
		ask := health(func(context.Context) error { return broken })
		for _, broken = range []error{nil, errors.New("full"), nil} {
			time.Sleep(healthShared)
			if ok, err := ask(t.Context()); ok != (broken == nil) || err != nil {
				t.Errorf("%v: writable is %v, %v", broken, ok, err)
			}
		}
	})
}

// TestHealthIsCheckedOnceForMany: who comes while a check is under way waits for it,
// and the check survives the one who began it. It has a time limit of its own.
func TestHealthIsCheckedOnceForMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks := 0
		ask := health(func(ctx context.Context) error {
			checks++
			<-ctx.Done()
			return ctx.Err()
		})
		impatient, leave := context.WithCancel(t.Context())
		begun := time.Now()
		var all sync.WaitGroup
		for i := range 50 {
			ctx := t.Context()
			if i < 2 { // the one who began it, and one who waits
				ctx = impatient
			}
			all.Go(func() {
				var want error
				if i == 1 {
					want = context.Canceled
				}
				if ok, err := ask(ctx); ok || !errors.Is(err, want) {
					t.Errorf("writable is %v, %v, want %v", ok, err, want)
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
