package puzzles

import (
	"context"
	"runtime"
	"testing"
	"time"

	"tictactoe/bot/kit"
)

// TestDaysAreKept: a puzzle is made once, and then needs no room to think. Only so many are
// kept.
func TestDaysAreKept(t *testing.T) {
	b := &Puzzles{Kit: &kit.Kit{Now: time.Now, Think: kit.NewThinker(nil)}}
	const monday = 20458
	made, err := b.Of(t.Context(), monday)
	if err != nil {
		t.Fatal(err)
	}
	var free []func()
	for range max(1, runtime.GOMAXPROCS(0)-1) {
		done, err := b.Kit.Think.Slot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		free = append(free, done)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := b.Of(ended, monday); p != made || err != nil {
		t.Errorf("the second time it is %+v, %v, after %+v", p, err, made)
	}
	if _, err := b.Of(ended, monday+1); err == nil {
		t.Error("another one is made with no room to think")
	}
	for _, done := range free {
		done()
	}
	for day := range int64(3 * daysMost) {
		if _, err := b.Of(t.Context(), monday+7*day); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Of(ended, monday); err == nil {
		t.Error("after many others the first one is still kept")
	}
}
