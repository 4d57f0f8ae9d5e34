package bot_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

func TestRematchInTheSameInstant(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for range 10 {
		m := w.Finished(t)
		a, b := w.Ada.PrepareClick(t, m, "Rematch"), w.Bob.PrepareClick(t, m, "Rematch")
		w.Discord.DispatchTogether(a, b)
		ra, rb := a.Wait(t), b.Wait(t)
		made := 0
		var next *sandbox.Message
		for _, r := range []*sandbox.Reply{ra, rb} {
			if !r.Answered() {
				t.Fatalf("unanswered: %v", r.Problems)
			}
			if r.Type == sandbox.CallbackMessage && !r.Ephemeral {
				made++
				next = r.Message
			}
		}
		if made != 1 {
			t.Fatalf("both at once made %d games", made)
		}
		w.Cells(t, next, w.Bob, w.Ada, "a1", "a2", "b2", "a3", "c3")
	}
}

// The version before offered a stronger opponent after every game but one against the
// strongest, lost ones too. Its buttons still lead to the one that the package of opponents
// names, wherever they are pressed.
func TestHarderThanEachOpponent(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), manyPrivate, bottest.ClicksDelivered) // one click is on an older version's button
	g, err := engine.New(engine.Standard)
	if err != nil {
		t.Fatal(err)
	}
	perfect, _ := strategy.ByName("perfect")
	perfect.Choose(g, rand.New(rand.NewPCG(1, 1))) // its first thought in a process takes the longest
	for _, o := range strategy.All() {
		t.Run(o.Name, func(t *testing.T) {
			w.Channel = w.Discord.Guild().Channel("harder-than-" + o.Name)
			want, ok := strategy.Stronger(o.Name)
			m := w.Answer(t, commandOfBefore(t, w, w.Ada, "tictactoe play", sandbox.Opt("difficulty", o.Name)))
			w.Resign(t, w.Ada, m)
			for _, row := range m.Snapshot().Rows() {
				for _, b := range row {
					if strings.HasPrefix(b.Label, "Try ") {
						t.Errorf("after one loss there is %q", b.Label)
					}
				}
			}
			b, _ := m.Snapshot().Button("Rematch")
			harder := func() *sandbox.Reply {
				return w.Ada.ClickID(t, m, strings.Replace(b.CustomID, ":m:", ":h:", 1), sandbox.Forced)
			}
			if !ok {
				w.Refused(t, harder(), "This button is out of date")
				return
			}
			next := w.Answer(t, harder())
			stored, _ := w.Active(t)
			if stored.X.Opponent != want || string(stored.O.User) != w.Ada.ID() || stored.Series.Played() {
				t.Errorf("the game is %v against %v with the series %v, want the bot as %s with X and a new series",
					stored.X, stored.O, stored.Series, want)
			}
			if text := next.Text(); !strings.Contains(text, called(want)+" bot") {
				t.Errorf("the board says %q, want %s", text, want)
			}
			playOut(t, w.Ada, next, rand.New(rand.NewPCG(1, 1)))
		})
	}
}

// called is how the board names an opponent.
func called(opponent string) string {
	return strings.ToUpper(opponent[:1]) + opponent[1:]
}
