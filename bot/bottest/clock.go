package bottest

import (
	"sync"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

// Clock is a clock that stands still until a test moves it. It is safe for concurrent
// use.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	looks int64
}

// NewClock returns a clock that shows the present, as exactly as it is stored.
func NewClock() *Clock { return &Clock{now: time.Now().Truncate(time.Millisecond)} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Looked waits until a bot that does nothing else has looked at what has fallen due, and
// so at how much time has passed, since the call: each such look reads the clock a few
// times.
func (c *Clock) Looked(t testing.TB) {
	t.Helper()
	looks := func() int64 {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.looks
	}
	before := looks()
	waittest.Until(t, "the bot to look at the clock", func() bool { return looks() > before+10 })
}
