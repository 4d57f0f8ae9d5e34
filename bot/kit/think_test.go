package kit

import (
	"runtime"
	"testing"
	"time"

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
