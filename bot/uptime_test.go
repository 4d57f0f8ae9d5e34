package bot

import (
	"testing"
	"time"

	"tictactoe/store"
)

// TestUptime covers what counts as time in which people could move.
func TestUptime(t *testing.T) {
	now, connected := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), true
	served := func() store.DomainSet {
		if connected {
			return store.AllDomains
		}
		return 0
	}
	u := newUptime(Options{
		Now: func() time.Time { return now }, Served: served, LongestStep: 3 * time.Second,
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

// TestUptimeOfShards: the clocks of domains whose shard is away stand still, and those of
// others go on.
func TestUptimeOfShards(t *testing.T) {
	now, served := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), store.AllDomains
	u := newUptime(Options{
		Now: func() time.Time { return now }, Served: func() store.DomainSet { return served }, LongestStep: time.Minute,
	}, store.Leases{Owned: store.AllDomains}, now)
	want := func(what string, one, other, process time.Duration) {
		t.Helper()
		if all := u.all(); all[1] != one || all[2] != other || u.elapsed() != process {
			t.Errorf("%s: the clocks show %v and %v, and the process's %v, want %v, %v and %v", what, all[1], all[2], u.elapsed(), one, other, process)
		}
	}
	pass := func() { now = now.Add(time.Second) }
	pass()
	want("all are there", time.Second, time.Second, time.Second)
	served = store.AllDomains.Without(store.DomainSet(0).With(1))
	pass()
	want("one is away", time.Second, 2*time.Second, 2*time.Second)
	if behind := u.behind(); behind[1] != time.Second || behind[2] != 0 {
		t.Errorf("they are behind by %v and %v", behind[1], behind[2])
	}
	began := u.elapsed()
	pass()
	u.wrote(began, true)
	pass()
	want("and nothing can be saved", time.Second, 2*time.Second, 2*time.Second)
	u.wrote(u.elapsed(), false)
	served = store.AllDomains
	pass()
	want("all again", 2*time.Second, 3*time.Second, 3*time.Second)
	served = 0
	pass()
	want("none", 2*time.Second, 3*time.Second, 3*time.Second)
}
