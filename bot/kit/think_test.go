package kit

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/match"
	"tictactoe/bot/sandbox/waittest"
)

// TestNobodyWaitsForWhatGoesOnBehind: where as many think behind answers as may, there is room
// for who is waited for, and the other way round.
func TestNobodyWaitsForWhatGoesOnBehind(t *testing.T) {
	for name, pick := range map[string]func(*Thinker) (full, free *Thinker){
		"behind":     func(b *Thinker) (full, free *Thinker) { return b.Behind, b },
		"for others": func(b *Thinker) (full, free *Thinker) { return b, b.Behind },
	} {
		full, free := pick(NewThinker(nil))
		ctx := waittest.Within(t, time.Second)
		for range cap(full.slots) {
			if _, err := full.Slot(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Searching(ctx, free, func() (int, error) { return 1, nil }); err != nil {
			t.Errorf("where all think %s: %v", name, err)
		}
	}
}

// TestSearchOutOfTime: a search that finds nothing in time is one for which there was no room.
// What else it fails with it says itself.
func TestSearchOutOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		think := NewThinker(nil)
		broken := errors.New("broken")
		if _, err := Searching(ctx, think, func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
			t.Errorf("a search that fails in time: %v", err)
		}
		_, err := Searching(ctx, think, func() (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if !errors.Is(err, match.ErrTooBusy) {
			t.Errorf("a search that goes on for too long: %v", err)
		}
	})
}

// TestRoomToThink: on a larger machine more think behind answers, and still fewer than people
// wait for.
func TestRoomToThink(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for processors, want := range map[int][2]int{1: {1, 1}, 2: {1, 1}, 3: {2, 1}, 4: {3, 1}, 5: {4, 2}, 16: {15, 7}} {
		runtime.GOMAXPROCS(processors)
		think := NewThinker(nil)
		if got := [2]int{cap(think.slots), cap(think.Behind.slots)}; got != want {
			t.Errorf("with %d processors there is room for %v, want %v", processors, got, want)
		}
	}
}
