package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store/sqlite"
)

// TestClocksStandStillWhileNothingCanBeSaved: whoever was told that nothing was played
// does not lose on time for it.
func TestClocksStandStillWhileNothingCanBeSaved(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute), bottest.SQLite(sqlite.WithBusyTimeout(100*time.Millisecond)))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	release := bottest.Lock(t, w.Path)
	for range 11 {
		if r := w.Bob.ClickCell(t, m, 1, 1); !strings.Contains(r.Text(), notSaved) {
			t.Fatalf("with a locked database: %q", r.Text())
		}
		clock.Advance(20 * time.Second)
	}
	release()
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
	clock.Advance(time.Minute + time.Second)
	bottest.WantText(t, m, w.Ada.Mention()+" ran out of time")
}

// TestClocksStandStillWhileDiscordDoesNotAnswer: the Gateway lives, and what the bot
// says does not get through.
func TestClocksStandStillWhileDiscordDoesNotAnswer(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	w.Discord.AllowUnanswered()
	for _, route := range []string{sandbox.InteractionRoutes, "GET /users/@me"} {
		w.Discord.Faults().FailNext(route, 503, 10_000)
	}
	waittest.Until(t, "the bot to know that Discord does not answer", func() bool {
		w.Cleo.Command(t, w.Channel, "tictactoe help")
		return !w.Service.Reachable()
	})
	clock.Advance(time.Hour)
	clock.Looked(t) // while nobody can move
	w.Discord.Faults().Clear()
	waittest.Until(t, "the bot to know that Discord answers", w.Service.Reachable)
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
}
