package recent

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnswersAreShared: who asks within an answer's life gets that, and later ones another.
func TestAnswersAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		get := Answers(time.Second, func(context.Context) (int, error) { asked++; return asked, nil })
		for n := range 5 {
			for range 100 { // a hundred within a second
				if got, err := get(t.Context()); got != n+1 || err != nil {
					t.Fatalf("got %d, %v, want %d", got, err, n+1)
				}
				time.Sleep(9 * time.Millisecond)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
}

// TestAnswersOfOneForMany: who comes while somebody asks waits for that answer, or for the
// end of their context.
func TestAnswersOfOneForMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		get := Answers(time.Second, func(context.Context) (int, error) {
			asked++
			time.Sleep(time.Minute)
			return asked, nil
		})
		impatient, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 50 {
			ctx, want := t.Context(), error(nil)
			if i == 7 {
				ctx, want = impatient, context.Canceled
			}
			all.Go(func() {
				if got, err := get(ctx); !errors.Is(err, want) || err == nil && got != 1 {
					t.Errorf("got %d, %v, want 1, %v", got, err, want)
				}
			})
			synctest.Wait()
		}
		leave()
		all.Wait()
		if asked != 1 {
			t.Errorf("asked %d times, want once", asked)
		}
	})
}

// TestErrorsAreNotShared: whoever comes behind an error asks again.
func TestErrorsAreNotShared(t *testing.T) {
	asked, broken := 0, errors.New("broken")
	get := Answers(time.Hour, func(context.Context) (int, error) {
		asked++
		if asked < 3 {
			return 0, broken
		}
		return asked, nil
	})
	for range 2 {
		if _, err := get(t.Context()); !errors.Is(err, broken) {
			t.Errorf("got %v, want an error", err)
		}
	}
	if got, err := get(t.Context()); got != 3 || err != nil {
		t.Errorf("got %d, %v, want 3", got, err)
	}
}
