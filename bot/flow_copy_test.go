package bot_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// TestBackToACopy goes back to a copy of the database in which somebody had a second
// left. The board shows what came later. It is drawn as the copy has it, with the whole
// clock: nobody loses by a move that they do not know to be theirs.
func TestBackToACopy(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.GoesBack())
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	clock.Advance(10*time.Minute - time.Second)
	waittest.Until(t, "the up-time to be saved", func() bool {
		up, err := w.Store.Uptime(context.Background())
		return err == nil && up[store.GuildID(w.Discord.Guild().ID()).Domain()] >= 9*time.Minute
	})
	w.Stop(t)
	copied, err := os.ReadFile(w.Path)
	if err != nil {
		t.Fatal(err)
	}
	w.Start(t)
	w.Cells(t, m, w.Bob, w.Ada, "b2", "c3")
	clock.Advance(11 * time.Minute)
	bottest.WantText(t, m, "ran out of time")

	w.Stop(t)
	if err := os.WriteFile(w.Path+".copy", copied, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.Path+".copy", w.Path); err != nil {
		t.Fatal(err)
	}
	w.Start(t)
	due := fmt.Sprintf("<t:%d:R>", clock.Now().Add(10*time.Minute).Unix())
	m.Wait(t, "the board as the copy has it", func(s sandbox.Snapshot) bool {
		return bottest.Grid(s) == "X../.../..." && strings.Contains(s.Text(), due[:12])
	})
	clock.Advance(9 * time.Minute)
	w.Cells(t, m, w.Bob, w.Ada, "b2")
}

// TestACopyUnderARunningBot puts a copy of the database in the place of the file while
// the bot plays on it: the bot saves nothing any more, ends none of the copy's games, and
// ends with a sentence. The next start goes on with the copy.
func TestACopyUnderARunningBot(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.GoesBack())
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	w.Stop(t)
	copied, err := os.ReadFile(w.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Path+".copy", copied, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Start(t)
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	clock.Advance(24 * time.Hour)
	bottest.WantText(t, m, "ran out of time")
	if err := os.Rename(w.Path+".copy", w.Path); err != nil {
		t.Fatal(err)
	}
	endsUnsaved(t, w, w.Cleo.StartCommand(t, w.Side("side"), "tictactoe play"))
	if says := w.Reason().Error(); !strings.Contains(says, w.Path) || !strings.Contains(says, "replaced") {
		t.Errorf("it ended with %q", says)
	}
	w.Stop(t)
	w.Start(t)
	m.Wait(t, "the board as the copy has it", func(s sandbox.Snapshot) bool { return bottest.Grid(s) == "X../.../..." })
	w.Cells(t, m, w.Bob, w.Ada, "b2")
}
