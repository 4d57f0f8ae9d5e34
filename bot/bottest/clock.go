package bottest

import (
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/waittest"
)

// Clock is a clock that stands still until a test moves it. It is safe for concurrent
// use.
type Clock struct {
	*clock.Manual
	looks atomic.Int64
}

// NewClock returns a clock that shows the present, as exactly as it is stored.
func NewClock() *Clock { return &Clock{Manual: clock.NewManual(time.Now().Truncate(time.Millisecond))} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.looks.Add(1)
	return c.Manual.Now()
}

// Looked waits until a bot that does nothing else has looked at what has fallen due, and
// so at how much time has passed, since the call: each such look reads the clock a few
// times.
func (c *Clock) Looked(t testing.TB) {
	t.Helper()
	before := c.looks.Load()
	waittest.Until(t, "the bot to look at the clock", func() bool { return c.looks.Load() > before+10 })
}
