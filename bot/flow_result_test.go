package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
)

// A match on a larger board is judged behind the answer that ended it, also between
// people, and by the next process where that one was killed before. What was found stands
// on the board when its buttons go.
func TestAMatchOnALargerBoardIsJudged(t *testing.T) {
	for _, crash := range []bool{false, true} {
		t.Run(map[bool]string{false: "at once", true: "after a crash"}[crash], func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock))
			m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", "4x4-3"))
			w.Cells(t, m, w.Ada, w.Bob, "a1", "b2", "a4", "c2", "d4")
			w.Cell(t, w.Bob, m, "d2")
			if s := bottest.WantText(t, m, w.Bob.Mention()+" wins!**"); bottest.Grid(s) == "" {
				t.Error("the grid has gone at once")
			}
			if crash {
				w.Crash(t)
				w.Start(t)
			}
			clock.Advance(2 * time.Minute)
			bottest.WantText(t, m, "⬜🟢🟢🟢")
			bottest.WantText(t, m, "a4 (move 3) gave up the win: a2 keeps it.")
			if s := m.Snapshot(); bottest.Grid(s) != "" || !strings.Contains(s.Text(), "⬜🟢🟢🟢") {
				t.Errorf("the grid is %q, the text %q", bottest.Grid(s), s.Text())
			}
		})
	}
}

// Nobody else can edit a private board for long, so its grid goes at its reader's next
// click and not by itself.
func TestAPrivateGridGoesAtTheNextClick(t *testing.T) {
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	m := w.PlayPrivately(t, w.Ada, sandbox.Opt("difficulty", "easy"))
	w.Resign(t, w.Ada, m)
	clock.Advance(time.Hour)
	clock.Advance(time.Hour)
	if bottest.Grid(m.Snapshot()) == "" {
		t.Fatal("the grid has gone by itself")
	}
	r := w.Ada.ClickCell(t, m, 0, 0)
	if s := m.Snapshot(); r.Type != sandbox.CallbackUpdate || bottest.Grid(s) != "" || !strings.Contains(s.Text(), "⬜⬜⬜\n") {
		t.Errorf("answered with type %d: the grid is %q, the text %q", r.Type, bottest.Grid(s), s.Text())
	}
	w.Ada.Click(t, m, "Rematch")
}

// A wish for a rematch moves nothing while the grid stands, and outlives it.
func TestARematchIsWishedForWhileTheGridStands(t *testing.T) {
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	m := w.Finished(t)
	before := bottest.Grid(m.Snapshot())
	w.Ada.Click(t, m, "Rematch")
	if s := bottest.WantText(t, m, "wants a rematch"); bottest.Grid(s) != before {
		t.Errorf("the grid is %q, was %q", bottest.Grid(s), before)
	}
	clock.Advance(2 * time.Minute)
	if s := bottest.WantText(t, m, "❎⬜⬜"); !strings.Contains(s.Text(), "wants a rematch") || bottest.Grid(s) != "" {
		t.Errorf("the grid is %q, the text %q", bottest.Grid(s), s.Text())
	}
	w.Answer(t, w.Bob.Click(t, m, "Rematch 1/2"))
}

// A tap that changes nothing is told once. The same again is only acknowledged, since each
// refusal pushes the board away; after a while, and about another cell, words come again.
func TestTheSameTapAgainIsNotToldAgain(t *testing.T) {
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b1")
	silent := func(r *sandbox.Reply) {
		t.Helper()
		if !r.Answered() || r.Type != sandbox.CallbackDeferUpdate || r.Message != nil || len(r.Followups()) > 0 {
			t.Errorf("answered %v with type %d: %q", r.Answered(), r.Type, r.Text())
		}
	}
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), "a1 is taken.")
	silent(w.Ada.ClickCell(t, m, 0, 0))
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 1), "b1 is taken.")
	w.Refused(t, w.Bob.ClickCell(t, m, 0, 2), "Not yet")
	clock.Advance(4 * time.Second)
	silent(w.Ada.ClickCell(t, m, 0, 0))
	silent(w.Bob.ClickCell(t, m, 2, 2))
	clock.Advance(2 * time.Second)
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), "a1 is taken.")
	w.Refused(t, w.Cleo.ClickCell(t, m, 0, 0), "Want one of your own?")
	w.Refused(t, w.Cleo.ClickCell(t, m, 0, 0), "Want one of your own?")
	w.Shows(t, m, "XO./.../...")

	// The same words are said to somebody else, and about another game.
	w.Cells(t, m, w.Ada, nil, "c3")
	w.Refused(t, w.Bob.ClickCell(t, m, 0, 0), "a1 is taken.")
	silent(w.Bob.ClickCell(t, m, 0, 0))
	w.Elsewhere("another")
	other := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, other, w.Ada, nil, "a1")
	w.Refused(t, w.Bob.ClickCell(t, other, 0, 0), "a1 is taken.")
}
