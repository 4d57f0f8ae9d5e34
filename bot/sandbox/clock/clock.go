// Package clock gives the local Discord its time: the system's, or one that a
// test moves by hand.
package clock

import (
	"slices"
	"sync"
	"time"
)

// Clock is where a server takes its time from: snowflakes, timestamps, the
// three seconds for an answer and the fifteen minutes of a token. Rate-limit
// windows and Gateway limits always follow real time, because clients wait for
// them in real time.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// AfterFunc calls f in its own goroutine once d has passed. The returned
	// stop reports whether it kept f from being called.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// Real is the system's clock.
var Real Clock = realClock{}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}

// Manual is a Clock that is moved ahead by hand. It may be used by several goroutines at
// once.
type Manual struct {
	base   func() time.Time // to which ahead is added
	runs   bool             // base goes on by itself, and timers fire as it does
	mu     sync.Mutex
	ahead  time.Duration
	timers []*manualTimer
}

type manualTimer struct {
	at   time.Time // on the moved clock
	f    func()
	real *time.Timer // where the clock runs
}

// NewManual returns a clock that shows start, and stands still until Advance is called.
func NewManual(start time.Time) *Manual {
	return &Manual{base: func() time.Time { return start }}
}

// NewMovable returns a clock that shows the system's time until Advance is called, and then
// what is ahead of it.
func NewMovable() *Manual { return &Manual{base: time.Now, runs: true} }

// Now returns the time the clock shows.
func (c *Manual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base().Add(c.ahead)
}

// AfterFunc arranges for f to be called by the Advance that reaches d from now, or in its own
// goroutine once the clock itself has. f is called at once, by AfterFunc's caller in a new
// goroutine, when d is not positive.
func (c *Manual) AfterFunc(d time.Duration, f func()) func() bool {
	if d <= 0 {
		go f()
		return func() bool { return false }
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &manualTimer{at: c.base().Add(c.ahead + d), f: f}
	c.timers = append(c.timers, t)
	if c.runs {
		t.real = time.AfterFunc(d, func() {
			if c.take(t) {
				f()
			}
		})
	}
	return func() bool { return c.take(t) }
}

// take reports whether the timer was still to fire; nobody else fires it then.
func (c *Manual) take(t *manualTimer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.remove(t)
}

func (c *Manual) remove(t *manualTimer) bool {
	i := slices.Index(c.timers, t)
	if i < 0 {
		return false
	}
	c.timers = slices.Delete(c.timers, i, i+1)
	if t.real != nil {
		t.real.Stop()
	}
	return true
}

// Advance moves the clock by d and calls what became due, in order of time, before it
// returns. The clock shows each timer's own time while it runs.
func (c *Manual) Advance(d time.Duration) {
	c.mu.Lock()
	for {
		slices.SortStableFunc(c.timers, func(a, b *manualTimer) int { return a.at.Compare(b.at) })
		now := c.base().Add(c.ahead)
		if len(c.timers) == 0 || c.timers[0].at.After(now.Add(d)) {
			c.ahead += d
			break
		}
		t := c.timers[0]
		c.remove(t)
		step := max(t.at.Sub(now), 0)
		c.ahead, d = c.ahead+step, d-step
		c.mu.Unlock()
		t.f()
		c.mu.Lock()
	}
	for _, t := range c.timers {
		if t.real != nil {
			t.real.Reset(t.at.Sub(c.base().Add(c.ahead)))
		}
	}
	c.mu.Unlock()
}
