package bot_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

func startLimit(clock *manualTime, text string) func(*faultConfig) {
	return func(c *faultConfig) {
		limit, err := bot.ParseStartLimit(text)
		if err != nil {
			panic(err) // a mistake in the test
		}
		c.bot = func(o *bot.Options) { o.Now, o.StartLimit = clock.Now, limit }
	}
}

// starts counts how many of n starts of a game by the person are not refused.
func (w *faultWorld) starts(who *sandbox.User, n int) (begun int) {
	w.t.Helper()
	for i := range n {
		ch := w.srv.Guild().Channel(fmt.Sprint("start-", i))
		r := who.Command(w.t, ch, "tictactoe play", sandbox.Opt("private", true))
		if !r.Answered() {
			w.t.Fatalf("not answered: %v", r.Problems)
		}
		if len(empties(r.Message.Snapshot())) == 9 {
			begun++
		}
	}
	return begun
}

// TestStartLimitOfAPersonInFlows counts games, challenges and rematches of one
// person together; moves cost nothing, others are not concerned, and a minute
// later it goes on.
func TestStartLimitOfAPersonInFlows(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	w := newFaultWorld(t, startLimit(clock, "3/600"))
	m := w.play(w.ada)                                                            // 1
	w.answer(w.ada.Command(t, w.srv.Guild().Channel("x"), "tictactoe challenge")) // 2
	w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign"))
	wantText(t, m, "resigned")
	next := w.answer(w.ada.Click(t, m, "Rematch")) // 3
	side := w.srv.Guild().Channel("side")
	for _, r := range []*sandbox.Reply{
		w.ada.Command(t, side, "tictactoe play"),
		w.ada.Command(t, side, "tictactoe play", sandbox.Opt("private", true)),
		w.ada.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.bob)),
	} {
		w.refused(r, "That is a lot of games at once.")
	}
	w.cell(w.ada, next, nameOf(empties(next.Snapshot())[0]))
	if got := w.starts(w.bob, 2); got != 2 {
		t.Errorf("another person could start %d of 2 games", got)
	}
	clock.advance(time.Minute)
	if got := w.starts(w.ada, 5); got != 3 {
		t.Errorf("a minute later %d games could be started, want 3", got)
	}
}

// TestStartLimitOfAGuildInFlows counts all people of a guild together, and no other
// guild.
func TestStartLimitOfAGuildInFlows(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	w := newFaultWorld(t, startLimit(clock, "4/6"))
	got := w.starts(w.ada, 4) + w.starts(w.bob, 4) + w.starts(w.cleo, 4)
	if got != 6 {
		t.Errorf("%d games were started in the guild, want 6", got)
	}
	other := w.srv.AddGuild("elsewhere")
	w.cleo.Join(other)
	w.general = other.Channel("general")
	w.play(w.cleo)
	w.answer(w.cleo.Command(t, w.cleo.DM(), "tictactoe play"))
}

// TestStartLimitNoneInFlows: none is none.
func TestStartLimitNoneInFlows(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, startLimit(newManualTime(), "none"))
	if got := w.starts(w.ada, 100); got != 100 {
		t.Errorf("%d of 100 games could be started", got)
	}
}

// TestAStartThatFailsIsNotCounted: what could not be saved was not started, and a
// refused start says when there is room again.
func TestAStartThatFailsIsNotCounted(t *testing.T) {
	t.Parallel()
	clock, broken := newManualTime(), &brokenStore{}
	w := newFaultWorld(t, startLimit(clock, "2/600"), func(c *faultConfig) {
		c.store = func(db *sqlite.Store) bot.Store { broken.Store = db; return broken }
	})
	broken.fail(func(store.Change) error { return errors.New("sqlite: disk full") })
	side := w.srv.Guild().Channel("side")
	for range 3 {
		w.refused(w.ada.Command(t, w.general, "tictactoe play"), notSaved)
		w.refused(w.ada.Command(t, side, "tictactoe challenge"), notSaved)
	}
	broken.fail(nil)
	if got := w.starts(w.ada, 1); got != 1 {
		t.Fatal("failed starts were counted")
	}
	w.play(w.ada)
	room := fmt.Sprintf("You can start the next one <t:%d:R>.", clock.Now().Add(time.Minute+time.Second-1).Unix())
	clock.advance(10 * time.Second)
	w.refused(w.ada.Command(t, side, "tictactoe play"), room)
	clock.advance(50 * time.Second)
	if got := w.starts(w.ada, 3); got != 2 {
		t.Errorf("%d games could be started when there was to be room, want 2", got)
	}
}
