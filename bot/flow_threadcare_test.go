package bot_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

const routeEditChannel = "PATCH /channels/{channel_id}"

// inThread has Ada and Bob play in a thread of the world's channel, where Ada is to move.
func inThread(t *testing.T, w *bottest.World) (*sandbox.Channel, *sandbox.Message) {
	t.Helper()
	ruled(t, w)
	m := w.Offer(t, w.Ada, w.Bob)
	w.Bob.Click(t, m, "Accept")
	return newThread(t, w, 1)
}

// back are the lines in the thread that have opened it again.
func back(thread *sandbox.Channel) (lines []sandbox.Snapshot) {
	for _, m := range thread.Messages(nil) {
		if s := m.Snapshot(); !s.V2() && strings.Contains(s.Text(), "goes on") {
			lines = append(lines, s)
		}
	}
	return lines
}

// archivings is how often the bot has asked to archive a thread.
func archivings(w *bottest.World) (n int) {
	for _, q := range w.Discord.Requests() {
		if q.Method+" "+q.Route == routeEditChannel && strings.Contains(string(q.Body), `"archived":true`) {
			n++
		}
	}
	return n
}

// TestAnArchivedThreadComesBack: a thread that was archived while its game runs is opened by
// one line each time, which notifies nobody and leads to the board. Nothing is drawn there
// meanwhile that would tell.
func TestAnArchivedThreadComesBack(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(0))
	thread, board := inThread(t, w)
	const day = 24 * time.Hour
	for i, cell := range []string{"a1", "b2"} { // nobody waits for a move for a week
		players := []*sandbox.User{w.Ada, w.Bob}
		clock.Advance([]time.Duration{6 * day, 4 * day}[i])
		clock.Looked(t)
		w.Cells(t, board, players[i], players[1-i], cell)
		w.Handled(t)                       // else the clock jumps while a request is on its way, and stands
		thread.Set(sandbox.Archived(true)) // as Discord does after a week
		before := w.Match(t)
		clock.Advance([]time.Duration{2 * day, 4 * day}[i])
		waittest.Until(t, "the line", func() bool { return len(back(thread)) == i+1 && !thread.Archived() })
		line := back(thread)[i]
		if !strings.Contains(line.Text(), players[1-i].Name()+" to move") || strings.Contains(line.Text(), "<@") || !strings.Contains(line.Text(), board.Link()) || len(line.Pinged) > 0 {
			t.Errorf("the thread is opened by %q, which notifies %v", line.Text(), line.Pinged)
		}
		caredFor(t, w, before) // the next look is a week from here
	}
}

// TestARefusedEditBringsTheThreadBack: whoever meets the archived thread first opens it, and
// then draws what was refused.
func TestARefusedEditBringsTheThreadBack(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.TimeLimit(24*time.Hour))
	thread, board := inThread(t, w)
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	w.Stop(t)
	w.Tamper(t, func(db *sqlite.Store) error { // what an ended process has not drawn
		active, err := db.ActiveMatches(t.Context(), store.ChannelID(w.Channel.ID()))
		if err != nil {
			return err
		}
		active[0].CellNames = true
		return db.Apply(t.Context(), store.Change{Matches: active[:1]})
	})
	thread.Set(sandbox.Archived(true))
	w.Start(t)
	waittest.Until(t, "the line and the picture", func() bool {
		_, named := board.Snapshot().Button("Hide names")
		return len(back(thread)) == 1 && !thread.Archived() && named
	})
}

// lockedGame is a game whose thread is locked, and Ada to move.
func lockedGame(t *testing.T) (*bottest.World, *bottest.Clock, *sandbox.Channel, *sandbox.Message) {
	t.Helper()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.ClicksDelivered)
	thread, board := inThread(t, w)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "b2")
	thread.Set(sandbox.Archived(true), sandbox.Locked(true))
	return w, clock, thread, board
}

// stands waits until the match is known to be locked.
func stands(t *testing.T, w *bottest.World) {
	t.Helper()
	waittest.Until(t, "the clock to stand", func() bool { m, ok := w.Active(t); return ok && m.Locked })
}

// TestALockedThreadStopsTheClock: nobody loses by the clock while the thread is locked, over
// a restart too; once it is open again who is to move has all of the time.
func TestALockedThreadStopsTheClock(t *testing.T) {
	t.Parallel()
	w, clock, thread, board := lockedGame(t)
	clock.Advance(10*time.Minute + time.Second)
	stands(t, w)
	for range 2 {
		before := w.Match(t)
		clock.Advance(5 * time.Hour)
		caredFor(t, w, before)
		w.Restart(t)
	}
	if m, ok := w.Active(t); !ok || !m.Locked {
		t.Fatalf("ten hours on the match is %+v", m)
	}
	thread.Set(sandbox.Archived(false), sandbox.Locked(false))
	clock.Advance(10*time.Minute + time.Second)
	waittest.Until(t, "the clock to go on", func() bool { m, ok := w.Active(t); return ok && !m.Locked })
	clock.Advance(9 * time.Minute)
	clock.Looked(t)
	if _, ok := w.Active(t); !ok {
		t.Fatal("Ada has lost with a minute left")
	}
	bottest.WantText(t, board, w.Ada.Mention()+" to move")
	clock.Advance(2 * time.Minute)
	bottest.WantText(t, board, w.Bob.Mention()+" wins")
}

// TestALockedGameIsClosed: either player closes it from the channel, at once, and without a
// result; nobody else does.
func TestALockedGameIsClosed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Ada", "Bob"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, _, _ := lockedGame(t)
			who := map[string]*sandbox.User{"Ada": w.Ada, "Bob": w.Bob}[name]
			list := w.Refused(t, who.Command(t, w.Channel, "tictactoe resign"), "Which of your games", "Resign…")
			question := w.Refused(t, who.Click(t, list, "Resign…"), "is locked", "Close the game", "Keep it running")
			help := w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe help"))
			w.Refused(t, w.Cleo.ClickID(t, help, button(t, question, "Close the game"), sandbox.Forced), "Want one of your own?")
			m := w.Match(t)
			who.Click(t, question, "Close the game")
			w.NoMatch(t)
			closed, err := w.Store.Match(t.Context(), m.ID)
			if err != nil || closed.EndReason != store.Stopped || closed.Locked {
				t.Errorf("the match is %+v, %v", closed, err)
			}
		})
	}
}

// TestALockedGameThatGoesOn: what was asked while the thread was locked resigns nothing once
// it is open.
func TestALockedGameThatGoesOn(t *testing.T) {
	t.Parallel()
	w, _, thread, board := lockedGame(t)
	list := w.Refused(t, w.Bob.Command(t, w.Channel, "tictactoe resign"), "Which of your games", "Resign…")
	question := w.Refused(t, w.Bob.Click(t, list, "Resign…"), "is locked", "Close the game")
	thread.Set(sandbox.Archived(false), sandbox.Locked(false))
	w.Cells(t, board, w.Ada, w.Bob, "c3")
	w.Refused(t, w.Bob.Click(t, question, "Close the game"), "goes on")
	w.Cells(t, board, w.Bob, w.Ada, "c1")
}

// threadOver has the game in the thread end.
func threadOver(t *testing.T, w *bottest.World, board *sandbox.Message) {
	t.Helper()
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, board, w.Ada.Mention()+" wins")
}

// settled waits until no thread is to be looked after any more.
func settled(t *testing.T, w *bottest.World) {
	t.Helper()
	waittest.Until(t, "nothing to look after", func() bool {
		for d := range store.Domains {
			due, err := w.Store.DueThreads(t.Context(), store.Domain(d), 1<<62, 1) //nolint:gosec // few
			if err != nil || len(due) > 0 {
				return false
			}
		}
		return true
	})
}

// TestAThreadIsArchivedAfterItsGame: ten minutes after it, over a restart, and once.
func TestAThreadIsArchivedAfterItsGame(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	thread, board := inThread(t, w)
	threadOver(t, w, board)
	clock.Advance(9 * time.Minute)
	clock.Looked(t)
	w.Restart(t)
	clock.Looked(t)
	if thread.Archived() || archivings(w) != 0 {
		t.Fatal("the thread is archived nine minutes after its game")
	}
	clock.Advance(time.Minute + time.Second)
	waittest.Until(t, "the thread to be archived", thread.Archived)
	settled(t, w)
	clock.Advance(time.Hour)
	w.Restart(t)
	clock.Looked(t)
	if n := archivings(w); n != 1 || len(back(thread)) != 0 {
		t.Errorf("archived %d times, and opened %d times", n, len(back(thread)))
	}
}

// toArchive is the match whose thread is to be archived.
func toArchive(t *testing.T, w *bottest.World) (m store.Match) {
	t.Helper()
	waittest.Until(t, "an ended match", func() bool {
		due, err := w.Store.DueThreads(t.Context(), store.GuildID(w.Discord.Guild().ID()).Domain(), 1<<62, 1)
		if err != nil || len(due) == 0 || due[0].State != store.Ended {
			return false
		}
		m = due[0]
		return true
	})
	return m
}

// caredFor waits until the match's thread was looked after.
func caredFor(t *testing.T, w *bottest.World, m store.Match) {
	t.Helper()
	waittest.Until(t, "the thread to be looked after", func() bool {
		now, err := w.Store.Match(t.Context(), m.ID)
		return err == nil && now.ThreadDue != m.ThreadDue
	})
}

// TestAThreadStaysForTheNextGame: a rematch and a game that was begun there by the command
// keep the thread open, and a wish for a rematch does.
func TestAThreadStaysForTheNextGame(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Hour))
	thread, board := inThread(t, w)
	threadOver(t, w, board)
	first := toArchive(t, w)
	clock.Advance(9 * time.Minute)
	w.Ada.Click(t, board, "Rematch")
	clock.Advance(2 * time.Minute)
	if caredFor(t, w, first); archivings(w) != 0 {
		t.Fatal("archived while Ada waits for a rematch")
	}
	next := w.Answer(t, w.Bob.Click(t, board, "Rematch 1/2"))
	clock.Advance(30 * time.Minute)
	clock.Looked(t)
	if thread.Archived() {
		t.Fatal("archived while the rematch is played")
	}
	w.Cells(t, next, w.Bob, w.Ada, "a1", "a2", "b2", "a3", "c3")
	second := toArchive(t, w)
	cleos := w.Answer(t, w.Cleo.Command(t, thread, "tictactoe play"))
	clock.Advance(11 * time.Minute)
	if caredFor(t, w, second); archivings(w) != 0 {
		t.Fatal("archived while Cleo plays there")
	}
	w.Cleo.Click(t, w.Answer(t, w.Cleo.Click(t, cleos, "Resign")), "Resign")
	clock.Advance(11 * time.Minute)
	waittest.Until(t, "the thread to be archived", thread.Archived)
	settled(t, w)
}

// TestAThreadThatCannotBeArchived: what Discord refuses for good is not asked again, and what
// it may take later is.
func TestAThreadThatCannotBeArchived(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status, code int
		archived     bool
	}{
		"no right":      {http.StatusForbidden, 50013, false},
		"gone":          {http.StatusNotFound, 10003, false},
		"archived":      {http.StatusBadRequest, 50083, false},
		"not this time": {http.StatusInternalServerError, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock))
			thread, board := inThread(t, w)
			threadOver(t, w, board)
			if c.archived {
				w.Discord.FailNext(routeEditChannel, c.status, 1)
			} else {
				w.Discord.RefuseNext(routeEditChannel, c.status, c.code)
			}
			clock.Advance(10*time.Minute + time.Second)
			settled(t, w)
			if thread.Archived() != c.archived {
				t.Errorf("archived is %v", thread.Archived())
			}
			if n := archivings(w); !c.archived && n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// TestTwoProcessesArchiveAThreadOnce: the process that owns the clock does it, also where
// the one that played has ended.
func TestTwoProcessesArchiveAThreadOnce(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock))
	share(t, w, other)
	thread, board := inThread(t, w)
	threadOver(t, w, board)
	clock.Advance(10*time.Minute + time.Second)
	waittest.Until(t, "the thread to be archived", thread.Archived)
	settled(t, w)
	clock.Looked(t)
	if n := archivings(w); n != 1 {
		t.Errorf("archived %d times", n)
	}
}
