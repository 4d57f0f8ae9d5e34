package bot

import (
	"testing"
	"time"

	"tictactoe/store"
)

// clocks are a process's clocks under a test, which says what time it is and where people
// can move.
type clocks struct {
	*uptime
	t      *testing.T
	at     time.Time
	served store.DomainSet
}

func newClocks(t *testing.T, longest time.Duration, l store.Leases) *clocks {
	c := &clocks{t: t, at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), served: store.AllDomains}
	c.uptime = newUptime(func() time.Time { return c.at }, func() store.DomainSet { return c.served }, longest, l, time.Now())
	c.takeBehind()
	return c
}

func (c *clocks) pass(d time.Duration) { c.at = c.at.Add(d) }

// show fails the test where the clocks of domains 1 and 2 show something else, or that of
// the process.
func (c *clocks) show(what string, one, two, process time.Duration) {
	c.t.Helper()
	if m := c.look(); m.all[1] != one || m.all[2] != two || m.total != process {
		c.t.Errorf("%s: the clocks show %v and %v, and the process's %v, want %v, %v and %v", what, m.all[1], m.all[2], m.total, one, two, process)
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

	began := c.look()
	c.pass(2 * time.Second)
	want("while something is being saved", 7*time.Second)
	c.wrote(began, true)
	want("it was not", 5*time.Second)
	c.pass(time.Second)
	c.wrote(c.look(), true)
	c.pass(time.Second)
	want("nor was the next", 5*time.Second)
	if !c.standsStill() {
		t.Error("nothing can be saved, and the clock does not know")
	}
	c.wrote(c.look(), false)
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
	c.served = c.served.Without(one)
	c.pass(timesOff - time.Second)
	c.show("one is away", time.Second, timesOff, timesOff)
	began := c.look()
	c.pass(time.Second)
	c.wrote(began, true)
	c.pass(time.Second)
	c.show("and nothing can be saved", time.Second, timesOff, timesOff)
	c.wrote(c.look(), false)
	if behind := c.takeBehind(); behind != 0 || !c.lastMoved().Equal(c.at.Add(-timesOff-2*time.Second)) {
		t.Errorf("while one is away the times of %b are off, since %v", behind, c.lastMoved())
	}
	c.served = store.AllDomains
	c.pass(time.Second)
	c.show("all again", 2*time.Second, timesOff+time.Second, timesOff+time.Second)
	if behind := c.takeBehind(); behind != one || !c.lastMoved().Equal(c.at) {
		t.Errorf("the times of %b are off, since %v; want those of %b", behind, c.lastMoved(), one)
	}
	if behind := c.takeBehind(); behind != 0 {
		t.Errorf("again those of %b", behind)
	}
	c.served = 0
	c.pass(time.Second)
	c.show("none", 2*time.Second, timesOff+time.Second, timesOff+time.Second)
}
