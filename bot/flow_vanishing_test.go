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
	"tictactoe/bot/match/matchtest"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
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
			m := w.Play(t, w.Ada, sandbox.Opt("board", "vanishing"), sandbox.Opt("difficulty", o.Name), sandbox.Opt("first", "bot"))
			playOut(t, w.Ada, m, dice)
			if ended := regexp.MustCompile(`wins!\*\*|\*\*Draw`); !ended.MatchString(m.Text()) {
				t.Errorf("%s: the finished game says %q", o.Name, m.Text())
			}
			w.NoMatch(t)
		}
	}
}

// TestVanishingToItsLimit plays the longest game that there is, over a restart and a crash.
// At every move the board shows the position, and which marks go next.
func TestVanishingToItsLimit(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob, sandbox.Opt("board", "vanishing"))
	g, err := engine.New(engine.Vanishing)
	if err != nil {
		t.Fatal(err)
	}
	for ply, cell := range matchtest.LongestMoves(t) {
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
		for c := engine.Cell(0); g.Rules().Contains(c) && !g.Over(); c++ {
			if oldest, ok := g.Vanishes(g.At(c)); ok && oldest == c {
				goes = append(goes, g.Rules().CellName(c))
			}
		}
		if got := bottest.Going(s); !slices.Equal(got, goes) {
			t.Fatalf("after %d moves %v are shown to go next, want %v", ply+1, got, goes)
		}
	}
	bottest.WantText(t, m, "**Draw:** too many moves without a winner")
	w.NoMatch(t)
}

// TestVanishingVerdict loses to perfect play, and is told by which move.
func TestVanishingVerdict(t *testing.T) {
	t.Parallel()
	thinkFirst()
	w := bottest.New(t)
	said := map[string]bool{}
	verdict := regexp.MustCompile(`[a-c][1-3] \(move [0-9]+\) gave up the (win|draw): [a-c][1-3] (keeps it|wins)\.`)
	dice := rand.New(rand.NewPCG(3, 9))
	for n := 0; n < 12 && len(said) < 2; n++ {
		m := w.Play(t, w.Ada, sandbox.Opt("board", "vanishing"), sandbox.Opt("difficulty", "perfect"))
		playOut(t, w.Ada, m, dice)
		found := verdict.FindStringSubmatch(m.Text())
		if found == nil {
			t.Fatalf("the lost game says %q", m.Text())
		}
		said[found[1]] = true
	}
	if len(said) != 2 {
		t.Errorf("twelve games were lost by %v only", said)
	}
}

// drawn plays a game on 3x3 against an opponent by best moves, until one of them is a draw.
func drawn(t *testing.T, w *bottest.World, who *sandbox.User, opponent string) *sandbox.Message {
	t.Helper()
	for range 50 {
		m := w.Play(t, who, sandbox.Opt("difficulty", opponent))
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
		if strings.Contains(m.Text(), "**Draw") {
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
		next := w.Answer(t, w.Ada.Click(t, more, "Try Vanishing"))
		stored := w.Match(t)
		if stored.Rules != engine.Vanishing || stored.X.Opponent != then || string(stored.O.User) != w.Ada.ID() {
			t.Errorf("after %s: %v, %+v against %+v", opponent, stored.Rules, stored.X, stored.O)
		}
		bottest.WantText(t, next, "placing a fourth mark")
		for _, m := range []*sandbox.Message{m, more} {
			w.Refused(t, w.Ada.ClickID(t, m, before, sandbox.Forced), "The next game has begun: "+next.Link(), "Show board")
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
	next := w.Answer(t, w.Ada.Click(t, more, "Try Vanishing"))
	bottest.WantText(t, next, "placing a fourth mark")
	w.Refused(t, w.Ada.Click(t, more, "Try Vanishing"), "The next game has begun: "+next.Link(), "Show board")
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
		a, b := w.Ada.PrepareClick(t, w.More(t, w.Ada, m), "Try Vanishing"), w.Bob.PrepareClick(t, w.More(t, w.Bob, m), "Try Vanishing")
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
