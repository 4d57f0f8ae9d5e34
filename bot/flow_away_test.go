package bot_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/service"
	"tictactoe/bot/waittest"
	"tictactoe/store"
)

// beforeLeapDay returns a world whose clock shows an hour of the day before a leap day.
func beforeLeapDay(t *testing.T, hour int, options ...bottest.Option) (*bottest.World, *bottest.Clock) {
	t.Helper()
	clock := bottest.NewClock()
	year := clock.Now().UTC().Year() + 1
	for year%4 != 0 || year%100 == 0 && year%400 != 0 {
		year++
	}
	clock.Advance(time.Date(year, 2, 28, hour, 0, 0, 0, time.UTC).Sub(clock.Now()))
	return bottest.New(t, append(options, bottest.ByClock(clock))...), clock
}

// noted waits until it is noted that the bot is there, and returns when it was not.
func noted(t *testing.T, w *bottest.World, clock *bottest.Clock) store.Away {
	t.Helper()
	var a store.Away
	waittest.Until(t, "it to be noted that the bot is there", func() (ok bool) {
		var err error
		a, err = w.Store.Away(t.Context(), 0)
		return err == nil && clock.Now().Sub(a.Seen) < time.Minute
	})
	return a
}

func solvesToday(t *testing.T, w *bottest.World, clock *bottest.Clock, want string) {
	t.Helper()
	m := opens(t, w, w.Ada)
	solves(t, w, w.Ada, m, puzzleAt(t, clock))
	bottest.WantText(t, m, want)
}

// TestDaysAwayAreForgiven: the bot is away over a leap day and the day after it. Both are
// forgiven, as soon as it is back and before anything is noted of it; a day on which it was
// away for two hours is not.
func TestDaysAwayAreForgiven(t *testing.T) {
	t.Parallel()
	held := &heldNotes{until: make(chan struct{})}
	close(held.until)
	w, clock := beforeLeapDay(t, 22, bottest.Behind(func(s store.Store) store.Store {
		held.Store = s
		return held
	}))
	leap := store.DayOf(clock.Now()) + 1
	solvesToday(t, w, clock, "🔥\u00a01 (best 1)")
	noted(t, w, clock)
	w.Stop(t)
	clock.Advance(54 * time.Hour) // it is the second of March, four in the morning
	held.until = make(chan struct{})
	release := sync.OnceFunc(func() { close(held.until) })
	t.Cleanup(release)
	w.Start(t)
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "🔥 in a row: 1 (best 1)")
	solvesToday(t, w, clock, "🔥\u00a02 (best 2)")
	if a, err := w.Store.Away(t.Context(), 0); len(a.Days) != 0 || err != nil {
		t.Errorf("it is noted already that the bot was away: %v, %v", a, err)
	}
	release()
	a := noted(t, w, clock)
	for day, want := range map[int64]time.Duration{leap - 1: 2 * time.Hour, leap: 24 * time.Hour, leap + 1: 24 * time.Hour, leap + 2: 4 * time.Hour} {
		if got := a.Days[day]; (got - want).Abs() > time.Minute {
			t.Errorf("day %d of the leap day: away for %v, want %v", day-leap, got, want)
		}
	}
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "🔥 in a row: 2 (best 2)")

	// The bot is away for an hour of each of the days to come, of which two are missed.
	for range 2 {
		clock.Advance(24 * time.Hour)
		clock.Looked(t)
		w.Stop(t)
		clock.Advance(time.Hour)
		w.Start(t)
		clock.Looked(t)
	}
	clock.Advance(24 * time.Hour)
	clock.Looked(t)
	bottest.WantText(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe stats")), "🔥 in a row: 0 (best 2)")
	solvesToday(t, w, clock, "🔥\u00a01 (best 2)")
}

// heldNotes is a store in which it is noted only later that people can play.
type heldNotes struct {
	store.Store
	until chan struct{}
}

func (s *heldNotes) Seen(ctx context.Context, from, until time.Time) error {
	<-s.until
	return s.Store.Seen(ctx, from, until)
}

// TestAwayWithoutAConnection: while the program runs and Discord cannot be reached, the bot
// is away. The streaks of the leaderboard know it, too.
func TestAwayWithoutAConnection(t *testing.T) {
	t.Parallel()
	w, clock := beforeLeapDay(t, 21, bottest.QuickGateway)
	leap := store.DayOf(clock.Now()) + 1
	solvesToday(t, w, clock, "🔥\u00a01 (best 1)")
	w.Discord.RefuseUpgrade(1000)
	w.Discord.DropGateway()
	waittest.Until(t, "the bot to know that it is cut off", func() bool { return !w.Service.Ready() })
	clock.Looked(t)
	clock.Advance(5*time.Hour + time.Minute) // into the leap day
	clock.Looked(t)
	w.Reconnected(t, w.Discord.ClearFaults)
	a := noted(t, w, clock)
	if !a.Forgives(leap-1) || !a.Forgives(leap) {
		t.Errorf("away on %v, want more than two hours of both days", a.Days)
	}
	clock.Advance(48 * time.Hour) // the first of March is missed, with the bot there
	clock.Looked(t)
	if a := noted(t, w, clock); len(a.Days) != 2 {
		t.Errorf("away on %v, want the two days", a.Days)
	}
	table := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe leaderboard"))
	turnsTo(t, w.Ada, table, "streaks")
	bottest.WantText(t, table, "Your place: **1** · 🔥 1 in 1 try")
	solvesToday(t, w, clock, "🔥\u00a02 (best 2)")
}

// TestACopyFromLongAgoForgivesNothing: what passed since an old copy of the database was
// made is no time away, while one of last week makes good the days that it has lost.
func TestACopyFromLongAgoForgivesNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		days int
		want string
	}{"last week": {7, "🔥\u00a02 (best 2)"}, "two months ago": {60, "🔥\u00a01 (best 1)"}} {
		t.Run(name, func(t *testing.T) {
			w, clock := beforeLeapDay(t, 12, bottest.GoesBack())
			solvesToday(t, w, clock, "🔥\u00a01 (best 1)")
			noted(t, w, clock)
			w.Stop(t)
			copied, err := os.ReadFile(w.Path)
			if err != nil {
				t.Fatal(err)
			}
			w.Start(t)
			clock.Looked(t)
			for range test.days {
				clock.Advance(24 * time.Hour)
				clock.Looked(t)
			}
			if a := noted(t, w, clock); len(a.Days) != 0 {
				t.Errorf("away on %v", a.Days)
			}
			w.Stop(t)
			if err := os.WriteFile(w.Path+".copy", copied, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(w.Path+".copy", w.Path); err != nil {
				t.Fatal(err)
			}
			w.Start(t)
			solvesToday(t, w, clock, test.want)
		})
	}
}

// TestIdleBotsNoteLittle: that the bot is there is noted when the interval has passed, not
// at each look.
func TestIdleBotsNoteLittle(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.Service(func(o *service.Options) { o.Bot.SeenEvery = 10 * time.Minute }))
	first := noted(t, w, clock).Seen
	clock.Advance(9 * time.Minute)
	clock.Looked(t)
	if a, err := w.Store.Away(t.Context(), 0); !a.Seen.Equal(first) || err != nil {
		t.Errorf("noted after nine minutes: %v, %v, want %v", a.Seen, err, first)
	}
	clock.Advance(time.Minute)
	noted(t, w, clock)
}
