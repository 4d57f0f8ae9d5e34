package bot

import (
	"testing"
	"time"

	"tictactoe/store"
)

// TestUptime covers what counts as time in which people could move.
func TestUptime(t *testing.T) {
	now, connected := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), true
	u := newUptime(Options{
		Now: func() time.Time { return now }, Connected: func() bool { return connected }, LongestStep: 3 * time.Second,
	}, store.Leases{Owned: store.AllDomains}, now)
	want := func(what string, total time.Duration) {
		t.Helper()
		if got := u.elapsed(); got != total {
			t.Errorf("%s: %v have passed, want %v", what, got, total)
		}
	}
	pass := func(d time.Duration) { now = now.Add(d) }

	pass(time.Second)
	want("connected", time.Second)
	pass(22 * time.Second)
	want("frozen meanwhile", 4*time.Second)
	connected = false
	pass(time.Second)
	want("cut off", 4*time.Second)
	connected = true
	pass(-time.Hour)
	want("clock set back", 4*time.Second)
	pass(time.Second)
	want("after that", 5*time.Second)

	began := u.elapsed()
	pass(2 * time.Second)
	want("while something is being saved", 7*time.Second)
	u.wrote(began, true)
	want("it was not", 5*time.Second)
	pass(time.Second)
	u.wrote(u.elapsed(), true)
	pass(time.Second)
	want("nor was the next", 5*time.Second)
	if !u.standsStill() {
		t.Error("nothing can be saved, and the clock does not know")
	}
	u.wrote(u.elapsed(), false)
	want("saved again", 5*time.Second)
	pass(time.Second)
	want("after that", 6*time.Second)
}
