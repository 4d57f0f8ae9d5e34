package rest

import (
	"net/http"
	"testing"
	"time"
)

// machine asks a Discord whose clock is ahead of the machine's own.
type machine struct {
	dates  *dates
	ahead  time.Duration
	passed time.Duration
}

func newMachine(ahead time.Duration) *machine {
	return &machine{dates: newDates(time.Now()), ahead: ahead}
}

const (
	there = 30 * time.Millisecond
	back  = 50 * time.Millisecond
)

// own is what the machine's clock shows where nobody sets it.
func (m *machine) own() time.Time { return m.dates.began.Round(0).Add(m.passed) }

// asks hears Discord's date so many times, at any part of its second.
func (m *machine) asks(times int) {
	for range times {
		m.passed += 1370 * time.Millisecond
		date := m.own().Add(m.ahead + there).UTC().Format(http.TimeFormat)
		m.dates.note(m.passed, m.passed+there+back, http.Header{"Date": {date}})
		m.passed += there + back
	}
}

// behind is how far what the machine takes for Discord's time is behind that, when its own clock
// has been set forward.
func (m *machine) behind(set time.Duration) time.Duration {
	return m.own().Add(m.ahead).Sub(m.dates.at(m.passed, m.own().Add(set)))
}

// wantBehind: never ahead, so that nothing seems older than it is.
func (m *machine) wantBehind(t *testing.T, when string, set, most time.Duration) {
	t.Helper()
	if got := m.behind(set); got < 0 || got > most {
		t.Errorf("%v behind Discord, %s: %v behind, want 0 to %v", m.ahead, when, got, most)
	}
}

const (
	coarse = time.Second + back // after one answer
	fine   = 100*time.Millisecond + back
)

// Discord's time is known however wrong the machine's clock is: to a second by the first
// answer, and better by those that follow.
func TestDiscordTime(t *testing.T) {
	for _, ahead := range []time.Duration{0, 10 * time.Second, -10 * time.Second, 7 * time.Minute, -7 * time.Minute, 5 * time.Hour, -5 * time.Hour, 400 * 24 * time.Hour, -400 * 24 * time.Hour} {
		m := newMachine(ahead)
		if got := m.behind(0); got != ahead {
			t.Errorf("%v ahead: %v behind before any answer, want the machine's own time", ahead, got)
		}
		m.asks(1)
		m.wantBehind(t, "after one answer", 0, coarse)
		m.asks(100)
		m.wantBehind(t, "after many", 0, fine)
		for _, set := range []time.Duration{7 * time.Minute, -7 * time.Minute, 30 * 24 * time.Hour} {
			m.wantBehind(t, "the machine's clock set by "+set.String(), set, fine)
		}
		m.ahead += time.Hour // it has slept
		m.asks(1)
		m.wantBehind(t, "after a sleep", 0, coarse)
		m.ahead -= 5 * time.Minute // a date was wrong
		m.asks(1)
		m.wantBehind(t, "after a wrong date", 0, coarse)
		m.asks(100)
		for _, date := range []string{"", "yesterday"} {
			m.dates.note(m.passed, m.passed, http.Header{"Date": {date}})
		}
		m.wantBehind(t, "after what is no date", 0, fine)
	}
}

// A clock that is right is taken at its word, and one that is hardly wrong soon as well.
func TestDiscordTimeOfARightClock(t *testing.T) {
	m := newMachine(0)
	for range 100 {
		m.asks(1)
		if got := m.behind(0); got != 0 {
			t.Fatalf("%v behind, want the machine's own time", got)
		}
	}
	for _, ahead := range []time.Duration{300 * time.Millisecond, -300 * time.Millisecond} {
		m := newMachine(ahead)
		m.asks(100)
		m.wantBehind(t, "after many answers", 0, fine)
	}
}
