package bot

import (
	"testing"
	"time"

	"tictactoe/store"
)

// TestUptimeOfLeases: the clock of a domain that another process owns is as that last saved
// it and what has passed since, but not for long; one that comes goes on from where it was
// saved; and none is this process's own once its lease may have ended.
func TestUptimeOfLeases(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	const length = 8 * time.Second
	domain := store.DomainSet(0).With(5)
	saved := func(at time.Duration) (u store.Uptimes) {
		u[5] = at
		return u
	}
	l := store.Leases{Length: length, Elsewhere: domain, Uptimes: saved(100 * time.Second), Since: saved(time.Second)}
	u := newUptime(Options{
		Now: func() time.Time { return now }, Served: func() store.DomainSet { return store.AllDomains }, LongestStep: time.Hour,
	}, l, time.Now())
	want := func(what string, at time.Duration, owned store.DomainSet) {
		t.Helper()
		if got := u.in(5); got != at {
			t.Errorf("%s: the clock shows %v, want %v", what, got, at)
		}
		if got := u.owned(); got != owned {
			t.Errorf("%s: owned are %b, want %b", what, got, owned)
		}
		if got := u.own()[5]; (got != 0) != (owned != 0) {
			t.Errorf("%s: %v would be saved", what, got)
		}
	}
	want("another's", 101*time.Second, 0)
	now = now.Add(2 * time.Second)
	want("another's, later", 103*time.Second, 0)
	now = now.Add(time.Hour)
	want("of one that may be dead", 104*time.Second, 0)

	mine := store.Leases{Length: length, Owned: domain, Uptimes: saved(102 * time.Second)}
	if come := u.leased(mine, time.Now()); come != domain {
		t.Errorf("%b have come, want %b", come, domain)
	}
	want("it has come", 102*time.Second, domain)
	now = now.Add(3 * time.Second)
	want("it goes on", 105*time.Second, domain)
	if come := u.leased(mine, time.Now()); come != 0 {
		t.Errorf("%b have come again", come)
	}
	want("renewed", 105*time.Second, domain)
	u.leased(mine, time.Now().Add(-length))
	want("not renewed in time", 105*time.Second, 0)
	mine.Uptimes = saved(300 * time.Second)
	u.leased(mine, time.Now())
	want("another had it meanwhile", 300*time.Second, domain)
	u.leased(store.Leases{Length: length, Uptimes: saved(301 * time.Second)}, time.Now())
	now = now.Add(time.Minute)
	want("nobody's", 301*time.Second, 0)
}
