package bot_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/engine/strategy"
)

// TestPlayEveryOpponentOnEveryBoard plays whole games through the real session:
// random clicks against each opponent on each board that it plays.
func TestPlayEveryOpponentOnEveryBoard(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	dice := rand.New(rand.NewPCG(1, 2))
	for _, rules := range strategy.Boards() {
		board := rules.String()
		for _, o := range strategy.All() {
			if !o.Plays(rules) {
				w.Refused(t, commandOfBefore(t, w, w.Ada, "tictactoe play", sandbox.Opt("difficulty", o.Name), sandbox.Opt("board", board)), "doesn't play")
				continue
			}
			m := w.Answer(t, commandOfBefore(t, w, w.Ada, "tictactoe play", sandbox.Opt("difficulty", o.Name), sandbox.Opt("board", board)))
			playOut(t, w.Ada, m, dice)
			s := m.Snapshot()
			if len(s.Rows()) != int(rules.N)+1 {
				t.Errorf("%s on %s: %d rows of buttons, want %d and the controls", o.Name, board, len(s.Rows()), rules.N)
			}
			if !strings.Contains(s.Text(), "wins!**") && !strings.Contains(s.Text(), "**Draw") && !strings.Contains(s.Text(), " held ") {
				t.Errorf("%s on %s: finished game says %q", o.Name, board, s.Text())
			}
			if _, ok := w.Active(t); ok {
				t.Fatalf("%s on %s: the channel still has a game", o.Name, board)
			}
		}
	}
}

// commandOfBefore sends a command from a client that knows the choices of a version before: the
// classic programs, and boards on which X can force a win.
func commandOfBefore(t *testing.T, w *bottest.World, who *sandbox.User, path string, args ...sandbox.Arg) *sandbox.Reply {
	t.Helper()
	call, err := who.Do(sandbox.SlashCommand{Channel: w.Channel, Path: path, Args: args, Forced: true})
	if err != nil {
		t.Fatal(err)
	}
	return call.Wait(t)
}

// playOut clicks empty cells at random until the game is over, and checks that
// every click makes one move of each side.
func playOut(t *testing.T, who *sandbox.User, m *sandbox.Message, dice *rand.Rand) {
	t.Helper()
	for !bottest.Over(m.Snapshot()) {
		before := m.Snapshot()
		free := bottest.Empties(before)
		at := free[dice.IntN(len(free))]
		r := who.ClickCell(t, m, at[0], at[1])
		if !r.Answered() || r.Type != sandbox.CallbackUpdate && r.Type != sandbox.CallbackDeferUpdate {
			t.Fatalf("click was answered with type %d: %s %v", r.Type, r.Text(), r.Problems)
		}
		// On a busy machine the board may follow the answer.
		after := m.Wait(t, "the move", func(s sandbox.Snapshot) bool { return bottest.Ply(s) > bottest.Ply(before) })
		if n := bottest.Ply(after) - bottest.Ply(before); n != 2 && (n != 1 || !bottest.Over(after)) {
			t.Fatalf("one click made %d moves:\n%s\n%s", n, bottest.Grid(before), bottest.Grid(after))
		}
	}
}

func TestPlayWhoMovesFirst(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, manyPrivate)
	tests := []struct {
		first string
		marks int // on the board as it comes
	}{
		{"me", 0},
		{"bot", 1},
	}
	for _, tt := range tests {
		t.Run(tt.first, func(t *testing.T) {
			ch := w.Discord.Guild().Channel("first-" + tt.first)
			m := w.Answer(t, w.Ada.Command(t, ch, "tictactoe play", sandbox.Opt("first", tt.first)))
			s := m.Snapshot()
			if got := 9 - len(bottest.Empties(s)); got != tt.marks {
				t.Errorf("%d marks on the first board, want %d: %s", got, tt.marks, bottest.Grid(s))
			}
			if tt.marks == 1 && !strings.Contains(bottest.Grid(s), "X") {
				t.Errorf("the bot's first move is not told: %s", s.Text())
			}
		})
	}
	t.Run("random", func(t *testing.T) {
		seen := map[int]bool{}
		for range 40 {
			m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe play",
				sandbox.Opt("first", "random"), sandbox.Opt("private", true)))
			seen[len(bottest.Empties(m.Snapshot()))] = true
		}
		if !seen[9] || !seen[8] {
			t.Errorf("forty random starts were all the same: %v", seen)
		}
	})
}

func TestPlayPrivately(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	public := w.Play(t, w.Bob)
	m := w.PlayPrivately(t, w.Ada)
	if !m.Snapshot().Ephemeral() {
		t.Fatal("the private board is public")
	}
	for _, seen := range w.Channel.Messages(w.Bob) {
		if seen == m {
			t.Error("somebody else sees the private board")
		}
	}
	w.Cell(t, w.Ada, m, "b2")
	again := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	if s := again.Snapshot(); !s.Ephemeral() || bottest.Grid(s) == ".../.../..." {
		t.Errorf("board shows %s, ephemeral %v, want the private game", bottest.Grid(s), s.Ephemeral())
	}
	playOut(t, w.Ada, again, rand.New(rand.NewPCG(3, 4)))
	if bottest.Over(public.Snapshot()) {
		t.Error("the public game of somebody else ended with the private one")
	}
}

func TestPlayInDirectMessages(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	dm := w.Ada.DM()
	m := w.Answer(t, w.Ada.Command(t, dm, "tictactoe play"))
	playOut(t, w.Ada, m, rand.New(rand.NewPCG(5, 6)))
	next := w.Answer(t, w.Ada.Click(t, m, "Rematch"))
	playOut(t, w.Ada, next, rand.New(rand.NewPCG(7, 8)))
	w.Refused(t, w.Ada.Command(t, dm, "tictactoe challenge"), "nobody to challenge", "Play")
	w.Answer(t, w.Ada.Command(t, dm, "tictactoe help"))
}
