package bot_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// What a game has given stands in the answer that ended it. Where it could not be stored by then
// it is drawn behind the answer, and where the process was killed before that, the next one
// finds it out, and it stands there when the buttons go. That nobody made a mistake is found
// out behind the answer, too.
func TestAResultTellsWhatItHasGiven(t *testing.T) {
	t.Parallel()
	for name, failing := range map[string]int64{"in the answer": 0, "behind it": 1, "after a crash": 99} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			var db bottest.Failing
			var edits bottest.Gate
			w := bottest.New(t, bottest.ByClock(clock), db.Between(), edits.Through())
			m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", "4x4"))
			w.Cells(t, m, w.Ada, w.Bob, strings.Fields("a1 b1 a2 b2 b3 a3 b4 a4 c1 d1 c2 d2 d3 c3 d4")...)
			var tries atomic.Int64
			db.Fail(func(c store.Change) error {
				if len(c.Matches) == 1 && c.Matches[0].Gain != (store.Gain{}) && tries.Add(1) <= failing {
					return store.ErrBusy
				}
				return db.Store.Apply(t.Context(), c)
			})
			w.Handled(t)
			edits.Hold(99, http.MethodPatch, "")
			w.Cell(t, w.Bob, m, "c4")
			s := bottest.WantText(t, m, "**Draw.**")
			if at := strings.Contains(s.Text(), "**+1 point each**"); at != (failing == 0) || bottest.Grid(s) == "" {
				t.Errorf("the answer has the points: %v, the grid is %q", at, bottest.Grid(s))
			}
			edits.Open()
			if failing == 99 {
				waittest.Until(t, "the match to be weighed in vain", func() bool { return tries.Load() > 1 })
				w.Crash(t)
				db.Fail(nil)
				w.Start(t)
			} else {
				bottest.WantText(t, m, "Flawless")
				if s := bottest.WantText(t, m, "**+1 point each**"); bottest.Grid(s) == "" {
					t.Error("the points come with the end of the grid")
				}
			}
			clock.Advance(2 * time.Minute)
			bottest.WantText(t, m, "**+1 point each**")
			bottest.WantText(t, m, "Flawless")
			if s := bottest.WantText(t, m, "# 🤝 **Draw.**"); bottest.Grid(s) != "" {
				t.Errorf("the grid is %q", bottest.Grid(s))
			}
		})
	}
}

// Where nobody can look at the leaderboard, a result tells neither points nor a place.
func TestAResultTellsNoPlaceOfAHiddenLeaderboard(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	off := store.GuildSettings{Guild: store.GuildID(w.Discord.Guild().ID()), Leaderboard: store.Off}
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{off}}); err != nil {
		t.Fatal(err)
	}
	m := w.Finished(t)
	clock.Advance(2 * time.Minute)
	if s := bottest.WantText(t, m, "# 🏆"); strings.Contains(s.Text(), "point") || strings.Contains(s.Text(), "this month") {
		t.Errorf("it says %q", s.Text())
	}
}

// Nobody else can edit a private board for long, so its grid goes at its reader's next
// click and not by itself.
func TestAPrivateGridGoesAtTheNextClick(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	next := w.Answer(t, w.Bob.Click(t, m, "Yes, rematch"))
	w.Stop(t)
	// It calls nobody, and nobody has to be named once more: the board above lists both.
	if s := next.Snapshot(); edits(next) != 0 || len(s.Badged) != 0 {
		t.Errorf("the next board was edited %d times, and counts on the badges of %v", edits(next), s.Badged)
	}
}

// A tap that changes nothing is told once. The same again is only acknowledged, since each
// refusal pushes the board away; after a while, and about another cell, words come again.
func TestTheSameTapAgainIsNotToldAgain(t *testing.T) {
	t.Parallel()
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
