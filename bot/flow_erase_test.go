package bot_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// eraseMe has the person erase everything about themselves, and waits until it is done.
func eraseMe(t *testing.T, w *bottest.World, who *sandbox.User) {
	t.Helper()
	panel := preferencesOf(t, w, who, "data")
	question := w.Answer(t, who.Click(t, panel, "Delete…"))
	bottest.WantText(t, question, "Delete all your data?")
	who.Click(t, question, "Delete everything")
	bottest.WantText(t, question, "I'm deleting all your data.")
	erasedByNow(t, w)
}

func erasedByNow(t *testing.T, w *bottest.World) {
	t.Helper()
	waittest.Until(t, "the erasure to be done", func() bool {
		list, err := w.Store.Erasures(t.Context(), 9)
		return err == nil && len(list) == 0
	})
}

// wantNoTrace wants the person's id to be nowhere in the files of the database.
func wantNoTrace(t *testing.T, w *bottest.World, who *sandbox.User) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(w.Path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(content, []byte(who.ID())); n > 0 {
			t.Errorf("games.db%s names %s %d times", suffix, who.Name(), n)
		}
	}
}

// TestErase is a person's whole life: they play, block and are blocked, erase all of it,
// which others see on the board, and come back as somebody new, who is still blocked.
func TestErase(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	over := w.Finished(t)
	ada, bob, cleo := store.UserID(w.Ada.ID()), store.UserID(w.Bob.ID()), store.UserID(w.Cleo.ID())
	guild := store.GuildID(w.Discord.Guild().ID())
	if err := w.Store.Apply(t.Context(), store.Change{
		Blocks: []store.Block{{User: cleo, From: ada}, {User: ada, From: cleo}},
		People: []store.Person{{User: ada, Reminders: store.Off}},
		Tries:  []store.PuzzleTry{{User: ada, Day: 20000, State: store.PuzzleOpen}},
	}); err != nil {
		t.Fatal(err)
	}
	before, err := w.Store.Profile(t.Context(), bob, "", guild)
	if err != nil {
		t.Fatal(err)
	}
	table := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe challenge"))
	running := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, running, w.Ada, w.Bob, "a1")
	w.PlayPrivately(t, w.Ada)

	eraseMe(t, w, w.Ada)
	waittest.Until(t, "the board to name nobody who was erased", func() bool {
		text := running.Text()
		return strings.Contains(text, "Closed: a player deleted their data.") &&
			strings.Contains(text, "deleted player") && !strings.Contains(text, w.Ada.Mention())
	})
	waittest.Until(t, "the table to be closed", func() bool { return !strings.Contains(table.Text(), "is looking for an opponent") })
	wantNoTrace(t, w, w.Ada)
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v", wrong, err)
	}
	after, err := w.Store.Profile(t.Context(), bob, "", guild)
	if err != nil || len(after.Tallies) != 1 || after.Tallies[0] != before.Tallies[0] {
		t.Errorf("Bob has played %+v, had %+v (%v)", after.Tallies, before.Tallies, err)
	}
	w.Refused(t, w.Bob.Click(t, over, "Rematch"), "This player deleted their data")

	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe challenge", sandbox.OptUser("user", w.Cleo)), "isn't taking challenges")
	bottest.WantText(t, preferencesOf(t, w, w.Ada, "messages"), "Reminders are on.")
	panel := preferencesOf(t, w, w.Ada, "games")
	bottest.WantText(t, panel, "**Blocked:** nobody")
	panel = preferencesOf(t, w, w.Cleo, "games")
	bottest.WantText(t, panel, "deleted player")
	w.Cleo.Click(t, panel, "Unblock")
	bottest.WantText(t, panel, "**Blocked:** nobody")
	again := w.Challenge(t, w.Ada, w.Cleo)
	w.Cells(t, again, w.Ada, w.Cleo, "a1", "b2")
	eraseMe(t, w, w.Ada)
	wantNoTrace(t, w, w.Ada)
	eraseMe(t, w, w.Ada) // nothing
}

// TestEraseNothing: who does not want to after all loses nothing, and a question that
// somebody else could see is none.
func TestEraseNothing(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	board := w.Play(t, w.Ada)
	panel := preferencesOf(t, w, w.Ada, "data")
	question := w.Answer(t, w.Ada.Click(t, panel, "Delete…"))
	w.Ada.Click(t, question, "Keep my data")
	bottest.WantText(t, question, "Nothing was deleted.")
	w.Ada.ClickID(t, board, "1:xy", sandbox.Forced)
	if list, err := w.Store.Erasures(t.Context(), 9); len(list) > 0 || err != nil {
		t.Errorf("erasures have begun: %+v (%v)", list, err)
	}
	w.Cell(t, w.Ada, board, "a1")
}

// TestEraseGoesOnAfterARestart: an erasure of a process that has ended is gone on with by
// the next, and until it is done the person cannot begin anything.
func TestEraseGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Finished(t)
	board := w.Challenge(t, w.Bob, w.Ada)
	w.Stop(t)
	e := store.Erasure{User: store.UserID(w.Ada.ID()), Pseudonym: store.NewPseudonym()}
	w.Tamper(t, func(s *sqlite.Store) error {
		return s.Apply(t.Context(), store.Change{Erasures: []store.Erasure{e}})
	})
	w.Start(t)
	erasedByNow(t, w)
	waittest.Until(t, "the board to say so", func() bool { return strings.Contains(board.Text(), "Closed: a player") })
	wantNoTrace(t, w, w.Ada)
}

// TestWhileErased: what somebody begins while they are being erased is refused in words.
func TestWhileErased(t *testing.T) {
	t.Parallel()
	var failing bottest.Failing
	w := bottest.New(t, failing.Between())
	failing.Fail(func(store.Change) error { return store.ErrErasing })
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "is being deleted right now")
	failing.Fail(nil)
	w.Play(t, w.Ada)
}

// TestEraseTakesBackAReminder: a line that names somebody goes with them.
func TestEraseTakesBackAReminder(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	turn(t, w)
	clock.Advance(5*time.Minute + time.Second)
	waittest.Until(t, "the line to be known", func() bool { m, ok := w.Active(t); return ok && m.Notice != "" && len(reminded(w)) == 1 })
	eraseMe(t, w, w.Bob)
	waittest.Until(t, "the line to be gone", func() bool { return len(reminded(w)) == 0 })
}

// shortly notes how many rows an erasure touches at once.
type shortly struct {
	store.Store
	most atomic.Int64
}

func (s *shortly) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	s.most.Store(max(s.most.Load(), int64(limit)))
	return s.Store.Erase(ctx, e, limit)
}

// TestErasureGoesInShortSteps: no commit of it is so long that others wait.
func TestErasureGoesInShortSteps(t *testing.T) {
	t.Parallel()
	var s shortly
	w := bottest.New(t, bottest.Behind(func(real store.Store) store.Store { s.Store = real; return &s }))
	w.Finished(t)
	eraseMe(t, w, w.Ada)
	waittest.Until(t, "the erasure to end", func() bool {
		busy, err := w.Store.Erasing(t.Context(), store.UserID(w.Ada.ID()))
		return err == nil && !busy
	})
	if got := s.most.Load(); got < 1 || got > 100 {
		t.Errorf("%d rows at once", got)
	}
}
