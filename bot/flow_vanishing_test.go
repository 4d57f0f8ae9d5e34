package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/match"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/engine/enginetest"
	"tictactoe/engine/solver"
	"tictactoe/engine/strategy"
)

// thinkFirst lets perfect play think once where nobody waits: its first thought in a process
// takes the longest.
var thinkFirst = sync.OnceFunc(func() {
	perfect, _ := strategy.ByName("perfect")
	for _, r := range []engine.Rules{engine.Standard, engine.Vanishing} {
		if g, err := engine.New(r); err == nil {
			perfect.Choose(g, rand.New(rand.NewPCG(1, 1)))
		}
	}
})

// TestVanishingAtEveryLevel plays whole games with O: those with X are among the games on
// every board.
func TestVanishingAtEveryLevel(t *testing.T) {
	t.Parallel()
	thinkFirst()
	w := bottest.New(t)
	dice := rand.New(rand.NewPCG(5, 6))
	for _, o := range strategy.All() {
		if !o.Plays(engine.Vanishing) {
			continue
		}
		for range 3 {
			m := w.Answer(t, commandOfBefore(t, w, w.Ada, "tictactoe play", sandbox.Opt("board", "vanishing"), sandbox.Opt("difficulty", o.Name), sandbox.Opt("first", "bot")))
			playOut(t, w.Ada, m, dice)
			if ended := regexp.MustCompile(`wins!\*\*|\*\*Draw`); !ended.MatchString(m.Text()) {
				t.Errorf("%s: the finished game says %q", o.Name, m.Text())
			}
			w.NoMatch(t)
		}
	}
}

// TestClassicsPlayWhereMarksStay: a client that still knows the classic programs gets its game,
// and two buttons lead on, as publicly as was meant, where one does not play the board.
func TestClassicsPlayWhereMarksStay(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	play := func(who *sandbox.User, board, opponent string, private bool) *sandbox.Reply {
		return commandOfBefore(t, w, who, "tictactoe play", sandbox.Opt("board", board), sandbox.Opt("difficulty", opponent), sandbox.Opt("private", private))
	}
	door := w.Refused(t, play(w.Ada, "vanishing", "weights", false), "Retro Weights doesn't play this board: Vanishing.", "Vanishing against Hard", "3×3 against Retro Weights")
	first := w.Answer(t, w.Ada.Click(t, door, "Vanishing against Hard"))
	bottest.WantText(t, first, "🤖 Hard bot")

	// Ada plays here now, so that the other button asks first.
	asked := w.Refused(t, w.Ada.Click(t, door, "3×3 against Retro Weights"), "You already have a game here", "Show my board", "Resign and start this one")
	bottest.WantText(t, w.Answer(t, w.Ada.Click(t, asked, "Resign and start this one")), "🤖 Retro Weights bot")
	bottest.WantText(t, first, "resigned")

	private := w.Refused(t, play(w.Bob, "vanishing", "ranks", true), "doesn't play this board: Vanishing", "3×3 against Retro 2014")
	w.Bob.Click(t, private, "Vanishing against Hard")
	bottest.WantText(t, private, "🤖 Hard bot")
	w.Elsewhere("other")
	large := w.Refused(t, play(w.Cleo, "4x4", "ranks", false), "Retro 2014 doesn't play this board: 4×4.", "4×4 against Hard", "3×3 against Retro 2014")
	bottest.WantText(t, w.Answer(t, w.Cleo.Click(t, large, "3×3 against Retro 2014")), "🤖 Retro 2014 bot")
}

// TestVanishingToItsLimit plays the longest game that there is, over a restart and a crash.
// At every move the board shows the position, and which mark goes with
// the next one.
func TestVanishingToItsLimit(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", "vanishing"))
	g, err := engine.New(engine.Vanishing)
	if err != nil {
		t.Fatal(err)
	}
	for ply, cell := range enginetest.Longest() {
		switch ply {
		case 33:
			w.Restart(t)
		case 61:
			w.Crash(t)
			w.Start(t)
		}
		w.Cells(t, m, []*sandbox.User{w.Ada, w.Bob}[ply%2], nil, g.Rules().CellName(cell))
		if g, err = g.Play(cell); err != nil {
			t.Fatal(err)
		}
		s := m.Wait(t, "the move", func(s sandbox.Snapshot) bool { return bottest.Ply(s) == ply+1 })
		if got, want := bottest.Grid(s), g.String()[:11]; got != want {
			t.Fatalf("after %d moves the board is %s, want %s", ply+1, got, want)
		}
		var goes []string
		if oldest, ok := g.Vanishes(g.SideToMove()); ok && !g.Over() {
			goes = append(goes, g.Rules().CellName(oldest))
		}
		if got := bottest.Going(s); !slices.Equal(got, goes) {
			t.Fatalf("after %d moves %v are shown to go next, want %v", ply+1, got, goes)
		}
	}
	bottest.WantText(t, m, "**Draw.** Too many moves without a winner.")
	w.NoMatch(t)
}

// drawn plays a game on 3x3 against an opponent by best moves, until one of them is a draw.
func drawn(t *testing.T, w *bottest.World, who *sandbox.User, opponent string) *sandbox.Message {
	t.Helper()
	for range 50 {
		m := w.Answer(t, commandOfBefore(t, w, who, "tictactoe play", sandbox.Opt("difficulty", opponent)))
		for !bottest.Over(m.Snapshot()) {
			g, err := match.Position(w.Match(t))
			if err != nil {
				t.Fatal(err)
			}
			best, err := solver.Solve(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			w.Cell(t, who, m, g.Rules().CellName(best.Best))
			m.Wait(t, "the move", func(s sandbox.Snapshot) bool { return bottest.Ply(s) > g.Ply() })
		}
		if text := m.Text(); strings.Contains(text, "**Draw") || strings.Contains(text, " held ") {
			return m
		}
	}
	t.Fatalf("no game against %s was a draw", opponent)
	return nil
}

// TestTryVanishing goes on from a draw against each opponent who plays to one.
func TestTryVanishing(t *testing.T) {
	t.Parallel()
	thinkFirst()
	w := bottest.New(t, bottest.ClicksDelivered)
	for opponent, then := range map[string]string{"perfect": "perfect", "hard": "hard", "rules": "hard", "paths": "hard"} {
		m := drawn(t, w, w.Ada, opponent)
		if labels := m.Snapshot().Labels(); !slices.Equal(labels[9:], []string{"Rematch", "Review", "More"}) {
			t.Errorf("against %s the buttons are %q", opponent, labels[9:])
		}
		// The version before had the button on the board itself.
		before := "1:v:" + bottest.CustomID(t, m, "Rematch")[len("1:m:"):]
		w.Refused(t, w.Bob.ClickID(t, m, before, sandbox.Forced), "Want one of your own?")
		more := w.More(t, w.Ada, m)
		next := w.Answer(t, w.Ada.ClickID(t, more, before, sandbox.Forced))
		stored := w.Match(t)
		if stored.Rules != engine.Vanishing || stored.X.Opponent != then || string(stored.O.User) != w.Ada.ID() {
			t.Errorf("after %s: %v, %+v against %+v", opponent, stored.Rules, stored.X, stored.O)
		}
		bottest.WantText(t, next, "a fourth mark takes your oldest")
		for _, m := range []*sandbox.Message{m, more} {
			w.Refused(t, w.Ada.ClickID(t, m, before, sandbox.Forced), "The next game has started: "+next.Link(), "Show board")
		}
		playOut(t, w.Ada, next, rand.New(rand.NewPCG(1, 1)))
		w.Refused(t, w.Ada.ClickID(t, next, "1:v:"+bottest.CustomID(t, next, "Rematch")[len("1:m:"):], sandbox.Forced), "This button is out of date")
	}
}

// TestTryVanishingPrivately goes on from a private draw to a private game.
func TestTryVanishingPrivately(t *testing.T) {
	t.Parallel()
	thinkFirst()
	w := bottest.New(t)
	w.Channel = w.Ada.DM()
	m := drawn(t, w, w.Ada, "perfect")
	more := w.More(t, w.Ada, m)
	w.Ada.Select(t, more, "1:mb:"+bottest.CustomID(t, m, "Rematch")[len("1:m:"):]+":perfect:3x3:bot", engine.Vanishing.String())
	next := w.Answer(t, w.Ada.Click(t, more, "Play"))
	bottest.WantText(t, next, "a fourth mark takes your oldest")
	w.Refused(t, w.Ada.Click(t, more, "Play"), "The next game has started: "+next.Link(), "Show board")
	w.Cell(t, w.Ada, next, bottest.CellName(bottest.Empties(next.Snapshot())[0]))
}

// TestTryVanishingInTheSameInstant has both players press the button at once: one of them
// challenges, the other accepts, and there is one game.
func TestTryVanishingInTheSameInstant(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for n := range 10 {
		w.Elsewhere(fmt.Sprint("instant-", n))
		m := w.Challenge(t, w.Ada, w.Bob)
		w.Cells(t, m, w.Ada, w.Bob, "b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")
		choose := func(who *sandbox.User, first string) *sandbox.Message {
			more := w.More(t, who, m)
			who.Select(t, more, "1:mb:"+bottest.CustomID(t, m, "Rematch")[len("1:m:"):]+":medium:3x3:"+first, engine.Vanishing.String())
			return more
		}
		a, b := w.Ada.PrepareClick(t, choose(w.Ada, "them"), "Play"), w.Bob.PrepareClick(t, choose(w.Bob, "me"), "Play")
		w.Discord.DispatchTogether(a, b)
		for _, r := range []*sandbox.Reply{a.Wait(t), b.Wait(t)} {
			if !r.Answered() || r.Ephemeral {
				t.Fatalf("answered %v, private %v: %q", r.Answered(), r.Ephemeral, r.Text())
			}
		}
		if got := w.Match(t); got.Rules != engine.Vanishing || string(got.X.User) != w.Bob.ID() {
			t.Fatalf("both at once made a game of %v with %v as X", got.Rules, got.X)
		}
	}
}
