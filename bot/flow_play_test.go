package bot_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// TestPlayEveryOpponentOnEveryBoard plays whole games through the real session:
// random clicks against each opponent on each board that it plays.
func TestPlayEveryOpponentOnEveryBoard(t *testing.T) {
	w := newWorld(t)
	dice := rand.New(rand.NewPCG(1, 2))
	for _, board := range []string{"3x3", "4x4", "4x5-4", "5x5-4", "5x5", "3x5-3", "4x4-3", "5x5-3"} {
		rules, err := engine.ParseRules(board)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range strategy.All() {
			if !o.Plays(rules) {
				w.refused(w.ada.Command(t, w.general, "tictactoe play",
					sandbox.Opt("difficulty", o.Name), sandbox.Opt("board", board)), "does not play")
				continue
			}
			m := w.play(w.ada, sandbox.Opt("difficulty", o.Name), sandbox.Opt("board", board))
			playOut(t, w.ada, m, dice)
			s := m.Snapshot()
			if len(s.Rows()) != int(rules.N)+1 {
				t.Errorf("%s on %s: %d rows of buttons, want %d and the controls", o.Name, board, len(s.Rows()), rules.N)
			}
			if !strings.Contains(s.Text(), "wins:") && !strings.Contains(s.Text(), "draw") {
				t.Errorf("%s on %s: finished game says %q", o.Name, board, s.Text())
			}
			if _, ok := w.activeMatch(); ok {
				t.Fatalf("%s on %s: the channel still has a game", o.Name, board)
			}
		}
	}
}

// playOut clicks empty cells at random until the game is over, and checks that
// every click makes one move of each side.
func playOut(t *testing.T, who *sandbox.User, m *sandbox.Message, dice *rand.Rand) {
	t.Helper()
	for !over(m.Snapshot()) {
		before := m.Snapshot()
		free := empties(before)
		at := free[dice.IntN(len(free))]
		r := who.ClickCell(t, m, at[0], at[1])
		if !r.Answered() || r.Type != sandbox.CallbackUpdate {
			t.Fatalf("click was answered with type %d: %s %v", r.Type, r.Text(), r.Problems)
		}
		after := m.Snapshot()
		if n := len(free) - len(empties(after)); n != 2 && (n != 1 || !over(after)) {
			t.Fatalf("one click made %d marks:\n%s\n%s", n, grid(before), grid(after))
		}
	}
}

func TestPlayWhoMovesFirst(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		first string
		marks int // on the board as it comes
	}{
		{"me", 0},
		{"bot", 1},
	}
	for _, tt := range tests {
		t.Run(tt.first, func(t *testing.T) {
			ch := w.srv.Guild().Channel("first-" + tt.first)
			m := w.answer(w.ada.Command(t, ch, "tictactoe play", sandbox.Opt("first", tt.first)))
			s := m.Snapshot()
			if got := 9 - len(empties(s)); got != tt.marks {
				t.Errorf("%d marks on the first board, want %d: %s", got, tt.marks, grid(s))
			}
			if tt.marks == 1 && (!strings.Contains(s.Text(), "Medium played") || !strings.Contains(grid(s), "X")) {
				t.Errorf("the bot's first move is not told: %s", s.Text())
			}
		})
	}
	t.Run("random", func(t *testing.T) {
		seen := map[int]bool{}
		for range 40 {
			m := w.answer(w.ada.Command(t, w.general, "tictactoe play",
				sandbox.Opt("first", "random"), sandbox.Opt("private", true)))
			seen[len(empties(m.Snapshot()))] = true
		}
		if !seen[9] || !seen[8] {
			t.Errorf("forty random starts were all the same: %v", seen)
		}
	})
}

func TestPlayPrivately(t *testing.T) {
	w := newWorld(t)
	public := w.play(w.bob)
	m := w.answer(w.ada.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)))
	if !m.Snapshot().Ephemeral() {
		t.Fatal("the private board is public")
	}
	for _, seen := range w.general.Messages(w.bob) {
		if seen == m {
			t.Error("somebody else sees the private board")
		}
	}
	w.cell(w.ada, m, "b2")
	again := w.answer(w.ada.Command(t, w.general, "tictactoe board"))
	if s := again.Snapshot(); !s.Ephemeral() || grid(s) == ".../.../..." {
		t.Errorf("board shows %s, ephemeral %v, want the private game", grid(s), s.Ephemeral())
	}
	playOut(t, w.ada, again, rand.New(rand.NewPCG(3, 4)))
	if over(public.Snapshot()) {
		t.Error("the public game of somebody else ended with the private one")
	}
}

func TestPlayInDirectMessages(t *testing.T) {
	w := newWorld(t)
	dm := w.ada.DM()
	m := w.answer(w.ada.Command(t, dm, "tictactoe play"))
	playOut(t, w.ada, m, rand.New(rand.NewPCG(5, 6)))
	next := w.answer(w.ada.Click(t, m, "Rematch"))
	playOut(t, w.ada, next, rand.New(rand.NewPCG(7, 8)))
	w.refused(w.ada.Command(t, dm, "tictactoe challenge"), "nobody to challenge here", "Play privately")
	w.answer(w.ada.Command(t, dm, "tictactoe help"))
}

func TestPlaySpeaksThePlayersLanguage(t *testing.T) {
	w := newWorld(t)
	w.ada.Set(sandbox.Locale("de"))
	m := w.play(w.ada)
	if text := m.Text(); strings.Contains(text, "to move") {
		t.Errorf("a German player's board is in English: %s", text)
	}
	r := w.refusedIn(w.bob.ClickCell(t, m, 0, 0))
	if !strings.Contains(r, "Want one of your own?") {
		t.Errorf("an English bystander is told %q", r)
	}
}

// refusedIn returns the text of a private refusal.
func (w *world) refusedIn(r *sandbox.Reply) string {
	w.t.Helper()
	return w.refused(r, "").Text()
}

func TestCellNames(t *testing.T) {
	w := newWorld(t)
	m := w.play(w.ada, sandbox.Opt("board", "5x5-4"))
	w.cell(w.ada, m, "c3")
	w.ada.Click(t, m, "Cell names")
	s := m.Snapshot()
	if b := s.Rows()[0][0]; b.Label != "a1" && b.Label != "O" {
		t.Errorf("the first cell is labelled %q", b.Label)
	}
	if !strings.Contains(s.Text(), "❌ c3") {
		t.Errorf("the board does not stand as text: %s", s.Text())
	}
	w.refused(w.bob.Click(t, m, "Cell names"), w.ada.Mention()+"'s game", "Play privately")
	w.ada.Click(t, m, "Cell names")
	if text := m.Text(); strings.Contains(text, "❌ c3") {
		t.Errorf("the names did not go away: %s", text)
	}
}
