package bottest

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until a test moves it. It is safe for concurrent
// use.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	looks int64
}

// NewClock returns a clock that shows the present.
func NewClock() *Clock { return &Clock{now: time.Now()} }

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

// Looks returns how often the clock was read.
func (c *Clock) Looks() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.looks
}
