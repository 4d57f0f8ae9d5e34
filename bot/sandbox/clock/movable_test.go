package clock_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/sandbox/clock"
)

func TestMovable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewMovable()
		began := c.Now()
		var mu sync.Mutex
		var names []string
		at := func(d time.Duration, name string) func() bool {
			return c.AfterFunc(d, func() {
				mu.Lock()
				defer mu.Unlock()
				names = append(names, name)
			})
		}
		all := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(names)
		}
		at(3*time.Second, "late")
		at(2*time.Second, "early")
		stop := at(2*time.Second, "stopped")
		at(time.Hour, "by itself")
		if !stop() || stop() {
			t.Error("a timer stops once")
		}
		c.Advance(5 * time.Second)
		if fired := all(); len(fired) != 2 || fired[0] != "early" || fired[1] != "late" {
			t.Errorf("fired %q", fired)
		}
		if got := c.Now().Sub(began); got != 5*time.Second {
			t.Errorf("moved by %v", got)
		}
		time.Sleep(time.Hour - 6*time.Second)
		synctest.Wait()
		if fired := all(); len(fired) != 2 {
			t.Errorf("fired %q a second early", fired)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if fired := all(); len(fired) != 3 {
			t.Errorf("fired %q, want the last by the time that passed", fired)
		}
	})
}

// TestTimersOfTimers: a timer that begins during an Advance fires within the same one.
func TestTimersOfTimers(t *testing.T) {
	for name, c := range map[string]*clock.Manual{"manual": clock.NewManual(time.Now()), "movable": clock.NewMovable()} {
		var fired []time.Duration
		began := c.Now()
		note := func() { fired = append(fired, c.Now().Sub(began).Truncate(time.Hour)) }
		c.AfterFunc(24*time.Hour, func() {
			note()
			c.AfterFunc(time.Hour, note)
		})
		c.Advance(26 * time.Hour)
		if want := []time.Duration{24 * time.Hour, 25 * time.Hour}; !slices.Equal(fired, want) {
			t.Errorf("%s: fired after %v, want %v", name, fired, want)
		}
	}
}

// TestManualAtOnce: what is due already is called although the clock stands still.
func TestManualAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		called := false
		stop := clock.NewManual(time.Now()).AfterFunc(0, func() { called = true })
		synctest.Wait()
		if !called || stop() {
			t.Error("it is not called")
		}
	})
}
