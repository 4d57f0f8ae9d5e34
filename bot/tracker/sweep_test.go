package tracker

import (
	"testing"
	"time"

	"tictactoe/store"
)

// TestSweep has more messages shown than are remembered: those that were touched last
// stay, and those that something is on its way to. Half an hour later none does.
func TestSweepKeepsWhatWasTouchedLast(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	tr := New(Options{Now: func() time.Time { return now }})
	ref := func(i int) Ref { return Ref{Match: store.MatchID(i)} }
	const all = keptMost + 500
	for i := range all {
		now = now.Add(time.Millisecond)
		tr.mu.Lock()
		m := tr.of(ref(i))
		switch i {
		case 3:
			m.sending = make(chan struct{})
		case 4:
			m.creating = make(chan struct{})
		}
		tr.mu.Unlock()
	}
	tr.Sweep()
	if n := len(tr.messages); n != keptMost {
		t.Errorf("%d messages are remembered, want %d", n, keptMost)
	}
	for i, want := range map[int]bool{0: false, 3: true, 4: true, 501: false, 502: true, all - 1: true} {
		if tr.messages[ref(i)] != nil != want {
			t.Errorf("message %d is remembered: %v, want %v", i, !want, want)
		}
	}
	tr.Sweep()
	if n := len(tr.messages); n != keptMost {
		t.Errorf("%d messages are remembered after another sweep", n)
	}
	now = now.Add(2*TokenLife + time.Minute)
	tr.Sweep()
	if n := len(tr.messages); n != 2 {
		t.Errorf("%d messages are remembered half an hour later, want the two that are on their way", n)
	}
}
