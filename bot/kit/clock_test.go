package kit

import (
	"testing"
	"time"

	"tictactoe/store"
)

// clocks are a process's clocks under a test, which says what time it is and where people
// can move.
type clocks struct {
	*Clock
	t      *testing.T
	at     time.Time
	served store.DomainSet
}

func newClocks(t *testing.T, longest time.Duration, l store.Leases) *clocks {
	c := &clocks{t: t, at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), served: store.AllDomains}
	c.Clock = NewClock(func() time.Time { return c.at }, func() store.DomainSet { return c.served }, longest, l, time.Now())
	c.TakeBehind()
	return c
}

func (c *clocks) pass(d time.Duration) { c.at = c.at.Add(d) }

// show fails the test where the clocks of domains 1 and 2 show something else, or that of
// the process.
func (c *clocks) show(what string, one, two, process time.Duration) {
	c.t.Helper()
	if m := c.Look(); m.All[1] != one || m.All[2] != two || m.Total != process {
		c.t.Errorf("%s: the clocks show %v and %v, and the process's %v, want %v, %v and %v", what, m.All[1], m.All[2], m.Total, one, two, process)
	}
}

// TestUptime covers what counts as time in which people could move.
func TestUptime(t *testing.T) {
	c := newClocks(t, 3*time.Second, store.Leases{Owned: store.AllDomains})
	want := func(what string, at time.Duration) {
		t.Helper()
		c.show(what, at, at, at)
	}
	c.pass(time.Second)
	want("connected", time.Second)
	c.pass(22 * time.Second)
	want("frozen meanwhile", 4*time.Second)
	c.served = 0
	c.pass(time.Second)
	want("cut off", 4*time.Second)
	c.served = store.AllDomains
	c.pass(-time.Hour)
	want("clock set back", 4*time.Second)
	c.pass(time.Second)
	want("after that", 5*time.Second)

	began := c.Look()
	c.pass(2 * time.Second)
	want("while something is being saved", 7*time.Second)
	c.Wrote(began, true)
	want("it was not", 5*time.Second)
	c.pass(time.Second)
	c.Wrote(c.Look(), true)
	c.pass(time.Second)
	want("nor was the next", 5*time.Second)
	if !c.StandsStill() {
		t.Error("nothing can be saved, and the clock does not know")
	}
	c.Wrote(c.Look(), false)
	want("saved again", 5*time.Second)
	c.pass(time.Second)
	want("after that", 6*time.Second)
}

// TestUptimeOfShards: the clocks of domains whose shard is away stand still, and those of
// others go on. Times on messages are off where a clock has stood for long.
func TestUptimeOfShards(t *testing.T) {
	c := newClocks(t, time.Minute, store.Leases{Owned: store.AllDomains})
	one := store.DomainSet(0).With(1)
	c.pass(time.Second)
	c.show("all are there", time.Second, time.Second, time.Second)
	c.served &^= one
	c.pass(timesOff - time.Second)
	c.show("one is away", time.Second, timesOff, timesOff)
	began := c.Look()
	c.pass(time.Second)
	c.Wrote(began, true)
	c.pass(time.Second)
	c.show("and nothing can be saved", time.Second, timesOff, timesOff)
	c.Wrote(c.Look(), false)
	if behind := c.TakeBehind(); behind != 0 || !c.lastMoved().Equal(c.at.Add(-timesOff-2*time.Second)) {
		t.Errorf("while one is away the times of %b are off, since %v", behind, c.lastMoved())
	}
	c.served = store.AllDomains
	c.pass(time.Second)
	c.show("all again", 2*time.Second, timesOff+time.Second, timesOff+time.Second)
	if behind := c.TakeBehind(); behind != one || !c.lastMoved().Equal(c.at) {
		t.Errorf("the times of %b are off, since %v; want those of %b", behind, c.lastMoved(), one)
	}
	if behind := c.TakeBehind(); behind != 0 {
		t.Errorf("again those of %b", behind)
	}
	c.served = 0
	c.pass(time.Second)
	c.show("none", 2*time.Second, timesOff+time.Second, timesOff+time.Second)
}

// TestUptimeOfLeases: the clock of a domain that another process owns is as that last saved
// it and what has passed since, but not for long; one that comes goes on from where it was
// saved; and none is this process's own once its lease may have ended.
func TestUptimeOfLeases(t *testing.T) {
	const length = 8 * time.Second
	domain := store.DomainSet(0).With(1)
	saved := func(at time.Duration) (u store.Uptimes) {
		u[1] = at
		return u
	}
	c := newClocks(t, time.Hour, store.Leases{Length: length, Elsewhere: domain, Uptimes: saved(100 * time.Second), Since: saved(time.Second)})
	want := func(what string, at time.Duration, owned store.DomainSet) {
		t.Helper()
		if got := c.Look().All[1]; got != at {
			t.Errorf("%s: the clock shows %v, want %v", what, got, at)
		}
		if got := c.Mine(); got != owned {
			t.Errorf("%s: owned are %b, want %b", what, got, owned)
		}
		if got := c.Own()[1]; (got != 0) != (owned != 0) {
			t.Errorf("%s: %v would be saved", what, got)
		}
	}
	want("another's", 101*time.Second, 0)
	c.pass(2 * time.Second)
	want("another's, later", 103*time.Second, 0)
	c.served &^= domain
	c.pass(2 * time.Second)
	want("another's, whose shard is away", 103*time.Second, 0)
	c.served = store.AllDomains
	c.Leased(store.Leases{Length: length, Elsewhere: domain, Uptimes: saved(100 * time.Second), Since: saved(7 * time.Second)}, time.Now())
	want("of one that may be dead", 104*time.Second, 0)

	mine := store.Leases{Length: length, Owned: domain, Uptimes: saved(102 * time.Second)}
	c.Leased(mine, time.Now())
	if come := c.TakeBehind(); come != domain {
		t.Errorf("%b have come, want %b", come, domain)
	}
	want("it has come", 102*time.Second, domain)
	c.pass(3 * time.Second)
	want("it goes on", 105*time.Second, domain)
	c.Leased(mine, time.Now())
	if come := c.TakeBehind(); come != 0 {
		t.Errorf("%b have come again", come)
	}
	want("renewed", 105*time.Second, domain)
	c.Leased(mine, time.Now().Add(-length))
	want("not renewed in time", 105*time.Second, 0)
	mine.Uptimes = saved(300 * time.Second)
	c.Leased(mine, time.Now())
	want("another had it meanwhile", 300*time.Second, domain)
	c.Leased(store.Leases{Length: length, Uptimes: saved(301 * time.Second)}, time.Now())
	c.pass(time.Minute)
	want("nobody's", 301*time.Second, 0)
}
