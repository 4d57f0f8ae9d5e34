package change

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match/matchtest"
	"tictactoe/store"
)

// after returns a moment of the tests' clock.
func after(d time.Duration) time.Time { return matchtest.TestEpoch.Add(d) }

// of are the limits of what somebody starts in a guild.
func of(l *Limiter, user store.UserID, guild store.GuildID) []store.Limit {
	return l.Limits(&kit.Request{UserID: user, GuildID: guild})
}

func allowed(t *testing.T, l *Limiter, user store.UserID, guild store.GuildID, at time.Duration) {
	t.Helper()
	if wait := l.allow(of(l, user, guild), after(at)); wait > 0 {
		t.Errorf("%s in %q after %v: refused until %v, want allowed", user, guild, at, at+wait)
	}
}

func denied(t *testing.T, l *Limiter, user store.UserID, guild store.GuildID, at time.Duration) {
	t.Helper()
	if l.allow(of(l, user, guild), after(at)) == 0 {
		t.Errorf("%s in %q after %v: allowed, want refused", user, guild, at)
	}
}

// deniedUntil asserts a refusal that says when there is room again, and that it is
// true: not a moment earlier.
func deniedUntil(t *testing.T, l *Limiter, user store.UserID, guild store.GuildID, at, until time.Duration) {
	t.Helper()
	if again := at + l.allow(of(l, user, guild), after(at)); again != until {
		t.Errorf("%s in %q after %v: allowed again after %v, want after %v", user, guild, at, again, until)
	}
	denied(t, l, user, guild, until-1)
}

func TestParseStartLimit(t *testing.T) {
	for text, want := range map[string]StartLimit{
		"none":   {},
		"20/600": {PerUser: 20, PerGuild: 600},
		"1/1":    {PerUser: 1, PerGuild: 1},
		"600/20": {PerUser: 600, PerGuild: 20},
		"20":     {PerUser: 20, PerGuild: 600},
		"7":      {PerUser: 7, PerGuild: 600},

		" 20/600": {PerUser: 20, PerGuild: 600}, "\t20/600\n": {PerUser: 20, PerGuild: 600}, " none ": {}, " 20 ": {PerUser: 20, PerGuild: 600},
	} {
		if got, err := ParseStartLimit(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "/", "0", "-1", "20/", "/600", "+20", "20/+600", "20,600", "20 600", "20/none", "none/600", "0/600", "20/0", "-1/600", "20/-1", "20/600/3", "None", "off", "20 / 600",
		"2.5/600", "1e3/600", "99999999999999999999/1", "二十/600",
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
	l := NewLimiter("start", StartLimit{PerUser: 3, PerGuild: 100}, nil)
	for range 3 {
		allowed(t, l, matchtest.Ada, "201", 0)
	}
	denied(t, l, matchtest.Ada, "201", 0)
	denied(t, l, matchtest.Ada, "202", 0) // another guild does not help
	denied(t, l, matchtest.Ada, "", 0)    // nor do direct messages
	allowed(t, l, matchtest.Bob, "201", 0)

	// A start comes back when a minute has passed since it, and no earlier.
	deniedUntil(t, l, matchtest.Ada, "201", 20*time.Second, time.Minute)
	allowed(t, l, matchtest.Ada, "201", time.Minute)
	allowed(t, l, matchtest.Ada, "201", 80*time.Second)
	allowed(t, l, matchtest.Ada, "201", 100*time.Second)
	deniedUntil(t, l, matchtest.Ada, "201", 101*time.Second, 2*time.Minute)
	for range 3 {
		allowed(t, l, matchtest.Ada, "201", time.Hour)
	}
	denied(t, l, matchtest.Ada, "201", time.Hour)
}

func TestStartLimitOfGuild(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 5, PerGuild: 4}, nil)
	for i := range 4 {
		allowed(t, l, store.UserID(fmt.Sprint(i)), "201", 0)
	}
	denied(t, l, matchtest.Ada, "201", 0)
	allowed(t, l, matchtest.Ada, "202", 0)
	// Being refused by the guild has cost Ada nothing: four of her five are left.
	for range 4 {
		allowed(t, l, matchtest.Ada, "", 0)
	}
	denied(t, l, matchtest.Ada, "", 0)
	// And being refused herself has cost the guild nothing.
	allowed(t, l, matchtest.Bob, "201", time.Minute)
}

func TestRefusedPersonCostsGuildNothing(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 1, PerGuild: 2}, nil)
	allowed(t, l, matchtest.Ada, "201", 0)
	for range 10 {
		denied(t, l, matchtest.Ada, "201", 0)
	}
	allowed(t, l, matchtest.Bob, "201", 0)
	denied(t, l, matchtest.Cleo, "201", 0)
}

// Whoever keeps trying while refused gets the next start no later.
func TestTryingDoesNotDelay(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 1, PerGuild: 100}, nil)
	allowed(t, l, matchtest.Ada, "201", 0)
	for s := range 60 {
		denied(t, l, matchtest.Ada, "201", time.Duration(s)*time.Second)
	}
	allowed(t, l, matchtest.Ada, "201", time.Minute)
}

// People and guilds are snowflakes of one kind; the same number is not one of both.
func TestPersonAndGuildOfOneNumber(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 1, PerGuild: 1}, nil)
	allowed(t, l, "201", "", 0)
	allowed(t, l, matchtest.Ada, "201", 0)
}

func TestNoStartLimit(t *testing.T) {
	l := NewLimiter("start", StartLimit{}, nil)
	for range 10_000 {
		allowed(t, l, matchtest.Ada, "201", 0)
	}
	for _, key := range []string{"start u" + string(matchtest.Ada), "start g201"} {
		if _, ok := l.starts.Get(key); ok {
			t.Errorf("%q is remembered without a limit", key)
		}
	}
}

// An hour of people who each start one game leaves no more behind than the last
// two minutes of them.
func TestStartLimiterForgets(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 20, PerGuild: 600}, nil)
	const perSecond, seconds = 10, 3600
	limits := func(n int) []store.Limit {
		return of(l, store.UserID(fmt.Sprint("u", n)), store.GuildID(fmt.Sprint("g", n)))
	}
	remembered := func(n int) bool {
		return slices.ContainsFunc(limits(n), func(of store.Limit) bool { _, ok := l.starts.Get(of.Key); return ok })
	}
	for s := range seconds {
		for i := range perSecond {
			l.allow(limits(s*perSecond+i), after(time.Duration(s)*time.Second))
		}
		for i := range perSecond {
			if n := (s-122)*perSecond + i; n >= 0 && remembered(n) {
				t.Fatalf("after %d s it remembers number %d, of two minutes ago", s, n)
			}
		}
	}
	allowed(t, l, matchtest.Ada, "201", 3*time.Hour)
	for n := range seconds * perSecond {
		if remembered(n) {
			t.Fatalf("after two quiet hours it remembers number %d", n)
		}
	}
}

// Waiting longer than it takes saves nothing up, also while somebody is remembered.
func TestStartsAreNotSavedUp(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 3, PerGuild: 100}, nil)
	allowed(t, l, matchtest.Ada, "201", 0)
	for range 2 {
		allowed(t, l, matchtest.Ada, "201", 59*time.Second)
	}
	denied(t, l, matchtest.Ada, "201", 59*time.Second)
	allowed(t, l, matchtest.Ada, "201", time.Minute)
	deniedUntil(t, l, matchtest.Ada, "201", time.Minute, 119*time.Second)
}

// A clock that is set back takes nothing away.
func TestStartLimitWithClockSetBack(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 3, PerGuild: 100}, nil)
	allowed(t, l, matchtest.Ada, "201", time.Hour)
	allowed(t, l, matchtest.Ada, "201", 0)
	allowed(t, l, matchtest.Ada, "201", 0)
	deniedUntil(t, l, matchtest.Ada, "201", 0, time.Minute)
	allowed(t, l, matchtest.Ada, "201", time.Minute)
}

// Within any minute there are no more starts than allowed, however they are spread,
// and as many as that.
func TestStartLimitInAnyMinute(t *testing.T) {
	for _, every := range []time.Duration{time.Millisecond, 200 * time.Millisecond, time.Second, 2900 * time.Millisecond} {
		l := NewLimiter("start", StartLimit{PerUser: 20, PerGuild: 600}, nil)
		var starts []time.Duration
		refused := 0
		for at := time.Duration(0); at < 3*time.Minute; at += every {
			wait := l.allow(of(l, matchtest.Ada, "201"), after(at))
			if wait == 0 {
				starts = append(starts, at)
				continue
			}
			if refused++; refused == 1 && len(starts) != 20 {
				t.Errorf("every %v: the first refusal is number %d, want 21", every, len(starts)+1)
			}
			if want := starts[len(starts)-20] + time.Minute; at+wait != want {
				t.Fatalf("every %v: refused after %v until %v, want %v", every, at, at+wait, want)
			}
		}
		for i := 20; i < len(starts); i++ {
			if within := starts[i] - starts[i-20]; within < time.Minute {
				t.Errorf("every %v: 21 starts within %v", every, within)
			}
		}
		if len(starts) < 60 {
			t.Errorf("every %v: %d starts in three minutes, want 20 in each", every, len(starts))
		}
		if s, _ := l.starts.Get("start u" + string(matchtest.Ada)); len(s) > 20 {
			t.Errorf("every %v: %d starts are remembered", every, len(s))
		}
	}
}

// A start that came to nothing is given back, to the person and to the guild.
func TestStartIsRefunded(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 2, PerGuild: 2}, nil)
	allowed(t, l, matchtest.Ada, "201", 0)
	allowed(t, l, matchtest.Ada, "201", 10*time.Second)
	l.refund(of(l, matchtest.Ada, "201"), after(10*time.Second))
	l.refund(of(l, matchtest.Ada, "201"), after(11*time.Second)) // there was none
	l.refund(of(l, matchtest.Bob, "202"), after(0))
	allowed(t, l, matchtest.Bob, "201", 20*time.Second)
	deniedUntil(t, l, matchtest.Cleo, "201", 20*time.Second, time.Minute)
	allowed(t, l, matchtest.Ada, "", 30*time.Second)
	deniedUntil(t, l, matchtest.Ada, "", 30*time.Second, time.Minute)
}

// Dropping somebody must not give them fresh starts early.
func TestForgettingGivesNothingAway(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 2, PerGuild: 1000}, nil)
	allowed(t, l, matchtest.Bob, "201", 0)
	allowed(t, l, matchtest.Ada, "201", 59*time.Second)
	allowed(t, l, matchtest.Ada, "201", 59*time.Second)
	allowed(t, l, matchtest.Bob, "201", 61*time.Second) // sweeps
	denied(t, l, matchtest.Ada, "201", 61*time.Second)
}

func TestStartLimiterTogether(t *testing.T) {
	l := NewLimiter("start", StartLimit{PerUser: 50, PerGuild: 1000}, nil)
	var granted atomic.Int64
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 100 {
				if l.allow(of(l, matchtest.Ada, "201"), matchtest.TestEpoch) == 0 {
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
