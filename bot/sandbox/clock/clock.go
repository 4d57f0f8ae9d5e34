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

// Manual is a Clock that stands still until it is advanced. It may be used
// by several goroutines at once.
type Manual struct {
	mu     sync.Mutex
	now    time.Time
	timers []*manualTimer
}

type manualTimer struct {
	at   time.Time
	f    func()
	done bool
}

// NewManual returns a clock that shows start until Advance is called.
func NewManual(start time.Time) *Manual {
	return &Manual{now: start}
}

// Now returns the time the clock shows.
func (c *Manual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc arranges for f to be called by the Advance that reaches d from now.
// f is called at once, by AfterFunc's caller in a new goroutine, when d is not
// positive.
func (c *Manual) AfterFunc(d time.Duration, f func()) func() bool {
	if d <= 0 {
		go f()
		return func() bool { return false }
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &manualTimer{at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		stopped := !t.done
		t.done = true
		return stopped
	}
}

// Advance moves the clock by d and calls what became due, in order of time,
// before it returns. The clock shows each timer's own time while it runs.
func (c *Manual) Advance(d time.Duration) {
	c.mu.Lock()
	end := c.now.Add(d)
	for {
		c.timers = slices.DeleteFunc(c.timers, func(t *manualTimer) bool { return t.done })
		slices.SortStableFunc(c.timers, func(a, b *manualTimer) int { return a.at.Compare(b.at) })
		if len(c.timers) == 0 || c.timers[0].at.After(end) {
			break
		}
		t := c.timers[0]
		t.done = true
		c.now = t.at
		c.mu.Unlock()
		t.f()
		c.mu.Lock()
	}
	c.now = end
	c.mu.Unlock()
}

// Movable is the system's clock, which can be moved ahead. It may be used by several
// goroutines at once.
type Movable struct {
	mu     sync.Mutex
	ahead  time.Duration
	timers map[*movableTimer]bool
}

type movableTimer struct {
	at   time.Time // on the moved clock
	f    func()
	real *time.Timer
}

// NewMovable returns a clock that shows the system's time until Advance is called.
func NewMovable() *Movable { return &Movable{timers: map[*movableTimer]bool{}} }

// Now returns the time the clock shows.
func (c *Movable) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// AfterFunc calls f in its own goroutine once d has passed, in real time or by Advance.
func (c *Movable) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &movableTimer{at: time.Now().Add(c.ahead).Add(d), f: f}
	c.timers[t] = true
	t.real = time.AfterFunc(d, func() {
		if c.take(t) {
			f()
		}
	})
	return func() bool {
		t.real.Stop()
		return c.take(t)
	}
}

// take reports whether the timer was still to fire; nobody else fires it then.
func (c *Movable) take(t *movableTimer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waited := c.timers[t]
	delete(c.timers, t)
	return waited
}

// Advance moves the clock ahead by d and calls what became due, in order of time,
// before it returns. A negative d is ignored.
func (c *Movable) Advance(d time.Duration) {
	c.mu.Lock()
	c.ahead += max(d, 0)
	now := time.Now().Add(c.ahead)
	var due []*movableTimer
	for t := range c.timers {
		left := t.at.Sub(now)
		if left > 0 {
			t.real.Reset(left)
			continue
		}
		t.real.Stop()
		delete(c.timers, t)
		due = append(due, t)
	}
	c.mu.Unlock()
	slices.SortFunc(due, func(a, b *movableTimer) int { return a.at.Compare(b.at) })
	for _, t := range due {
		t.f()
	}
}
