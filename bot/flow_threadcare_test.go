package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// inThread has Ada and Bob play in a thread of the world's channel, where Ada is to move.
func inThread(t *testing.T, w *bottest.World) (*sandbox.Channel, *sandbox.Message) {
	t.Helper()
	ruled(t, w)
	m := w.Offer(t, w.Ada, w.Bob)
	w.Bob.Click(t, m, "Accept")
	thread, board := newThread(t, w, 1)
	waittest.Until(t, "the last edit behind it", func() bool { return slices.Contains(thread.ThreadMembers(), w.Bob) })
	return thread, board
}

// leftUndrawn stops the bot and has it start again with a board to redraw, as an ended
// process leaves one.
func leftUndrawn(t *testing.T, w *bottest.World, meanwhile func()) {
	t.Helper()
	w.Stop(t)
	w.Tamper(t, func(db *sqlite.Store) error {
		active, err := db.ActiveMatches(t.Context(), store.ChannelID(w.Channel.ID()))
		if err != nil {
			return err
		}
		active[0].Hinted = true
		return db.Apply(t.Context(), store.Change{Matches: active[:1]})
	})
	meanwhile()
	w.Start(t)
}

// TestARefusedEditBringsTheThreadBack: an archived thread is opened without a word, and then
// drawn what was refused.
func TestARefusedEditBringsTheThreadBack(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	thread, board := inThread(t, w)
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	lines := len(thread.Messages(nil))
	leftUndrawn(t, w, func() { thread.Set(sandbox.Archived(true)) })
	waittest.Until(t, "the picture", func() bool {
		return strings.Contains(board.Text(), "Hint used") && !thread.Archived()
	})
	if n := len(thread.Messages(nil)); n != lines {
		t.Errorf("%d messages in the thread, want the %d of before", n, lines)
	}
}

// TestAClickInAnArchivedThread, of the desktop's client, which does not open it first: it is answered where Discord refuses that in an archived
// thread, which is opened for it once an hour. In between the board follows without.
func TestAClickInAnArchivedThread(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.ClicksFromDesktop)
	thread, board := inThread(t, w)
	archive := func() {
		w.Handled(t)
		w.Discord.Settle(t) // a picture that the thread refuses would have it opened
		thread.Set(sandbox.Archived(true))
		w.Discord.Faults().RefuseNext(sandbox.RouteCallback, 403, 50083)
	}
	archive()
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	if thread.Archived() {
		t.Error("the thread is still archived")
	}
	archive()
	if r := w.Bob.ClickCell(t, board, 1, 1); r.Answered() {
		t.Error("what Discord has refused is answered")
	}
	board.Wait(t, "the move", func(s sandbox.Snapshot) bool { return bottest.Ply(s) == 2 })
	if !thread.Archived() {
		t.Error("the thread is opened twice in the same hour")
	}
	clock.Advance(time.Hour)
	archive()
	w.Cells(t, board, w.Ada, w.Bob, "c3")
	if thread.Archived() {
		t.Error("an hour later the thread is still archived")
	}
}

// TestALockedThreadClosesItsGames: all of them, without a result, when one of them falls due
// or when Discord refuses an edit there, whatever it calls that. The board says so as soon as
// it can.
func TestALockedThreadClosesItsGames(t *testing.T) {
	t.Parallel()
	lock := func(c *sandbox.Channel) { c.Set(sandbox.Archived(true), sandbox.Locked(true)) }
	for name, meet := range map[string]func(*testing.T, *bottest.World, *bottest.Clock, *sandbox.Channel){
		"due": func(_ *testing.T, _ *bottest.World, clock *bottest.Clock, thread *sandbox.Channel) {
			lock(thread)
			clock.Advance(10*time.Minute + 5*time.Second)
		},
		"an edit": func(t *testing.T, w *bottest.World, _ *bottest.Clock, thread *sandbox.Channel) {
			leftUndrawn(t, w, func() { lock(thread) })
		},
		"an edit in one that is not archived": func(t *testing.T, w *bottest.World, _ *bottest.Clock, thread *sandbox.Channel) {
			leftUndrawn(t, w, func() {
				thread.Set(sandbox.Locked(true))
				w.Discord.Faults().RefuseNext(sandbox.RouteEditMessage, 403, 50013)
			})
		},
		"an edit that a thread refuses which is locked alone": func(t *testing.T, w *bottest.World, _ *bottest.Clock, thread *sandbox.Channel) {
			leftUndrawn(t, w, func() { thread.Set(sandbox.Locked(true)) })
		},
		"an edit that misses access": func(t *testing.T, w *bottest.World, _ *bottest.Clock, thread *sandbox.Channel) {
			leftUndrawn(t, w, func() {
				thread.Set(sandbox.Locked(true))
				w.Discord.Faults().RefuseNext(sandbox.RouteEditMessage, 403, 50001)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			thread, board := inThread(t, w)
			w.Cells(t, board, w.Ada, w.Bob, "a1", "b2")
			w.Answer(t, w.Cleo.Command(t, thread, "tictactoe play"))
			w.Handled(t)
			m := w.Match(t)
			meet(t, w, clock, thread)
			w.NoMatch(t)
			waittest.Until(t, "the other game to be closed", func() bool {
				others, err := w.Store.ActiveMatches(t.Context(), store.ChannelID(thread.ID()))
				return err == nil && len(others) == 0
			})
			if m, err := w.Store.Match(t.Context(), m.ID); m.EndReason != store.ThreadLocked || err != nil {
				t.Errorf("the match ended by %d, %v", m.EndReason, err)
			}
			w.Handled(t)
			thread.Set(sandbox.Archived(false), sandbox.Locked(false))
			w.Ada.ClickCell(t, board, 2, 2, sandbox.Forced)
			bottest.WantText(t, board, "the thread is locked")
		})
	}
}

// TestTheQuestionAboutALockedThread: the button of older versions that closed a game asks
// what Resign asks.
func TestTheQuestionAboutALockedThread(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	board := w.Play(t, w.Ada)
	id := customid.ID{Action: customid.CloseLocked, Match: w.Match(t).ID}
	w.Refused(t, w.Ada.ClickID(t, board, id.String(), sandbox.Forced), "", "Resign", "Keep playing")
}

// TestAThreadThatCannotBeLookedAt: whether Discord does not let the bot look, or fails when
// it does, the clock of the game in the thread runs out.
func TestAThreadThatCannotBeLookedAt(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*bottest.World){
		"not let in":    func(w *bottest.World) { w.Channel.Set(sandbox.NoBotView) },
		"not this time": func(w *bottest.World) { w.Discord.Faults().FailNext("GET /channels/{channel_id}", 500, 4) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			_, board := inThread(t, w)
			w.Cells(t, board, w.Ada, w.Bob, "a1", "b2")
			w.Handled(t)
			m := w.Match(t)
			fault(w)
			clock.Advance(10*time.Minute + 5*time.Second)
			w.NoMatch(t)
			if m, err := w.Store.Match(t.Context(), m.ID); m.EndReason != store.Clock || err != nil {
				t.Errorf("the match ended by %d, %v", m.EndReason, err)
			}
		})
	}
}
