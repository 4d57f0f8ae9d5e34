package bot

import (
	"testing"
	"time"
	"unsafe"
)

// stepped returns the moment as it is read after the system's clock was set by so
// much: the wall clock has moved, the monotonic clock has not. The time package
// offers no way to make one.
func stepped(t *testing.T, at time.Time, by time.Duration) time.Time {
	t.Helper()
	inside := (*struct {
		wall uint64 // a flag, 33 bits of seconds and 30 of nanoseconds
		ext  int64
		loc  *time.Location
	})(unsafe.Pointer(&at)) //nolint:gosec // see above
	before := at
	inside.wall += uint64(by/time.Second) << 30 //nolint:gosec // wraps as it should
	if at.Sub(before) != 0 || at.UnixNano()-before.UnixNano() != int64(by) {
		t.Skip("the time package keeps its moments in another way now")
	}
	return at
}

// TestLatenessWhenTheClockIsSet: the system's clock is set right, or wrong, while
// the bot runs. What arrives afterwards is as late as it was before.
func TestLatenessWhenTheClockIsSet(t *testing.T) {
	for _, by := range []time.Duration{10 * time.Second, -10 * time.Second, 30 * time.Minute, -30 * time.Minute, 5 * time.Hour} {
		l, now := &lateness{}, time.Now()
		arrives := func(made, received time.Time) (time.Duration, bool) {
			deadline, late := l.deadline(idMadeAt(made), received, false)
			return deadline.Sub(received), late
		}
		arrives(now, now)
		later := now.Add(time.Second)
		if left, late := arrives(later, stepped(t, later, by)); late || left < wholeTime-10*time.Millisecond {
			t.Errorf("set by %v: %v left, late %v", by, left, late)
		}
		if _, late := arrives(now, stepped(t, now.Add(time.Minute), by)); !late {
			t.Errorf("set by %v: what took a minute is not late", by)
		}
		// The same for what is replayed first, after the date was learnt.
		l = &lateness{date: func() (time.Time, time.Time, bool) { return now, now.Truncate(time.Second), true }}
		if _, late := l.deadline(idMadeAt(later), stepped(t, later, by), true); late {
			t.Errorf("set by %v: what was replayed at once is late", by)
		}
		if _, late := l.deadline(idMadeAt(now), stepped(t, now.Add(time.Minute), by), true); !late {
			t.Errorf("set by %v: what was replayed after a minute is not late", by)
		}
	}
}

// TestCrew: work that is begun while the end is waited for is waited for as well if
// something still works, and otherwise does not begin.
func TestCrew(t *testing.T) {
	c := newCrew()
	if !c.begin() {
		t.Fatal("nothing can begin")
	}
	idle := c.close()
	if !c.begin() {
		t.Error("work could not begin more")
	}
	c.end()
	select {
	case <-idle:
		t.Fatal("idle while something works")
	default:
	}
	c.end()
	<-idle
	if c.begin() {
		t.Error("something began after the end")
	}
	<-c.close() // a second time
	<-newCrew().close()
}
