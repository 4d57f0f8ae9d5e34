package bot_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// starts counts how many of n starts of a game by the person are not refused.
func starts(t *testing.T, w *bottest.World, who *sandbox.User, n int) (begun int) {
	t.Helper()
	for i := range n {
		ch := w.Discord.Guild().Channel(fmt.Sprint("start-", i))
		r := who.Command(t, ch, "tictactoe play", sandbox.Opt("private", true))
		if !r.Answered() {
			t.Fatalf("not answered: %v", r.Problems)
		}
		if len(bottest.Empties(r.Message.Snapshot())) == 9 {
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
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.StartLimit("3/600"))
	m := w.Play(t, w.Ada)                                                                // 1
	w.Answer(t, w.Ada.Command(t, w.Discord.Guild().Channel("x"), "tictactoe challenge")) // 2
	w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, m, "⋯ More")), "Resign"))
	bottest.WantText(t, m, "resigned")
	next := w.Answer(t, w.Ada.Click(t, m, "Rematch")) // 3
	side := w.Side("side")
	for _, r := range []*sandbox.Reply{
		w.Ada.Command(t, side, "tictactoe play"),
		w.Ada.Command(t, side, "tictactoe play", sandbox.Opt("private", true)),
		w.Ada.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Bob)),
	} {
		w.Refused(t, r, "Slow down")
	}
	w.Cell(t, w.Ada, next, bottest.CellName(bottest.Empties(next.Snapshot())[0]))
	if got := starts(t, w, w.Bob, 2); got != 2 {
		t.Errorf("another person could start %d of 2 games", got)
	}
	clock.Advance(time.Minute)
	if got := starts(t, w, w.Ada, 5); got != 3 {
		t.Errorf("a minute later %d games could be started, want 3", got)
	}
}

// TestStartLimitOfAGuildInFlows counts all people of a guild together, and no other
// guild.
func TestStartLimitOfAGuildInFlows(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.StartLimit("4/6"))
	got := starts(t, w, w.Ada, 4) + starts(t, w, w.Bob, 4) + starts(t, w, w.Cleo, 4)
	if got != 6 {
		t.Errorf("%d games were started in the guild, want 6", got)
	}
	other := w.Discord.World().AddGuild("elsewhere")
	w.Cleo.Join(other)
	w.Channel = other.Channel("general")
	w.Play(t, w.Cleo)
	w.Answer(t, w.Cleo.Command(t, w.Cleo.DM(), "tictactoe play"))
}

// TestStartLimitNoneInFlows: none is none.
func TestStartLimitNoneInFlows(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.StartLimit("none"), manyPrivate)
	if got := starts(t, w, w.Ada, 100); got != 100 {
		t.Errorf("%d of 100 games could be started", got)
	}
}

// TestAStartThatFailsIsNotCounted: what could not be saved was not started, and a
// refused start says when there is room again.
func TestAStartThatFailsIsNotCounted(t *testing.T) {
	t.Parallel()
	clock, broken := bottest.NewClock(), &bottest.Failing{}
	w := bottest.New(t, bottest.ByClock(clock), bottest.StartLimit("2/600"), broken.Between())
	broken.Fail(func(store.Change) error { return errors.New("sqlite: disk full") })
	side := w.Side("side")
	for range 3 {
		w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), notSaved)
		w.Refused(t, w.Ada.Command(t, side, "tictactoe challenge"), notSaved)
	}
	broken.Fail(nil)
	if got := starts(t, w, w.Ada, 1); got != 1 {
		t.Fatal("failed starts were counted")
	}
	w.Play(t, w.Ada)
	room := fmt.Sprintf("you can start the next game <t:%d:R>.", clock.Now().Add(time.Minute+time.Second-1).Unix())
	clock.Advance(10 * time.Second)
	w.Refused(t, w.Ada.Command(t, side, "tictactoe play"), room)
	clock.Advance(50 * time.Second)
	if got := starts(t, w, w.Ada, 3); got != 2 {
		t.Errorf("%d games could be started when there was to be room, want 2", got)
	}
}

// TestAStartThatIsTriedAgainIsCountedOnce: while somebody else is faster in the store, a
// start is tried again, and is one all the same.
func TestAStartThatIsTriedAgainIsCountedOnce(t *testing.T) {
	t.Parallel()
	clock, faster := bottest.NewClock(), &bottest.Failing{}
	w := bottest.New(t, bottest.ByClock(clock), bottest.StartLimit("2/600"), faster.Between())
	var tries atomic.Int64
	faster.Fail(func(c store.Change) error {
		if len(c.Matches) > 0 && tries.Add(1) < 4 {
			return store.ErrConflict
		}
		return faster.Store.Apply(t.Context(), c)
	})
	w.Play(t, w.Ada)
	if n := tries.Load(); n < 4 {
		t.Fatalf("the start was tried %d times", n)
	}
	faster.Fail(nil)
	if got := starts(t, w, w.Ada, 2); got != 1 {
		t.Errorf("after one start of two %d more could be begun, want 1", got)
	}
}
