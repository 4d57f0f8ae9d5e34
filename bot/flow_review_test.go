package bot_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
	"tictactoe/store/sqlite"
)

// crash leaves the bot as a killed process does: nothing of what it would do at the
// end reaches the file that the next one opens.
func (w *world) crash() {
	w.t.Helper()
	copied := w.path + ".crash"
	for _, part := range []string{"", "-wal"} {
		b, err := os.ReadFile(w.path + part)
		if err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(copied+part, b, 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	w.stop()
	w.path = copied
}

func TestClockIsRightAfterAnIdleTimeAndACrash(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) {
		o.Now, o.DefaultClock, o.Tick = clock.Now, time.Minute, time.Hour // killed before it looks
	})
	clock.advance(3 * 24 * time.Hour) // nobody plays, so nothing is saved
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	w.crash()
	w.options.Tick = 10 * time.Millisecond
	w.start()
	clock.advance(61 * time.Second)
	wantText(t, m, w.bob.Mention()+" ran out of time")
}

func TestAMessageIsKnownSoonAfterItWasMade(t *testing.T) {
	w := newWorld(t)
	committed := w.committed()
	for n, who := range []*sandbox.User{w.ada, w.bob, w.cleo} { // whatever is stored at the start takes the first along
		w.answer(who.Command(t, w.general, "tictactoe challenge"))
		eventually(t, "the message to be committed", func() bool {
			open, err := committed.OpenChallenges(context.Background(), 0, 10)
			known := 0
			for _, c := range open {
				if c.Message != "" {
					known++
				}
			}
			return err == nil && known == n+1
		})
	}
}

func TestALostChallengeHasDoors(t *testing.T) {
	w := newWorld(t)
	again := func(who, whom *sandbox.User) *sandbox.Reply {
		return who.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", whom))
	}
	w.answer(again(w.ada, w.bob)).Delete()
	r := w.ada.Click(t, w.refused(again(w.ada, w.bob), "is still open", "Cancel challenge"), "Cancel challenge")
	if !strings.Contains(r.Text(), "took the challenge back") || !r.Ephemeral {
		t.Errorf("cancelling says %q, private %v", r.Text(), r.Ephemeral)
	}
	w.answer(again(w.ada, w.bob)).Delete()
	w.bob.Click(t, w.refused(again(w.bob, w.ada), "has challenged you already", "Accept", "Decline"), "Decline")
	old := w.answer(again(w.ada, w.bob))
	board := w.answer(w.bob.Click(t, w.refused(again(w.bob, w.ada), "has challenged you already"), "Accept"))
	if board == old || board.Snapshot().Ephemeral() {
		t.Fatal("the board is not a public message of its own")
	}
	wantText(t, old, "This board has moved: "+board.Link())
	w.cells(board, w.ada, w.bob, "a1", "b2")

	other := w.srv.Guild().Channel("other")
	w.answer(w.cleo.Command(t, other, "tictactoe challenge")).Delete()
	w.cleo.Click(t, w.refused(w.cleo.Command(t, other, "tictactoe challenge"), "Your table is still open", "Close table"), "Close table")
	w.answer(w.cleo.Command(t, other, "tictactoe challenge"))
}

func TestAnExpiredChallengeThatCouldNotBeEditedIsRedrawnByAClick(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.ChallengeTTL = clock.Now, 16*time.Minute })
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	w.general.Set(sandbox.NoBotView)
	clock.advance(17 * time.Minute)
	late := w.stale(w.bob, m, "Accept")
	var r *sandbox.Reply
	eventually(t, "a click to redraw the challenge", func() bool {
		r = late()
		return r.Type == sandbox.CallbackUpdate
	})
	wantText(t, m, "No answer in time.")
	eventually(t, "the reason in words", func() bool { return len(r.Followups()) == 1 })
	again := w.answer(w.ada.Click(t, m, "Challenge again"))
	w.bob.Click(t, again, "Accept")
	w.cells(again, w.ada, w.bob, "a1", "b2")
}

func TestAMoveAfterTheClockIsNotPlayed(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) {
		o.Now, o.DefaultClock, o.Tick = clock.Now, time.Minute, time.Hour // nobody looks but the click
	})
	m := w.challenge(w.ada, w.bob)
	clock.advance(61 * time.Second)
	w.ada.ClickCell(t, m, 0, 0)
	s := wantText(t, m, w.ada.Mention()+" ran out of time")
	if got := grid(s); got != ".../.../..." {
		t.Errorf("the board is %s", got)
	}
}

func TestManyThinkAndNobodyElseWaits(t *testing.T) {
	w := newWorld(t)
	dice := rand.New(rand.NewPCG(9, 9))
	const tables = 24
	var boards []*sandbox.Message
	for i := range tables {
		ch := w.srv.Guild().Channel("deep-" + string(rune('a'+i)))
		boards = append(boards, w.answer(w.cleo.Command(t, ch, "tictactoe play",
			sandbox.Opt("difficulty", "perfect"), sandbox.Opt("board", "5x5-4"))))
	}
	light := w.play(w.ada, sandbox.Opt("difficulty", "easy"))
	var calls []*sandbox.Call
	for _, m := range boards {
		free := empties(m.Snapshot())
		at := free[dice.IntN(len(free))]
		calls = append(calls, w.cleo.PrepareClickCell(t, m, at[0], at[1]))
	}
	quick := w.ada.PrepareClickCell(t, light, 1, 1)
	w.srv.DispatchTogether(append(calls, quick)...)
	if r := quick.Wait(t); r.Type != sandbox.CallbackUpdate {
		t.Errorf("the easy game was answered with type %d: %s", r.Type, r.Text())
	}
	for i, c := range calls {
		r := c.Wait(t)
		switch {
		case !r.Answered():
			t.Errorf("%v was not answered", c)
		case r.Type == sandbox.CallbackMessage:
			w.refused(r, "nothing was played")
			if n := len(empties(boards[i].Snapshot())); n != 25 {
				t.Errorf("a refused move left %d empty cells", n)
			}
		}
	}
}

func TestTheClickedMessageIsDeletedMeanwhile(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob)
	click := w.ada.PrepareClickCell(t, m, 0, 0)
	m.Delete()
	w.srv.DispatchTogether(click)
	r := click.Wait(t)
	if !r.Answered() || r.Type != sandbox.CallbackMessage || grid(r.Message.Snapshot()) != "X../.../..." {
		t.Fatalf("answered %v with type %d: %q %v", r.Answered(), r.Type, r.Text(), r.Problems)
	}
	w.cells(r.Message, w.bob, w.ada, "b2")
}

func TestTheClickedChallengeIsDeletedMeanwhile(t *testing.T) {
	w := newWorld(t)
	for _, label := range []string{"Accept", "Decline"} {
		m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
		click := w.bob.PrepareClick(t, m, label)
		m.Delete()
		w.srv.DispatchTogether(click)
		r := click.Wait(t)
		if !r.Answered() || r.Type != sandbox.CallbackMessage {
			t.Fatalf("%s: answered %v with type %d: %q %v", label, r.Answered(), r.Type, r.Text(), r.Problems)
		}
		if label == "Accept" {
			w.cells(r.Message, w.ada, w.bob, "a1", "b2")
			w.ada.Click(t, w.answer(w.ada.Click(t, r.Message, "Resign")), "Resign")
			wantText(t, r.Message, "resigned")
		}
	}
}

func TestModeratorWithAPrivateGameStopsThePublicOne(t *testing.T) {
	w := newWorld(t)
	mod := w.srv.User("Mod", sandbox.Moderator)
	w.answer(mod.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)))
	m := w.challenge(w.ada, w.bob)
	ask := w.refused(mod.Command(t, w.general, "tictactoe resign"), "Stop this game?", "Resign", "Stop the game")
	mod.Click(t, ask, "Stop the game")
	wantText(t, m, "Stopped by "+mod.Mention())
}

func TestPrivateAfterABusyRematchIsTheSameGame(t *testing.T) {
	w := newWorld(t)
	m := w.play(w.ada, sandbox.Opt("difficulty", "hard"), sandbox.Opt("board", "4x4"))
	w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign")
	wantText(t, m, "resigned")
	w.play(w.bob)
	board := w.answer(w.ada.Click(t, w.refused(w.ada.Click(t, m, "Rematch"), "A game is running here"), "Play privately"))
	if s := board.Snapshot(); !strings.Contains(s.Text(), "Hard") || len(s.Rows()) != 5 {
		t.Errorf("the private game is another one: %q", s.Text())
	}
}

// committed opens the file as another process would, which sees what is committed.
func (w *world) committed() *sqlite.Store {
	w.t.Helper()
	db, err := sqlite.Open(context.Background(), w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = db.Close() })
	return db
}
