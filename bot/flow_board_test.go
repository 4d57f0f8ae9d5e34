package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
)

func TestBoardIsPostedAgain(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now = clock.Now })
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "b2")
	again := w.answer(w.bob.Command(t, w.general, "tictactoe board"))
	if s := again.Snapshot(); s.Ephemeral() || grid(s) != "X../.O./..." {
		t.Fatalf("the board came as %s, ephemeral %v", grid(s), s.Ephemeral())
	}
	if s := again.Snapshot(); len(s.Pinged) > 0 {
		t.Errorf("showing the board notifies %v", s.Pinged)
	}
	wantText(t, m, "This board has moved: "+again.Link())
	if s := m.Snapshot(); len(s.Rows()) > 0 {
		t.Error("the old board can still be pressed")
	}
	w.refused(w.ada.Command(t, w.general, "tictactoe board"), "posted a moment ago: "+again.Link())
	w.cells(again, w.ada, w.bob, "c3")
	clock.advance(31 * time.Second)
	w.answer(w.ada.Command(t, w.general, "tictactoe board"))

	// Nothing on a bystander's picture can be pressed, so the board is text as well.
	picture := w.refused(w.cleo.Command(t, w.general, "tictactoe board"), "❌⬜⬜\n⬜⭕⬜\n⬜⬜❌").Snapshot()
	for _, row := range picture.Rows() {
		for _, b := range row {
			if !b.Disabled {
				t.Errorf("a bystander's picture has a button %q to press", b.Label)
			}
		}
	}
}

// Whoever deletes the board that was just posted need not wait for the next.
func TestABoardDeletedAtOnceIsPostedAtOnce(t *testing.T) {
	for _, access := range []struct {
		name string
		set  []sandbox.ChannelOption
	}{{"with every right", nil}, {"without a view", []sandbox.ChannelOption{sandbox.NoBotView}}} {
		t.Run(access.name, func(t *testing.T) {
			w := newWorld(t)
			w.general.Set(access.set...)
			m := w.challenge(w.ada, w.bob)
			w.cells(m, w.ada, w.bob, "a1", "b2")
			again := w.answer(w.ada.Command(t, w.general, "tictactoe board"))
			wantText(t, m, "This board has moved")
			again.Delete()
			third := w.answer(w.bob.Command(t, w.general, "tictactoe board"))
			if s := third.Snapshot(); s.Ephemeral() || grid(s) != "X../.O./..." {
				t.Fatalf("private %v: %q", s.Ephemeral(), s.Text())
			}
			w.cells(third, w.ada, w.bob, "c3")
			w.refused(w.bob.Command(t, w.general, "tictactoe board"), "posted a moment ago: "+third.Link(), "Show board")
		})
	}
}

func TestTheDoorOfABoardJustPosted(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now = clock.Now })
	w.challenge(w.ada, w.bob)
	w.answer(w.ada.Command(t, w.general, "tictactoe board"))
	door := w.refused(w.bob.Command(t, w.general, "tictactoe board"), "posted a moment ago", "Show board")
	w.refused(w.bob.Click(t, door, "Show board"), "posted a moment ago")
	clock.advance(31 * time.Second)
	again := w.answer(w.bob.Click(t, door, "Show board"))
	if s := again.Snapshot(); s.Ephemeral() {
		t.Fatalf("the board is private: %q", s.Text())
	}
	w.cells(again, w.ada, w.bob, "a1")
}

func TestABoardThatWasNotPostedCanBePostedAtOnce(t *testing.T) {
	w := newFaultWorld(t)
	w.challenge(w.ada, w.bob)
	w.srv.FailNext(sandbox.InteractionRoutes, 403)
	w.ada.StartCommand(t, w.general, "tictactoe board").AllowUnanswered()
	w.disarmed()
	eventually(t, "the bot to give up", func() bool { return w.sup.Status().Handling == 0 })
	again := w.answer(w.bob.Command(t, w.general, "tictactoe board"))
	if s := again.Snapshot(); s.Ephemeral() {
		t.Fatalf("not posted: %q", s.Text())
	}
	w.cells(again, w.ada, w.bob, "a1")
}

func TestTwoAskForTheBoardInTheSameInstant(t *testing.T) {
	w := newWorld(t)
	for i := range 20 {
		w.general = w.srv.Guild().Channel("ask-" + string(rune('a'+i)))
		w.challenge(w.ada, w.bob)
		ask := sandbox.SlashCommand{Channel: w.general, Path: "tictactoe board"}
		a, b := w.ada.MustPrepare(t, ask), w.bob.MustPrepare(t, ask)
		w.srv.DispatchTogether(a, b)
		if ra, rb := a.Wait(t), b.Wait(t); ra.Ephemeral == rb.Ephemeral {
			t.Fatalf("private: %v and %v: %q, %q", ra.Ephemeral, rb.Ephemeral, ra.Text(), rb.Text())
		}
	}
}

// Who plays publicly and privately in one channel gets to both games.
func TestAPrivateGameBesideOnesOwnPublicOne(t *testing.T) {
	w := newWorld(t)
	w.answer(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true), sandbox.Opt("board", "4x4")))
	public := w.play(w.ada)
	r := w.ada.Command(t, w.general, "tictactoe board")
	again := w.answer(r)
	if s := again.Snapshot(); s.Ephemeral() || grid(s) != ".../.../..." {
		t.Fatalf("board shows %s, private %v", grid(s), s.Ephemeral())
	}
	wantText(t, public, "This board has moved: "+again.Link())
	hint := w.followup(r, "You are playing a private game here too.")
	private := w.refused(w.ada.Click(t, hint, "Show private game"), "to move")
	if got := grid(private.Snapshot()); got != "..../..../..../...." {
		t.Fatalf("the door leads to %s", got)
	}
	w.cell(w.ada, private, "b2")
	door := w.refused(w.ada.Command(t, w.general, "tictactoe board"), "posted a moment ago", "Show board", "Show private game")
	w.refused(w.ada.Click(t, door, "Show private game"), "to move")

	ask := w.refused(w.ada.Command(t, w.general, "tictactoe resign"), "Resign? Medium gets the win.", "Resign", "Resign private game", "Keep playing")
	w.ada.Click(t, ask, "Resign private game")
	eventually(t, "the private game to end", func() bool { return w.privateGames(w.ada) == 0 })
	if _, ok := w.activeMatch(); !ok {
		t.Fatal("the public game ended too")
	}
	ask = w.answer(w.ada.Command(t, w.general, "tictactoe resign"))
	if _, ok := ask.Snapshot().Button("Resign private game"); ok {
		t.Error("there is no private game any more")
	}
	w.ada.Click(t, ask, "Resign")
	wantText(t, again, "resigned")
}

func TestAPrivateGameBesideThatOfOthers(t *testing.T) {
	w := newWorld(t)
	public := w.play(w.bob)
	w.answer(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true), sandbox.Opt("board", "4x4")))
	r := w.ada.Command(t, w.general, "tictactoe board")
	if got := grid(w.refused(r, "to move").Snapshot()); got != "..../..../..../...." {
		t.Fatalf("board shows %s", got)
	}
	hint := w.followup(r, "A public game is running here too: "+public.Link())
	if got := grid(w.refused(w.ada.Click(t, hint, "Show board"), w.bob.Mention()+" to move").Snapshot()); got != ".../.../..." {
		t.Fatalf("the door leads to %s", got)
	}
}

// followup waits for a private message behind the answer that says the text.
func (w *world) followup(r *sandbox.Reply, text string) *sandbox.Message {
	w.t.Helper()
	eventually(w.t, "a message behind the answer", func() bool { return len(r.Followups()) == 1 })
	m := r.Followups()[0]
	if s := m.Snapshot(); !s.Ephemeral() || !strings.Contains(s.Text(), text) {
		w.t.Fatalf("behind the answer came %q, private %v, want %q", s.Text(), s.Ephemeral(), text)
	}
	return m
}

func TestBoardMessageDeleted(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "b2")
	m.Delete()
	w.refused(w.cleo.Command(t, w.general, "tictactoe play"), "A game is running here", "Show board")
	again := w.answer(w.ada.Command(t, w.general, "tictactoe board"))
	w.cells(again, w.ada, w.bob, "c3", "a3", "c1", "b1", "c2")
	if text := again.Text(); !strings.Contains(text, w.ada.Mention()+" wins: c1 c2 c3") {
		t.Errorf("the game did not go on: %q", text)
	}
}

func TestBoardDeletedAndTheClockRunsOut(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, time.Minute })
	m := w.challenge(w.ada, w.bob)
	m.Delete()
	clock.advance(61 * time.Second)
	eventually(t, "the game to end", func() bool { _, ok := w.activeMatch(); return !ok })
	w.play(w.ada)
}

func TestChannelWhereTheBotMayNotPost(t *testing.T) {
	w := newWorld(t)
	w.general.Set(sandbox.NoBotPosts)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "b2")
	again := w.answer(w.ada.Command(t, w.general, "tictactoe board"))
	w.cells(again, w.ada, w.bob, "c3", "a3", "c1", "b1", "c2")
	w.ada.Click(t, again, "Rematch")
	next := w.answer(w.bob.Click(t, again, "Rematch 1/2"))
	w.cells(next, w.bob, w.ada, "a1", "b2")

	w.general.Set(sandbox.NoBotView)
	last := w.answer(w.ada.Command(t, w.general, "tictactoe board"))
	w.cells(last, w.bob, w.ada, "c3", "a3")
	w.bob.Click(t, w.answer(w.bob.Click(t, last, "Resign")), "Resign")
	eventually(t, "the game to end", func() bool { _, ok := w.activeMatch(); return !ok })
}

func TestBusyChannelHasDoors(t *testing.T) {
	w := newWorld(t)
	m := w.play(w.bob)
	refusal := w.refused(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("board", "4x4"), sandbox.Opt("difficulty", "hard")),
		"A game is running here: "+m.Link(), "Play privately", "Show board")
	w.refused(w.ada.Click(t, refusal, "Show board"), "to move")
	board := w.answer(w.ada.Click(t, refusal, "Play privately"))
	if s := board.Snapshot(); !s.Ephemeral() || grid(s) != "..../..../..../...." || !strings.Contains(s.Text(), "Hard") {
		t.Errorf("playing privately forgot what was chosen: %s %q", grid(s), s.Text())
	}
	w.cell(w.ada, board, "b2")
	if n := len(empties(board.Snapshot())); n != 14 {
		t.Errorf("the private board has %d empty cells after a move and its reply", n)
	}
}

func TestHelp(t *testing.T) {
	w := newWorld(t)
	m := w.refused(w.ada.Command(t, w.general, "tictactoe help"), "Get three in a row", "Play privately", "Open a table")
	if !strings.Contains(m.Text(), "</tictactoe play:") {
		t.Errorf("help has no command to press: %q", m.Text())
	}
	table := w.answer(w.ada.Click(t, m, "Open a table"))
	if s := table.Snapshot(); s.Ephemeral() {
		t.Error("nobody else sees the table")
	}
	w.bob.Click(t, table, "Join")
	private := w.answer(w.cleo.Click(t, w.answer(w.cleo.Command(t, w.general, "tictactoe help")), "Play privately"))
	w.cell(w.cleo, private, "a1")
}

func TestButtonsOfOtherVersions(t *testing.T) {
	w := newWorld(t)
	m := w.play(w.ada)
	for _, id := range []string{"0:c:1:0:0", "9:whatever", "1:c:zzz:0:0", "1:zz:5", "4", "1:c:1:0:99", strings.Repeat("x", 100)} {
		w.refused(w.ada.ClickID(t, m, id, sandbox.Forced), "from an older version of me")
	}
	w.refused(w.ada.ClickID(t, m, "1:a:zzzz", sandbox.Forced), "no longer open")
}

func TestClickOnAFinishedBoard(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "a2", "b2", "a3", "c3")
	r := w.bob.ClickCell(t, m, 0, 1, sandbox.Forced)
	w.refused(r, "This game is over.")
}
