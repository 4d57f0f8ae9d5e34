package bot

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/store"
)

// testEpoch is when the tests with a clock begin.
var testEpoch = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// after returns a moment of the tests' clock.
func after(d time.Duration) time.Time { return testEpoch.Add(d) }

func allowed(t *testing.T, l *startLimiter, user store.UserID, guild store.GuildID, at time.Duration) {
	t.Helper()
	if !l.allow(user, guild, after(at)) {
		t.Errorf("%s in %q after %v: refused, want allowed", user, guild, at)
	}
}

func denied(t *testing.T, l *startLimiter, user store.UserID, guild store.GuildID, at time.Duration) {
	t.Helper()
	if l.allow(user, guild, after(at)) {
		t.Errorf("%s in %q after %v: allowed, want refused", user, guild, at)
	}
}

func TestParseStartLimit(t *testing.T) {
	for text, want := range map[string]StartLimit{
		"none":   {},
		"20/600": {PerUser: 20, PerGuild: 600},
		"1/1":    {PerUser: 1, PerGuild: 1},
		"600/20": {PerUser: 600, PerGuild: 20},
	} {
		if got, err := ParseStartLimit(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "/", "20", "20/", "/600", "0/600", "20/0", "-1/600", "20/-1", "20/600/3", "None", "off", " 20/600", "20 / 600",
		"2.5/600", "1e3/600", "20/600\n", "99999999999999999999/1", "二十/600",
	} {
		got, err := ParseStartLimit(text)
		if !errors.Is(err, ErrStartLimit) || got != (StartLimit{}) {
			t.Errorf("%q: got %+v, %v, want ErrStartLimit", text, got, err)
		}
		if err != nil && !strings.Contains(err.Error(), "20/600") {
			t.Errorf("%q: the error shows no example: %v", text, err)
		}
	}
}

func TestStartLimitOfPerson(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 3, PerGuild: 100})
	for range 3 {
		allowed(t, l, ada, "201", 0)
	}
	denied(t, l, ada, "201", 0)
	denied(t, l, ada, "202", 0) // another guild does not help
	denied(t, l, ada, "", 0)    // nor do direct messages
	allowed(t, l, bob, "201", 0)

	// A start comes back every third of a minute, and no more than three in all.
	denied(t, l, ada, "201", 19*time.Second)
	allowed(t, l, ada, "201", 20*time.Second)
	denied(t, l, ada, "201", 21*time.Second)
	for range 3 {
		allowed(t, l, ada, "201", time.Hour)
	}
	denied(t, l, ada, "201", time.Hour)
}

func TestStartLimitOfGuild(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 5, PerGuild: 4})
	for i := range 4 {
		allowed(t, l, store.UserID(fmt.Sprint(i)), "201", 0)
	}
	denied(t, l, ada, "201", 0)
	allowed(t, l, ada, "202", 0)
	// Being refused by the guild has cost Ada nothing: four of her five are left.
	for range 4 {
		allowed(t, l, ada, "", 0)
	}
	denied(t, l, ada, "", 0)
	// And being refused herself has cost the guild nothing.
	allowed(t, l, bob, "201", 15*time.Second)
}

func TestRefusedPersonCostsGuildNothing(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 1, PerGuild: 2})
	allowed(t, l, ada, "201", 0)
	for range 10 {
		denied(t, l, ada, "201", 0)
	}
	allowed(t, l, bob, "201", 0)
	denied(t, l, cleo, "201", 0)
}

// Whoever keeps trying while refused gets the next start no later.
func TestTryingDoesNotDelay(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 1, PerGuild: 100})
	allowed(t, l, ada, "201", 0)
	for s := range 60 {
		denied(t, l, ada, "201", time.Duration(s)*time.Second)
	}
	allowed(t, l, ada, "201", 60*time.Second+time.Millisecond)
}

// People and guilds are snowflakes of one kind; the same number is not one bucket.
func TestPersonAndGuildOfOneNumber(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 1, PerGuild: 1})
	allowed(t, l, "201", "", 0)
	allowed(t, l, ada, "201", 0)
}

func TestNoStartLimit(t *testing.T) {
	l := newStartLimiter(StartLimit{})
	for range 10_000 {
		allowed(t, l, ada, "201", 0)
	}
	if n := len(l.buckets); n != 0 {
		t.Errorf("%d buckets are remembered without a limit", n)
	}
}

// An hour of people who each start one game leaves no more behind than the last
// two minutes of them.
func TestStartLimiterForgets(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 20, PerGuild: 600})
	const perSecond = 10
	const most = 2 * 60 * 2 * perSecond // two buckets for each start of two minutes
	for s := range 3600 {
		for i := range perSecond {
			n := s*perSecond + i
			l.allow(store.UserID(fmt.Sprint("u", n)), store.GuildID(fmt.Sprint("g", n)), after(time.Duration(s)*time.Second))
		}
		if n := len(l.buckets); n > most+4*perSecond {
			t.Fatalf("after %d s it remembers %d buckets", s, n)
		}
	}
	allowed(t, l, ada, "201", 3*time.Hour)
	if n := len(l.buckets); n != 2 {
		t.Errorf("after two quiet hours it remembers %d buckets, want those of the newcomer alone", n)
	}
}

// Waiting longer than it takes saves nothing up, also while the bucket is kept.
func TestStartsAreNotSavedUp(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 3, PerGuild: 100})
	allowed(t, l, ada, "201", 0)
	for range 3 {
		allowed(t, l, ada, "201", 59*time.Second)
	}
	denied(t, l, ada, "201", 59*time.Second)
}

// A clock that is set back takes nothing away.
func TestStartLimitWithClockSetBack(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 3, PerGuild: 100})
	allowed(t, l, ada, "201", time.Hour)
	allowed(t, l, ada, "201", 0)
	allowed(t, l, ada, "201", 0)
	denied(t, l, ada, "201", 0)
	allowed(t, l, ada, "201", 20*time.Second)
}

// Dropping a bucket must not give anybody a fresh one early.
func TestForgettingGivesNothingAway(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 2, PerGuild: 1000})
	allowed(t, l, bob, "201", 0)
	allowed(t, l, ada, "201", 59*time.Second)
	allowed(t, l, ada, "201", 59*time.Second)
	allowed(t, l, bob, "201", 61*time.Second) // sweeps
	denied(t, l, ada, "201", 61*time.Second)
}

func TestStartLimiterTogether(t *testing.T) {
	l := newStartLimiter(StartLimit{PerUser: 50, PerGuild: 1000})
	var granted atomic.Int64
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 100 {
				if l.allow(ada, "201", testEpoch) {
					granted.Add(1)
				}
			}
		})
	}
	work.Wait()
	if got := granted.Load(); got != 50 {
		t.Errorf("%d starts were allowed, want 50", got)
	}
}
